/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gmsh's meshes in all formats. What is accepted is valid, can be refined, and comes back as it is when it is written
 * and read again. Bits of the first byte: 1 periodic boundaries, 6 refined and written, 2 without 4 imported, 8 a
 * spline in place of a circle, 16 refined twice, 32 the format 2.2, 64 binary.
 */
#include "ewi_mesh_file.h"
#include "ewi_host.h"
#include "ewi_mesh.h"
#include "gmsh-samples.h"
#include "helpers.h"
#include "target.h"

const char *const fuzz_words[] = {
    "0", "1", "-1", "2", "3", "8", "9", "15", "255", "65536", "2147483647", "2147483648", "-2147483648", "4294967295",
    "4294967296", "9223372036854775807", "999999999999999999", "1e308", "1e999", "1e-320", "nan", "inf", "0x10", ".",
    "-", "\n", " ", "\"", "$", "$End", "$Nodes\n", "$EndNodes\n", "$Elements\n", "$EndElements\n", "$Entities\n",
    "$EndEntities\n", "$PhysicalNames\n", "$EndPhysicalNames\n", "$MeshFormat\n", "$EndMeshFormat\n",
    "$PartitionedEntities\n", "$EndPartitionedEntities\n", "$ParametricNodes\n", "$EndParametricNodes\n", "$Periodic\n",
    "4.1 1 8", "4.1 0 8", "2.2 0 8", "2.2 1 8", "2.1 1 8", "2 0 8", "\xff\xff\xff\xff", NULL,
};

static const char quadrangles[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 3 1 0\n4 0 1 0\n5 1 -1 0\n6 0 -1 0\n"
    "$EndNodes\n$Elements\n8\n1 3 1 9 1 2 3 4\n2 3 1 8 6 5 2 1\n3 1 1 7 2 3\n4 1 1 7 3 4\n5 1 1 7 4 1\n6 1 1 7 1 6\n"
    "7 1 1 7 6 5\n8 1 1 7 5 2\n$EndElements\n";

void fuzz_seeds(fuzz_add *add, void *context)
{
    static const uint8_t options[] = {0, 1, 6 + 8, 6 + 16 + 32 + 64};
    for (int format = 0; format < SAMPLE_FORMATS; format++)
        for (size_t k = 0; k < sizeof options; k++) {
            struct sample sample;
            uint8_t input[sizeof sample.bytes + 1] = {options[k]};
            write_sample(format, &sample);
            memcpy(input + 1, sample.bytes, sample.size);
            add(context, input, sample.size + 1);
        }
    fuzz_add_text(add, context, 2, quadrangles);
}

static void refine(const ew_mesh *mesh, int how)
{
    const ew_boundary_curve curve = {
        .boundary = ew_mesh_boundary(mesh, 0, NULL), .kind = how & 8 ? EW_CURVE_SPLINE : EW_CURVE_CIRCLE, .radius = 1};
    ew_mesh *fine = NULL;
    ew_error error = {0};
    int status = ew_mesh_refine(&fuzz_host, mesh, how & 16 ? 2 : 1, how & 8 || (how & 128), &curve, &fine, &error);
    MUST(status == EW_OK ? mesh_is_valid(fine, NULL) : !fine && fuzz_is_told(status, &error));
    ew_mesh_destroy(fine);
}

static void write_and_read(const ew_mesh *mesh, int how)
{
    const char *path = fuzz_path("again.msh");
    ew_mesh *back = NULL;
    ew_mesh_info info, other;
    ew_error error = {0};
    int status = ew_gmsh_write(&fuzz_host, mesh, how & 32 ? EW_GMSH_22 : EW_GMSH_41, (how & 64) != 0, path, &error);
    MUST(status == EW_OK || (status == EW_EINVAL && fuzz_is_told(status, &error)));
    if (status != EW_OK)
        return;
    MUST(ew_gmsh_read(&fuzz_host, path, NULL, &back, &error) == EW_OK);
    ew_mesh_get_info(mesh, &info);
    ew_mesh_get_info(back, &other);
    MUST(info.area == other.area && info.edges == other.edges);
    ew_mesh_destroy(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ew_periodic pair = {"in", "7", 0, 0, 1};
    if (size == 0)
        return 0;
    int how = data[0], reports = 0;
    const ew_mesh_data options = {
        .periodics = how & 1, .periodic = &pair, .report = fuzz_note, .report_context = &reports};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    fuzz_live = 0;
    fuzz_asked = 0;
    char *text = ewi_alloc(&fuzz_host, size, 1);
    MUST(text);
    memcpy(text, data + 1, size - 1);
    int status = ewi_mesh_parse(&fuzz_host, "fuzzed.msh", text, size - 1, (how & 6) == 2, &options, &mesh, &error);
    MUST(status == EW_OK ? mesh && mesh_is_valid(mesh, NULL) : !mesh && fuzz_is_told(status, &error));
    MUST(status != EW_EMESH || reports > 0);
    MUST(fuzz_asked <= 1500000 + 200 * size);
    if (mesh && (how & 6) == 6) {
        refine(mesh, how);
        write_and_read(mesh, how);
    }
    fuzz_accepted += mesh != NULL;
    ew_mesh_destroy(mesh);
    MUST(fuzz_live == 0);
    return 0;
}
