# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Completion of edgewise for bash. Words come from the program's own --help, that is from its tables of options.
_edgewise()
{
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} word=$2 before=$3 words
    COMPREPLY=()
    if ((COMP_CWORD == 1)) || [[ $command == help && $word != -* ]]; then
        words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')
        if ((COMP_CWORD == 1)); then words+=" --help --version"; else words+=" case spool cluster"; fi
    elif [[ $word == -* ]]; then
        words=$("$program" "$command" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p')
    else # the names among the arguments of an option, such as auto|cuda|omp, or of a command; or else a file
        words=$("$program" "$command" --help 2>/dev/null | before=$before awk '
            BEGIN { before = ENVIRON["before"] }
            $1 == before { print $2 }
            $1 == before "," { print $3 }
            $1 == "usage:" && $3 == before { print $5 }' | grep '|' | tr '|' '\n' | grep -v '[A-Z]')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o bashdefault -o default -F _edgewise edgewise
