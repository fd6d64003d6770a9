#!/bin/sh
# build.sh SOURCE PACKAGE: the site in site/html, from the documents of SOURCE, its headers, and the Python package that is
# built in the folder PACKAGE. Warnings of Doxygen and Sphinx are errors. Ends with 77, and why, where it cannot be built.
set -eu
source=$(cd "$1" && pwd)
package=$(cd "$2" && pwd)
python=$source/site-venv/bin/python

lacking=
command -v doxygen >/dev/null || lacking='no doxygen'
"$python" -c 'import breathe, furo, myst_parser' 2>/dev/null || lacking="${lacking:+$lacking, }no Sphinx in site-venv"
[ -z "$lacking" ] || { echo "no site: $lacking; ./bootstrap --site installs what is needed" >&2; exit 77; }

mkdir -p site
rm -rf site/headers site/html
export PYTHONDONTWRITEBYTECODE=1
"$python" "$source/doc/site/stage.py" "$source" site/pages
"$python" "$source/doc/site/headers.py" "$source" site/headers site/pages
"$python" "$source/doc/site/stub.py" "$package/strideview/__init__.pyi" site/pages/python/types.rst
(cd site/headers && doxygen "$source/doc/site/Doxyfile")
SITE_SOURCE=$source SITE_PACKAGE=$package SITE_XML=$PWD/site/headers/xml \
    "$python" -m sphinx -q -W --keep-going -E -c "$source/doc/site" -d site/doctrees site/pages site/html
echo "the site is site/html/index.html"
