# SPDX-License-Identifier: BSD-2-Clause
# Completion of edgewise for fish. Words come from the program's own --help, that is from its tables of options.
function __edgewise_words
    set -l line (commandline -opc)
    set -l program $line[1]
    if test (count $line) -lt 2; or test $line[2] = help
        $program --help 2>/dev/null | string replace -rf '^  ([a-z]+)  +(.*)$' '$1\t$2'
        test (count $line) -lt 2; and return
        string split ' ' 'case spool cluster'
    end
    $program $line[2] --help 2>/dev/null | string replace -rf '^  (--[a-z-]+).*?  +(.*)$' '$1\t$2'
    set -l before (string escape --style=regex -- $line[-1])
    $program $line[2] --help 2>/dev/null |
        string replace -rf "^(?:  $before(?:, -.)?|usage: \S+ $before \[options\]) (\S*\|\S*) .*" '$1' |
        string split '|' | string match -rv '[A-Z]'
end
complete -c edgewise -a '(__edgewise_words)'
