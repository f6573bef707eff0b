#!/usr/bin/env python3
"""Checks what the compiler does not: which folders include which, where machine-specific code may stand, lengths of files
and functions, numbers of methods, and that no path of somebody's machine is in the tree.

    python3 tests/check_layers.py [ROOT]      exit code 1 and a line for each offence

Universal Ctags finds the functions and classes of C++ (package universal-ctags).
"""

import ast
import collections
import json
import pathlib
import re
import subprocess
import sys

# Which parts a part may include from, besides itself and include/.
PARTS = {
    "base": set(),
    "generator": {"base"},
    "tuning-db": {"base", "generator"},
    "runtime": {"base", "generator", "tuning-db"},
    "tuner": {"base", "generator", "tuning-db", "runtime"},
    "cli": {"base", "generator", "tuning-db", "runtime", "tuner", "bench", "report", "figures"},
    "figures": {"base", "generator", "tuning-db", "runtime", "tuner", "bench", "report"},
    "report": {"base", "generator", "tuning-db", "tuner", "bench"},
    "tools": {"base", "generator", "runtime", "tuner"},
    "bench": {"base", "generator", "tuning-db", "runtime", "tuner"},
}
NOT_PARTS = {"tests", "examples"}  # may include from everywhere

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
MAX_LINES = 350
MAX_FUNCTION_LINES = 50
# Declared functions, public and private, each overload by itself. Not counted: constructors, destructors, operators,
# and functions that override one of a base class, which the base class has counted.
MAX_METHODS = 20

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
    part, wanted = parts[0], target.split("/")[0]
    if part == wanted == "tuner":
        return check_tuner_include(name, target)
    if parts[0] == "include" and wanted in PARTS and "/" in target:
        return f'a public header includes "{target}"'
    if part in NOT_PARTS or part not in PARTS or "/" not in target or wanted == part or wanted not in PARTS:
        return None
    if wanted not in PARTS[part]:
        return f'{part} includes "{target}", which is above it'
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


def check_sizes(name, functions, classes):
    """(line, offence) for the functions, as (name, first line, last line), and classes, as (name, line, methods)."""
    for function, first, last in functions:
        if last - first + 1 > MAX_FUNCTION_LINES:
            yield first, (f"{function} has {last - first + 1} lines, more than {MAX_FUNCTION_LINES}: "
                          "split the function")
    for owner, line, methods in classes:
        if methods > MAX_METHODS:
            yield line, f"{owner} has {methods} methods, more than {MAX_METHODS}: split the class"


def check_python(name, text):
    functions, classes = [], []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.append((node.name, node.lineno, node.end_lineno))
        if isinstance(node, ast.ClassDef):
            methods = [part.name for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
            classes.append((node.name, node.lineno, sum(not each.startswith(("__", "test_")) for each in methods)))
    return check_sizes(name, functions, classes)


def cxx_tags(root, names):
    """What ctags finds in C++ and CUDA files: for each file its functions, prototypes and classes."""
    command = ["ctags", "--options=NONE", "--quiet", "--output-format=json", "--languages=C++", "--langmap=C++:.cpp.hpp.cuh.cu",
               "--kinds-C++=csufp", "--fields=+neKzsZS", "--fields-C++=+{properties}", "--sort=no", "-f", "-", "-L", "-"]
    try:
        found = subprocess.run(command, cwd=root, input="\n".join(names), capture_output=True, text=True, check=True)
    except FileNotFoundError:
        sys.exit("check_layers.py needs Universal Ctags: install the package universal-ctags")
    tags = collections.defaultdict(list)
    for line in found.stdout.splitlines():
        tag = json.loads(line)
        tags[tag["path"]].append(tag)
    return tags


def is_method(tag, owner):
    """Whether a tag is a function declared in a class that counts as one of its methods."""
    scope = (owner["scope"] + "::" if "scope" in owner else "") + owner["name"]
    return (tag["kind"] in ("function", "prototype") and tag.get("scope") == scope
            and owner["line"] <= tag["line"] <= owner["end"] and tag["name"] != owner["name"]
            and not tag["name"].startswith(("~", "operator")) and "override" not in tag.get("properties", ""))


def function_name(tag):
    """A test is told apart from others by the arguments of its macro."""
    return tag["name"] + (tag.get("signature", "") if tag["name"].startswith("TEST") else "")


def check_cxx(name, tags):
    functions = [(function_name(tag), tag["line"], tag["end"]) for tag in tags if tag["kind"] == "function"]
    owners = [tag for tag in tags if tag["kind"] in ("class", "struct", "union") and "end" in tag]
    classes = [(owner["name"], owner["line"], sum(is_method(tag, owner) for tag in tags)) for owner in owners]
    return check_sizes(name, functions, classes)


def included_folders(texts):
    """For each folder of C++ files, the other folders that its files include from. A file that has the name of a folder
    beside it, such as target/cuda.cuh, stands for that folder."""
    folders = collections.defaultdict(set)
    parents = {str(pathlib.PurePosixPath(name).parent) for name in texts}

    def folder_of(name):
        path = pathlib.PurePosixPath(name)
        return str(path.with_suffix("")) if str(path.with_suffix("")) in parents else str(path.parent)

    for name, text in texts.items():
        folder = folder_of(name)
        for line in text.split("\n"):
            target = INCLUDE.match(line) or SYSTEM_INCLUDE.match(line)
            places = [prefix + target.group(1) for prefix in ("", "include/", "templates/")] if target else []
            found = next((place for place in places if place in texts), None)
            if found and folder_of(found) != folder:
                folders[folder].add(folder_of(found))
    return folders


def reachable(folders, start):
    reached, open_ends = set(), [start]
    while open_ends:
        for target in folders.get(open_ends.pop(), ()):
            if target not in reached:
                reached.add(target)
                open_ends.append(target)
    return reached


def check_cycles(texts):
    """(folder, offence) for each set of folders that include from each other."""
    folders = included_folders(texts)
    reached = {folder: reachable(folders, folder) for folder in folders}
    cycles = {tuple(sorted(other for other in reached[folder] if folder in reached.get(other, ())))
              for folder in folders if folder in reached[folder]}
    for cycle in sorted(cycles):
        yield cycle[0], "folders that include from each other: " + ", ".join(cycle)


def check_twins(names):
    """(name, offence) of each target file that the other target lacks: generated sources for both include the same."""
    for name in names:
        twin = re.sub(r"^templates/target/(cuda|host)(?=[/.])", lambda target: "templates/target/" + TWINS[target[1]], name)
        if twin != name and twin not in names:
            yield name, f"has no twin {twin}"


def check_tree(root):
    texts = {}
    names = tracked_files(root)
    for name in names:
        try:
            texts[name] = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data
    cxx = {name: text for name, text in texts.items()
           if pathlib.PurePosixPath(name).suffix in CXX and not name.startswith(GENERATED)}
    found = [(name, offence) for name, text in texts.items() for offence in check_file(name, text)]
    found += [(name, offence) for name, text in texts.items() if name.endswith(".py") for offence in check_python(name, text)]
    found += [(name, offence) for name, tags in cxx_tags(root, cxx).items() for offence in check_cxx(name, tags)]
    found += [(folder, (1, offence)) for folder, offence in check_cycles(cxx)]
    found += [(name, (1, offence)) for name, offence in check_twins(names)]
    for name, (line, offence) in sorted(found, key=lambda each: (each[0], each[1][0])):
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
