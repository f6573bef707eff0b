"""scripts/demo with a command that is already built: the demo succeeds, and so does each command that it suggests.

Usage: demo_test.py COMMAND
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(command, environment):
    result = subprocess.run(command, cwd=ROOT, env=environment, shell=isinstance(command, str), capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def main():
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"UPSWEEP": command, "UPSWEEP_DB": folder + "/tuning.db"}
        printed = run(["scripts/demo"], environment)
        if "demo: OK: all 731 running totals agree" not in printed:
            sys.exit(f"the demo did not compare its results:\n{printed}")
        suggested = [line.strip() for line in printed.partition("What to try next:")[2].splitlines() if line.startswith("  ")]
        suggested = [line for line in suggested if not line.startswith("#")]
        verbs = [line.removeprefix(command).split()[0] for line in suggested if line.startswith(command)]
        if verbs != ["run", "explain", "emit", "tune", "--help"] or len(suggested) != 6:
            sys.exit(f"other commands are suggested than this test expects: {suggested}")
        for line in suggested:
            if line.startswith(command) and not run(line, environment):
                sys.exit(f"{line} printed nothing")
        found = run(suggested[-1] + "; command -v upsweep", environment).strip()
        if not os.path.samefile(found, command):
            sys.exit(f"{suggested[-1]} finds {found}")


main()
