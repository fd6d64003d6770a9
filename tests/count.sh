#!/bin/sh
# count.sh FILE...: sums .trs files of one make check, or check.count files of several.
# Ends with what failed and "N passed, N failed, N skipped", both kept in check.count; fails unless all went well.

# Each failure of a log with the lines around it, a screen at most.
excerpt() {
    echo "failed: see $1"
    grep -vE '^(ok|PASS:)' "$1" | grep -E -B 6 -A 8 '^(FAIL|XPASS|ERROR):' | head -n 40 | sed 's/^/    /'
}

failures() {
    for file do
        case $file in
        *.trs) ! grep -qE '^:test-result: (FAIL|XPASS|ERROR)' "$file" || excerpt "${file%.trs}.log" ;;
        *) sed -e '$d' -e "s|^failed: see |&${file%check.count}|" "$file" ;;
        esac
    done
}

: >check.told
missing=0
for file do
    shift
    if [ -s "$file" ]; then
        set -- "$@" "$file"
    else
        echo "failed: $file was not written" >>check.told
        missing=$((missing + 1))
    fi
done
# Reports of the sanitizers count as failures, since their tests may have passed; but tests ask for more than there is.
for report in sanitizer/report*; do
    [ -s "$report" ] && grep -qv 'WARNING: [A-Za-z]*Sanitizer failed to allocate' "$report" || continue
    { echo "failed: see $report"; head -n 60 "$report" | sed 's/^/    /'; } >>check.told
    missing=$((missing + 1))
done
failures "$@" >>check.told
for file do
    case $file in *.trs) sed -n 's/^# machine: /machine: /p' "${file%.trs}.log" ;; esac
done
awk -v failed="$missing" '
    /^:test-result: (PASS|XFAIL)/ { passed++ }
    /^:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
    /^:test-result: SKIP/ { skipped++ }
    /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5 }
    END {
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped >>"check.told"
        exit failed > 0 || passed == 0
    }' /dev/null "$@"
status=$?
mv check.told check.count
cat check.count
exit $status
