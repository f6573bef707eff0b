#!/usr/bin/env python3
"""What the pages say of the code is so: messages, variables and figures; and the checks of the pages find what is wrong."""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from pages import ROOT, USER_PAGES, all_blocks, blocks_of, calls_in_tables
import commands

sys.path.insert(0, str(ROOT / "docs/site"))
import build  # noqa: E402

CODE = ["base", "generator", "runtime", "tuner", "tuning-db", "cli", "bench", "report", "figures", "tools", "include"]
LITERALS = re.compile(r'"((?:[^"\\\n]|\\.)*)"(?:\s*"((?:[^"\\\n]|\\.)*)")*')


def sources():
    for room in CODE:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix in (".cpp", ".hpp"):
                yield path.read_text()


def messages_of_the_code():
    """All texts, those that stand in parts one after the other as one."""
    joined = []
    for text in sources():
        for found in LITERALS.finditer(text):
            joined.append("".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found.group())))
    return "\n".join(joined)


def quoted_messages(text):
    """The code in the first cells of the tables of troubleshooting.md."""
    return [message for line in text.splitlines() if line.startswith("| `")
            for message in re.findall(r"^\| `([^`]*)`", line)]


class TestPages(unittest.TestCase):
    def test_every_message_is_in_the_code(self):
        known = messages_of_the_code() + "\n" + (ROOT / "runtime/cuda/driver.cpp").read_text()
        messages = quoted_messages((ROOT / "docs/troubleshooting.md").read_text())
        self.assertGreater(len(messages), 25)
        for message in messages:
            for part in message.split("..."):
                self.assertTrue(part.strip() in known, f"docs/troubleshooting.md quotes '{message}', which no code says")

    def test_every_variable_is_on_its_page(self):
        page = set(re.findall(r"^\| `(UPSWEEP_\w+)`", (ROOT / "docs/environment.md").read_text(), re.MULTILINE))
        read = set()
        for text in sources():
            read |= set(re.findall(r'(?:environment|getenv|variable|from_environment)\(\s*"(UPSWEEP_\w+)"', text))
            read |= set(re.findall(r'\{"(UPSWEEP_\w+)", "CXX"\}', text))
        self.assertGreater(len(read), 10)
        self.assertEqual(read - page, set(), "docs/environment.md lacks these")
        named = "".join(sources()) + "".join(
            path.read_text(errors="replace") for folder in ("scripts", "tests") for path in (ROOT / folder).rglob("*")
            if path.is_file() and path.suffix in ("", ".cpp", ".hpp") and "corpus" not in path.parts)
        for variable in page:
            self.assertTrue(variable in named, f"docs/environment.md has {variable}, which nothing reads")

    def test_figures_of_the_readme_are_measured(self):
        readme = (ROOT / "README.md").read_text()
        section = readme[readme.index("## How fast it is"):readme.index("## Build and test")]
        figures = re.findall(r"(?<![\d.])\d+\.\d\d(?!\d|\.\d)", section)
        self.assertGreaterEqual(len(figures), 4)
        measured = "\n".join(line for line in (ROOT / "docs/measurements.md").read_text().splitlines()
                             if not line.startswith("|"))  # the tables have nearly every number
        for figure in figures:
            self.assertTrue(figure in measured, f"README.md says {figure}, which docs/measurements.md does not")

    def test_figures_of_the_strategies_are_measured(self):
        """Rows of tables that have a time or a ratio are rows of docs/measurements.md."""
        measured = set((ROOT / "docs/measurements.md").read_text().splitlines())
        rows = 0
        for page in sorted((ROOT / "docs/strategies").glob("*.md")):
            for line in page.read_text().splitlines():
                if line.startswith("|") and re.search(r"\d (?:us|ms)\b|\b\d\.\d\d\b", line):
                    rows += 1
                    self.assertIn(line, measured, f"{page.name} has a row that docs/measurements.md has not")
        self.assertGreater(rows, 40)

    def test_templates_of_the_collectives_exist(self):
        text = (ROOT / "docs/collectives.md").read_text()
        named = re.findall(r"`((?:%s)/[\w./]+\.cuh)`" % "|".join(folder.name for folder in (ROOT / "templates").iterdir()), text)
        self.assertGreater(len(named), 30)
        for name in named:
            self.assertTrue((ROOT / "templates" / name).is_file(), f"docs/collectives.md names templates/{name}")
        for level in ("warp", "block"):
            for path in (ROOT / "templates" / level).glob("*.cuh"):
                self.assertIn(f"`{level}/{path.name}`", text, f"docs/collectives.md lacks a template of {level}es")

    def test_words(self):
        """Phrases that readers had to read twice."""
        riddles = re.compile(r"(?<!there )\b(?:is|are) none\b|(?<!there )\b(?:is|are) no (?!longer)|"
                             r"\b(?:registers|bytes|items|vectors|blocks|tiles|calls|one) an? (?:thread|block|tile|call|item|warp)\b",
                             re.IGNORECASE)
        files = [ROOT / page for page in [*USER_PAGES, "docs/measurements.md"]] + sorted((ROOT / "include/upsweep").glob("*.hpp"))
        for path in files:
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = riddles.search(line)
                self.assertIsNone(found, f"{path.relative_to(ROOT)}:{number}: {found and found.group()}")

    def test_readme_skips_only_what_ci_is(self):
        skipped = [block.text for block in all_blocks() if block.page == "README.md" and block.skipped]
        self.assertEqual(len(skipped), 1)
        self.assertIn("scripts/test", skipped[0])

    def test_every_page_is_in_the_index(self):
        index = (ROOT / "docs/README.md").read_text()
        for page in [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/notes").glob("*.md"),
                     *(ROOT / "docs/strategies").glob("*.md")]:
            name = page.relative_to(ROOT / "docs").as_posix()
            self.assertTrue(name == "README.md" or f"({name})" in index, f"docs/README.md does not list {name}")

    def test_there_is_something_to_run(self):
        blocks = all_blocks()
        self.assertGreater(sum(block.language == "sh" for block in blocks), 15)
        self.assertGreater(sum(block.language == "cpp" for block in blocks), 12)
        calls = [call for page in USER_PAGES for call in calls_in_tables(page, (ROOT / page).read_text())]
        self.assertGreater(len(calls), 6)


class TestChecks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="upsweep-docs-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def test_marks_belong_to_the_next_block(self):
        [first, second] = blocks_of("a.md", "<!-- test: gpu -->\n```sh\none\n```\n\n```sh\ntwo\n```\n")
        self.assertTrue(first.needs_gpu)
        self.assertFalse(second.needs_gpu)
        self.assertEqual((first.text, first.line), ("one\n", 3))

    def test_a_block_needs_a_language_and_a_mark_its_form(self):
        for text in ("```\nls\n```\n", "```bash\nls\n```\n", "<!-- test: sometimes -->\n```sh\nls\n```\n",
                     "<!-- test: skip: -->\n```sh\nls\n```\n", "<!-- test: gpu -->\ntext\n", "```sh\nls\n"):
            with self.assertRaises(ValueError, msg=text):
                blocks_of("a.md", text)

    def test_a_command_that_fails_is_reported_with_its_place(self):
        [block] = blocks_of("a.md", "# Title\n\n```sh\necho before; false; echo after\n```\n")
        problem, _ = commands.run(block, self.folder, dict(os.environ))
        self.assertIn("exit code 1\nbefore\n", problem)
        self.assertNotIn("after", problem)
        self.assertEqual(block.place, "a.md:4")

    def test_what_a_block_exports_holds_in_the_next(self):
        variables = dict(os.environ)
        first, second = blocks_of("a.md", "```sh\nexport UPSWEEP_X=3\n```\n```sh\n[[ $UPSWEEP_X == 3 ]]\n```\n")
        self.assertEqual(commands.run(first, self.folder, variables), ("", ""))
        self.assertEqual(commands.run(second, self.folder, variables), ("", ""))

    def test_an_excerpt_has_the_lines_that_were_printed_in_their_order(self):
        printed = "a {\n  b;\n  c;\n}\n"
        self.assertIsNone(commands.missing_line("a {\n\n...\n  c;\n", printed))
        self.assertEqual(commands.missing_line("c;\nb;\n", printed), "b;")
        self.assertEqual(commands.missing_line("a {\nd;\n", printed), "d;")
        text = "```sh\nprintf 'one\\ntwo\\n'\n```\n```cuda\n{}\n```\n"
        for line, failed in (("two", 0), ("three", 1)):
            (self.folder / f"tuned-{line}/tuned").mkdir(parents=True)
            (self.folder / f"tuned-{line}/tuned/tuning.db").touch()
            ran, failures = commands.run_page("a.md", text.format(line), sys.executable, ROOT, False, self.folder / f"tuned-{line}")
            self.assertEqual((ran, len(failures)), (1, failed), failures)

    def site(self, files):
        for name, text in {"include/upsweep/version.hpp": VERSION, "README.md": "# Top\n",
                           "docs/guide.md": "# Guide\n\n## First `scan`\n", "include/upsweep/a.hpp": HEADER, **files}.items():
            path = self.folder / "root" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return build.build(self.folder / "root", self.folder / "site")

    def test_a_site_without_faults_has_no_problems(self):
        self.assertEqual(self.site({"README.md": "# Top\n\nSee [that\nplace](docs/guide.md#first-scan) and [this](data.txt).\n"
                                                 "\n```text\n[no link](nothing.md)\n# no heading\n```\n",
                                    "data.txt": "1\n"}), [])
        self.assertTrue((self.folder / "site/html/files/data.txt").is_file())
        self.assertIn("1.2.3", (self.folder / "site/html/index.html").read_text())

    def test_dead_links_are_problems(self):
        self.assertEqual(self.site({"README.md": "# Top\n\nSee [that](docs/nothing.md).\n"}),
                         ["README.md:3: docs/nothing.md does not exist"])
        self.assertRegex("\n".join(self.site({"README.md": "# Top\n\nSee [that](docs/guide.md#second).\n"})),
                         "page_docs_guide_second")

    def test_a_dead_link_in_the_html_is_a_problem(self):
        (self.folder / "a.html").write_text('<a id="x"></a><a href="b.html">b</a><a href="#x">x</a><a href="#y">y</a>')
        self.assertEqual(build.dead_links(self.folder), ["a.html: b.html does not exist", "a.html: #y: no such anchor"])

    def test_an_undocumented_member_is_a_problem(self):
        header = HEADER.replace("int b = 0;  ///< Another.", "int b = 0;")
        self.assertRegex("\n".join(self.site({"include/upsweep/a.hpp": header})), "Member b .* is not documented")


VERSION = """/// @file
/// The version.
#define UPSWEEP_VERSION_MAJOR 1  ///< Major.
#define UPSWEEP_VERSION_MINOR 2  ///< Minor.
#define UPSWEEP_VERSION_PATCH 3  ///< Patch.
"""

HEADER = """/// @file
/// A header.
#pragma once
/// A namespace.
namespace upsweep {
/// A struct.
struct A {
  int a = 0;  ///< One.
  int b = 0;  ///< Another.
};
}  // namespace upsweep
"""

if __name__ == "__main__":
    unittest.main()
