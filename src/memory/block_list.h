/*
 * The live blocks of an allocator: found by their address, and listed in the order of their allocation. A lock orders
 * the calls; none of them calls anything of a caller's while it is held.
 */
#ifndef SVI_BLOCK_LIST_H
#define SVI_BLOCK_LIST_H

#include "memory/allocator.h"

struct svi_block_list;
struct svi_block_entry;

/* NULL with the message set when out of memory. */
struct svi_block_list *svi_block_list_new(void);

/* Frees the list and what is on it. */
void svi_block_list_end(struct svi_block_list *list);

/* Room for one block, made before it is allocated; NULL with the message set when out of memory. */
struct svi_block_entry *svi_block_entry_new(void);

/* Frees an entry that was not added. */
void svi_block_entry_drop(struct svi_block_entry *entry);

void svi_block_list_add(struct svi_block_list *list, struct svi_block_entry *entry, const struct svi_block *block);

/* SV_ERROR_STATE when no block begins there, SV_ERROR_INVALID when the one that does has another size. */
sv_status svi_block_list_remove(struct svi_block_list *list, const struct svi_block *block);

/* Calls visit for what is in the list at the call. */
sv_status svi_block_list_visit(struct svi_block_list *list, sv_block_callback visit, void *ctx);

#endif
