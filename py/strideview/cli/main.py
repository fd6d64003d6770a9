"""The program: its commands, and what each of them prints or how it ends."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
import textwrap
from typing import Any, NoReturn

import strideview as sv
from strideview import _paths

from .errors import CODES, DONE, FAILED, CommandError, Stopped, signals_raise

# Each is a module here with add(parser) and run(options), which gives a text, or what is printed as JSON.
COMMANDS = {
    "info": "which arrays a file has: shape, dtype, order, size, offset",
    "copy": "an array from one file to another, rearranged and converted, in bounded memory",
    "draw": "a picture of where the elements of a layout lie in memory",
    "explain": "which loop does a copy between two layouts on this machine, and why",
    "bench": "how fast copies are here, beside NumPy and PyTorch",
    "doctor": "what this machine and this installation have, and what to do about the rest",
    "tune": "how copies are tuned for this processor",
    "completion": "a script that completes commands and options in a shell",
}


def codes() -> str:
    return "exit codes:\n" + "".join(f"  {code:4} {text}\n" for code, text in CODES.items())


def build() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="strideview", description="Strided arrays in files and in memory.",
                                     epilog="\n".join(textwrap.wrap(_paths.HELP, 96)) + "\n\n" + codes(),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"strideview {sv.__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        module = importlib.import_module(f"{__package__}.{name}")
        module.add(command)
        command.set_defaults(run=module.run)
    return parser


def show(told: Any) -> None:
    if isinstance(told, str):
        sys.stdout.write(told)
    else:
        json.dump(told, sys.stdout, indent=2)
        sys.stdout.write("\n")
    sys.stdout.flush()


def call(options: argparse.Namespace) -> int:
    """Run a command; its exit code, after one line for what went wrong."""
    try:
        with signals_raise():
            show(options.run(options))
        return DONE
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Stopped as error:
        text, code = f"stopped by {error}", error.code
    except CommandError as error:
        text, code = str(error), error.code
    except MemoryError as error:
        text, code = str(error) or "out of memory", FAILED
    except Exception as error:  # whatever is wrong with the arguments is one line
        text, code = str(error) or type(error).__name__, FAILED
    line = " ".join(text.split())
    sys.stderr.write(f"strideview: {line}\n")
    return code


def join_negative(arguments: list[str]) -> list[str]:
    """--reshape -1,7 as --reshape=-1,7: argparse would take -1,7 for an option."""
    joined: list[str] = []
    for word in arguments:
        if joined and re.match(r"-[\d.]", word) and re.fullmatch(r"--[\w-]+", joined[-1]):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def main(arguments: list[str] | None = None) -> NoReturn:
    words = sys.argv[1:] if arguments is None else arguments
    if not _paths.OPTIONS.isdisjoint(words[:1]):
        _paths.main(words)
        sys.exit(DONE)
    parser = build()
    options = parser.parse_args(join_negative(words))
    if not hasattr(options, "steps"):
        options.steps = None
    sys.exit(call(options))
