"""python3 figures_test.py KERNEL_GRID HOST_COUNTS: what scripts/kernel-figures reads, counts and compares."""

import contextlib
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import figures
import sass

KERNEL_GRID, HOST_COUNTS = sys.argv.pop(1), sys.argv.pop(1)

DISASSEMBLY = """\
        .text.upsweep_kernel:
upsweep_kernel:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/              @!P0 LDG.E.128 R4, desc[UR8][R2.64] ;
        /*0018*/                   BRA.DIV UR4, `(.L_x_3) ;
        /*0020*/                   SHFL.UP PT, R9, R6, 0x1, RZ ;
        /*0030*/                   STS.128 [R25], R28 ;
.L_x_1:
        /*0040*/                   ATOMS.ADD R1, [R2], R3 ;
        /*0050*/              @P1 BRA `(.L_x_1) ;
        /*0060*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0070*/             @!UP0 UBLKCP.S.G [UR4], [UR6], UR8 ;
        /*0080*/              @P0 BRA `(.L_x_0) ;
        /*0090*/                   SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R2+URZ], RZ ;
        /*00a0*/                   MEMBAR.ALL.GPU ;
        /*00b0*/                   STL [R1], R2 ;
        /*00c0*/                   LDSM.16.M88 R1, [R2] ;
        /*00d0*/                   EXIT ;
.L_x_2:
        /*00e0*/                   BRA `(.L_x_2);
        /*00f0*/                   NOP;
.L_x_3:
        /*0100*/                   WARPSYNC.COLLECTIVE R1, `(.L_x_4) ;
        /*0110*/                   SHFL.UP PT, R9, R6, 0x1, RZ ;
.L_x_4:
        /*0120*/                   BRA `(.L_x_0) ;
"""


def elf(parts):
    """A 64-bit file with these sections."""
    names, content, headers = b"\0.names\0", b"", []
    base = 64
    for name, data in parts:
        headers.append((len(names), 1, base + len(content), len(data)))
        names += name.encode() + b"\0"
        content += data
    headers.append((1, 3, base + len(content), len(names)))
    content += names
    table = b"".join(struct.pack("<IIQQQQIIQQ", n, k, 0, 0, at, size, 0, 0, 1, 0) for n, k, at, size in headers)
    head = bytearray(64)
    head[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<Q", head, 0x28, base + len(content))
    struct.pack_into("<HHH", head, 0x3A, 64, len(headers), len(headers) - 1)
    return bytes(head) + content + table


class Sass(unittest.TestCase):
    def test_counts_instructions_by_group(self):
        got = sass.figures(DISASSEMBLY)
        expected = {"global_load": 1, "shuffle": 1, "shared_store": 1, "atomic": 1, "async_copy": 1, "barrier": 2}
        expected |= {"fence": 1, "local": 1, "shared_load": 1, "global_store": 0, "generic": 0, "vote": 0}
        self.assertEqual({name: got[name] for name in expected}, expected)
        self.assertEqual(got["instructions"], 16)

    def test_loops_are_branches_back(self):
        self.assertEqual(sass.figures(DISASSEMBLY)["loops"], [2, 9])

    def test_hash_is_of_the_code_alone(self):
        code = [(".text.kernel", b"1234"), (".nv.info", b"5")]
        self.assertEqual(sass.code_hash(elf(code)), sass.code_hash(elf([code[0], (".nv.info", b"66")])))
        self.assertNotEqual(sass.code_hash(elf(code)), sass.code_hash(elf([(".text.kernel", b"1235"), code[1]])))
        for name, counts in ((".nv.constant2.kernel", True), (".nv.global.init", True), (".nv.constant0.kernel", False)):
            hashes = [sass.code_hash(elf([*code, (name, value)])) for value in (b"1", b"2")]
            self.assertEqual(hashes[0] != hashes[1], counts, name)

    def test_hash_is_of_tables_and_not_of_scalars(self):
        # Of section 2: a scalar of 4 bytes, then a table of 20.
        symbols = b"\0" * 24 + b"".join(struct.pack("<IBBHQQ", 0, 1, 0, 2, at, size) for at, size in ((0, 4), (4, 20)))

        def of(scalar, table):
            parts = [(".text.kernel", b"1234"), (".nv.global.init", scalar * 4 + table * 20), (".symtab", symbols)]
            return sass.code_hash(elf([("", b""), *parts, (".strtab", b"\0")]))

        self.assertEqual(of(b"a", b"b"), of(b"c", b"b"))
        self.assertNotEqual(of(b"a", b"b"), of(b"a", b"c"))

    def test_what_is_no_cubin(self):
        with self.assertRaises(sass.BadCubin):
            sass.sections(b"#!/bin/sh, and more")
        with self.assertRaises(sass.BadCubin):
            sass.sections(elf([(".text.kernel", b"1234")])[:100])

    def test_resident_blocks(self):
        self.assertEqual(sass.resident_blocks("sm_90", 256, 64, 0), 4)  # registers: 65536 / (64 * 256)
        self.assertEqual(sass.resident_blocks("sm_90", 32, 16, 0), 32)  # blocks
        self.assertEqual(sass.resident_blocks("sm_90", 1024, 32, 0), 2)  # warps
        self.assertEqual(sass.resident_blocks("sm_120", 1024, 32, 0), 1)
        self.assertEqual(sass.resident_blocks("sm_90", 128, 32, 100 * 1024), 2)  # shared memory
        self.assertEqual(sass.resident_blocks("sm_80", 128, 32, 100 * 1024), 1)


KERNEL = dict.fromkeys(figures.COSTS, 0) | dict.fromkeys(figures.LAUNCH, 1) | {"registers": 32, "threads": 256, "schedule": "all_aggregates"}
COUNTS = sass.figures(DISASSEMBLY)


class Comparing(unittest.TestCase):
    def differences(self, change=None, counts=None, resident=(4, 4)):
        before = KERNEL | {"resident_blocks": resident[0]}
        after = KERNEL | (change or {}) | {"resident_blocks": resident[1]}
        return figures.differences(before, after, COUNTS, COUNTS | (counts or {}))

    def test_what_is_worse(self):
        for change in ({"spill_bytes": 4}, {"workspace_bytes": 128}, {"dynamic_shared_bytes": 16}, {"blocks": 2}):
            self.assertTrue(self.differences(change)[0], change)
        for counts in ({"shuffle": 2}, {"loops": [2, 10]}, {"loops": [2, 9, 9]}, {"fence": 2}):
            self.assertTrue(self.differences(counts=counts)[0], counts)
        self.assertTrue(self.differences(resident=(4, 3))[0])

    def test_loops_are_shown_where_they_differ(self):
        self.assertEqual(self.differences(counts={"loops": [2, 10]})[0], ["loops [9] -> [10]"])
        self.assertEqual(self.differences(counts={"loops": [2, 2, 9]})[0], ["loops [] -> [2]"])
        self.assertEqual(self.differences(counts={"loops": [2]}), ([], ["loops [9] -> []"]))
        self.assertEqual(self.differences(counts={"loops": [9]}), ([], ["loops [2] -> []"]))

    def test_what_is_not(self):
        self.assertEqual(self.differences(), ([], []))
        self.assertEqual(self.differences({"registers": 40}), ([], ["registers 32 -> 40"]))
        self.assertEqual(self.differences(counts={"shuffle": 0, "loops": [2, 7]})[0], [])
        self.assertEqual(self.differences(resident=(4, 5))[0], [])


class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        tool = self.folder / "nvdisasm"
        # Disassembles a cubin to what its code says.
        tool.write_text('#!/bin/sh\nfor last; do :; done\ngrep -ao "SASS.*SASS" "$last" | tr "|" "\\n"\n')
        tool.chmod(0o755)
        os.environ["NVDISASM"] = str(tool)

    def record(self, name, kernels):
        place = self.folder / name / "sm_90"
        place.mkdir(parents=True)
        lines = []
        for kernel, code in kernels.items():
            (place / f"{kernel}.cubin").write_bytes(elf([(".text.k", f"SASS|{code}|SASS".encode())]))
            lines.append(json.dumps(KERNEL | {"name": kernel, "file": f"{kernel}.cubin"}))
        (place / "kernels.jsonl").write_text("\n".join(lines) + "\n")
        return str(self.folder / name)

    def compare(self, *arguments, target="sm_90"):
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = figures.main(["--targets", target, "compare", *arguments])
        return status, out.getvalue() + errors.getvalue()

    def test_identical(self):
        before = self.record("before", {"a": "/*0000*/ EXIT ;", "b": "/*0000*/ EXIT ;"})
        self.assertEqual(self.compare(before, before), (0, "sm_90: 2 kernels, 2 identical, 0 not\n"))

    def test_worse(self):
        before = self.record("before", {"a": "/*0000*/ EXIT ;", "b": "/*0000*/ EXIT ;"})
        after = self.record("after", {"a": "/*0000*/ LDG.E R1, [R2] ;", "b": "/*0000*/ EXIT ;"})
        status, said = self.compare(before, after)
        self.assertEqual(status, 1)
        self.assertIn("2 kernels, 1 identical, 1 not", said)
        self.assertIn("WORSE a\n    global_load 0 -> 1", said)
        self.assertIn("all_aggregates: 1 of 2 differ, 1 are worse", said)
        self.assertEqual(self.compare(after, before)[0], 0, "one load less")

    def test_a_kernel_that_is_gone(self):
        before = self.record("before", {"a": "", "b": ""})
        status, said = self.compare(before, self.record("after", {"a": ""}))
        self.assertEqual(status, 1)
        self.assertIn("only before: 1, for example b", said)

    def test_counts_on_the_host_device(self):
        for name, loads in (("before", 5), ("after", 6)):
            place = self.folder / name / "host"
            place.mkdir(parents=True)
            (place / "kernels.jsonl").write_text(json.dumps({"name": "a", "n": 7, "global_loads": loads}) + "\n")
        before, after = str(self.folder / "before"), str(self.folder / "after")
        self.assertEqual(self.compare(before, before, target="host")[0], 0)
        status, said = self.compare(before, after, target="host")
        self.assertEqual(status, 1)
        self.assertIn("WORSE a\n    global_loads 5 -> 6", said)
        self.assertEqual(self.compare(after, before, target="host")[0], 0, "a load less")

    def test_nothing_recorded(self):
        status, said = self.compare(str(self.folder), str(self.folder))
        self.assertEqual(status, 2)
        self.assertIn("record to", said)

    def test_other_compilers_and_targets(self):
        before, after = self.record("before", {"a": ""}), self.record("after", {"a": ""})
        (pathlib.Path(after) / "sm_90" / "compiler.txt").write_text("nvrtc 14.0")
        status, said = self.compare(before, after)
        self.assertEqual(status, 2)
        self.assertIn("by nvrtc 14.0 after", said)
        with self.assertRaises(SystemExit) as ended:
            self.compare(before, after, target="sm_100")
        self.assertEqual(ended.exception.code, 2)

    def test_no_kernels(self):
        before = self.record("before", {})
        self.assertEqual(self.compare(before, before)[0], 2)

    def test_no_disassembler(self):
        os.environ["NVDISASM"] = ""
        before = self.record("before", {"a": "/*0000*/ EXIT ;"})
        after = self.record("after", {"a": "/*0000*/ LDG.E R1, [R2] ;"})
        with unittest.mock.patch.object(figures.shutil, "which", return_value=None):
            status, said = self.compare(before, after)
        self.assertEqual(status, 2)
        self.assertIn("nvdisasm was not found: install", said)


class Program(unittest.TestCase):
    def run_grid(self, folder, *arguments):
        done = subprocess.run([KERNEL_GRID, "sm_90", folder, *arguments], capture_output=True, text=True)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    def test_compiles_and_keeps(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        name = 'reduce plus i32 {"schedule":"single_block"'
        status, lines, said = self.run_grid(folder, name)
        self.assertEqual((status, len(lines) > 0), (0, True), said)
        self.assertTrue(all(line["name"].startswith(name) for line in lines))
        cubin = folder / lines[0]["file"]
        self.assertIn(".text.upsweep_kernel", sass.sections(cubin.read_bytes()))
        written = cubin.stat().st_mtime_ns
        self.assertEqual(self.run_grid(folder, name)[:2], (0, lines))
        self.assertEqual(cubin.stat().st_mtime_ns, written, "not compiled again")

    def test_another_compiler(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "compiler.txt").write_text("nvrtc 1.0\n")
        status, lines, said = self.run_grid(folder, "reduce plus i32")
        self.assertEqual((status, lines), (1, []))
        self.assertIn("holds kernels of nvrtc 1.0", said)
        self.assertIn("use another folder", said)


class HostCounts(unittest.TestCase):
    """Of one block the counts are known."""

    def test_counts(self):
        name = 'reduce plus i32 {"schedule":"single_block"'
        done = subprocess.run([HOST_COUNTS, name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(lines), 2)
        for line in lines:
            n = line["n"]
            # n items need n - 1 calls; warps may make more, because idle lanes call the operator too.
            self.assertGreaterEqual(line["operator_calls"], n - 1)
            self.assertLess(line["operator_calls"], 2 * n)
            self.assertEqual(line["global_stores"] + line["ordered_stores"], 1)
            self.assertGreaterEqual(line["global_loads"], n / 4)
            self.assertLessEqual(line["global_loads"], n)
        again = subprocess.run([HOST_COUNTS, name], capture_output=True, text=True)
        self.assertEqual(again.stdout, done.stdout, "counts do not depend on time or addresses")


if __name__ == "__main__":
    unittest.main()
