/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with a problem, told one by one. */
#include "ewi_findings.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void ewi_finding(struct ewi_findings *findings, ew_place place, const char *format, ...)
{
    char sentence[sizeof findings->first];
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (findings->count++ == 0)
        ewi_snprintf(findings->first, sizeof findings->first, "%s", sentence);
    if (findings->receiver && findings->receiver->report)
        findings->receiver->report(findings->receiver->report_context, &place, sentence);
}

void ewi_check_outputs(const ew_data *data, int outputs, ew_place place, const char *what,
                       struct ewi_findings *findings)
{
    if (data->formula && data->callback)
        ewi_finding(findings, place, "%s has both a formula and a callback; give one of them", what);
    else if (data->formula && ew_formula_outputs(data->formula) != outputs)
        ewi_finding(findings, place, "%s has %d formulas; the law needs %d", what, ew_formula_outputs(data->formula),
                    outputs);
    if (data->callback && (data->variables & ~(unsigned)(EW_X | EW_Y | EW_T)))
        ewi_finding(findings, place, "%s depends on variables %#x; a callback may depend on EW_X | EW_Y | EW_T", what,
                    data->variables);
}

int ewi_findings_close(const struct ewi_findings *findings, ew_error *error)
{
    if (findings->count == 0)
        return EW_OK;
    if (findings->count == 1)
        return ewi_fail(error, EW_EINVAL, "%s", findings->first);
    return ewi_fail(error, EW_EINVAL, "%s (and %" PRId64 " more error%s)", findings->first, findings->count - 1,
                    findings->count == 2 ? "" : "s");
}
