/* Copies by the kernel that launch_shape.c chooses, run by the emulator on exactly the bytes that a plan has. */
#ifndef EMULATED_COPIES_H
#define EMULATED_COPIES_H

#include "gpu/launch_families.h"
#include "gpu/launch_shape.h"
#include "emulator.h"
#include "plan/affine.h"

enum { COPY_NDIM = 64 };

/* By what a copy scales: along an axis of its shape, or none for -1. */
struct emulated_scale {
    struct svi_affine affine;
    int32_t axis;
    int64_t src_itemsize;
};

/* Strides are in bytes; the elements of dst share no byte. The first byte of each side lies so many bytes after a
 * multiple of 256. */
struct emulated_copy {
    int32_t ndim;
    int64_t itemsize; /* of dst */
    int64_t shape[COPY_NDIM], dst[COPY_NDIM], src[COPY_NDIM];
    int64_t dst_skew, src_skew;
    unsigned order; /* of the emulator's threads */
    struct svi_chain chain; /* without a step: nothing is converted, and elements of src are of itemsize too */
    uint32_t box_tiles; /* that a block has where the kernel walks tiles; 0: as its family has it */
    uint32_t packets;   /* that a thread converts where the kernel is one for runs, if there is room; 0: as chosen */
    const struct emulated_scale *scale; /* then there is no chain; NULL: the copy does not scale */
    svi_launch_family *family; /* NULL: the one that launch_shape.c chooses. No launches: it does not copy this */
    bool by_table; /* the first axis goes by a table of addresses, with an entry for each index */
    bool by_batch; /* the same by addresses in the parameters */
};

/* What came of it. */
struct emulated_result {
    enum emulated_fault fault;
    bool equal; /* the bytes of the destination are those that the host engine makes, and none else is touched */
    struct svi_launch_shape shape;
    int64_t nbytes;        /* payload */
    int64_t nbytes_of_all; /* the same where only some blocks were run */
    int launches;
};

/* Bytes of an element of src. */
int64_t emulated_src_item(const struct emulated_copy *copy);

void emulated_make_plan(const struct emulated_copy *copy, struct svi_plan *out);

/* A kernel's two arrays of addresses. */
enum { EMULATED_ENTRIES = 16 };

struct emulated_table {
    uint64_t dst[EMULATED_ENTRIES], src[EMULATED_ENTRIES];
};

/* Finds the launch for a copy by a table or by a batch between the elements [0,...,0], whose first axis has
 * EMULATED_ENTRIES indices at most. Fills the table, if there is one. False: there is no such launch. */
bool emulated_find_many(const struct emulated_copy *copy, char *dst, const char *src, struct emulated_table *table,
                        struct svi_launch_shape *shape);

/* Not for an empty one. counts as of emulated_run(); NULL: nothing is counted. */
struct emulated_result emulated_copy_run(const struct emulated_copy *copy, struct emulated_counts *counts);

/* The traffic of so many blocks only, evenly spread, of a copy that is too large to be run. The bytes are not compared;
 * nbytes are those that the blocks copy, about. */
struct emulated_result emulated_copy_count(const struct emulated_copy *copy, unsigned blocks,
                                           struct emulated_counts *counts);

/* Fills dst with the first item of src, whose strides are 0; axes and items are as many and as large as of fills. */
struct emulated_result emulated_fill_run(const struct emulated_copy *copy, struct emulated_counts *counts);

/* The family of a name, of those that compete, which tests ask alone: choices.c tests which of them is chosen. NULL: it
 * is none of them. */
svi_launch_family *emulated_find_family(const char *name);

/* The kernel's name without what follows its family's: "tile" of "svi_tile_4_11". */
bool emulated_is_family(const struct emulated_result *result, const char *family);

#endif
