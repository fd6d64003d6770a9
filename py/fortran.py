"""The module of Fortran, bindings/strideview.f90, for gen_bindings.py."""

import textwrap

from read_header import Callback, Constants, Function, Number, Section, Type, first_sentence

WIDTH = 118  # Fortran 2018 allows 132

HEAD = """\
! The C API of {title} Its header says what each function does.
! {note}
!
! Handles and addresses are type(c_ptr), unset ones c_null_ptr; callbacks are type(c_funptr), of procedures with bind(c).
! Arrays that C takes as NULL may be left out. Outputs are intent(inout), since they stay as they were after an error.
! Texts for C end with c_null_char; sv_text() makes a character variable of one that C answers. A constant that has the
! name of a function but for capitals, which Fortran does not tell apart, ends in _VALUE here.
!
! Shapes and strides count axes as C does, and a layout without strides is in C order, the last axis fastest. Such a
! layout describes a Fortran array a(n1, n2, n3) by the shape [n3, n2, n1]; or give its byte strides for [n1, n2, n3].
module strideview
    use, intrinsic :: iso_c_binding
    implicit none
    public
"""

TAIL = """\

contains

    ! What C answers as const char *; empty for NULL.
    function sv_text(text) result(string)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: string
        character(kind=c_char), pointer :: letters(:)
        integer :: i
        interface
            function strlen(text) bind(c)
                import
                type(c_ptr), value :: text
                integer(c_size_t) :: strlen
            end function
        end interface

        if (.not. c_associated(text)) then
            string = ""
            return
        end if
        call c_f_pointer(text, letters, [strlen(text)])
        allocate (character(len=size(letters)) :: string)
        do i = 1, size(letters)
            string(i:i) = letters(i)
        end do
    end function
end module"""

# Outputs of numbers that are arrays; others are one number.
ARRAYS = ("axes", "shape")


def number_type(name):
    """Fortran has no unsigned numbers: those have the signed kind of their size."""
    if name == "double":
        return "real(c_double)"
    if name in ("size_t", "uintptr_t"):
        return "integer(c_size_t)" if name == "size_t" else "integer(c_intptr_t)"
    return f"integer(c_{name.removeprefix('u')})"


class Module:
    def __init__(self, header):
        self.numbers = {number.name: number.base for number in header.every(Number)}
        self.callbacks = {callback.name for callback in header.every(Callback)}

    def plain(self, base):
        """Type of a number, or of a pointer to anything else."""
        base = self.numbers.get(base, base)
        return number_type(base) if base == "double" or base.endswith("_t") else "type(c_ptr)"

    def argument(self, parameter):
        """(type and attributes, name with its dimensions)"""
        kind, name = parameter.type, parameter.name
        optional = ", optional" if "OPT" in parameter.marks else ""
        if kind.base in self.callbacks:
            return ("type(c_funptr), intent(inout)" if kind.depth else "type(c_funptr), value"), name
        if kind.array:
            return "type(c_ptr), intent(in)", f"{name}(*)"
        if kind.base == "char":
            return f"character(kind=c_char), intent({'in' if kind.const else 'inout'}){optional}", f"{name}(*)"
        plain = self.plain(kind.base)
        if kind.depth == 0 or plain == "type(c_ptr)" and kind.depth == 1:
            return f"{plain}, value", name
        if plain == "type(c_ptr)" or kind.depth == 2:
            return f"type(c_ptr), intent(inout){optional}", name
        if kind.const:
            return f"{plain}, intent(in){optional}", f"{name}(*)"
        is_array = name in ARRAYS and "OUT" in parameter.marks
        return f"{plain}, intent(inout){optional}", f"{name}(*)" if is_array else name

    def function(self, function):
        is_function = function.result != Type("void")
        word = "function" if is_function else "subroutine"
        names = [parameter.name for parameter in function.parameters]
        lines = [*comment(first_sentence(function.doc), 8), *head(f"        {word} {function.name}(", names, ") bind(c)")]
        lines.append("            import")
        for parameter in function.parameters:
            attributes, declared = self.argument(parameter)
            lines.append(f"            {attributes} :: {declared}")
        if is_function:
            result = "type(c_ptr)" if function.result.depth else self.plain(function.result.base)
            lines.append(f"            {result} :: {function.name}")
        return [*lines, f"        end {word}"]


def comment(text, indent):
    prefix = " " * indent + "! "
    return textwrap.wrap(text, WIDTH, initial_indent=prefix, subsequent_indent=prefix)


def head(begin, names, end):
    """The statement that begins a function, continued by & where it is longer than a line."""
    line = begin + ", ".join(names) + end
    if len(line) <= WIDTH:
        return [line]
    parts = textwrap.wrap(", ".join(names) + end, WIDTH - 18, break_long_words=False)
    return [f"{begin} &", *(f"                {part} &" for part in parts[:-1]), f"                {parts[-1]}"]


def constants(item, functions):
    lines = comment(first_sentence(item.doc), 4)
    for c in item.constants:
        suffix = "_VALUE" if c.name.lower() in functions else ""
        lines.append(f"    integer(c_int32_t), parameter :: {c.name}{suffix} = {c.value}")
    return lines


def module(header, title, note):
    writer = Module(header)
    functions = {function.name for function in header.functions}
    lines = HEAD.format(title=title, note=note).splitlines()
    for item in header.items:
        if isinstance(item, Constants):
            lines += ["", *constants(item, functions)]
    lines += ["", "    interface"]
    for item in header.items:
        if isinstance(item, Section):
            lines += ["", f"        ! --- {item.title}"]
        elif isinstance(item, Function):
            lines += ["", *writer.function(item)]
    return [*lines, "    end interface", *TAIL.splitlines()]
