/* SPDX-License-Identifier: BSD-2-Clause */
/* The members of "sweep": their runs, their table and its chart. */
#ifndef EDGEWISE_CMD_SWEEP_H
#define EDGEWISE_CMD_SWEEP_H

#include "cmd.h"

#include <pthread.h>

enum { SWEEP_NAME = 512, SWEEP_VALUE = 4096 };

enum sweep_status { SWEEP_WAITING, SWEEP_DONE, SWEEP_FAILED, SWEEP_STOPPED, SWEEP_STATUSES };
extern const char *const sweep_status_names[SWEEP_STATUSES];

/* A member's row. */
struct sweep_row {
    enum sweep_status status;
    bool earlier; /* done by the sweep that is resumed */
    int code;     /* of a failed member: the exit code of "run" */
    char *end, *sentence;
    double time, seconds;
    int64_t steps;
    bool has_hash;
    uint64_t hash;
    int values;
    int *column;   /* [values]: columns of the table */
    double *value; /* [values] */
};

/* A column that not every member has is added with the first member that has it. */
struct sweep_table {
    const ew_sweep *sweep;
    ew_sweep_info info;
    const char *case_path;
    char *csv, *json, *lock; /* paths */
    int locked;              /* descriptor of the lock while it is held, otherwise -1 */
    struct sweep_row *row; /* [info.members] */
    int columns;
    char **column;         /* [columns]: names */
};

/* ---- the table (sweep_table.c) ----------------------------------------------------------------------------------- */

/* Puts the files into `folder` (NULL: the current one). */
void sweep_table_begin(struct sweep_table *table, const ew_sweep *sweep, const char *case_path, const char *folder);
void sweep_table_end(struct sweep_table *table);
/* Locks the files against other sweeps until the end. EX_OK, or an exit code and a sentence in `error`. */
int sweep_table_lock(struct sweep_table *table, ew_error *error);
/* The index of the column of this name, which is added if it is missing. */
int sweep_table_column(struct sweep_table *table, const char *name);
void sweep_row_put(struct sweep_row *row, int column, double value);
/* A column's number of a member: its own, a key's, "member", "time", "steps" or "wall_s". NaN: none. */
double sweep_table_number(const struct sweep_table *table, int64_t member, const char *name);
/* Writes both files, each by renaming. EX_OK, or an exit code and a sentence in `error`. */
int sweep_table_write(const struct sweep_table *table, ew_error *error);
/* Takes over the rows of members that an earlier table marks as done. Returns as above. */
int sweep_table_resume(struct sweep_table *table, ew_error *error);
/* EX_CANTCREAT if an earlier sweep has left its table. One whose members all failed to begin does not count. */
int sweep_table_is_new(const struct sweep_table *table, ew_error *error);
/* Before the table is replaced: names the members of an earlier sweep which this one lacks, if their files exist. */
void sweep_table_tell_left(const struct sweep_table *table);
/* Prints the members and their values, as text or JSON; runs nothing. */
void sweep_print_members(const struct sweep_table *table, bool json);

/* ---- the members' runs (sweep_run.c) ----------------------------------------------------------------------------- */

/* A GPU; its members form an ensemble. */
struct sweep_device {
    int number;
    size_t settings; /* settings of the command line, and of the GPU's number if the case has another */
    char **setting, **setting_name;
    ew_ensemble *ensemble;
    int64_t running, members; /* members: in total */
    bool lost;
};

struct sweep {
    struct cli_arguments *arguments;
    struct sweep_table table;
    int jobs, threads; /* threads: of each job */
    bool are_chosen;   /* an option chose the devices */
    int devices;       /* 0: members run on the cores */
    struct sweep_device device[CLI_MOST_DEVICES];
    bool no_output, resume, reported; /* reported: on stdout */
    const char *well_path; /* of the data set; NULL: not requested */
    ew_well *well;         /* NULL: beginning it failed */
    int well_keys, *well_key; /* the keys that are numbers */
    bool well_failed;      /* adding a member failed */
    ew_error error;    /* `message`: why the sweep as a whole failed */
    ew_meshes *meshes; /* shared by members; NULL: each has its own */
    int64_t *todo, todos;  /* the members to run */
    /* Guards the members below and the table; work() holds it only for moments. */
    pthread_mutex_t lock;
    struct cli_progress progress;
    double *fraction;      /* [info.members] */
    int64_t counts[SWEEP_STATUSES], running;
    struct cli_report told; /* lines printed about members, each once */
    int64_t failures_told;
    double written, interval; /* time of the last table, and seconds until the next one */
};

/* Runs the members on the list, and keeps the table's files up to date. */
void sweep_run(struct sweep *sweep);

/* ---- the data set (sweep_well.c) --------------------------------------------------------------------------------- */

/* Begins the data set with the case of one member. EW_OK, or a sentence in `error`. */
int sweep_well_begin(struct sweep *sweep, const ew_case *that);
/* Adds a finished member and prints errors. Several threads may call it. */
void sweep_well_add(struct sweep *sweep, int64_t member);
/* Adds the members of an earlier sweep. */
void sweep_well_add_earlier(struct sweep *sweep);
/* Publishes the file, unless members are still to run. EX_OK, or an exit code and a sentence on stderr. */
int sweep_well_end(struct sweep *sweep);
/* Path of a member's fields; the caller frees it. */
char *sweep_fields_path(const struct sweep *sweep, int64_t member);

/* ---- the chart (sweep_chart.c) ----------------------------------------------------------------------------------- */

/*
 * Checks before the runs that the table will have the columns "X,Y". EX_OK, or an exit code and a sentence on stderr.
 */
int sweep_chart_check(const struct sweep_table *table, const char *columns, const struct cli_arguments *arguments);
/* Writes the chart. `columns`: "X,Y", or NULL. Returns as above. */
int sweep_chart_write(const struct sweep_table *table, const char *columns, const char *path);

#endif
