"""The benchmarks in Python run, and their report says what they measured. No time is looked at."""

import layouts
import pytest
import report


@pytest.fixture(scope="module")
def measured():
    found, missing = layouts.rows()  # verifies every result
    layouts.measure(found, rounds=1, batch=0)
    layouts.add_targets(found)
    return {"versions": layouts.versions(missing), "missing": missing, "rows": found}


def test_every_row_is_measured(measured):
    for row in measured["rows"]:
        assert row["ns"].keys() == row["cells"].keys() and all(ns > 0 for ns in row["ns"].values())


def test_wrong_results_are_found(monkeypatch):
    monkeypatch.setattr(layouts, "LAYOUTS", [("x.permuted((1, 0))", "x")])
    with pytest.raises(AssertionError):
        layouts.rows()


def test_report_has_every_row(measured):
    of_c = {"compiler": "gcc 1", "unit": "a", "rows": [{"name": "a", "ns": 2.0, "limit": 0, "target": ""},
                                                   {"name": "b", "ns": 3.0, "limit": 2.0, "target": "a"}]}
    text = report.report(of_c, measured)
    assert "| a | 2.0 | 1.00 |  |  |" in text
    assert "| b | 3.0 | 1.50 | a: 2 | **missed** |" in text
    for row in measured["rows"]:
        assert f"| `{row['name']}`" in text


def test_report_keeps_what_is_around_it():
    document = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
    new = report.replaced(document, "new")
    assert "old" not in new and new.startswith("before\n") and new.endswith("\nafter\n") and "\nnew\n" in new
    assert report.replaced(new, "new") == new


if __name__ == "__main__":
    import sys
    from pathlib import Path
    sys.path.append(str(Path(__file__).parents[1] / "py"))
    import tap
    tap.main(__file__)
