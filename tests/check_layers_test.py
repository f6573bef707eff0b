#!/usr/bin/env python3
"""check_layers.py finds what it is there for, and nothing else."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_layers  # noqa: E402

MACHINE = "/" + "work/" + "x"  # in parts, so that the check does not find it here


def offences(name, text):
    return [offence for _, offence in check_layers.check_file(name, text)]


class Includes(unittest.TestCase):
    def test_arrows(self):
        allowed = {"base": "", "generator": "base", "tuning-db": "base generator",
                   "runtime": "base generator tuning-db", "tuner": "base generator tuning-db runtime",
                   "cli": "base generator tuning-db runtime tuner bench",
                   "bench": "base generator tuning-db runtime tuner", "tools": "base generator runtime tuner"}
        for room in allowed:
            for wanted in allowed:
                found = offences(f"{room}/a.cpp", f'#include "{wanted}/b.hpp"\n')
                fine = wanted == room or wanted in allowed[room].split()
                self.assertEqual(found == [], fine, f"{room} -> {wanted}: {found}")

    def test_arrows_inside_the_tuner(self):
        for name, target, fine in (("session/a.cpp", "worker/b.hpp", True), ("worker/a.cpp", "verify/b.hpp", True),
                                   ("verify/a.cpp", "verify/b.hpp", True), ("tune.cpp", "session/b.hpp", True),
                                   ("measure/a.cpp", "verify/b.hpp", False), ("compile/a.cpp", "worker/b.hpp", False),
                                   ("search/a.cpp", "session/b.hpp", False), ("worker/a.cpp", "tune.hpp", False)):
            found = offences(f"tuner/{name}", f'#include "tuner/{target}"\n')
            self.assertEqual(found == [], fine, f"{name} -> {target}: {found}")

    def test_public_headers_are_for_all_and_need_nobody(self):
        self.assertEqual(offences("generator/a.cpp", "#include <upsweep/types.hpp>\n"), [])
        self.assertEqual(len(offences("include/upsweep/a.hpp", '#include "runtime/device.hpp"\n')), 1)

    def test_paths_from_the_root(self):
        self.assertEqual(len(offences("runtime/a.cpp", '#include "../cli/b.hpp"\n')), 1)

    def test_generated_kernels_may_hold_anything(self):
        kernel = "int i = threadIdx.x;\n" * 500
        self.assertEqual(offences("docs/kernels/a.cu", kernel), [])
        self.assertGreater(len(offences("docs/a.cu", kernel)), 1)

    def test_tests_include_from_everywhere(self):
        self.assertEqual(offences("tests/generator/a.cpp", '#include "cli/b.hpp"\n'), [])

    def test_levels_of_templates(self):
        self.assertEqual(offences("templates/block/a.cuh", '#include "warp/b.cuh"\n#include "parameters.cuh"\n'), [])
        self.assertEqual(len(offences("templates/warp/a.cuh", '#include "block/b.cuh"\n')), 1)
        self.assertEqual(len(offences("templates/warp/a.cuh", "#include <cuda.h>\n")), 1)
        self.assertEqual(offences("templates/target/host.cuh", "#include <cstdint>\n"), [])


class MachineCode(unittest.TestCase):
    def test_found(self):
        for code in ('asm volatile("");', "asm(", "__shfl_up_sync(m, v, 1)", "__syncthreads();", "int i = threadIdx.x;",
                     "atomicAdd(p, 1)", "__threadfence();", "__ballot_sync(m, p)"):
            self.assertEqual(len(offences("templates/warp/a.cuh", code + "\n")), 1, code)
            self.assertEqual(len(offences("generator/a.cpp", code + "\n")), 1, code)
            self.assertEqual(offences("templates/target/cuda.cuh", code + "\n"), [], code)

    def test_not_found(self):
        for code in ("// asm is for target/", "/* __syncthreads() */", "assembly();", "int assembled;",
                     "__global__ void f();", "__shared__ int s[1];", "std::atomic<int> a;"):
            self.assertEqual(offences("templates/warp/a.cuh", code + "\n"), [], code)

    def test_line_after_a_long_comment(self):
        found = list(check_layers.check_file("runtime/a.cpp", "/* one\ntwo\n*/\n__syncthreads();\n"))
        self.assertEqual([line for line, _ in found], [4])


class Files(unittest.TestCase):
    def test_length(self):
        self.assertEqual(offences("cli/a.cpp", "\n" * 400), [])
        self.assertEqual(len(offences("cli/a.cpp", "\n" * 401)), 1)
        self.assertEqual(offences("examples/a.csv", "1\n" * 5000), [])

    def test_targets_have_twins(self):
        def twins(*names):
            return list(check_layers.check_twins(["templates/target/" + name for name in names]))
        self.assertEqual(twins("cuda.cuh", "host.cuh", "cuda/warp.cuh", "host/warp.cuh", "types.cuh", "host_entry.cuh"), [])
        self.assertEqual(twins("cuda/warp.cuh"), [("templates/target/cuda/warp.cuh", "has no twin templates/target/host/warp.cuh")])
        self.assertEqual([name for name, _ in twins("host/warp.cuh", "host.cuh")], ["templates/target/host/warp.cuh", "templates/target/host.cuh"])

    def test_machine_paths(self):
        self.assertEqual(len(offences("README.md", f"see {MACHINE}\n")), 1)
        self.assertEqual(offences("README.md", f"https://example.org{MACHINE}\n"), [])
        self.assertEqual(offences("a.cpp", '#include "runtime/workspaces.hpp"\n'), [])

    def test_tree_names_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "cli").mkdir()
            (root / "cli" / "a.cpp").write_text("\n__syncthreads();\n")
            (root / "data.bin").write_bytes(b"\xff\xfe")
            self.assertEqual(list(check_layers.check_tree(root)),
                             ["cli/a.cpp:2: '__syncthreads(' outside templates/target/"])
            self.assertEqual(check_layers.main([folder]), 1)
            (root / "cli" / "a.cpp").write_text("\n")
            self.assertEqual(check_layers.main([folder]), 0)

    def test_empty_tree_is_no_success(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(check_layers.main([folder]), 1)


if __name__ == "__main__":
    unittest.main()
