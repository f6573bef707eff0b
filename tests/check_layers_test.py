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


def write_tree(folder, texts):
    for name, text in texts.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def offences_of_tree(texts):
    with tempfile.TemporaryDirectory() as folder:
        write_tree(folder, texts)
        return list(check_layers.check_tree(pathlib.Path(folder)))


class Includes(unittest.TestCase):
    def test_arrows(self):
        allowed = {"base": "", "generator": "base", "tuning-db": "base generator",
                   "runtime": "base generator tuning-db", "tuner": "base generator tuning-db runtime",
                   "cli": "base generator tuning-db runtime tuner bench",
                   "bench": "base generator tuning-db runtime tuner", "tools": "base generator runtime tuner"}
        for part in allowed:
            for wanted in allowed:
                found = offences(f"{part}/a.cpp", f'#include "{wanted}/b.hpp"\n')
                fine = wanted == part or wanted in allowed[part].split()
                self.assertEqual(found == [], fine, f"{part} -> {wanted}: {found}")

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
        self.assertEqual(offences("cli/a.cpp", "\n" * 350), [])
        self.assertEqual(offences("cli/a.cpp", "\n" * 351), ["351 lines, more than 350: split the file"])
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
        tree = {"cli/a.cpp": "\n__syncthreads();\n"}
        self.assertEqual(offences_of_tree(tree), ["cli/a.cpp:2: '__syncthreads(' outside templates/target/"])
        with tempfile.TemporaryDirectory() as folder:
            write_tree(folder, tree)
            (pathlib.Path(folder) / "data.bin").write_bytes(b"\xff\xfe")
            self.assertEqual(check_layers.main([folder]), 1)
            (pathlib.Path(folder) / "cli" / "a.cpp").write_text("\n")
            self.assertEqual(check_layers.main([folder]), 0)

    def test_empty_tree_is_no_success(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(check_layers.main([folder]), 1)


class Functions(unittest.TestCase):
    def check(self, name, before, opening, closing):
        """A function of 51 lines from the one with its name on: the opening, empty ones, and the closing."""
        empty = "\n" * (51 - (opening + closing).count("\n"))
        found = offences_of_tree({name: before + opening + empty + closing})
        self.assertEqual(len(found), 1, (opening, found))
        self.assertRegex(found[0], r":\d+: \S+ has 51 lines, more than 50: split the function$")
        self.assertEqual(offences_of_tree({name: before + opening + empty[1:] + closing}), [])

    def test_cxx(self):
        self.check("cli/a.cpp", "", "void f() {\n", "}\n")
        self.check("cli/a.hpp", "struct A {\n", "int f(int a) const noexcept {\n", "}\n};")
        self.check("cli/a.cpp", "template <typename T>\n", "T A<T>::f(std::pair<T, T> a) {\n", "}\n")
        self.check("cli/a.cpp", "\n", "TEST_F(Suite, name) {\n", "}\n")

    def test_templates(self):
        self.check("templates/block/a.cuh", "template <int n>\n",
                   "__device__ __forceinline__ Value f(Value (&items)[n]) {\n", "}\n")
        self.check("templates/kernel/a.cuh", "",
                   'extern "C" __global__ void __launch_bounds__(threads) f(const __grid_constant__ Arguments a) {\n', "}\n")

    def test_python(self):
        self.check("tests/a.py", "", "def f():\n", "    return 1\n")
        self.check("tests/a.py", "class A:\n", "    def f(self):\n", "        return 1\n")


class Classes(unittest.TestCase):
    def check(self, name, head, methods, tail):
        """A class with these methods is fine, and not with one more."""
        self.assertEqual(offences_of_tree({name: head + "".join(methods[:20]) + tail}), [])
        self.assertEqual([offence.split(": ", 1)[1] for offence in offences_of_tree({name: head + "".join(methods) + tail})],
                         ["A has 21 methods, more than 20: split the class"])

    def test_cxx(self):
        kinds = ["  void a{0}();\n", "  static int a{0}(int b) {{ return b; }}\n", "  virtual void a{0}() const = 0;\n",
                 "  template <typename T>\n  [[nodiscard]] std::vector<T> a{0}(std::function<void()> b = {{}}) noexcept;\n",
                 "  void same(B<{0}> b);\n private:\n"]
        methods = [kinds[number % len(kinds)].format(number) for number in range(21)]
        self.check("cli/a.hpp", "namespace n {\nclass A final : public B {\n public:\n", methods, "};\n}\n")
        self.check("cli/a.hpp", "struct Outer {\ntemplate <typename T>\nstruct A {\n", methods, "};\n};\n")

    def test_what_is_not_counted(self):
        others = ("  A();\n  explicit A(int);\n  A(const A&) = delete;\n  ~A();\n  A& operator=(const A&) = default;\n"
                  "  bool operator==(const A&) const = default;\n  void o() override;\n  void p() const override { }\n"
                  "  int value = 0;\n  struct Inner { void a(); void b(); };\n  std::function<void()> call;\n")
        self.check("cli/a.hpp", "class A {\n" + others, [f"  void a{number}();\n" for number in range(21)], "};\n")

    def test_python(self):
        head = "class A:\n    def __init__(self):\n        pass\n    def test_one(self):\n        pass\n"
        self.check("tests/a.py", head, [f"    def a{number}(self):\n        pass\n" for number in range(21)], "")


class Cycles(unittest.TestCase):
    def test_folders_that_include_from_each_other(self):
        tree = {"cli/a.hpp": '#include "cli/search/b.hpp"\n', "cli/search/b.hpp": '#include "cli/verify/c.hpp"\n',
                "cli/verify/c.hpp": "\n", "cli/verify/d.hpp": '#include "cli/verify/c.hpp"\n'}
        self.assertEqual(offences_of_tree(tree), [])
        tree["cli/verify/d.hpp"] = '#include "cli/a.hpp"\n'
        self.assertEqual(offences_of_tree(tree), [
            "cli:1: folders that include from each other: cli, cli/search, cli/verify"])

    def test_a_file_stands_for_the_folder_of_its_name(self):
        tree = {"templates/target/a.cuh": "\n", "templates/target/cuda.cuh": '#include "target/cuda/b.cuh"\n',
                "templates/target/host.cuh": '#include "target/host/b.cuh"\n',
                "templates/target/cuda/b.cuh": '#include "target/a.cuh"\n', "templates/target/host/b.cuh": "\n"}
        self.assertEqual(offences_of_tree(tree), [])


if __name__ == "__main__":
    unittest.main()
