/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnostics of a problem, reported one by one. */
#include "ewi_diagnostics.h"
#include "ewi_error.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <stdarg.h>

void ewi_diagnose(struct ewi_diagnostics *diagnostics, ew_place place, const char *format, ...)
{
    char sentence[sizeof diagnostics->first];
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (diagnostics->count++ == 0)
        ewi_snprintf(diagnostics->first, sizeof diagnostics->first, "%s", sentence);
    if (diagnostics->receiver && diagnostics->receiver->report)
        diagnostics->receiver->report(diagnostics->receiver->report_context, &place, sentence);
}

void ewi_check_outputs(const ew_data *data, int outputs, ew_place place, const char *what,
                       struct ewi_diagnostics *diagnostics)
{
    if (data->formula && data->callback)
        ewi_diagnose(diagnostics, place, "%s has both a formula and a callback; give one of them", what);
    else if (data->formula && ew_formula_outputs(data->formula) != outputs)
        ewi_diagnose(diagnostics, place, "%s has %d formulas; it must have %d", what,
                     ew_formula_outputs(data->formula), outputs);
    if (data->formula && (ew_formula_variables(data->formula) & EW_STATE))
        ewi_diagnose(diagnostics, place, "%s depends on the local state; only a source may", what);
    if (data->callback && (data->variables & ~(unsigned)(EW_X | EW_Y | EW_T)))
        ewi_diagnose(diagnostics, place, "%s depends on variables %#x; a callback may depend on EW_X | EW_Y | EW_T",
                     what, data->variables);
}

int ewi_diagnostics_close(const struct ewi_diagnostics *diagnostics, ew_error *error)
{
    if (diagnostics->count == 0)
        return EW_OK;
    if (diagnostics->count == 1)
        return ewi_fail(error, EW_EINVAL, "%s", diagnostics->first);
    return ewi_fail(error, EW_EINVAL, "%s (and %" PRId64 " more error%s)", diagnostics->first, diagnostics->count - 1,
                    diagnostics->count == 2 ? "" : "s");
}
