#!/bin/sh
# count.sh FILE...: sums .trs files of one make check, or check.count files of several.
# Ends with "N passed, N failed, N skipped", kept in check.count; fails unless all went well.
missing=0
for file do
    shift
    if [ -s "$file" ]; then
        set -- "$@" "$file"
    else
        echo "failed: $file was not written"
        missing=$((missing + 1))
    fi
done
# Reports of the sanitizers count as failures: their tests may have passed.
for report in sanitizer/report*; do
    [ -s "$report" ] || continue
    echo "failed: $report"
    cat "$report"
    missing=$((missing + 1))
done
for file do
    case $file in *.trs) sed -n 's/^# machine: /machine: /p' "${file%.trs}.log" ;; esac
done
awk -v failed="$missing" '
    /^:test-result: (PASS|XFAIL)/ { passed++ }
    /^:test-result: (FAIL|XPASS|ERROR)/ { failed++; sub(/trs$/, "log", FILENAME); print "failed: see " FILENAME }
    /^:test-result: SKIP/ { skipped++ }
    /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5 }
    END {
        line = sprintf("%d passed, %d failed, %d skipped", passed, failed, skipped)
        print line
        print line >"check.count"
        exit failed > 0 || passed == 0
    }' /dev/null "$@"
