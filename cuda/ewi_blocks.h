/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's side of the fused set: its blocks and tables, before they go to the device. */
#ifndef EWI_BLOCKS_H
#define EWI_BLOCKS_H

#include "ewi_element_lists.h"
#include "ewi_fused.h"

struct ewi_blocks {
    int variant;                   /* of the kernels that take them */
    struct ewi_fused_block *block; /* [count], by class until parts.c moves the interface blocks */
    int32_t class_end[EWI_MAX_CLASSES];
    int32_t first_interface, interface_blocks; /* blocks with interface elements */
    double *edge;                  /* [edges * EWI_FUSED_EDGE_BYTES / 8] */
    int32_t *halo;                 /* [halos]: of each block its halo, and then the slots of its boundary edges */
    uint32_t *neighbours;          /* [room], for stages that limit on load (ewi_fused_neighbour) */
    uint64_t *halo_neighbours;     /* [halos], likewise (ewi_fused_halo_neighbour) */
    double *shape;                 /* tiles of EWI_FUSED_SHAPE rows, over padded elements */
    double *table;
    int32_t count, edges, halos;
    int32_t halo_room, edge_room;  /* of the block that needs most */
};

/* The variant for large meshes. */
int ewi_blocks_variant(const struct ewi_sizes *sizes);
/* The operations that the fused set's kernels fuse, without the exchange between parts. */
struct ewi_fusion ewi_blocks_fusion(const struct ewi_sizes *sizes);
/* True if stages limit on load. */
bool ewi_blocks_limit_on_load(const struct ewi_sizes *sizes);
/* The grid must be whole. Also after a failure ewi_blocks_destroy empties `blocks`. */
int ewi_blocks_create(const struct ewi_plan *plan, int variant, struct ewi_blocks *blocks, ew_error *error);
void ewi_blocks_destroy(const ew_host *host, struct ewi_blocks *blocks);
/* Elements that all blocks would have if the last one were full. */
size_t ewi_blocks_room(const struct ewi_blocks *blocks);
int32_t ewi_blocks_count(const struct ewi_sizes *sizes, int variant);
size_t ewi_blocks_table_doubles(const struct ewi_basis *basis, int variant);

#endif
