#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Completion in bash, zsh and fish: all commands, all options, and the names that options take.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
folder=$srcdir/cmd/completion
mkdir bin && ln -s "$edgewise" bin/edgewise
PATH=$tmp/bin:$PATH
export PATH

cat >bash.sh <<'END'
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_edgewise "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
bash_words()
{
    bash bash.sh "$folder/edgewise.bash" edgewise "$@"
}

# _describe and _files belong to the completion system, which needs a terminal.
cat >zsh.sh <<'END'
_describe() { print -l -- ${(P)${@[-1]}} }
_files() { : }
file=$1
shift
words=("$@") CURRENT=$#
source $file
END
zsh_words()
{
    zsh -f zsh.sh "$folder/_edgewise" edgewise "$@" | sed 's/:.*//'
}

fish_words()
{
    env HOME="$tmp" fish -N -c "source $folder/edgewise.fish; complete -C \"edgewise $*\"" | cut -f1
}

in_one_line()
{
    sort -u | tr '\n' ' '
}

try() # SHELL
{
    command -v "$1" >/dev/null 2>&1 || {
        skip "there is no $1" "$1: commands, options and names are completed"
        return
    }
    is "$("$1_words" re | grep '^re' | in_one_line)" "release retry " "$1: commands"
    found=$(for command in $commands; do "$1_words" "$command" -- | grep '^--'; done | grep -c .)
    is "$found" "$options" "$1: the options of all commands, $options"
    is "$("$1_words" mesh --output x --format '' | grep -v '^--' | grep '[24]' | in_one_line)" "2.2 4.1 " \
        "$1: the names that an option takes"
    is "$("$1_words" help re | grep '^re' | in_one_line)$("$1_words" help cas | grep '^cas')" "release retry case" \
        "$1: the pages that help shows"
    is "$("$1_words" run --kernels fu | grep '^fu' | in_one_line)" "fused " "$1: ... from their beginning"
    is "$("$1_words" mesh re | grep '^re' | in_one_line)" "refine " "$1: what a command does"
    # The previous word is the user's and may contain anything.
    for before in ../t3/sp '[' '(' '--order/touch injected #/e#'; do
        "$1_words" run "'$before'" x
        "$1_words" run "$before" x
    done >words 2>errors
    is "$(cat errors)" "" "$1: any word before: no errors"
    ok "$(test ! -e injected; echo $?)" "$1: ... and nothing is executed"
}

commands=$(edgewise --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
options=$(for command in $commands; do edgewise "$command" --help; done | grep -c '^  --')
for shell in bash zsh fish; do try $shell; done
done_testing
