/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutates netCDF files so that they stay netCDF files. */
#include "ewi_fields.h"
#include "netcdf.h"

#include <unistd.h>
#include <fcntl.h>
#include <netcdf.h>
#include <stdio.h>
#include <sys/stat.h>

enum { MOST_PATCHES = 4, HEADER = 4000, MOST_NUMBERS = 8, LONGEST_TEXT = 300, MOST_DIMENSIONS = 4 };
enum { MOST_VALUES = 1 << 14 };

const char *const fuzz_words[] = {"\1", "\2\2", "\377", NULL};

void fuzz_load(const char *name, struct fuzz_file *file)
{
    FILE *from = fopen(fuzz_path(name), "rb");
    file->size = from ? fread(file->bytes, 1, sizeof file->bytes, from) : 0;
    if (file->size == 0 || file->size == sizeof file->bytes)
        abort();
    fclose(from);
}

/* ---- a copy ---------------------------------------------------------------------------------------------------- */

static void check(int code)
{
    if (code == NC_NOERR)
        return;
    fprintf(stderr, "netCDF: %s\n", nc_strerror(code));
    abort();
}

static void copy_attributes(int from, int variable, int to)
{
    char name[NC_MAX_NAME + 1];
    int count = 0;
    if (variable == NC_GLOBAL)
        check(nc_inq_natts(from, &count));
    else
        check(nc_inq_varnatts(from, variable, &count));
    for (int k = 0; k < count; k++) {
        check(nc_inq_attname(from, variable, k, name));
        check(nc_copy_att(from, variable, name, to, variable));
    }
}

static void copy_definitions(int from, int to, int dimensions, int variables, int unlimited)
{
    char name[NC_MAX_NAME + 1];
    for (int k = 0; k < dimensions; k++) {
        size_t length;
        int number;
        check(nc_inq_dim(from, k, name, &length));
        check(nc_def_dim(to, name, k == unlimited ? NC_UNLIMITED : length, &number));
    }
    for (int k = 0; k < variables; k++) {
        int own[NC_MAX_VAR_DIMS], count, number;
        nc_type type;
        check(nc_inq_var(from, k, name, &type, &count, own, NULL));
        check(nc_def_var(to, name, type, count, own, &number));
        copy_attributes(from, k, to);
    }
    copy_attributes(from, NC_GLOBAL, to);
}

/* Every type that is not text fits a double here. */
static void copy_values(int from, int to, int variable)
{
    static double values[MOST_VALUES];
    static char text[MOST_VALUES];
    int own[NC_MAX_VAR_DIMS], count;
    size_t start[MOST_DIMENSIONS] = {0}, length[MOST_DIMENSIONS];
    nc_type type;
    check(nc_inq_var(from, variable, NULL, &type, &count, own, NULL));
    for (int k = 0; k < count; k++)
        check(nc_inq_dimlen(from, own[k], &length[k]));
    if (type == NC_CHAR) {
        check(nc_get_vara_text(from, variable, start, length, text));
        check(nc_put_vara_text(to, variable, start, length, text));
    } else {
        check(nc_get_vara_double(from, variable, start, length, values));
        check(nc_put_vara_double(to, variable, start, length, values));
    }
}

void fuzz_make_classic(const char *from_name, const char *to_name)
{
    int from, to, dimensions, variables, unlimited;
    check(nc_open(fuzz_path(from_name), NC_NOWRITE, &from));
    check(nc_create(fuzz_path(to_name), NC_64BIT_DATA | NC_CLOBBER, &to));
    check(nc_inq(from, &dimensions, &variables, NULL, &unlimited));
    copy_definitions(from, to, dimensions, variables, unlimited);
    check(nc_enddef(to));
    for (int k = 0; k < variables; k++)
        copy_values(from, to, k);
    check(nc_close(to));
    check(nc_close(from));
}

/* ---- changes --------------------------------------------------------------------------------------------------- */

struct choices {
    const uint8_t *at, *end;
};

/* From the input, while it lasts. */
static unsigned draw(struct choices *choices, unsigned below)
{
    unsigned value = 0;
    for (unsigned range = below; range > 0 && choices->at < choices->end; range >>= 8)
        value = value << 8 | *choices->at++;
    return below ? value % below : 0;
}

static double draw_number(struct choices *choices)
{
    static const double numbers[] = {
        0, 1, -1, 2, 3, 5, 6, 1e30, -1e30, 1e300, 5e-324, 0.5, 1e-9, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 2147483648.0,
        9.3e18,
    };
    return numbers[draw(choices, sizeof numbers / sizeof *numbers)];
}

/* Of the variable, or of the file. */
static void change_attribute(struct choices *choices, int file, int variable)
{
    static const nc_type types[] = {NC_CHAR, NC_DOUBLE, NC_INT, NC_INT64, NC_BYTE, NC_FLOAT, NC_UINT64};
    char name[NC_MAX_NAME + 1], text[LONGEST_TEXT];
    double values[MOST_NUMBERS];
    int count = 0;
    if (variable == NC_GLOBAL)
        nc_inq_natts(file, &count);
    else
        nc_inq_varnatts(file, variable, &count);
    if (count == 0 || nc_inq_attname(file, variable, (int)draw(choices, (unsigned)count), name) != NC_NOERR)
        return;
    nc_type type = types[draw(choices, sizeof types / sizeof *types)];
    size_t length = draw(choices, type == NC_CHAR ? LONGEST_TEXT : MOST_NUMBERS + 1);
    for (size_t k = 0; k < MOST_NUMBERS; k++)
        values[k] = draw_number(choices);
    for (size_t k = 0; k < sizeof text; k++)
        text[k] = (char)draw(choices, 256);
    nc_redef(file);
    if (draw(choices, 4) == 0)
        nc_del_att(file, variable, name);
    else if (type == NC_CHAR)
        nc_put_att_text(file, variable, name, length, text);
    else
        nc_put_att_double(file, variable, name, type, length, values);
    nc_enddef(file);
}

static void exchange_variables(int file, int first, int second)
{
    char name[NC_MAX_NAME + 1], other[NC_MAX_NAME + 1];
    nc_redef(file);
    nc_inq_varname(file, first, name);
    nc_inq_varname(file, second, other);
    nc_rename_var(file, first, "none");
    nc_rename_var(file, second, name);
    nc_rename_var(file, first, other);
    nc_enddef(file);
}

static void exchange_dimensions(int file, int first, int second)
{
    char name[NC_MAX_NAME + 1], other[NC_MAX_NAME + 1];
    nc_redef(file);
    nc_inq_dimname(file, first, name);
    nc_inq_dimname(file, second, other);
    nc_rename_dim(file, first, "none");
    nc_rename_dim(file, second, name);
    nc_rename_dim(file, first, other);
    nc_enddef(file);
}

static void change_value(struct choices *choices, int file, int variable)
{
    size_t index[NC_MAX_VAR_DIMS] = {draw(choices, 3), draw(choices, 300), draw(choices, 4)};
    double value = draw_number(choices);
    int count = 0;
    nc_inq_varndims(file, variable, &count);
    if (count == 1)
        index[0] = draw(choices, 300);
    nc_put_var1_double(file, variable, index, &value);
}

static void change(struct choices *choices, int file)
{
    int variables = 0, dimensions = 0;
    nc_inq(file, &dimensions, &variables, NULL, NULL);
    unsigned how = draw(choices, 6);
    if (variables < 1 || dimensions < 1)
        choices->at = choices->end;
    else if (how < 3)
        change_attribute(choices, file, (int)draw(choices, (unsigned)variables + 1) - 1); /* NC_GLOBAL is -1 */
    else if (how == 3)
        exchange_variables(file, (int)draw(choices, (unsigned)variables), (int)draw(choices, (unsigned)variables));
    else if (how == 4)
        exchange_dimensions(file, (int)draw(choices, (unsigned)dimensions), (int)draw(choices, (unsigned)dimensions));
    else
        change_value(choices, file, (int)draw(choices, (unsigned)variables));
}

enum { TYPES = 12 }; /* netCDF's are 1 to 11 */

/*
 * Low bytes of small numbers: lengths, types, numbers of dimensions. But a zero after a type stays: it is the upper
 * half of an attribute's length, and netCDF needs seconds and gigabytes to find that the file is not that large.
 */
static void patch_header(struct choices *choices, struct fuzz_file *file)
{
    for (unsigned patches = draw(choices, MOST_PATCHES); patches > 0; patches--) {
        unsigned where = 4 + draw(choices, HEADER);
        uint8_t value = (uint8_t)draw(choices, 64);
        if (where >= file->size || file->bytes[where] >= 64 || where % 4 != 3)
            continue;
        bool follows_type = file->bytes[where - 4] > 0 && file->bytes[where - 4] < TYPES;
        if (file->bytes[where] > 0 || !follows_type)
            file->bytes[where] = value;
    }
}

bool fuzz_change(const struct fuzz_file *file, const char *name, const uint8_t *data, size_t size)
{
    static struct fuzz_file copy;
    struct choices choices = {.at = data, .end = data + size};
    struct stat info;
    int number;
    copy = *file;
    patch_header(&choices, &copy);
    fuzz_write(name, copy.bytes, copy.size);
    if (nc_open(fuzz_path(name), NC_WRITE, &number) != NC_NOERR)
        return false;
    while (choices.at < choices.end)
        change(&choices, number);
    nc_close(number);
    return stat(fuzz_path(name), &info) == 0 && info.st_size <= FUZZ_LARGEST_FILE;
}

bool fuzz_seal(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    bool sealed = descriptor >= 0 && ewi_seal(descriptor, path, NULL) == EW_OK;
    if (descriptor >= 0)
        close(descriptor);
    return sealed;
}
