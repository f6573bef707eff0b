"""scripts/what-tuning-earns on the host device: what is done is kept, what is left is told, and a table comes of it.

Usage: earnings_test.py COMMAND
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = sys.argv.pop()


class TestWhatTuningEarns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="upsweep-earnings-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_step(self, step, code, devices=("host",), **variables):
        environment = os.environ | {"UPSWEEP": COMMAND, "GPUS": "0,1", "BUDGET": "30", "TUNE": "--max-trials 2",
                                    "SIZES": "2^8", "CELL_BUDGET": "1ms",
                                    "PROBLEMS": "reduce+plus+i32 inclusive_scan+plus+i32"} | variables
        result = subprocess.run([ROOT / "scripts/what-tuning-earns", step, self.folder, *devices], cwd=ROOT, env=environment,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def test_three_steps_make_a_table(self):
        # A piece may take 40 s, so that one begins in the first three seconds and none after them. The shell counts
        # seconds of the clock: the first one may be over at once.
        slow = self.folder / "slow"
        slow.write_text(f'#!/bin/sh\nsleep 3.1\nexec "{COMMAND}" "$@"\n')
        slow.chmod(0o755)
        said = self.run_step("tune", 3, UPSWEEP=str(slow), GPUS="0", LIMIT="42")
        self.assertIn("tune host reduce plus i32: done after", said)
        self.assertIn("tune: 1 pieces are left after", said)
        said = self.run_step("tune", 0)
        self.assertNotIn("reduce", said, "it was tuned already")
        self.assertIn("tune host inclusive_scan plus i32: done after", said)
        self.assertIn("bench: all done after", self.run_step("bench", 0))
        self.run_step("report", 0, devices=())
        table = (self.folder / "table.md").read_text()
        for problem in ("reduce", "inclusive_scan"):
            self.assertIn(f"\n| `{problem} plus i32` | – | 256 | ", table)
        self.assertIn("geometric mean over 2 cells", table)
        self.assertIn("<h2>What tuning earns</h2>", (self.folder / "report.html").read_text())

    def test_a_piece_that_fails_is_told(self):
        said = self.run_step("bench", 1, devices=("nowhere",), PROBLEMS="reduce+plus+i32")
        self.assertIn("bench nowhere reduce plus i32: FAILED", said)
        [file] = (self.folder / "said").iterdir()
        self.assertIn(str(file), said)
        self.assertIn("nowhere", file.read_text())

    def test_what_it_cannot_do_it_says(self):
        self.assertIn("has no bench-*.json: run", self.run_step("report", 2, devices=()))
        self.assertIn("usage: ", self.run_step("measure", 2))
        self.assertIn("set LIMIT=40 or more, or a lower BUDGET", self.run_step("tune", 2, LIMIT="5"))
        self.assertIn("does not exist", self.run_step("tune", 2, UPSWEEP="nowhere"))


unittest.main()
