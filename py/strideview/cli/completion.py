"""strideview completion: a script for a shell, made by shtab from the parser."""

from __future__ import annotations

import argparse

from .errors import USAGE, CommandError, need

SHELLS = ("bash", "zsh", "tcsh", "fish")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="whose script is printed")
    parser.epilog = "For bash: eval \"$(strideview completion bash)\" in ~/.bashrc."


def run(options: argparse.Namespace) -> str:
    from .main import build
    shtab = need("shtab", "completion")
    if options.shell not in shtab.SUPPORTED_SHELLS:
        raise CommandError(f"this version of shtab knows {', '.join(shtab.SUPPORTED_SHELLS)}, not {options.shell}", USAGE)
    text: str = shtab.complete(build(), shell=options.shell)
    return text + "\n"
