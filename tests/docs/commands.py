#!/usr/bin/env python3
"""Runs the shell commands of the user pages as they stand, each page in a folder of its own, with `upsweep` on PATH.

    python3 tests/docs/commands.py UPSWEEP [--gpu] [--root ROOT]

--gpu also runs the blocks that are marked as needing a GPU. Exit code 1 and the output of each command that failed.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from pages import ROOT, USER_PAGES, blocks_of

LIMIT = 300  # seconds for a command: it hangs


def environment(upsweep, work):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("UPSWEEP_")}
    return kept | {
        "PATH": f"{pathlib.Path(upsweep).resolve().parent}:{os.environ['PATH']}",
        "UPSWEEP_DB": str(work / "tuning.db"),
        "UPSWEEP_CACHE_DIR": str(work / "cache"),
    }


def tune_once(upsweep, folder):
    """A database with one winner, which every page starts with, and a cache that all of them share."""
    folder.mkdir()
    tune = [upsweep, "tune", "reduce", "--op", "plus", "--type", "i32", "--size", "2^10", "--device", "host",
            "--max-trials", "3", "--budget", "20s"]
    subprocess.run(tune, cwd=folder, env=environment(upsweep, folder), check=True, capture_output=True, timeout=LIMIT)


def start(upsweep, root, work, folder):
    """A folder as the pages assume it: with the examples, and with results."""
    folder.mkdir()
    (folder / "examples").symlink_to(root / "examples")
    shutil.copyfile(work / "tuned/tuning.db", folder / "tuning.db")
    return environment(upsweep, folder) | {"UPSWEEP_CACHE_DIR": str(work / "tuned/cache")}


def run(block, folder, variables):
    """What went wrong with a block, or an empty text, and what it printed. Variables that it exports hold for the rest of
    the page."""
    script = f"set -euo pipefail\n{block.text}\nenv -0 >'{folder}/.environment'\n"
    try:
        result = subprocess.run(["bash", "-c", script], cwd=folder, env=variables, timeout=LIMIT, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return f"took more than {LIMIT} s", ""
    if result.returncode != 0:
        return f"exit code {result.returncode}\n{result.stdout[-4000:]}", result.stdout
    left = (folder / ".environment").read_text().split("\0")
    variables.update(entry.split("=", 1) for entry in left if "=" in entry)
    return "", result.stdout


def missing_line(excerpt, printed):
    """The first line of the excerpt that is not among the printed ones, in this order; None if all are. Indentation does
    not matter, nor do empty lines and those of dots."""
    left = iter(line.strip() for line in printed.splitlines())
    for line in (line.strip() for line in excerpt.splitlines()):
        if line not in ("", "...") and line not in left:  # "in" goes on behind the line that it finds
            return line
    return None


def run_page(page, text, upsweep, root, gpu, work):
    """(how many blocks ran, a line for each that failed)"""
    blocks = [block for block in blocks_of(page, text)
              if block.language in ("sh", "cuda") and not block.skipped and (gpu or not block.needs_gpu)]
    if not blocks:
        return 0, []
    folder = work / page.replace("/", "_")
    variables = start(upsweep, root, work, folder)
    failures, printed = [], ""
    for block in blocks:
        if block.language == "cuda":
            if line := missing_line(block.text, printed):
                failures.append(f"{block.place}: the last command does not print this line here: {line}")
            continue
        problem, printed = run(block, folder, variables)
        if problem:
            failures.append(f"{block.place}: {block.text.strip()}\n{problem}")
    return sum(block.language == "sh" for block in blocks), failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("upsweep")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    arguments = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="upsweep-docs-"))
    upsweep = str(pathlib.Path(arguments.upsweep).resolve())
    ran, failures = 0, []
    try:
        tune_once(upsweep, work / "tuned")
        for page in USER_PAGES:
            file = arguments.root / page
            if not file.exists():
                continue
            count, failed = run_page(page, file.read_text(), upsweep, arguments.root, arguments.gpu, work)
            ran, failures = ran + count, failures + failed
    finally:
        shutil.rmtree(work)
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{ran} blocks of commands ran, {len(failures)} failed")
    return 1 if failures or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
