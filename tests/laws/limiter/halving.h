/* SPDX-License-Identifier: BSD-2-Clause */
/* A limiter for tests, by cell means: halves all slopes, whatever the means. */
EW_HD void EWI_K(jump_sensor_halving)(const struct ewi_arguments *a, const double *state, double *sensor, int64_t s)
{
    (void)a, (void)state, (void)sensor, (void)s;
}

EW_HD void EWI_K(limit_halving)(const struct ewi_arguments *a, const struct ewi_limiting *with, double *state,
                                int64_t i)
{
    (void)with;
    const int64_t place = EWI_K(place)(a->width, i);
    for (int m = 0; m < EWI_M; m++)
        for (int j = 1; j < EWI_NP; j++) {
            double *at = state + EWI_K(at)(a->width, place, m, j);
            ewi_store(at, ewi_set(0.5) * ewi_load(at));
        }
}
