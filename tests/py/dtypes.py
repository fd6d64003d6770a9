"""Names of dtypes, from the list of the library."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "py"))

import read_dtypes  # noqa: E402

ROWS = read_dtypes.read()
CONVERTING = [row.name for row in ROWS if row.converts]
NARROW = [row.name for row in ROWS if row.macro in ("SVI_SMALL", "SVI_OWN") and row.name != "float16"]  # not NumPy's
BELOW_A_BYTE = [row.name for row in ROWS if row.bits < 8]
