/* SPDX-License-Identifier: BSD-2-Clause */
/* Values along walls, in the frames of NAME.nc. */
#ifndef EWI_WALLS_H
#define EWI_WALLS_H

#include "ewi_chains.h"

struct ew_fields;

/* Names of variables begin with this, the wall's name and an underscore. */
#define EWI_WALL_PREFIX "wall_"
/* The attribute of wall_NAME_arc with the reference values and boundaries as words. */
#define EWI_WALL_SETTINGS "wall_settings"

enum { EWI_WALL_PLACES = 5, EWI_WALL_VALUES = 6 };
struct ewi_wall_quantity {
    const char *name, *long_name;
};
/* Variables without and with the time as a dimension, at a wall's points in order. */
extern const struct ewi_wall_quantity ewi_wall_place[EWI_WALL_PLACES], ewi_wall_value[EWI_WALL_VALUES];

struct ewi_wall {
    const ew_wall *wall;
    size_t room;                 /* bytes of settings, with the end */
    char *settings, *earlier;    /* [room]; earlier: those of a file that a run resumes */
    int values;                  /* how many of ewi_wall_value the wall has: the first ones */
    int64_t edges;
    struct ewi_chain_edge *edge; /* [edges], in order along the wall */
    double *row;                 /* [values][edges][points]: of the current frame */
    int place[EWI_WALL_PLACES], value[EWI_WALL_VALUES]; /* numbers of netCDF's variables */
};

struct ewi_walls {
    int count, points;      /* points: of an edge */
    struct ewi_wall *wall;  /* [count] */
    int64_t longest;        /* edges of the longest boundary */
    ew_wall_point *point;   /* [longest][points] */
    double *length;         /* [longest] */
};

/* Finds the points of the plan's walls, which ewi_plan_check has checked. The plan must outlive them. */
int ewi_walls_create(struct ewi_arena *memory, const ew_run_plan *plan, const ew_solver *solver,
                     struct ewi_walls *walls, ew_error *error);
/* Bytes of a frame, and of what is written once. */
double ewi_walls_frame_bytes(const struct ewi_walls *walls);
double ewi_walls_place_bytes(const struct ewi_walls *walls);
int ewi_walls_define(struct ew_fields *fields, ew_error *error);
int ewi_walls_write_places(struct ew_fields *fields, const ew_solver *solver, ew_error *error);
/* Evaluates the rows of a frame. Call it without netCDF's lock. */
int ewi_walls_evaluate(struct ewi_walls *walls, ew_solver *solver, ew_error *error);
int ewi_walls_write(struct ew_fields *fields, ew_error *error);

#endif
