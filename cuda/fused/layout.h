/* SPDX-License-Identifier: BSD-2-Clause */
/* Where elements and their rows lie in a state in the fused set's order (ewi_fused_row), and the sides of a halo. */

/* Where an element's tile begins in a state. */
EWI_DEVICE int64_t EWI_K(tile_of)(int64_t element) { return element / EWI_TILE * (EWI_TILE * EWI_ROWS); }

/* Where basis function j of variable m lies in a tile. */
EWI_DEVICE int EWI_K(row)(int m, int j, int e) { return ewi_fused_row(EWI_MATRIX, EWI_M, EWI_NP, m, j / 4, j % 4, e); }

/* The place of kernels/rows.h is an element's number here. */
EWI_DEVICE int64_t EWI_K(place)(int64_t width, int64_t i)
{
    (void)width;
    return i;
}

EWI_DEVICE int64_t EWI_K(at)(int64_t width, int64_t place, int m, int j)
{
    (void)width;
    return EWI_K(tile_of)(place) + EWI_K(row)(m, j, (int)(place % EWI_TILE));
}

EWI_DEVICE double EWI_K(gather)(const double *state, int64_t width, const int64_t *place, int m, int j)
{
    return state[EWI_K(at)(width, *place, m, j)];
}

/* With four lanes an element and an even number of rows left, rows lie in pairs. */
EWI_DEVICE void EWI_K(gather_variable)(const double *state, int64_t width, const int64_t *place, int m, double *c)
{
    if (EWI_MATRIX && EWI_NP % 2 == 0) {
        EWI_UNROLL for (int j = 0; j + 1 < EWI_NP; j += 2)
            ewi_get_pair(state + EWI_K(at)(width, *place, m, j), &c[j], &c[j + 1]);
    } else {
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            c[j] = EWI_K(gather)(state, width, place, m, j);
    }
}

/* The variable that forms a pair with variable m, or m. */
EWI_DEVICE int EWI_K(partner)(int m) { return (m | 1) < EWI_M ? m | 1 : m; }

/*
 * Where two rows are left of each variable, those of two variables share a sector (ewi_fused_row): from the update on,
 * lanes that have none of the first's have the second's, so that four lanes ask for a whole sector at once: the first
 * one leads, the other follows.
 */
EWI_DEVICE int EWI_K(shares)(int m, int q)
{
    return EWI_LANES_EXCHANGE && EWI_MATRIX && EWI_NP % 4 == 2 && q == EWI_NP / 4 && (m | 1) < EWI_M;
}

EWI_DEVICE int EWI_K(leads)(int m, int q) { return m % 2 == 0 && EWI_K(shares)(m, q); }
EWI_DEVICE int EWI_K(follows)(int m, int q) { return m % 2 != 0 && EWI_K(shares)(m, q); }

/* The side of the halo that a thread handles in a round, with three others. */
EWI_DEVICE int EWI_K(side_of)(int thread) { return thread / 32 * 8 + thread % 32 / 4; }

/* The side of the halo that four lanes handle in a round, element << 2 | side; -1: none. */
EWI_DEVICE int32_t EWI_K(halo_entry)(const struct ewi_cuda_stage *call, const struct ewi_fused_block *block, int round,
                                     int thread)
{
    int side = round * EWI_SIDES_A_ROUND + EWI_K(side_of)(thread);
    return side < block->halos ? call->halo[block->halo_first + side] : -1;
}
