/* SPDX-License-Identifier: BSD-2-Clause */
/* Gmsh meshes: reads the sections of a file in order. */
#include "ewi_gmsh.h"
#include "ewi_mesh_advice.h"

#include <inttypes.h>
#include <string.h>

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static int fail_on_version(const struct ewi_scan *scan, const char *at, double version)
{
    return ewi_scan_fail(scan, at, "the format's version is %g, but only 2.0 to 2.2 and 4.1 are read; Gmsh converts "
                         "it%s: " EWI_ADVICE_SAVE_41, version,
                         version < 2 ? ", but version 1 has no names, so that boundaries are called by the numbers of "
                         "their groups" : "", scan->source);
}

/* "$MeshFormat": version, 0 (ASCII) or 1 (binary), size of a number; binary files then have the 4-byte number 1. */
static int read_format(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    double version = 0;
    int64_t binary = 0, size = 0, one = 0;
    ewi_scan_skip_space(scan);
    const char *at = scan->at;
    TRY(ewi_scan_text_number(scan, "the format's version", &version));
    TRY(ewi_scan_text_integer(scan, "0 (ASCII) or 1 (binary)", &binary));
    TRY(ewi_scan_text_integer(scan, "the size of a number", &size));
    TRY(ewi_scan_end_line(scan));
    gmsh->is_41 = version == 4.1;
    gmsh->is_20 = version == 2.0;
    if (version != 2.0 && version != 2.1 && version != 2.2 && version != 4.1)
        return fail_on_version(scan, at, version);
    if (binary < 0 || binary > 1)
        return ewi_scan_fail(scan, at, "the file's type is %" PRId64 ", but must be 0 (ASCII) or 1 (binary)", binary);
    if (binary && size != 8)
        return ewi_scan_fail(scan, at, "numbers have %" PRId64 " bytes, but only files with 8 bytes are read", size);
    if (!binary)
        return EW_OK;
    scan->binary = true;
    at = scan->at;
    TRY(ewi_scan_int(scan, "the number 1 that marks the byte order", &one));
    if (one != 1 && one != 0x01000000)
        return ewi_scan_fail(scan, at, "the number that marks the byte order is %" PRId64 ", not 1", one);
    scan->swapped = one != 1;
    return EW_OK;
}

static bool is_named(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* Skips to "$End" and the section's name; the content may be binary. */
static int skip_section(struct ewi_scan *scan, const char *name, size_t length)
{
    scan->at = ewi_gmsh_find_end(scan, name, length);
    return scan->at < scan->end ? EW_OK : ewi_scan_fail(scan, name, "the section $%.*s has no end", (int)length, name);
}

static int read_entities(struct ewi_gmsh *gmsh, const char *name, size_t length)
{
    bool of_parts = *name == 'P';
    if (gmsh->has_entities[of_parts])
        return ewi_scan_fail(&gmsh->file->scan, name, "there are two sections $%.*s", (int)length, name);
    gmsh->has_entities[of_parts] = true;
    return ewi_gmsh_read_entities(gmsh, of_parts);
}

static int read_content(struct ewi_gmsh *gmsh, const char *name, size_t length, bool *has_format)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    if (is_named(name, length, "MeshFormat")) {
        if (*has_format)
            return ewi_scan_fail(scan, name, "there are two sections $MeshFormat");
        *has_format = true;
        return read_format(gmsh);
    }
    if (is_named(name, length, "Comments"))
        return skip_section(scan, name, length);
    if (!*has_format)
        return ewi_scan_fail(scan, name, "the section $%.*s comes before $MeshFormat", (int)length, name);
    if (is_named(name, length, "PhysicalNames"))
        return ewi_gmsh_read_names(gmsh);
    if (gmsh->is_41 && (is_named(name, length, "Entities") || is_named(name, length, "PartitionedEntities")))
        return read_entities(gmsh, name, length);
    if (is_named(name, length, "Nodes") || is_named(name, length, "ParametricNodes"))
        return ewi_gmsh_read_nodes(gmsh, *name == 'P');
    if (is_named(name, length, "Elements"))
        return ewi_gmsh_read_elements(gmsh);
    return skip_section(scan, name, length);
}

static int check_end(struct ewi_scan *scan, const char *name, size_t length)
{
    ewi_scan_skip_space(scan);
    if ((size_t)(scan->end - scan->at) < 4 + length || memcmp(scan->at, "$End", 4) != 0 ||
        memcmp(scan->at + 4, name, length) != 0) {
        if (scan->at >= scan->end)
            return ewi_scan_fail(scan, scan->at, "the file ends where $End%.*s should be", (int)length, name);
        return ewi_scan_fail(scan, scan->at, "$End%.*s should be here: the section has more than it announced, or less",
                             (int)length, name);
    }
    scan->at += 4 + length;
    return ewi_scan_end_line(scan);
}

static int read_section(struct ewi_gmsh *gmsh, bool *has_format)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    const char *name = scan->at + 1;
    size_t length = 0;
    while ((name[length] >= 'A' && name[length] <= 'Z') || (name[length] >= 'a' && name[length] <= 'z'))
        length++;
    if (is_named(name, length, "NOD") || is_named(name, length, "NOE"))
        return fail_on_version(scan, scan->at, 1);
    scan->at = name + length;
    TRY(ewi_scan_end_line(scan));
    TRY(read_content(gmsh, name, length, has_format));
    return check_end(scan, name, length);
}

/* Skips to the next line that begins with "$"; Gmsh also ignores text outside sections. */
static bool find_section(struct ewi_scan *scan)
{
    for (ewi_scan_skip_space(scan); scan->at < scan->end && *scan->at != '$'; ewi_scan_skip_space(scan))
        ewi_scan_skip_line(scan);
    return scan->at < scan->end;
}

static int read_sections(struct ewi_gmsh *gmsh)
{
    struct ewi_scan *scan = &gmsh->file->scan;
    bool has_format = false;
    while (find_section(scan))
        TRY(read_section(gmsh, &has_format));
    if (!gmsh->has_nodes || !gmsh->has_elements)
        return ewi_scan_fail(scan, scan->at, "the file ends without a section %s",
                             gmsh->has_nodes ? "$Elements" : "$Nodes");
    return EW_OK;
}

/* ---- the format -------------------------------------------------------------------------------------------------- */

static int check_content(const struct ewi_mesh_file *file)
{
    bool has_names = false;
    if (file->triangles == 0)
        return ewi_fail(file->scan.error, EW_EMESH, "%.300s: the file has no triangles; mesh it in two dimensions ("
                        EWI_ADVICE_2D "), and if there are physical groups, put the surface into one",
                        file->scan.source);
    for (int64_t l = 0; l < file->lines && !has_names; l++)
        has_names = file->line_name[l] >= 0;
    return has_names ? EW_OK
                     : ewi_fail(file->scan.error, EW_EMESH, "%.300s: the file has no named boundary: put the "
                                "boundary's curves into physical groups, for example " EWI_ADVICE_GROUP,
                                file->scan.source);
}

static int read_gmsh(struct ewi_mesh_file *file)
{
    struct ewi_gmsh gmsh = {.file = file};
    int status = read_sections(&gmsh);
    ewi_free(file->host, gmsh.index.table);
    ewi_free(file->host, gmsh.curve_index.table);
    ewi_free(file->host, gmsh.curve);
    ewi_free(file->host, gmsh.curve_label);
    ewi_free(file->host, gmsh.group);
    return status == EW_OK ? check_content(file) : status;
}

/* The first section may have text before it. */
static bool is_gmsh(const struct ewi_scan *scan)
{
    struct ewi_scan rest = *scan;
    bool found = find_section(&rest);
    while (found && rest.at > scan->at && strncmp(rest.at, "$MeshFormat", 11) != 0) {
        ewi_scan_skip_line(&rest);
        found = find_section(&rest);
    }
    return found;
}

const struct ewi_mesh_format ewi_gmsh_format = {.name = "Gmsh", .is = is_gmsh, .read = read_gmsh};
