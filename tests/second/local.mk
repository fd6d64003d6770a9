## The driver of a second family, with the list of backends that has it. Linked before libsvcore.la.
SECOND_FILES = \
	tests/second/backend.c \
	tests/second/backend_list.c \
	tests/second/memory.c \
	tests/second/second.h \
	tests/second/stream.c
