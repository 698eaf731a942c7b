/* A variant of the fused set (p = 1 on all but small meshes) in which a thread has an element of its own. */

EWI_DEVICE void EWI_K(take_own)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, const double *shared, int number,
                                struct EWI_K(kept) *own, int thread)
{
    (void)at, (void)shared;
    int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + thread;
    i = i < call->a.padded ? i : call->a.padded - 1;
    const double *state = call->state + ewi_layout_base(EWI_TILE, EWI_ROWS, i);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            own->c[m][j] = state[(m * EWI_NP + j) * EWI_TILE];
    const double *shape = call->shape + ewi_layout_base(EWI_TILE, EWI_FUSED_SHAPE, i);
    EWI_UNROLL for (int row = 0; row < EWI_FUSED_SHAPE; row++)
        own->shape[row] = shape[row * EWI_TILE];
}

/* ---- traces ---- */

/* One variable of a side of the halo a thread. */
EWI_DEVICE void EWI_K(copy_side)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared, int32_t entry,
                                 int column, int thread)
{
    const double *c = EWI_K(rows_outside)(call, entry, thread / EWI_SIDES_A_ROUND);
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
        ewi_copy_8(shared + at->halo + (column * EWI_NP + j) * EWI_THREADS + thread, c + j * EWI_TILE);
}

/* The trace of one variable on a side of the halo, from the coefficients in a column of those that were copied. */
EWI_DEVICE void EWI_K(halo_trace)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared, int32_t entry,
                                  int round, int column, int thread)
{
    const double *side = shared + at->table + (entry & 3) * (EWI_NP * EWI_NE);
    const double *c = shared + at->halo + column * EWI_NP * EWI_THREADS + thread;
    int variable = thread / EWI_SIDES_A_ROUND, place = round * EWI_SIDES_A_ROUND + thread % EWI_SIDES_A_ROUND;
    double u[EWI_NE];
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
        u[e] = 0.0;
    EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
    {
        double here = c[j * EWI_THREADS];
        EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
            u[e] = ewi_fma(side[j * EWI_NE + e], here, u[e]);
    }
    double *trace = shared + at->outer + 2 * (variable / 2 * at->outer_plane + place) + variable % 2;
    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
        trace[2 * e * call->halo_room] = u[e];
}

EWI_DEVICE void EWI_K(halo_traces)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared,
                                   const struct ewi_fused_block *block, const int32_t *staged, int thread)
{
    EWI_NO_UNROLL for (int round = 0; round * EWI_SIDES_A_ROUND < block->halos; round++)
    {
        int32_t entry = staged[0];
        EWI_UNROLL for (int k = 1; k < EWI_ROUNDS; k++)
            entry = round == k ? staged[k] : entry;
        int column = round;
        if (round >= EWI_ROUNDS) { /* what there was no room for: few sides of few blocks */
            entry = EWI_K(halo_entry)(call, block, round, thread);
            column = 0;
            if (entry >= 0)
                EWI_K(copy_side)(call, at, shared, entry, column, thread);
            ewi_copies_end();
            EWI_COPIES_WAIT(0);
        }
        if (entry >= 0)
            EWI_K(halo_trace)(call, at, shared, entry, round, column, thread);
    }
}

EWI_DEVICE void EWI_K(own_traces)(const struct ewi_fused_memory *at, double *shared, const struct EWI_K(kept) *all)
{
    EWI_FUSED_EACH
    {
        const struct EWI_K(kept) *own = &all[mine];
        EWI_UNROLL for (int point = 0; point < 3 * EWI_NE; point++)
        {
            int place = ewi_fused_place(EWI_VARIANT, EWI_NE, point / EWI_NE, thread) + point % EWI_NE * EWI_STRIDE;
            double u[2 * EWI_PAIRS];
            EWI_UNROLL for (int m = 0; m < 2 * EWI_PAIRS; m++)
            {
                u[m] = 0.0;
                EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                    u[m] = ewi_fma(EWI_TABLE(SIDE)[point * EWI_NP + j], m < EWI_M ? own->c[m < EWI_M ? m : 0][j] : 0.0, u[m]);
            }
            EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                ewi_put_pair(shared + at->own + 2 * (pair * EWI_PLANE + place), u[2 * pair], u[2 * pair + 1]);
        }
    }
}

EWI_DEVICE void EWI_K(traces)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, double *shared,
                              const struct ewi_fused_block *block, const struct EWI_K(kept) *own)
{
    EWI_FUSED_EACH
        EWI_K(halo_traces)(call, at, shared, block, own[mine].halo, thread);
    EWI_K(own_traces)(at, shared, own);
}

/* ---- integrals ---- */

EWI_DEVICE void EWI_K(volume)(const struct ewi_cuda_call *call, const struct ewi_fused_memory *at, const double *shared, int number,
                              struct EWI_K(kept) *all)
{
    (void)at, (void)shared;
    EWI_FUSED_EACH
    {
        struct EWI_K(kept) *own = &all[mine];
        int64_t i = (int64_t)number * EWI_BLOCK_ELEMENTS + thread;
        i = i < call->a.padded ? i : call->a.padded - 1;
        const double *fields = EWI_FIELDS ? call->a.volume_field + ewi_layout_base(EWI_TILE, EWI_NQ * EWI_FIELDS, i) : 0;
        double fr[EWI_NQ][EWI_M], fs[EWI_NQ][EWI_M]; /* one group of points */
        EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
        {
            double u[EWI_M], field[EWI_FIELD_ROOM];
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            {
                u[m] = 0.0;
                EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                    u[m] = ewi_fma(EWI_PHI(q, j), own->c[m][j], u[m]);
            }
            for (int f = 0; f < EWI_FIELDS; f++)
                field[f] = fields[(q * EWI_FIELDS + f) * EWI_TILE];
            EWI_L(volume_flux)(call->a.parameter, field, u, own->shape[EWI_XR], own->shape[EWI_XS], own->shape[EWI_YR],
                               own->shape[EWI_YS], fr[q], fs[q]);
        }
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        {
            own->sum[m][0] = 0.0;
            EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
            {
                double sum = 0.0;
                EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
                    sum = ewi_fma(EWI_DR(q, j), fr[q][m], sum);
                EWI_UNROLL for (int q = 0; q < EWI_NQ; q++)
                    sum = ewi_fma(EWI_DS(q, j), fs[q][m], sum);
                own->sum[m][j] = sum;
            }
        }
    }
}

EWI_DEVICE void EWI_K(lift)(const struct ewi_fused_memory *at, const double *shared, struct EWI_K(kept) *all)
{
    EWI_FUSED_EACH
    {
        struct EWI_K(kept) *own = &all[mine];
        EWI_UNROLL for (int k = 0; k < 3; k++)
        {
            int place = ewi_fused_place(EWI_VARIANT, EWI_NE, k, thread);
            double f[EWI_NE][2 * EWI_PAIRS];
            EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
                EWI_UNROLL for (int pair = 0; pair < EWI_PAIRS; pair++)
                    ewi_get_pair(shared + at->own + 2 * (pair * EWI_PLANE + place + e * EWI_STRIDE), &f[e][2 * pair], &f[e][2 * pair + 1]);
            EWI_UNROLL for (int m = 0; m < EWI_M; m++)
                EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
                {
                    double side = 0.0;
                    EWI_UNROLL for (int e = 0; e < EWI_NE; e++)
                        side = ewi_fma(EWI_SIDE(k, e, j), f[e][m], side);
                    own->sum[m][j] = own->sum[m][j] + side;
                }
        }
    }
}
