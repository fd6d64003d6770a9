#!/bin/sh
# check.sh SOURCE PACKAGE: builds the site and looks at it in a browser. Ends with "N passed, N failed, N skipped"; what
# cannot be installed here is told, and skipped.
source=$1
package=$2
status=0
sh "$source/doc/site/build.sh" "$source" "$package" || status=$?
if [ $status = 77 ]; then
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
[ $status = 0 ] || exit $status

PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 "$source/site-venv/bin/python" "$source/tests/site/browser.py" site \
    >site/check.log || status=$?
cat site/check.log
awk '/^ok .* # SKIP/ { skipped++; next } /^ok/ { passed++ } /^not ok/ { failed++ }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || passed + skipped == 0 }' \
    site/check.log || status=1
exit $status
