/* SPDX-License-Identifier: BSD-2-Clause */
/* SU2's meshes: what is accepted is valid. */
#include "ewi_host.h"
#include "ewi_mesh.h"
#include "ewi_mesh_file.h"
#include "helpers.h"
#include "target.h"

#include <stdio.h>

const char *const fuzz_words[] = {
    "NDIME= 2\n", "NZONE= 1\n", "NELEM= ", "NPOIN= ", "NMARK= ", "MARKER_TAG= ", "MARKER_ELEMS= ", "SEND_RECEIVE",
    "IZONE= 1\n", "NPERIODIC= 1\n", "%", "=", "3 ", "5 ", "9 ", "-1", "2147483648", "999999999999999999", "1e308",
    "nan", "\n", "\r\n", NULL,
};

void fuzz_seeds(fuzz_add *add, void *context)
{
    static const char points[] = "NPOIN= 6 6\n0 0 0\n1 0 1\n1 1 2\n0 1 3\n1 2 4\n0 2 5\n";
    static const char elements[] = "% elements\nNELEM= 3\n5 0 1 2 0\n5 0 2 3 1\n9 3 2 4 5 2\n";
    static const char markers[] = "NMARK= 2\nMARKER_TAG= wall\nMARKER_ELEMS= 4\n3 0 1\n3 1 2\n3 2 4\n3 4 5\n"
                                  "MARKER_TAG= in\nMARKER_ELEMS= 2\n3 5 3\n3 3 0\n";
    const char *const order[][3] = {{elements, points, markers}, {markers, elements, points}};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        char text[1024];
        int length = snprintf(text, sizeof text, "NDIME= 2\n%s%s%s", order[k][0], order[k][1], order[k][2]);
        add(context, text, (size_t)length);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int reports = 0;
    const ew_mesh_data options = {.report = fuzz_note, .report_context = &reports};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    fuzz_live = 0;
    fuzz_asked = 0;
    char *text = ewi_alloc(&fuzz_host, size + 1, 1);
    MUST(text);
    if (size > 0)
        memcpy(text, data, size);
    int status = ewi_mesh_parse(&fuzz_host, "fuzzed.su2", text, size, true, &options, &mesh, &error);
    MUST(status == EW_OK ? mesh && mesh_is_valid(mesh, NULL) : !mesh && fuzz_is_told(status, &error));
    MUST(status != EW_EMESH || reports > 0);
    MUST(fuzz_asked <= 1500000 + 200 * size);
    fuzz_accepted += mesh != NULL;
    ew_mesh_destroy(mesh);
    MUST(fuzz_live == 0);
    return 0;
}
