/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of Gmsh meshes: the same mesh from every format, and for every error a sentence with its place. */
#include "ewi_mesh_file.h"
#include "ewi_host.h"
#include "ewi_mesh.h"
#include "gmsh-samples.h"
#include "helpers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/edgewise-gmsh-XXXXXX";

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        bail_out("%s cannot be written", path_of(name));
}

struct reports {
    char text[8192];
    int count;
};

static void note(void *context, const char *sentence)
{
    struct reports *reports = context;
    size_t used = strlen(reports->text);
    snprintf(reports->text + used, sizeof reports->text - used, "%s\n", sentence);
    reports->count++;
}

static int read_bytes(const char *bytes, size_t size, ew_mesh **mesh, struct reports *reports, ew_error *error)
{
    const ew_mesh_data data = {.report = note, .report_context = reports};
    write_file("test.msh", bytes, size);
    return ew_gmsh_read(NULL, path_of("test.msh"), &data, mesh, error);
}

/* ---- all formats ------------------------------------------------------------------------------------------------- */

static void test_formats(void)
{
    uint64_t hash[2] = {0, 0};
    for (int format = 0; format < SAMPLE_FORMATS; format++) {
        const char *name = sample_formats[format].name;
        struct sample sample;
        struct reports reports = {0};
        ew_mesh *mesh = NULL;
        ew_error error = {0};
        ew_mesh_info info;
        write_sample(format, &sample);
        if (!is_int(read_bytes(sample.bytes, sample.size, &mesh, &reports, &error), EW_OK, "%s is read", name)) {
            diag("%s", error.message);
            continue;
        }
        ew_mesh_get_info(mesh, &info);
        ok(mesh_is_valid(mesh, &error), "%s: all invariants hold", name);
        ok(info.nodes == 5 && info.elements == 4 && info.edges == 8 && info.boundary_edges == 4,
           "%s: nodes, elements and edges are right", name);
        is_close(info.area, 1, 1e-15, "%s: the area is right", name);
        is_str(ew_mesh_boundary(mesh, 0, NULL), "walls", "%s: physical names become boundaries", name);
        is_str(ew_mesh_boundary(mesh, 1, NULL), "in", "%s: in the order of the file", name);
        is_str(ew_mesh_boundary(mesh, 2, NULL), "7", "%s: a physical group without a name is called by its number",
               name);
        ok(!ew_mesh_boundary(mesh, 3, NULL), "%s: names of surfaces are no boundaries", name);
        bool second = sample_formats[format].with.second;
        hash[second] = hash[second] ? hash[second] : info.hash;
        ok(info.hash == hash[second], "%s: the mesh is that of the first format", name);
        is_int(info.middles, second ? 4 : 0, "%s: edges of second order have middles", name);
        ew_mesh_destroy(mesh);
    }
}

/* ---- text that is changed ---------------------------------------------------------------------------------------- */

/* Replaces the first occurrence of `from`; there may be zeros before it. */
static void replace(struct sample *s, const char *from, const char *to)
{
    size_t old_size = strlen(from), new_size = strlen(to), at = 0;
    while (at + old_size <= s->size && memcmp(s->bytes + at, from, old_size) != 0)
        at++;
    if (at + old_size > s->size)
        bail_out("the sample has no \"%s\"", from);
    if (s->size + new_size >= sizeof s->bytes)
        bail_out("the sample is too long");
    memmove(s->bytes + at + new_size, s->bytes + at + old_size, s->size - at - old_size);
    memcpy(s->bytes + at, to, new_size);
    s->size += new_size - old_size;
}

static void is_refused(const struct sample *s, const char *sentence, const char *what)
{
    struct reports reports = {0};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    int code = read_bytes(s->bytes, s->size, &mesh, &reports, &error);
    is_int(code, EW_EMESH, "%s: refused", what);
    contains(error.message, sentence, "%s: told", what);
    ok(reports.count >= 1 && strstr(reports.text, sentence), "%s: reported", what);
    ew_mesh_destroy(mesh);
}

static void is_accepted(const struct sample *s, const char *what)
{
    struct reports reports = {0};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    ew_mesh_info info = {0};
    if (!is_int(read_bytes(s->bytes, s->size, &mesh, &reports, &error), EW_OK, "%s: accepted", what))
        diag("%s", error.message);
    if (mesh)
        ew_mesh_get_info(mesh, &info);
    is_int(info.elements, 4, "%s: all triangles are there", what);
    ew_mesh_destroy(mesh);
}

struct change {
    int format; /* 0: 2.2 ASCII, 1: 4.1 ASCII, 2 and 3: binary */
    const char *from, *to, *sentence, *what;
};

enum { PARAMETRIC = 14, TWICE = 17, PARTS = 18 }; /* numbers of sample_formats */

static const struct change refused[] = {
    {0, "$MeshFormat", "MeshFormat", "test.msh:1: this is not a Gmsh mesh", "no $MeshFormat"},
    {0, "$MeshFormat", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nx",
     "test.msh:1: this is a pointer of Git LFS in place of the mesh; git lfs pull fetches it", "a Git LFS pointer"},
    {0, "$MeshFormat", "(0 \"GAMBIT to Fluent File\")\n", "this is a Fluent mesh", "a Fluent mesh"},
    {0, "$MeshFormat", "# vtk DataFile Version 2.0\n",
     "test.msh:1: this is a VTK file, which has no names of boundaries; save a Gmsh (.msh) or an SU2 mesh", "VTK"},
    {0, "$MeshFormat", "<?xml version=\"1.0\"?>\n<VTKFile", "this is an XML file, perhaps of VTK, which", "VTK in XML"},
    {0, "$MeshFormat", "solid made by Gmsh\nfacet", "this is an STL file, which has no names", "STL"},
    {0, "$MeshFormat", "// a square\nPoint(1) = {0, 0, 0};\n",
     "test.msh:1: this is a Gmsh geometry in place of a mesh; gmsh -2 NAME.geo -o NAME.msh makes one", "a geometry"},
    {0, "$MeshFormat", "\xff\xfe$", "this file is in UTF-16; save it as UTF-8", "UTF-16"},
    {TWICE, "106 2 2 4 1 1 2 5", "106 2 2 3 1 1 2 5", "triangle 106 (nodes 1, 2, 5) is a duplicate of triangle 6",
     "a triangle twice in one group"},
    {0, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "", "test.msh:1: the section $PhysicalNames comes before $MeshFormat",
     "a file without its head"},
    {0, "$MeshFormat", "$NOD", "test.msh:1: the format's version is 1", "format 1"},
    {0, "2.2 0 8", "4 0 8",
     "test.msh:2: the format's version is 4, but only 2.0 to 2.2 and 4.1 are read; Gmsh converts it: gmsh ",
     "format 4.0"},
    {0, "2.2 0 8", "3 0 8", "test.msh:2: the format's version is 3", "format 3"},
    {0, "2.2 0 8", "2.2 2 8", "test.msh:2: the file's type is 2", "an unknown file type"},
    {2, "2.2 1 8", "2.2 1 4", "test.msh:2: numbers have 4 bytes", "another size of numbers"},
    {0, "2.2 0 8", "2.2 0", "test.msh:2: the line ends where the size of a number should be", "an incomplete head"},
    {0, "1 1 \"walls\"", "1 1 walls", "test.msh:6: the name of a physical group must be in quotation marks",
     "a name without quotation marks"},
    {0, "1 1 \"walls\"", "1 1 \"\"", "test.msh:6: the name of a physical group is empty", "an empty name"},
    {0, "\n3\n1 1 \"walls\"", "\n4\n1 1 \"walls\"",
     "test.msh:9: \"$EndPhysicalNames\" stands where the dimension of a physical group should be",
     "fewer names than announced"},
    {0, "\n3\n1 1 \"walls\"", "\n2\n1 1 \"walls\"",
     "test.msh:8: $EndPhysicalNames should be here: the section has more than it announced",
     "more names than announced"},
    {0, "1 2 \"in\"", "1 2 \"in\"\n1 4 \"out\"", "$EndPhysicalNames should be here", "a name too many"},
    {0, "2 3 \"the gas\"", "1 3 \"the gas\"", "test.msh: the boundary \"the gas\" has no edge",
     "a name of curves without lines"},
    {0, "$Nodes\n5", "$Nodes\n-5", "test.msh:11: the number of nodes is -5", "a negative count"},
    {0, "$Nodes\n5", "$Nodes\n123456789012", "test.msh:11: there should be 123456789012 nodes, but the file ends",
     "an absurd count"},
    {0, "$Nodes\n5", "$Nodes\n99999999999999999999", "stands where the number of nodes should be",
     "a count beyond all integers"},
    {0, "$Nodes\n5", "$Nodes\n6", "test.msh:17: \"$EndNodes\" stands where a node's number should be",
     "fewer nodes than announced"},
    {0, "$Nodes\n5", "$Nodes\n4",
     "test.msh:16: $EndNodes should be here: the section has more than it announced, or less",
     "more nodes than announced"},
    {0, "3 1 1 0\n", "3 1 1\n", "test.msh:14: the line ends where a node's z-coordinate should be",
     "a node with two coordinates"},
    {0, "3 1 1 0\n", "3 1 1 0 9\n", "test.msh:14: \"9\" stands where the end of the line should be",
     "a node with four coordinates"},
    {0, "3 1 1 0\n", "3 nan 1 0\n", "test.msh:14: \"nan\" stands where a node's x-coordinate should be",
     "a coordinate that is no number"},
    {0, "3 1 1 0\n", "3 1 1e999 0\n", "test.msh:14: a node's y-coordinate is too large a number",
     "a coordinate that is too large"},
    {0, "3 1 1 0\n", "3 1 0x1 0\n", "test.msh:14: \"0x1\" stands where a node's y-coordinate should be",
     "a hexadecimal coordinate"},
    {0, "3 1 1 0\n", "3 1 1,5 0\n", "test.msh:14: \"1,5\" stands where a node's y-coordinate should be",
     "a decimal comma"},
    {0, "3 1 1 0\n", "2 1 1 0\n", "node 2 is listed twice", "a node's number given twice"},
    {0, "3 1 1 0\n", "3.5 1 1 0\n", "test.msh:14: \"3.5\" stands where a node's number should be",
     "a node's number that is no integer"},
    {0, "3 1 1 0\n", "3 1 1 0.5\n",
     "the mesh is not plane: z varies by 0.5, from 0 to 0.5, but may vary by 1e-08 at most",
     "a mesh that is not plane"},
    {0, "6 2 2 3 1 1 2 5", "6 2 2 3 1 1 2 9", "test.msh:25: element 6 refers to node 9, which is not in the file",
     "a node that does not exist"},
    {0, "6 2 2 3 1 1 2 5", "6 2 2 3 1 1 2", "test.msh:25: the line ends where a node of an element should be",
     "a triangle with two nodes"},
    {0, "6 2 2 3 1 1 2 5", "6 2 2 3 1 1 2 5 5", "test.msh:25: \"5\" stands where the end of the line should be",
     "a triangle with four nodes"},
    {0, "6 2 2 3 1 1 2 5", "6 2 -1 3 1 1 2 5", "test.msh:25: an element has -1 tags", "a negative number of tags"},
    {0, "6 2 2 3 1 1 2 5", "6 3 2 3 1 1 2 5 4",
     "test.msh:25: element 6 is a quadrangle (type 3), but the mesh must have triangles; to split the quadrangles: "
     "edgewise mesh convert ",
     "a quadrangle"},
    {0, "6 2 2 3 1 1 2 5", "6 21 2 3 1 1 2 5 1 2 5 1 2 5 1",
     "element 6 is a third-order triangle (type 21), but only triangles and lines of first and second order are read; "
     "mesh with: Mesh.ElementOrder = 2;",
     "a third-order triangle"},
    {0, "2 1 2 1 1 1 2", "2 26 2 1 1 1 2 5 5", "element 2 is a third-order line (type 26)", "a third-order line"},
    {0, "6 2 2 3 1 1 2 5", "6 9 2 3 1 1 2 5 1 2", "test.msh:25: the line ends where a node of an element should be",
     "a second-order triangle of five nodes"},
    {0, "6 2 2 3 1 1 2 5", "6 4 2 3 1 1 2 3 5",
     "element 6 is a tetrahedron (type 4), but only triangles and lines of first and second order are read; mesh "
     "with: gmsh -2 NAME.geo",
     "a tetrahedron"},
    {0, "6 2 2 3 1 1 2 5", "6 99 2 3 1 1 2 3 5", "element 6 is of type 99", "an unknown type"},
    {0, "6 2 2 3 1 1 2 5", "6 2 2 3 1 1 2 2", "test.msh: triangle 6 (nodes 1, 2, 2) is degenerate",
     "a degenerate triangle"},
    {0, "2 1 2 1 1 1 2", "2 1 2 0 1 1 2",
     "test.msh: the edge from node 1 (0, 0) to node 2 (1, 0) of triangle 6 has a triangle on one side only, but no "
     "boundary name",
     "a line without a physical group"},
    {0, "$Elements\n9", "$Elements\n10", "\"$EndElements\" stands where an element's number should be",
     "fewer elements than announced"},
    {0, "$Elements\n9", "$Elements\n0", "$EndElements should be here", "more elements than announced"},
    {0, "$EndElements\n", "", "the file ends where $EndElements should be", "a file that ends early"},
    {0, "$EndElements\n", "$EndElements\n$Periodic\n0\n", "the section $Periodic has no end",
     "a section without an end"},
    {0, "$EndElements\n", "$EndElements\n$Elements\n0\n$EndElements\n", "there are two sections of elements",
     "two sections of elements"},
    {0, "$EndNodes\n", "$EndNodes\n$Nodes\n0\n$EndNodes\n", "there are two sections of nodes", "two sections of nodes"},
    {1, "1 0 0 0 1 1 0 1 1 2 1 -2 \n", "9 0 0 0 1 1 0 1 1 2 1 -2 \n",
     "there are lines on curve 1, which $Entities does not list", "a curve that is not listed"},
    {1, "2 0 0 0 1 1 0 1 7", "2 0 0 0 1 1 0 2 7 8",
     "\"7\" and \"8\" name the same edges, and neither group is a smaller part",
     "a curve in two groups of the same size"},
    {1, "2 0 0 0 1 1 0 1 7", "2 0 0 0 1 1 0 999 7", "there should be 999 physical groups",
     "an absurd number of groups"},
    {1, "$Entities\n4 4", "$Entities\n4 400", "there should be 400 curves", "an absurd number of curves"},
    {1, "$Entities\n4 4", "$Entities\n4 5", "curve 1 is listed twice", "a surface counted as a curve"},
    {1, "$Nodes\n2 5 1 5", "$Nodes\n2 6 1 5", "there should be 6 nodes, but the entities have 5",
     "fewer nodes than announced"},
    {1, "$Nodes\n2 5 1 5", "$Nodes\n2 4 1 5", "an entity has 1 nodes, but only 0 of the 4 nodes of the file are left",
     "more nodes than announced"},
    {1, "2 1 0 1\n5", "2 1 7 1\n5", "parametric coordinates 7", "neither parametric nor not"},
    {1, "$Elements\n6 9", "$Elements\n6 10", "there should be 10 elements, but the entities have 9",
     "fewer elements than announced"},
    {1, "$Elements\n6 9", "$Elements\n6 8",
     "an entity has 4 elements, but only 3 of the 8 elements of the file are left", "more elements than announced"},
    {1, "2 1 2 4\n", "2 1 3 4\n", "element 6 is a quadrangle (type 3)", "quadrangles in 4.1"},
    {PARTS, "$EndEntities", "$EndEntities\n$Entities\n0 0 0 0\n$EndEntities", "there are two sections $Entities",
     "two sections of entities"},
    {PARTS, "\n2\n1\n9 1\n", "\n2\n888\n9 1\n", "there should be 888 entities with ghost cells",
     "an absurd number of ghosts"},
    {PARTS, "\n1 5 2 0\n", "\n1 5 3 0\n",
     "the mesh is divided into 3 parts, but the file has only 2; save all parts in one file",
     "a surface that is missing"},
    {PARTS, "\n2\n1\n9 1\n", "\n3\n1\n9 1\n", "the mesh is divided into 3 parts, but the file has only 2",
     "a part that is missing"},
    {PARTS, "11 1 1 1 1 0", "11 1 1 777 1 0", "there should be 777 parts", "an absurd number of parts"},
    {PARAMETRIC, "1 0 0 0 0 1", "1 0 0 0 4 1", "the entity of a node has dimension 4", "a node in four dimensions"},
    {PARAMETRIC, " 0.5 nan", " 0.5", "the line ends where a parametric coordinate should be", "half the parameters"},
    {2, "2.2 1 8", "2.2 0 8", "test.msh:3: ", "a binary file that says it is ASCII"},
    {2, "\n5\n", "\n7777\n", "test.msh: byte 117: there should be 7777 nodes", "an absurd count in a binary file"},
};

static void test_refused(void)
{
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        struct sample sample;
        write_sample(refused[k].format, &sample);
        replace(&sample, refused[k].from, refused[k].to);
        is_refused(&sample, refused[k].sentence, refused[k].what);
    }
}

static void cut_out(struct sample *s, const char *from, const char *to)
{
    s->bytes[s->size] = '\0';
    char *first = strstr(s->bytes, from), *last = first ? strstr(first, to) : NULL;
    if (!last)
        bail_out("the sample has no section from %s to %s", from, to);
    memmove(first, last, s->size - (size_t)(last - s->bytes) + 1);
    s->size -= (size_t)(last - first);
}

static void test_missing_sections(void)
{
    struct sample sample;
    write_sample(0, &sample);
    cut_out(&sample, "$Elements", "$EndElements");
    replace(&sample, "$EndElements\n", "");
    is_refused(&sample, "the file ends without a section $Elements", "no elements");
    write_sample(0, &sample);
    cut_out(&sample, "$Nodes", "$Elements");
    is_refused(&sample, "the section of elements must come after $Nodes", "no nodes");
    write_sample(1, &sample);
    cut_out(&sample, "$Entities", "$Nodes");
    is_refused(&sample, "there are lines on curve 1, but no $Entities section before them", "no entities");
    write_sample(0, &sample);
    cut_out(&sample, "2 1 2 1 1 1 2", "6 2 2 3 1 1 2 5");
    replace(&sample, "$Elements\n9", "$Elements\n5");
    is_refused(&sample, "the file has no named boundary: put the boundary's curves into physical groups", "no lines");
    write_sample(0, &sample);
    cut_out(&sample, "6 2 2 3 1 1 2 5", "$EndElements");
    replace(&sample, "$Elements\n9", "$Elements\n5");
    is_refused(&sample, "the file has no triangles; mesh it in two dimensions (gmsh -2", "no triangles");
    write_sample(1, &sample);
    for (int i = 0; i < 4; i++) {
        char with[64], without[64];
        snprintf(with, sizeof with, " 1 %d 2 %d -%d \n", i == 2 ? -sample_line[i][0] : sample_line[i][0],
                 sample_line[i][1], sample_line[i][2]);
        snprintf(without, sizeof without, " 0 2 %d -%d \n", sample_line[i][1], sample_line[i][2]);
        replace(&sample, with, without);
    }
    replace(&sample, " 1 3 4 1 2 3 4 ", " 0 4 1 2 3 4 ");
    is_refused(&sample, "put the boundary's curves into physical groups", "no entity in a group");
    sample.size = 0;
    is_refused(&sample, "test.msh:1: the file is empty", "an empty file");
    put_text(&sample, " \n \n");
    is_refused(&sample, "test.msh:3: the file is empty", "a blank file");
}

/* Rotates the mesh into the plane of x and z, or y and z. */
static void test_planes(void)
{
    struct sample sample;
    write_sample(0, &sample);
    cut_out(&sample, "1 0 0 0\n", "$EndNodes");
    replace(&sample, "$EndNodes", "1 0 0 0\n2 1 0 0\n3 1 0 1\n4 0 0 1\n5 0.5 0 0.5\n$EndNodes");
    is_refused(&sample, "the mesh lies in the plane of x and z; turn it into that of x and y",
               "a mesh in the plane of x and z");
    cut_out(&sample, "1 0 0 0\n", "$EndNodes");
    replace(&sample, "$EndNodes", "1 3 0 0\n2 3 1 0\n3 3 1 1\n4 3 0 1\n5 3 0.5 0.5\n$EndNodes");
    is_refused(&sample, "the mesh lies in the plane of y and z", "a mesh in the plane of y and z");
    cut_out(&sample, "1 3 0 0\n", "$EndNodes");
    replace(&sample, "$EndNodes", "1 0 0 3\n2 1 0 3\n3 1 1 3\n4 0 1 3\n5 0.5 0.5 3\n$EndNodes");
    is_accepted(&sample, "a mesh at another height");
}

static void test_accepted(void)
{
    static const struct change changes[] = {
        {0, "$EndNodes\n", "$EndNodes\n$Periodic\n1\nanything $ goes\n$EndPeriodic\n", NULL,
         "a section that is not read"},
        {0, "$EndElements\n", "$EndElements\nhello\n\n$Comments\n$EndComments\nworld", NULL, "text between sections"},
        {1, "2 0 0 0 1 1 0 1 7", "2 0 0 0 1 1 0 2 7 1", NULL, "a curve in two physical groups"},
        {0, "$MeshFormat", "made by hand\n$MeshFormat", NULL, "text before the first section"},
        {0, "$MeshFormat", "\xef\xbb\xbf$MeshFormat", NULL, "a byte-order mark"},
        {0, "2.2 0 8", "2.2 0 4", NULL, "the size of a number in a text file, which has none"},
        {0, "1 1 \"walls\"", "1 -1 \"walls\"", NULL, "a negative group among the names"},
        {0, "2 1 2 1 1 1 2", "2 1 2 -1 1 2 1", NULL, "a negative group of a line"},
        {0, "6 2 2 3 1 1 2 5", "6 2 2 4 1 1 2 5", NULL, "two groups of triangles"},
        {TWICE, "106 2 2 4 1 1 2 5", "106 2 2 4 1 5 1 2", NULL, "a triangle in two groups that begins elsewhere"},
        {1, "$Nodes\n2 5 1 5", "$Nodes\n2 5 1 99999999999999999999999", NULL, "a greatest number that is not needed"},
        {1, "$Nodes\n2 5 1 5", "$Nodes\n2 5", NULL, "a head without the numbers that are not needed"},
        {1, "2 1 2 4\n6 ", "2 1 2 4\n18446744072414584420 ", NULL, "a number of an element that needs 64 bits"},
        {1, "1 0 0 0 1 1 0 1 1 2", "1 0 0 0 inf nan 0 1 1 2", NULL, "a box that is not needed"},
        {0, "$MeshFormat", "$Comments\nby hand\n$EndComments\n$MeshFormat", NULL, "a comment before the head"},
        {0, "3 1 1 0\n", "\n  3\t1.000 +1e0   -0.\n\n", NULL, "white space and other spellings of numbers"},
        {0, "3 1 1 0\n", "3 1 99999999999999999999999999e-26 .0\n", NULL, "a number with many digits"},
        {0, "1 1 \"walls\"", "1 1 \"in\"", NULL, "two physical groups with one name"},
        {0, "6 2 2 3 1 1 2 5", "6 2 0 1 2 5", NULL, "a triangle without tags"},
        {0, "6 2 2 3 1 1 2 5", "6 2 4 3 1 1 1 1 2 5", NULL, "a triangle with four tags"},
        {0, "6 2 2 3 1 1 2 5", "6 2 2 3 1 1 5 2", NULL, "a clockwise triangle"},
        {0, "1 2 \"in\"", "1 2 \"in \"flow\" in\"", NULL, "quotation marks within a name"},
        {1, "2 1 0 1\n5\n0.5 0.5 0\n", "2 1 1 1\n5\n0.5 0.5 0 0.1 0.2\n", NULL, "parametric coordinates"},
        {1, "0 1 0 4\n1\n2\n3\n4\n", "0 1 0 4\n\n1\n2\n3\n4\n", NULL, "an empty line"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        struct sample sample;
        write_sample(changes[k].format, &sample);
        replace(&sample, changes[k].from, changes[k].to);
        is_accepted(&sample, changes[k].what);
    }
}

/* Every line ends with a carriage return and a line feed. */
static void test_line_ends(void)
{
    for (int format = 0; format < 2; format++) {
        struct sample sample, other = {.size = 0};
        write_sample(format, &sample);
        for (size_t k = 0; k < sample.size; k++) {
            if (sample.bytes[k] == '\n')
                other.bytes[other.size++] = '\r';
            other.bytes[other.size++] = sample.bytes[k];
        }
        is_accepted(&other, format == 0 ? "2.2 with CRLF" : "4.1 with CRLF");
    }
}

static void test_sparse_numbers(void)
{
    static const char *const far[] = {"100", "1000000000", "900000000000000000", "-17"};
    for (size_t k = 0; k < sizeof far / sizeof far[0]; k++) {
        struct sample sample;
        char text[64], what[64];
        write_sample(0, &sample);
        snprintf(text, sizeof text, "%s 0.5 0.5 0", far[k]);
        snprintf(what, sizeof what, "a node with number %s", far[k]);
        replace(&sample, "5 0.5 0.5 0", text);
        for (int i = 0; i < 4; i++) {
            char from[32], to[64];
            snprintf(from, sizeof from, "3 1 %d %d 5\n", sample_triangle[i][0], sample_triangle[i][1]);
            snprintf(to, sizeof to, "3 1 %d %d %s\n", sample_triangle[i][0], sample_triangle[i][1], far[k]);
            replace(&sample, from, to);
        }
        is_accepted(&sample, what);
    }
}

static void test_truncated(void)
{
    for (int format = 0; format < SAMPLE_FORMATS; format++) {
        struct sample sample;
        int64_t silent = 0, accepted = 0;
        write_sample(format, &sample);
        for (size_t size = 0; size + 1 < sample.size; size++) { /* the last line break is optional */
            ew_host host = ewi_host_or_default(NULL);
            char *text = ewi_alloc(&host, size + 1, 1);
            ew_mesh *mesh = NULL;
            ew_error error = {0};
            memcpy(text, sample.bytes, size);
            int code = ewi_mesh_parse(&host, "cut", text, size, false, NULL, &mesh, &error);
            accepted += code == EW_OK;
            silent += code != EW_OK && strlen(error.message) < 10;
            ew_mesh_destroy(mesh);
        }
        is_int(accepted, 0, "%s: no truncated file is accepted", sample_formats[format].name);
        is_int(silent, 0, "%s: each has its sentence", sample_formats[format].name);
    }
}

static void test_binary_places(void)
{
    struct sample sample;
    write_sample(2, &sample);
    memset(sample.bytes + 119 + 4 + 7, 0x7f, 1); /* exponent of the first x */
    memset(sample.bytes + 119 + 4 + 6, 0xf8, 1);
    is_refused(&sample, "test.msh: byte 123: a node's x-coordinate is not a finite number",
               "a coordinate in a binary file that is no number");
    write_sample(2, &sample);
    memcpy(sample.bytes + 20, "\2\0\0\0", 4);
    is_refused(&sample, "test.msh: byte 20: the number that marks the byte order is 2, not 1",
               "a byte order that cannot be told");
}

/* ---- files of this source, and options --------------------------------------------------------------------------- */

static void test_annulus(const char *name, int64_t elements, int64_t edges)
{
    const char *srcdir = getenv("srcdir");
    char path[512];
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    ew_mesh_info info = {0};
    snprintf(path, sizeof path, "%s/tests/meshes/%s", srcdir ? srcdir : ".", name);
    if (!is_int(ew_gmsh_read(NULL, path, NULL, &mesh, &error), EW_OK, "%s is read", name)) {
        diag("%s", error.message);
        return;
    }
    ew_mesh_get_info(mesh, &info);
    ok(mesh_is_valid(mesh, NULL), "%s: all invariants hold", name);
    is_int(info.elements, elements, "%s has the paper's number of elements", name);
    is_int(info.edges, edges, "%s has the paper's number of edges", name);
    is_int(info.boundaries, 4, "%s has four boundaries", name);
    ew_mesh_destroy(mesh);
}

static void test_files(void)
{
    struct reports reports = {0};
    const ew_mesh_data data = {.report = note, .report_context = &reports};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    is_int(ew_gmsh_read(NULL, path_of("none.msh"), &data, &mesh, &error), EW_EIO,
           "a file that does not exist: refused");
    contains(error.message, "none.msh cannot be read: No such file", "a file that does not exist: told");
    is_int(reports.count, 1, "a file that does not exist: reported");
    is_int(ew_gmsh_read(NULL, folder, &data, &mesh, &error), EW_EIO, "a folder: refused");
    contains(error.message, "it is not a regular file", "a folder: told");
    is_int(ew_gmsh_read(NULL, NULL, NULL, &mesh, NULL), EW_EINVAL, "no path: refused");
}

static void test_periodic(void)
{
    const ew_periodic pair = {"in", "7", 1, 0, 0}, mistyped = {"inn", "7", 1, 0, 0};
    ew_mesh_data data = {.periodics = 1, .periodic = &pair};
    struct sample sample;
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    write_sample(0, &sample);
    write_file("test.msh", sample.bytes, sample.size);
    is_int(ew_gmsh_read(NULL, path_of("test.msh"), &data, &mesh, &error), EW_OK,
           "periodic boundaries of a file are joined");
    ok(mesh && mesh->boundaries == 1 && mesh->edges == 7 && mesh_is_valid(mesh, NULL),
       "two boundaries became interior edges");
    ew_mesh_destroy(mesh);
    data.periodic = &mistyped;
    is_int(ew_gmsh_read(NULL, path_of("test.msh"), &data, &mesh, &error), EW_EMESH,
           "an unknown periodic boundary: refused");
    contains(error.message, "test.msh: the periodic boundary \"inn\" is not in the mesh; did you mean \"in\"?",
             "an unknown periodic boundary: told");
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void test_failing_allocations(int format)
{
    struct sample sample;
    int64_t failures = 0, wrong = 0, leaks = 0;
    int code;
    write_sample(format, &sample);
    write_file("test.msh", sample.bytes, sample.size);
    do {
        struct memory memory = {.fail_at = failures + 1, .once = true};
        ew_host host = memory_host(&memory);
        ew_mesh *mesh = NULL;
        ew_error error = {0};
        code = ew_gmsh_read(&host, path_of("test.msh"), NULL, &mesh, &error);
        wrong += code == EW_ENOMEM && (strlen(error.message) < 10 || mesh);
        ew_mesh_destroy(mesh);
        leaks += memory.blocks != 0;
        failures++;
    } while (code == EW_ENOMEM && failures < 1000);
    is_int(code, EW_OK, "%s: with enough memory it is read", sample_formats[format].name);
    ok(failures > 20, "%s: %" PRId64 " allocations failed in turn", sample_formats[format].name, failures - 1);
    ok(wrong == 0 && leaks == 0, "%s: each failure is told and nothing is lost", sample_formats[format].name);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 4711;

static uint64_t next_random(void)
{
    return splitmix64(&random_state);
}

static void random_number(char *text, size_t size)
{
    double x = (double)(next_random() >> 11) * 0x1p-53;
    /* has three more binary digits than a double, so it lies between two */
    uint64_t odd = (uint64_t)1 << 53 | next_random() >> 11 | 1;
    switch (next_random() % 5) {
    case 0: snprintf(text, size, "%.16g", x); break;
    case 1: snprintf(text, size, "%.17g", -x * pow(10, (double)(next_random() % 60) - 30)); break;
    case 2:
        snprintf(text, size, "%.*e", (int)(next_random() % 22), x * pow(10, (double)(next_random() % 40) - 20));
        break;
    case 3: snprintf(text, size, "%" PRIu64 ".%03d", odd >> 3, (int)(odd & 7) * 125); break;
    default:
        snprintf(text, size, "%" PRIu64 "e%d", next_random() >> next_random() % 64, (int)(next_random() % 50) - 25);
    }
}

static void test_numbers(void)
{
    int64_t wrong = 0;
    for (int k = 0; k < 300000; k++) {
        char text[64];
        double value = 0;
        random_number(text, sizeof text);
        struct ewi_scan scan = {.source = "numbers", .begin = text, .at = text, .end = text + strlen(text)};
        double expected = strtod(text, NULL);
        if (ewi_scan_text_number(&scan, "a number", &value) == EW_OK && memcmp(&value, &expected, sizeof value) == 0)
            continue;
        if (wrong++ < 5)
            diag("%s is read as %.17g", text, value);
    }
    is_int(wrong, 0, "300,000 random numbers are read as strtod reads them, to the last bit");
}

int main(void)
{
    if (!mkdtemp(folder))
        bail_out("no temporary folder can be made");
    diag("random seed %" PRIu64, random_state);
    test_formats();
    test_refused();
    test_missing_sections();
    test_planes();
    test_accepted();
    test_line_ends();
    test_sparse_numbers();
    test_truncated();
    test_binary_places();
    test_annulus("annulus-A.msh", 180, 293);
    test_annulus("annulus-B.msh", 720, 1126);
    test_files();
    test_periodic();
    for (int format = 1; format < 4; format++)
        test_failing_allocations(format);
    test_numbers();
    unlink(path_of("test.msh"));
    rmdir(folder);
    return done_testing();
}
