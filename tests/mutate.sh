#!/usr/bin/env bash
# Which suites find faults? Plants COUNT faults, one after the other, in a copy of this build tree, and runs the suites
# of the folder that has it: mutate.sh [FIRST [COUNT [SEED [FOLDER...]]]]. Where none of them finds it, all others are
# run until one does. Takes minutes for each fault; "mutate.log" has a line for each, and the end says how many each
# suite found, and how many nobody else did in its folder.
set -u
first=${1:-1} count=${2:-100} seed=${3:-1}
[ $# -gt 3 ] && shift 3 || set -- src/base src/dtype src/layout src/overlap src/plan src/backend src/host/front \
    src/host/dispatch src/host/machine src/gpu src/device src/memory src/view src/copy
FOLDERS="copy view plan overlap layout memory dtype device backend base gpu host" # those that find most come first
log=$PWD/mutate.log copy=${MUTATE_DIR:-$PWD/mutate}
CRITERION_OUTPUTS=tap:/dev/null; export CRITERION_OUTPUTS

if [ ! -d "$copy" ]; then
    mkdir "$copy" && tar cf - --exclude=./mutate --exclude=./.git --exclude=./.venv --exclude=./py-build . |
        tar xf - -C "$copy" || exit 1
    find "$copy" -name '*.o' -exec strip -g {} + # programs are linked again for each fault
fi
cd "$copy" || exit 1

# Programs of a folder of tests, as they were built.
programs() {
    find "$@" -maxdepth 1 -type f -perm -u+x ! -name '*.*' | sort
}

# An endless loop ends by its time of the processor. What fails does so twice: some tests measure times.
run() (
    ulimit -t 30
    exec timeout 900 "$1" >mutate.out 2>&1
)

passes() {
    run "$1" || run "$1"
}

build() {
    # shellcheck disable=SC2086 # the list of programs
    ${MAKE:-make} -s $1 >mutate.out 2>&1
}

number=$first
while [ "$number" -lt $((first + count)) ]; do
    fault=$(python3 tests/mutants.py "$seed" "$number" "$@") || exit 1
    file=${fault%%:*}
    folder=$(echo "$file" | cut -d/ -f2)
    own=$(programs "tests/unit/$folder")
    others=$({ for other in $FOLDERS; do programs "tests/unit/$other"; done; echo tests/run/fault tests/run/conditions tests/run/null_arguments; } |
        tr ' ' '\n' | grep -vxF "$own")
    found="" size=0 found_by=
    if ! build "$own"; then
        found_by="the compiler"
    else
        for program in $own; do
            size=$((size + 1))
            passes "$program" || found="$found ${program#tests/}"
        done
        found_by=${found:+suites:$found}
        for program in $others; do
            [ -z "$found_by" ] || break
            build "$program" && passes "$program" || found_by="others: ${program#tests/}"
        done
    fi
    echo "$number | ${found_by:-nobody} | of $size | $fault" | tee -a "$log"
    mv "$file.kept" "$file" && touch "$file"
    number=$((number + 1))
done

awk -F ' [|] ' '
    { kind = $2; sub(/:.*/, "", kind); faults[kind]++ }
    $2 ~ /^suites:/ {
        n = split(substr($2, 9), names, " ")
        for (i = 1; i <= n; i++) all[names[i]]++
        if (n == 1) alone[names[1]]++
    }
    END {
        for (kind in faults) print "# " faults[kind] " faults: " kind
        for (name in all) print "# " name ": " all[name] ", alone " alone[name] + 0
    }' "$log" | sort
