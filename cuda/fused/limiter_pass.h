/* SPDX-License-Identifier: BSD-2-Clause */
/* A pass between stages by a limiter that uses cell means: a thread per element. */

/* Loads the input of the limiter for element i: its coefficients, and the first ones of its neighbours. */
EWI_DEVICE void EWI_K(take_element)(const struct ewi_cuda_limit *call, int64_t i, double (*c)[EWI_NP],
                                    double (*other)[3])
{
    const int e = (int)(i % EWI_TILE);
    const double *tile = call->target + EWI_K(tile_of)(i);
    int64_t neighbour[3];
    EWI_UNROLL for (int k = 0; k < 3; k++)
        neighbour[k] = call->a.neighbour[k * call->a.padded + i];
    EWI_UNROLL for (int r = 0; r < EWI_ROWS; r++)
    {
        int m = r % EWI_M, j = r / EWI_M, next = (m + 1) % EWI_M, next_j = (r + 1) / EWI_M;
        if (EWI_MATRIX || (r + 1 == EWI_ROWS && r % 2 == 0))
            c[m][j] = tile[EWI_K(row)(m, j, e)];
        else if (r % 2 == 0)
            ewi_get_pair(tile + EWI_K(row)(m, j, e), &c[m][j], &c[next][next_j]);
    }
    EWI_UNROLL for (int k = 0; k < 3; k++)
    {
        const double *tile_of_other = call->target + EWI_K(tile_of)(neighbour[k]);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        {
            const double *first = tile_of_other + EWI_K(row)(m, 0, (int)(neighbour[k] % EWI_TILE));
            if (EWI_MATRIX || (m + 1 == EWI_M && m % 2 == 0))
                other[m][k] = *first;
            else if (m % 2 == 0)
                ewi_get_pair(first, &other[m][k], &other[EWI_K(partner)(m)][k]);
        }
    }
}

/*
 * All loads are issued before anything is computed, and only slopes that change are written, or that share a pair with
 * one that does.
 */
EWI_DEVICE void EWI_K(limit_element)(int limiter, const struct ewi_cuda_limit *call, int64_t i)
{
    double c[EWI_M][EWI_NP], other[EWI_M][3], alpha[EWI_M], *tile = call->target + EWI_K(tile_of)(i);
    const int e = (int)(i % EWI_TILE);
    EWI_K(take_element)(call, i, c, other);
    EWI_K(factors)(limiter, EWI_M, c, other, alpha);
    EWI_UNROLL for (int m = 0; m < EWI_M; m++)
        EWI_UNROLL for (int j = 1; j < EWI_NP; j++)
        {
            int pairs = !EWI_MATRIX && EWI_M % 2 == 0, next = EWI_K(partner)(m);
            if (pairs && m % 2 == 0 && (alpha[m] != 1.0 || alpha[next] != 1.0))
                ewi_put_pair(tile + EWI_K(row)(m, j, e), alpha[m] * c[m][j], alpha[next] * c[next][j]);
            else if (!pairs && alpha[m] != 1.0)
                tile[EWI_K(row)(m, j, e)] = alpha[m] * c[m][j];
        }
}
