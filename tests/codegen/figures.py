"""Records the machine code and the costs of a fixed set of kernels, and compares two records. No GPU is needed.

For GPUs, a record has the machine code. For the host device, it has how often a launch calls the operator for single
items, loads, stores and synchronises.

    scripts/kernel-figures record FOLDER            compiles the kernels that FOLDER does not have yet
    scripts/kernel-figures compare BEFORE AFTER     what differs, and whether anything is worse
    scripts/kernel-figures --targets sm_90,host compare BEFORE AFTER

Before a change of the generator or of a template, record to one folder; after it, to another. Kernels are compared by
what they compute and their config. Where the code of a kernel differs, its instructions are counted with nvdisasm. More
instructions alone do not make a kernel worse.
Exit status: 0 no kernel is worse or missing, 1 some are, 2 it could not run.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

import sass

ARCHITECTURES = ["sm_80", "sm_90", "sm_120"]
HOST = "host"
# Where more is worse.
COSTS = ["spill_bytes", "stack_bytes", "static_shared_bytes", "dynamic_shared_bytes", "workspace_bytes"]
# What a launch is: any difference counts.
LAUNCH = ["threads", "blocks", "cluster_blocks", "cooperative", "dependent", "items_per_tile", "workspace"]


class Failure(Exception):
    pass


def find_tool(name, variable):
    given = os.environ.get(variable)
    found = given or shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    if not found:
        raise Failure(
            f"{name} was not found: install the CUDA toolkit or PyPI's nvidia-cuda-{name}, or set ${variable} to its path"
        )
    return found


def record(build, folder, targets, part):
    for target in targets:
        name = "host_counts" if target == HOST else "kernel_grid"
        program = pathlib.Path(build) / "tests" / "codegen" / name
        if not program.exists():
            raise Failure(f"{program} does not exist: build the tests first (scripts/build {build})")
        place = pathlib.Path(folder) / target
        place.mkdir(parents=True, exist_ok=True)
        command = [program, part] if target == HOST else [program, target, place, part]
        with open(place / "kernels.jsonl.new", "w") as out:
            subprocess.run(command, stdout=out, check=True)
        if (place / "kernels.jsonl.new").stat().st_size == 0:
            raise Failure(f"no kernel of {target} has a name that contains '{part}'")
        (place / "kernels.jsonl.new").rename(place / "kernels.jsonl")


def lines_of(folder, target):
    path = pathlib.Path(folder) / target / "kernels.jsonl"
    if not path.exists():
        raise Failure(f"{path} does not exist: record to {folder} first")
    with open(path) as lines:
        kernels = {kernel["name"]: kernel for kernel in map(json.loads, lines)}
    if not kernels:
        raise Failure(f"{path} has no kernels")
    return kernels


def check_compilers(before_folder, after_folder, target):
    """Code of two compilers would differ without any change."""
    names = [pathlib.Path(folder) / target / "compiler.txt" for folder in (before_folder, after_folder)]
    texts = [name.read_text() if name.exists() else "" for name in names]
    if texts[0] != texts[1]:
        raise Failure(f"{target} was compiled by {texts[0].strip()} before, and by {texts[1].strip()} after")


def read(folder, architecture):
    kernels = lines_of(folder, architecture)
    for kernel in kernels.values():
        kernel["path"] = pathlib.Path(folder) / architecture / kernel["file"]
        kernel["code"] = sass.code_hash(kernel["path"].read_bytes())
        shared = kernel["static_shared_bytes"] + kernel["dynamic_shared_bytes"]
        kernel["resident_blocks"] = sass.resident_blocks(architecture, kernel["threads"], kernel["registers"], shared)
    return kernels


def disassembled(tool, kernel):
    done = subprocess.run([tool, "-c", "-ndf", kernel["path"]], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"nvdisasm {kernel['path']}: {done.stderr.strip()}")
    return sass.figures(done.stdout)


def differing_loops(before, after):
    """The lengths of the loops that only one of the two kernels has."""
    gone, new = list(before), list(after)
    for length in before:
        if length in new:
            gone.remove(length)
            new.remove(length)
    return f"{gone} -> {new}"


def differences(before, after, counts_before, counts_after):
    """Lines of what is worse, and lines of what differs otherwise."""
    worse, other = [], []

    def note(name, a, b, is_worse):
        if a != b:
            (worse if is_worse else other).append(f"{name} {a} -> {b}")

    for name in COSTS:
        note(name, before[name], after[name], after[name] > before[name])
    # More registers may be better: what counts is how many blocks are resident.
    note("registers", before["registers"], after["registers"], False)
    resident = before["resident_blocks"], after["resident_blocks"]
    note("resident_blocks", *resident, resident[1] < resident[0])
    for name in LAUNCH:
        note(name, before[name], after[name], True)
    for name, _ in sass.GROUPS:
        note(name, counts_before[name], counts_after[name], counts_after[name] > counts_before[name])
    note("instructions", counts_before["instructions"], counts_after["instructions"], False)
    a, b = counts_before["loops"], counts_after["loops"]
    if a != b:
        longer = len(b) > len(a) or any(y > x for x, y in zip(reversed(a), reversed(b)))
        (worse if longer else other).append(f"loops {differing_loops(a, b)}")
    return worse, other


def code_differences(before, after):
    """Of kernels of which anything differs: name, what is worse, and what differs otherwise."""
    differing = [
        name
        for name in before
        if name in after and any(before[name][x] != after[name][x] for x in ["code", "registers", *COSTS, *LAUNCH])
    ]
    if not differing:
        return []
    tool = find_tool("nvdisasm", "NVDISASM")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = pool.map(lambda name: (disassembled(tool, before[name]), disassembled(tool, after[name])), differing)
        return [(name, *differences(before[name], after[name], *pair)) for name, pair in zip(differing, pairs)]


def count_differences(before, after):
    """The same of counts on the host device."""
    found = []
    for name in before:
        if name not in after or before[name] == after[name]:
            continue
        worse, other = [], []
        for count, value in before[name].items():
            now = after[name].get(count)
            if now != value:
                (other if now is not None and now < value else worse).append(f"{count} {value} -> {now}")
        found.append((name, worse, other))
    return found


def print_schedules(kernels, results):
    """A line for each schedule of which kernels differ."""
    for schedule in sorted({kernels[name]["schedule"] for name, _, _ in results}):
        own = [result for result in results if kernels[result[0]]["schedule"] == schedule]
        worse = sum(1 for result in own if result[1])
        total = sum(1 for kernel in kernels.values() if kernel["schedule"] == schedule)
        print(f"  {schedule}: {len(own)} of {total} differ, {worse} are worse")


def compare(before_folder, after_folder, targets, shown):
    any_worse = False
    for target in targets:
        if target == HOST:
            before, after = lines_of(before_folder, target), lines_of(after_folder, target)
            results = count_differences(before, after)
        else:
            check_compilers(before_folder, after_folder, target)
            before, after = read(before_folder, target), read(after_folder, target)
            results = code_differences(before, after)
        gone, new = sorted(set(before) - set(after)), sorted(set(after) - set(before))
        both = len(before) - len(gone)
        print(f"{target}: {both} kernels, {both - len(results)} identical, {len(results)} not")
        for what, names in (("only before", gone), ("only after", new)):
            if names:
                print(f"  {what}: {len(names)}, for example {names[0]}")
        worse = sum(1 for result in results if result[1])
        any_worse |= bool(gone) or worse > 0
        if results:
            changed = sum(1 for result in results if result[2] and not result[1])
            print(f"  worse: {worse}; other figures differ: {changed}; code differs, figures equal: {len(results) - worse - changed}")
        if target != HOST:
            print_schedules(before, results)
        for name, bad, other in sorted(results, key=lambda result: not result[1])[:shown]:
            print(f"  {'WORSE' if bad else 'differs'} {name}")
            for line in bad + other:
                print(f"    {line}")
    return 1 if any_worse else 0


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="scripts/kernel-figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    everything = ",".join([*ARCHITECTURES, HOST])
    parser.add_argument("--targets", default=everything, help="architectures and the host device (default: %(default)s)")
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record")
    recording.add_argument("folder")
    recording.add_argument("--build", default="build-test", help="folder of a build with tests (default: %(default)s)")
    recording.add_argument("--only", default="", metavar="TEXT", help="only kernels whose name contains the text; FOLDER then lists no others")
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--show", type=int, default=20, metavar="N", help="kernels that differ to show (default: 20)")
    options = parser.parse_args(arguments)
    targets = options.targets.split(",")
    if unknown := [target for target in targets if target not in (*ARCHITECTURES, HOST)]:
        parser.error(f"unknown target {unknown[0]}: use {everything}")
    try:
        if options.verb == "record":
            record(options.build, options.folder, targets, options.only)
            return 0
        return compare(options.before, options.after, targets, options.show)
    except (Failure, sass.BadCubin, subprocess.CalledProcessError, OSError, ValueError) as error:
        print(f"kernel-figures: {error}", file=sys.stderr)
        return 2
    except KeyError as error:
        print(f"kernel-figures: a record lacks {error}: record again", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
