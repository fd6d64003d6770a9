"""TAP: the list of copies has both sides of every condition of the host's loops: each reason for which one refuses is
given for some copy, numbers near the limit, and each loop is chosen for another."""

import re

import tap

ASKED = r'svi_(?:refuse|reject|refuse_less|refuse_more)\(\s*c,\s*"([^"]+)"'
NEAR = 3  # a copy whose number is at most so many times the limit, or the limit that

UNLISTED = {"convert_elements", "nothing"}  # where there is no memory, and of empty copies


def sources():
    return (tap.root / "src/host").rglob("*.[ch]")


def told():
    """(loop, reason or "", copies, how near) as tests/run/conditions tells it of all copies on all machines."""
    rows = tap.lines(*tap.tool("EMULATOR", ""), "tests/run/conditions", "--reasons")
    if not rows:
        raise tap.Skip("the conditions are those of x86-64")
    return [row.split(" | ") for row in rows]


def reasons_are_given():
    """each reason is given for a copy of the list"""
    wanted = {words for path in sources() for words in re.findall(ASKED, path.read_text())}
    assert len(wanted) > 50
    for words in sorted(wanted - {row[1] for row in told()}):
        yield f'no copy is refused for "{words}"'


def limits_are_near():
    """numbers of some copies are near each limit"""
    for loop, words, _, distance in told():
        if float(distance) > NEAR:
            yield f'{loop}: "{words}" is at least {distance} times from its limit'


def loops_are_chosen():
    """each loop is chosen for a copy of the list"""
    row = r'\.name = "(\w+)",\s+\.(?:can|refuses|run)\b'
    loops = {name for path in sources() for name in re.findall(row, path.read_text())}
    assert len(loops) > 40
    for loop in sorted(loops - {row[0] for row in told() if row[1] == ""} - UNLISTED):
        yield f"{loop} is chosen for none"


if __name__ == "__main__":
    tap.report(reasons_are_given, limits_are_near, loops_are_chosen)
