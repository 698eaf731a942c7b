/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Explicit Runge-Kutta schemes as a list of stages. With u_0 the state at the step's start, a stage forms
 *     x = fma(step * dt, R(u_source, t + time * dt), u_0 + D),   D = sum_k a_k (u_k - u_0) [+ kept * dt * R_kept]
 * where D is a chain of fma in the listed order that starts at +0 (no D at all, if a stage has no terms). Differences
 * to u_0 keep a constant state constant to the last bit, which weights like 1/3, 1/3, 2/3 would not.
 */
#ifndef EWI_SCHEME_H
#define EWI_SCHEME_H

#include "edgewise.h"
#include "ewi_choice.h"

#include <stdbool.h>

enum { EWI_MAX_STAGES = 5, EWI_MAX_TERMS = 3, EWI_MAX_REGISTERS = 4 };

struct ewi_stage {
    double time, step;
    int source, target; /* registers; 0 is u_0, and the last stage's target */
    int terms;
    struct {
        int from;
        double weight;
    } term[EWI_MAX_TERMS];
    int keeps;   /* non-zero: this stage's right-hand side is kept ... */
    double kept; /* ... and used by a later one with this weight */
};

/*
 * Rules of a scheme:
 *   - at least two registers, and at most the stages, terms and registers of the enumeration above;
 *   - the source of a stage is not its target: elements read their neighbours' source while others store the target;
 *   - register 0 is the target of the last stage and of no other one, since all stages start from it;
 *   - a stage loads, as source or term, only registers that an earlier stage of the step has stored, or 0;
 *   - at most one stage keeps its right-hand side, and stages that use it (`kept`) come later and have terms: without
 *     terms there is no D to add it to.
 */
struct ewi_scheme {
    const char *name, *description;
    int stages, registers, keeps; /* registers: u_0 included; keeps: one more for a right-hand side */
    /*
     * The largest Courant number that is stable at each order, rounded down: gas at rest on a uniform rectangle, flux
     * llf (bench/stable-cfl).
     */
    double stable[EW_MAX_ORDER];
    double cap_factor;  /* of the caps of ewi_scheme_cfl, which are those of Euler steps; 0 is 1 */
    double real_extent; /* length of the stability region on the negative real axis, for diffusion */
    struct ewi_stage stage[EWI_MAX_STAGES];
};

/* The default Courant number: at most this share of the stable one (scheme.c says why). */
#define EWI_SAFE_SHARE 0.8
double ewi_scheme_cfl(const struct ewi_scheme *scheme, int order, bool limited, bool positivity);

/* The weights b_k of a step u_0 + dt sum_k b_k R_k, with R_k the right-hand side of stage k, from 0; 0 beyond those. */
void ewi_scheme_weights(const struct ewi_scheme *scheme, double weight[EWI_MAX_STAGES]);
/* The same of all stages: weight[i - 1] is of the state that stage i, from 1, stores. */
void ewi_scheme_rows(const struct ewi_scheme *scheme, double weight[EWI_MAX_STAGES][EWI_MAX_STAGES]);
enum { EWI_MOST_LEVEL_STAGES = 4 }; /* of a scheme with levels of time steps (ewi_level_plan.h) */
/*
 * True if the rules of levels fit a scheme with so many stages: each stage starts from the state of the one before, and
 * with four, the third one's is u_0 + dt a_21 R_1 (a_20 = 0), of which trial states are made.
 */
bool ewi_scheme_fits_levels(const struct ewi_scheme *scheme);

const struct ewi_scheme *ewi_scheme_find(const char *name);
const struct ewi_scheme *ewi_scheme_at(int index); /* NULL beyond the last one */
struct ewi_choice ewi_scheme_choice(int index);

#endif
