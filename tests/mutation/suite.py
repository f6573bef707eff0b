"""Runs the mutation tests over a folder of templates up to the first failure."""

import os
import re
import select
import signal
import subprocess
import time

RUNS = re.compile(r"^\[ RUN      \] (\S+)")
PASSES = re.compile(r"^\[       OK \] ")
FAILS = re.compile(r"^\[  FAILED  \] (\S+?),? ")
COUNT = re.compile(r"^\[==========\] Running (\d+) tests?")
NO_COMPILE = "did not compile with"  # runtime/host/host_compiler.cpp
WRONG = re.compile(r"expected \S+, got|something (?:before|behind) the output was written")  # tests/support/cases.cpp
STOPPED = re.compile(r'exception with description "([^"\n]*)')
CANNOT_START = 3  # templates_of_folder.cpp


class Unusable(Exception):
    """The tests could not say anything about the mutant."""


class Failure:
    def __init__(self, test, how):
        self.test, self.how = test, how
        self.expected = False


class Output:
    """What the tests print, line by line as it comes."""

    def __init__(self, stream):
        self.descriptor = stream.fileno()
        self.rest = b""
        self.ended = False

    def lines(self, seconds):
        """The lines that come in that time at most; none after the end."""
        ready, _, _ = select.select([self.descriptor], [], [], max(0.0, seconds))
        if not ready:
            return []
        read = os.read(self.descriptor, 1 << 16)
        self.ended = not read
        *whole, self.rest = (self.rest + read).split(b"\n")
        return [line.decode(errors="replace") for line in whole]


def end(process):
    """Ends the tests and what they started: a compiler may be running."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def first_failure(binary, templates, tests, timeout, compiler_counts=False, may_be_empty=False):
    """The first failure of the tests that a GoogleTest filter names; None: all pass."""
    environment = dict(os.environ, UPSWEEP_MUTATION_TEMPLATES=str(templates), UPSWEEP_RECORD="off")
    for name in ("GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"):
        environment.pop(name, None)
    command = [str(binary), f"--gtest_filter={tests}", "--gtest_fail_fast", "--gtest_color=no"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                               start_new_session=True)
    try:
        return watch(process, tests, timeout, compiler_counts, may_be_empty)
    finally:
        end(process)
        process.stdout.close()


def watch(process, tests, timeout, compiler_counts, may_be_empty):
    output = Output(process.stdout)
    count, current, text = None, None, []
    deadline = time.monotonic() + timeout
    while not output.ended:
        for line in output.lines(deadline - time.monotonic()):
            if match := COUNT.match(line):
                count = int(match[1])
            if match := RUNS.match(line):
                current, text = match[1], []
                deadline = time.monotonic() + timeout
            if PASSES.match(line):
                current = None
            if match := FAILS.match(line):
                return Failure(match[1], how_it_failed("\n".join(text), 0, compiler_counts))
            text.append(line)
        if time.monotonic() > deadline:
            if current is None:
                raise Unusable(f"nothing was tested within {timeout:g} s")
            return Failure(current, "time-out")
    status = process.wait()
    text = "\n".join(text)
    if status == CANNOT_START and current is None:
        raise Unusable(text.strip())
    if status == 0:
        if not count and not may_be_empty:
            raise Unusable(f"no test is called {tests}")
        return None
    if current is None:
        raise Unusable(f"the tests ended with status {status}: {text.strip()[-500:]}")
    return Failure(current, how_it_failed(text, status, compiler_counts))


def how_it_failed(text, status, compiler_counts):
    if NO_COMPILE in text:
        if not compiler_counts:
            raise Unusable("the mutant does not compile: " + text[text.index(NO_COMPILE):][:300])
        return "a static assertion"
    if status < 0:
        return signal.Signals(-status).name
    if "deadlock" in text:
        return "deadlock"
    if WRONG.search(text):
        return "wrong result"
    stopped = STOPPED.search(text)
    return f'"{stopped[1][:70]}"' if stopped else "a failed assertion"
