"""Plants one fault: mutants.py SEED NUMBER FOLDER...

Changes one place in a C file below the folders, which SEED and NUMBER choose: a comparison, an operator, a number, the
operands of a difference, a condition, or a statement that is left out. Writes the file, and prints where it is and what
became of it. tests/mutate.sh restores it.
"""

import random
import re
import sys
from pathlib import Path

OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "/": "*",
         "%": "/", "&&": "||", "||": "&&", "&": "|", "|": "&", "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+="}
OPERATOR = re.compile(r"(?<=[\w)\]] )(<=|>=|==|!=|&&|\|\||<<|>>|\+=|-=|[-+*/%<>&|])(?= [\w(!*&-])")
NUMBER = re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])")
DIFFERENCE = re.compile(r"\b(\w+) - (\w+)\b")
CONDITION = re.compile(r"\b(if|while) \((?=[^;]*\)$)")
STATEMENT = re.compile(r"^ +(?!return|break|continue|goto|case|default|else|do\b)(?:\w[\w>.\[\]()*-]* [-+*/|&]?= [^{}]*|\w+\([^{}]*\));$")


def code_lines(text):
    """(number, line) of each line within a function that is one of code alone"""
    inside = in_comment = in_macro = False
    for number, line in enumerate(text.splitlines()):
        if in_comment or line.lstrip().startswith(("/*", "*", "//")):
            in_comment = "*/" not in line and (in_comment or "/*" in line)
            continue
        if in_macro or line.startswith("#"):
            in_macro = line.endswith("\\")
            continue
        inside = line.startswith("{") or (inside and not line.startswith("}"))
        if inside and '"' not in line:
            yield number, line


def changes(line):
    """(what is done, the line then) for each change that could be made"""
    bare = line.split(" /*")[0]
    for match in OPERATOR.finditer(bare):
        other = OTHER[match[1]]
        yield f"{match[1]} becomes {other}", line[:match.start()] + other + line[match.end():]
    for match in NUMBER.finditer(bare):
        other = str(int(match[0]) + 1)
        yield f"{match[0]} becomes {other}", line[:match.start()] + other + line[match.end():]
    for match in DIFFERENCE.finditer(bare):
        yield f"{match[0]} is turned round", line[:match.start()] + f"{match[2]} - {match[1]}" + line[match.end():]
    if match := CONDITION.search(bare):
        yield "a condition is negated", line[:match.end()] + "!(" + bare[match.end():] + ")"
    if STATEMENT.match(bare) and line.count("(") == line.count(")"):
        yield "a statement is left out", re.match(" *", line)[0] + ";"


def main():
    seed, number, *folders = sys.argv[1:]
    choose = random.Random(f"{seed} {number}")
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.c"))
    lengths = [len(path.read_text().splitlines()) for path in files]
    while True:
        path = choose.choices(files, lengths)[0]
        text = path.read_text()
        at, line = choose.choice(list(code_lines(text)) or [(0, "")])
        if found := list(changes(line)):
            break
    what, changed = choose.choice(found)
    lines = text.splitlines()
    lines[at] = changed
    path.write_text("\n".join(lines) + "\n")
    print(f"{path}:{at + 1}: {what}: {line.strip()}")


if __name__ == "__main__":
    main()
