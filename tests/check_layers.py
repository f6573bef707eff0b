#!/usr/bin/env python3
"""Checks what the compiler does not: the arrows between rooms, where machine-specific code may stand, lengths of files,
and that no path of somebody's machine is in the tree.

    python3 tests/check_layers.py [ROOT]      exit code 1 and a line for each offence
"""

import pathlib
import re
import subprocess
import sys

# Which rooms a room may include from, besides itself and include/.
ROOMS = {
    "base": set(),
    "generator": {"base"},
    "tuning-db": {"base", "generator"},
    "runtime": {"base", "generator", "tuning-db"},
    "tuner": {"base", "generator", "tuning-db", "runtime"},
    "cli": {"base", "generator", "tuning-db", "runtime", "tuner", "bench", "report"},
    "report": {"base", "generator", "tuning-db", "tuner", "bench"},
    "tools": {"base", "generator", "runtime", "tuner"},
    "bench": {"base", "generator", "tuning-db", "runtime", "tuner"},
}
NOT_ROOMS = {"tests", "examples"}  # may include from everywhere

# Which folders of the tuner a folder of it may include from, besides itself; the files on top may from all.
TUNER = {
    "measure": set(),
    "search": set(),
    "compile": set(),
    "verify": {"measure"},
    "worker": {"measure", "verify", "compile"},
    "session": {"measure", "verify", "search", "compile", "worker"},
}

# The levels of templates, lowest first: a level may include from itself and those below.
LEVELS = ["target", "value", "operator", "algorithm", "thread", "warp", "block", "tile", "grid", "pipeline", "kernel"]

TWINS = {"cuda": "host", "host": "cuda"}  # in templates/target

GENERATED = "docs/kernels/"  # what the generator wrote; tests/generator/docs_test.cpp compares it

CODE = {".cpp", ".hpp", ".cuh", ".cu", ".py", ".cmake"}
CXX = {".cpp", ".hpp", ".cuh", ".cu"}
MAX_LINES = 400

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
SYSTEM_INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
MACHINE_CODE = re.compile(
    r"\b(?:asm|__asm__)\b|\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)\b"
    r"|\b__(?:shfl|sync|ballot|any|all|match|activemask|reduce|threadfence|nanosleep|ld[cg]|st[cgw]|popc|ffs|clz|brev|fns)"
    r"\w*\s*\(|\batomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)\w*\s*\("
)
# Written in two parts so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:" + "work|root" + r")/[\w.]")


def tracked_files(root):
    """The files of a Git checkout, new ones included; without Git all but what is hidden or built."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True)
        names = [name for name in listed.stdout.decode().split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(root)) for path in root.rglob("*")
                 if not re.match(r"(build|\.git/|\.deps/|.*__pycache__)", str(path.relative_to(root)))]
    return sorted(name for name in set(names) if (root / name).is_file())


def without_comments(text):
    return COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)


def check_template_include(level, target):
    below = target.split("/")[0]
    if "/" not in target or below not in LEVELS or level not in LEVELS:
        return None
    if LEVELS.index(below) > LEVELS.index(level):
        return f'level {level} includes "{target}" of the higher level {below}'
    return None


def check_tuner_include(name, target):
    folder, wanted = name.split("/")[1], target.split("/")[1]
    if folder in TUNER and wanted != folder and wanted not in TUNER[folder]:
        return f'tuner/{folder} includes "{target}", and the arrow points the other way'
    return None


def check_include(name, target):
    """What is wrong with a file's #include "target", or None."""
    parts = name.split("/")
    if ".." in target.split("/"):
        return f'includes "{target}": write paths from the root of the tree'
    if parts[0] == "templates":
        return check_template_include(parts[1], target)
    room, wanted = parts[0], target.split("/")[0]
    if room == wanted == "tuner":
        return check_tuner_include(name, target)
    if parts[0] == "include" and wanted in ROOMS and "/" in target:
        return f'a public header includes "{target}"'
    if room in NOT_ROOMS or room not in ROOMS or "/" not in target or wanted == room or wanted not in ROOMS:
        return None
    if wanted not in ROOMS[room]:
        return f'{room} includes "{target}", and the arrow points the other way'
    return None


def check_includes(name, lines):
    for number, line in enumerate(lines, 1):
        quoted = INCLUDE.match(line)
        offence = check_include(name, quoted.group(1)) if quoted else None
        if offence:
            yield number, offence
        system = SYSTEM_INCLUDE.match(line)
        if system and name.startswith("templates/") and not name.startswith("templates/target/"):
            yield number, f"a template includes <{system.group(1)}>: generated sources are header-free"


def check_machine_code(name, text):
    if name.split("/")[0] == "tests" or name.startswith("templates/target/"):
        return
    for number, line in enumerate(without_comments(text).split("\n"), 1):
        found = MACHINE_CODE.search(line)
        if found:
            yield number, f"'{found.group().strip()}' outside templates/target/"


def check_file(name, text):
    """(line, offence) for all that is wrong with one file."""
    suffix = pathlib.PurePosixPath(name).suffix
    lines = text.split("\n")
    written_by_hand = not name.startswith(GENERATED)
    if written_by_hand and suffix in CODE and text.count("\n") > MAX_LINES:
        yield MAX_LINES + 1, f"{text.count(chr(10))} lines, more than {MAX_LINES}: split the file"
    if written_by_hand and suffix in CXX:
        yield from check_includes(name, lines)
        yield from check_machine_code(name, text)
    for number, line in enumerate(lines, 1):
        found = MACHINE_PATH.search(line)
        if found:
            yield number, f"'{found.group()}...' is a path of one machine"


def check_twins(names):
    """(name, offence) of each target file that the other target lacks: generated sources for both include the same."""
    for name in names:
        twin = re.sub(r"^templates/target/(cuda|host)(?=[/.])", lambda target: "templates/target/" + TWINS[target[1]], name)
        if twin != name and twin not in names:
            yield name, f"has no twin {twin}"


def check_tree(root):
    names = tracked_files(root)
    for name, offence in check_twins(names):
        yield f"{name}:1: {offence}"
    for name in names:
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data
        for line, offence in check_file(name, text):
            yield f"{name}:{line}: {offence}"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    offences = list(check_tree(root))
    for offence in offences:
        print(offence)
    if not tracked_files(root):
        print(f"{root}: no files found")
        return 1
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
