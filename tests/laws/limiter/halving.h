/* SPDX-License-Identifier: BSD-2-Clause */
/* A limiter for tests, by cell means: halves all slopes, whatever the means. */
EW_HD struct EWI_K(reach) EWI_K(reach_halving)(const ewi_v *c, const ewi_v *other)
{
    (void)c, (void)other;
    return (struct EWI_K(reach)){ewi_set(2.0), ewi_set(-2.0), ewi_set(1.0), ewi_set(-1.0)};
}
