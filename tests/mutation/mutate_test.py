#!/usr/bin/env python3
"""Tests of the mutation harness: that it can fail, and says of what.

    python3 tests/mutation/mutate_test.py MUTATION_TESTS      the program that scripts/mutate builds
"""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import mutate

ROOT = pathlib.Path(__file__).resolve().parents[2]
MUTATION_TESTS = None  # the program, from the command line

OPERATOR = {
    "name": "sum", "file": "operator/operator.plus.cuh", "why": "a difference is no sum",
    "before": "Arithmetic(a) + Arithmetic(b)", "after": "Arithmetic(a) - Arithmetic(b)",
    "tests": "*Table.AllSizes/reduce_plus_i32",
}

# Stands for the test program: what it prints and how it ends.
PRELUDE = "#!/usr/bin/env bash\necho '[==========] Running 1 test from 1 test suite.'\necho '[ RUN      ] Some.Test'\n"
PASS = "echo '[       OK ] Some.Test (1 ms)'\n"
FAIL = "echo 'item 3: expected 1, got 2'\necho '[  FAILED  ] Some.Test (1 ms)'\nexit 1\n"


def toml(value):
    if isinstance(value, list):
        return "[" + ", ".join(toml(each) for each in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return "'" + value + "'"


class HarnessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="upsweep-mutate-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def mutate(self, *mutations, arguments=(), binary=None):
        """(exit status, what was printed) of the harness over a list of these mutations."""
        records = self.folder / "mutations.toml"
        records.write_text("".join(
            f"[{mutation['name']}]\n" + "".join(f"{key} = {toml(mutation[key])}\n" for key in mutation if key != "name")
            for mutation in mutations))
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = mutate.main(["--binary", str(binary or MUTATION_TESTS), "--mutations", str(records), "--jobs", "1",
                                  "--suite", "ByteSums.*", *arguments])
        return status, out.getvalue()

    def fake(self, text):
        path = self.folder / "fake"
        path.write_text(PRELUDE + text)
        path.chmod(0o755)
        return path

    # ---- with the real tests

    def test_a_defect_is_caught(self):
        status, out = self.mutate(OPERATOR)
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"CAUGHT +sum by Problems/Table.AllSizes/reduce_plus_i32 \(wrong result, ")

    def test_what_changes_nothing_survives_named_tests_and_suite(self):
        status, out = self.mutate({**OPERATOR, "after": OPERATOR["before"]})
        self.assertEqual(status, 1, out)
        self.assertIn("SURVIVED  sum", out)
        self.assertIn("0 caught, 0 survive as explained, 1 survived, 0 errors", out)

    def test_the_rest_of_the_suite_catches_what_the_named_tests_do_not(self):
        status, out = self.mutate({**OPERATOR, "tests": "WeakMemoryTest.*"}, arguments=["--suite", "*/reduce_plus_i32"])
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"CAUGHT +sum by .*not by the tests that the list names")

    def test_a_mutant_that_does_not_compile_is_an_error_unless_the_list_says_so(self):
        mutation = {**OPERATOR, "after": "no_such_name"}
        status, out = self.mutate(mutation)
        self.assertEqual(status, 2, out)
        self.assertRegex(out, r"ERROR +sum: the mutant does not compile: .*no_such_name")
        self.assertEqual(self.mutate({**mutation, "compiler": True})[0], 0)

    def test_tests_that_no_longer_exist_are_an_error(self):
        status, out = self.mutate({**OPERATOR, "tests": "NoSuchTest.*"})
        self.assertEqual(status, 2, out)
        self.assertIn("no test is called NoSuchTest.*", out)

    # ---- the list

    def test_a_stale_mutation_is_an_error_before_anything_runs(self):
        for change in [{"before": "Arithmetic(a) * Arithmetic(b)"}, {"before": "Arithmetic"}, {"file": "gone.cuh"},
                       {"before": ["Arithmetic(a)"], "after": ["a", "b"]}]:
            status, out = self.mutate({**OPERATOR, **change}, binary="/nonexistent")
            self.assertEqual(status, 2, out)
            self.assertIn("mutate: sum: ", out)

    def test_bad_lists_are_errors(self):
        for mutations in [[OPERATOR, OPERATOR], [{**OPERATOR, "survivs": "a typing mistake"}], [],
                          [OPERATOR, {**OPERATOR, "name": "sum.of-a-mutation"}],
                          [{key: value for key, value in OPERATOR.items() if key != "tests"}]]:
            self.assertEqual(self.mutate(*mutations)[0], 2)
        status, out = self.mutate(OPERATOR, arguments=["difference"])
        self.assertEqual(status, 2)
        self.assertIn("no mutation is called difference", out)

    def test_a_group_gives_what_its_mutations_leave_out(self):
        group = {"name": "group", "file": OPERATOR["file"], "tests": "Some.*"}
        short = {key: OPERATOR[key] for key in ["why", "before"]}
        _, out = self.mutate(group, {"name": "group.a", **short}, {"name": "group.b", **short, "tests": "Other.*"},
                             arguments=["--list"])
        described = "    operator/operator.plus.cuh: a difference is no sum\n    caught by "
        self.assertIn(f"group.a\n{described}Some.*\ngroup.b\n{described}Other.*\n", out)

    def test_the_list_fits_the_templates(self):
        mutations = mutate.load(ROOT / "tests" / "mutation" / "mutations.toml")
        self.assertGreater(len(mutations), 60)
        for mutation in mutations:
            original = (ROOT / "templates" / mutation.file).read_text()
            self.assertNotEqual(mutation.applied_to(ROOT / "templates"), original, mutation.name)

    def test_a_seed_draws_the_same_sample_again_and_leaves_explained_survivors_out(self):
        explained = {**OPERATOR, "name": "explained", "survives": "of course"}
        many = [{**OPERATOR, "name": f"sum-{i}"} for i in range(20)] + [explained]
        binary = self.fake(FAIL)
        runs = [self.mutate(*many, arguments=["--sample", "5", "--seed", seed, "--no-baseline"], binary=binary)
                for seed in ["7", "7", "8"]]
        names = [sorted(line.split()[1] for line in out.splitlines() if line.startswith("CAUGHT")) for _, out in runs]
        self.assertEqual([len(each) for each in names], [5, 5, 5])
        self.assertEqual(names[0], names[1])
        self.assertNotEqual(names[0], names[2])
        self.assertIn("5 of 20 mutants, drawn with --seed 7", runs[0][1])

    # ---- ways to be caught, with a stand-in for the tests

    def test_a_test_that_does_not_end_is_ended_and_counts_as_caught(self):
        status, out = self.mutate(OPERATOR, arguments=["--timeout", "0.5", "--no-baseline"],
                                  binary=self.fake("sleep 60\n"))
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"CAUGHT +sum by Some.Test \(time-out, ")

    def test_a_crash_counts_as_caught(self):
        status, out = self.mutate(OPERATOR, arguments=["--no-baseline"], binary=self.fake("kill -SEGV $$\n"))
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"CAUGHT +sum by Some.Test \(SIGSEGV, ")

    def test_a_deadlock_is_told_from_a_wrong_result(self):
        text = "echo 'exception with description \"deadlock: no thread can run\"'\n"
        _, out = self.mutate(OPERATOR, arguments=["--no-baseline"], binary=self.fake(text + FAIL))
        self.assertRegex(out, r"by Some.Test \(deadlock, ")

    def test_a_test_that_fails_anyway_catches_nothing(self):
        status, out = self.mutate(OPERATOR, binary=self.fake(FAIL))
        self.assertEqual(status, 2, out)
        self.assertIn("Some.Test fails without the mutation, too", out)

    def test_tests_that_cannot_start_are_an_error(self):
        path = self.fake("")
        path.write_text("#!/usr/bin/env bash\necho 'mutation_tests: no templates' >&2\nexit 3\n")
        status, out = self.mutate(OPERATOR, binary=path)
        self.assertEqual(status, 2, out)
        self.assertIn("mutation_tests: no templates", out)

    def test_an_explained_survivor_is_no_failure_and_a_caught_one_is_told(self):
        explained = {**OPERATOR, "survives": "only a GPU shows it"}
        status, out = self.mutate(explained, binary=self.fake(PASS))
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"explained sum survives \(.* s\): only a GPU shows it")
        status, out = self.mutate(explained, arguments=["--no-baseline"], binary=self.fake(FAIL))
        self.assertEqual(status, 0, out)
        self.assertIn("the list says that it survives: take that out", out)


if __name__ == "__main__":
    MUTATION_TESTS = sys.argv.pop(1)
    unittest.main()
