#!/usr/bin/env python3
"""Plants defects in the templates, one at a time, and shows that the tests of the host device catch them.

    scripts/mutate                          every mutant of tests/mutation/mutations.toml
    scripts/mutate NAME...                  these
    scripts/mutate --sample 10 --seed 7     some, drawn at random from those that are to be caught
    scripts/mutate --list                   what there is, and by what it is caught

Exit status: 0 every mutant was caught, or the list says why none can catch it; 1 a mutant survived; 2 the list is out of
date, or a mutant could not be run.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import suite

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEYS = {"file", "why", "before", "after", "tests", "compiler", "survives"}
GROUP_KEYS = {"file", "tests"}


class Stale(Exception):
    """The list does not fit the templates or the tests any more."""


class Mutation:
    """One planted defect: what is replaced by what in which template, and who is to notice."""

    def __init__(self, name, record):
        missing = {"file", "why", "before", "tests"} - set(record)
        if missing or set(record) - KEYS:
            raise Stale(f"{name}: missing {sorted(missing)}, unknown {sorted(set(record) - KEYS)}")
        self.name, self.file, self.why = name, record["file"], record["why"]
        self.before = as_list(record["before"])
        self.after = as_list(record.get("after", ""))
        self.tests = as_list(record["tests"])
        self.compiler = record.get("compiler", False)  # a static_assert is what catches it
        self.survives = record.get("survives")
        if len(self.before) != len(self.after):
            raise Stale(f"{name}: {len(self.before)} texts before and {len(self.after)} after")

    def applied_to(self, templates):
        """The template's text with the defect."""
        path = templates / self.file
        if not path.is_file():
            raise Stale(f"{self.name}: there is no template {self.file}")
        text = path.read_text()
        for before, after in zip(self.before, self.after):
            count = text.count(before)
            if count != 1:
                raise Stale(f"{self.name}: its text is there {count} times in {self.file}, not once: {before!r}")
            text = text.replace(before, after)
        return text


def as_list(value):
    return value if isinstance(value, list) else [value]


def mutations_of(table, name="", of_group={}):
    """The mutations of a table: itself, or if it holds tables, theirs, to which it gives the keys that they lack."""
    own = {key: value for key, value in table.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in table.items() if isinstance(value, dict)}
    if not tables:
        return [Mutation(name, {**of_group, **own})]
    if set(own) - GROUP_KEYS:
        raise Stale(f"{name}: a group has no {sorted(set(own) - GROUP_KEYS)}")
    return [mutation for key, value in tables.items()
            for mutation in mutations_of(value, f"{name}.{key}".lstrip("."), {**of_group, **own})]


def load(path):
    with open(path, "rb") as file:
        table = tomllib.load(file)
    if not table:
        raise Stale(f"{path} has no mutation")
    return mutations_of(table)


class Harness:
    def __init__(self, options):
        self.options = options
        self.templates = pathlib.Path(options.templates)
        self.sound = {}  # test -> whether it passes without a mutation
        self.sound_lock = threading.Lock()

    def run(self, mutation):
        """(state, line) of a mutant: CAUGHT, SURVIVED, explained or ERROR."""
        started = time.monotonic()
        try:
            with tempfile.TemporaryDirectory(prefix="upsweep-mutant-") as folder:
                caught = self.first_failure(mutation, pathlib.Path(folder))
        except (Stale, suite.Unusable) as error:
            return "ERROR", f"{mutation.name}: {error}"
        seconds = f"{time.monotonic() - started:.1f} s"
        if caught is None and mutation.survives:
            return "explained", f"{mutation.name} survives ({seconds}): {mutation.survives}"
        if caught is None:
            return "SURVIVED", f"{mutation.name} ({seconds}): {mutation.why}"
        if not self.passes_unmutated(caught.test):
            return "ERROR", f"{mutation.name}: {caught.test} fails without the mutation, too"
        note = "" if not mutation.survives else "; the list says that it survives: take that out"
        note += "" if caught.expected else "; not by the tests that the list names"
        return "CAUGHT", f"{mutation.name} by {caught.test} ({caught.how}, {seconds}){note}"

    def first_failure(self, mutation, folder):
        shutil.copytree(self.templates, folder / "templates")
        (folder / "templates" / mutation.file).write_text(mutation.applied_to(self.templates))
        for tests in mutation.tests:
            failure = self.failure(folder, tests, mutation)
            if failure:
                failure.expected = True
                return failure
        if mutation.survives and not self.options.whole_suite:
            return None
        return self.failure(folder, f"{self.options.suite}-{':'.join(mutation.tests)}", mutation, may_be_empty=True)

    def failure(self, folder, tests, mutation, may_be_empty=False):
        return suite.first_failure(self.options.binary, folder / "templates", tests, timeout=self.options.timeout,
                                   compiler_counts=mutation.compiler, may_be_empty=may_be_empty)

    def passes_unmutated(self, test):
        """Whether a test that caught a mutant passes on the templates as they are: else it catches anything."""
        if not self.options.baseline:
            return True
        with self.sound_lock:
            if test not in self.sound:
                self.sound[test] = suite.first_failure(self.options.binary, self.templates, test,
                                                       timeout=self.options.timeout) is None
            return self.sound[test]


def build(folder):
    """Builds the mutation tests; configures the folder first where it is new."""
    folder = (ROOT / folder).resolve()
    commands = [["cmake", "--build", folder, "--parallel", str(os.cpu_count()), "--target", "mutation_tests"]]
    if not (folder / "CMakeCache.txt").exists():
        commands.insert(0, ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DUPSWEEP_TESTS=ON"])
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(done.stdout, file=sys.stderr)
            raise subprocess.CalledProcessError(done.returncode, command)
    return folder / "tests" / "mutation" / "mutation_tests"


def chosen(mutations, options):
    if options.names:
        by_name = {mutation.name: mutation for mutation in mutations}
        unknown = [name for name in options.names if name not in by_name]
        if unknown:
            raise Stale(f"no mutation is called {', '.join(unknown)}: see --list")
        return [by_name[name] for name in options.names]
    if options.sample is None:
        return mutations
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    to_catch = [mutation for mutation in mutations if not mutation.survives]
    count = min(options.sample, len(to_catch))
    print(f"{count} of {len(to_catch)} mutants, drawn with --seed {seed}", flush=True)
    return random.Random(seed).sample(to_catch, count)


def show(mutations):
    for mutation in mutations:
        print(f"{mutation.name}\n    {mutation.file}: {mutation.why}")
        print(f"    {'survives: ' + mutation.survives if mutation.survives else 'caught by ' + ', '.join(mutation.tests)}")
    survivors = sum(bool(mutation.survives) for mutation in mutations)
    print(f"{len(mutations)} mutations, {survivors} of which nothing on the host device can catch")


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutations to run; all if none is named")
    parser.add_argument("--list", action="store_true", help="print the mutations and run nothing")
    parser.add_argument("--sample", type=int, metavar="N", help="run so many, drawn at random")
    parser.add_argument("--seed", type=int, metavar="S", help="what the sample is drawn with")
    parser.add_argument("--jobs", type=int, metavar="J", default=os.cpu_count(), help="mutants at a time")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", default=180,
                        help="a test that takes longer counts as caught (default: 180)")
    parser.add_argument("--whole-suite", action="store_true",
                        help="run all tests on mutants that the list says survive, not only the nearest")
    parser.add_argument("--no-baseline", dest="baseline", action="store_false",
                        help="trust that the tests pass without a mutation: they have just done so")
    parser.add_argument("--build", metavar="FOLDER", default="build", help="build folder (default: build)")
    parser.add_argument("--prepare", metavar="FOLDER",
                        help="put the mutation tests there, for --binary on a machine that cannot build, and run nothing")
    parser.add_argument("--binary", metavar="FILE", help="run these mutation tests, and build nothing")
    parser.add_argument("--mutations", metavar="FILE", default=ROOT / "tests" / "mutation" / "mutations.toml",
                        help="another list of mutations")
    parser.add_argument("--templates", metavar="FOLDER", default=ROOT / "templates", help="other templates")
    parser.add_argument("--suite", metavar="FILTER", default="*",
                        help="GoogleTest filter of what is run where the named tests catch nothing (default: all)")
    return parser.parse_args(arguments)


def prepare(binary, folder):
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(["strip", "-o", target / binary.name, binary], check=True)
    print(f"scripts/mutate --binary {target / binary.name}")


def run_all(mutations, options):
    """Runs them on copies of program and templates: both may change while it lasts."""
    with tempfile.TemporaryDirectory(prefix="upsweep-mutate-") as folder:
        copies = pathlib.Path(folder)
        options.binary = shutil.copy2(options.binary, copies)
        options.templates = shutil.copytree(options.templates, copies / "templates")
        return report(mutations, Harness(options), options.jobs)


def report(mutations, harness, jobs):
    counts = {"CAUGHT": 0, "explained": 0, "SURVIVED": 0, "ERROR": 0}
    started = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(max_workers=max(1, jobs))
    try:
        for result in concurrent.futures.as_completed([pool.submit(harness.run, each) for each in mutations]):
            state, line = result.result()
            counts[state] += 1
            print(f"{state:9} {line}", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    print(f"{len(mutations)} mutants in {time.monotonic() - started:.0f} s: {counts['CAUGHT']} caught, "
          f"{counts['explained']} survive as explained, {counts['SURVIVED']} survived, {counts['ERROR']} errors")
    return 2 if counts["ERROR"] else 1 if counts["SURVIVED"] else 0


def main(arguments):
    options = options_of(arguments)
    try:
        mutations = load(options.mutations)
        for mutation in mutations:
            mutation.applied_to(pathlib.Path(options.templates))
        if options.list:
            show(mutations)
            return 0
        to_run = chosen(mutations, options)
        options.binary = pathlib.Path(options.binary).resolve() if options.binary else build(options.build)
        if options.prepare:
            prepare(options.binary, options.prepare)
            return 0
        return run_all(to_run, options)
    except Stale as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 2
    except (OSError, subprocess.CalledProcessError, tomllib.TOMLDecodeError) as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
