#!/usr/bin/env python3
"""Builds the documentation site: the Markdown pages and the API reference of the public headers, by Doxygen.

    python3 docs/site/build.py FOLDER     writes FOLDER/html; a warning of Doxygen or a dead link is an error

Doxygen 1.9 knows neither GitHub's anchors of headings nor links to files that are not pages, so pages are prepared first:
each heading gets a label, links become references to labels, and other files that pages name are copied beside them.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"
LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(^[ ]*```.*?^[ ]*```$)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#{1,6}) (.+?)\s*$")
# Pages that are written on other branches; to be emptied when they are merged.
PICTURE = re.compile(r"<picture>.*?<img alt=\"([^\"]*)\" src=\"([^\"]*)\">.*?</picture>", re.DOTALL)


def pages(root):
    """Path from the root -> label. Pages that other people's machines need not have are left out where they are missing."""
    found = {}
    for path in [root / "README.md", root / "CHANGELOG.md", root / "CONTRIBUTING.md", root / "examples/README.md",
                 *sorted((root / "docs").glob("*.md")), *sorted((root / "docs/notes").glob("*.md")),
                 *sorted((root / "docs/strategies").glob("*.md"))]:
        if path.is_file():
            name = path.relative_to(root).as_posix()
            found[name] = "page_" + re.sub(r"\W", "_", name.removesuffix(".md").lower())
    return found


def slug(heading):
    """GitHub's anchor of a heading."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def label(page_label, anchor):
    return f"{page_label}_{re.sub(r'[^a-z0-9]', '_', anchor)}"


class Links:
    """Turns the links of a page into what Doxygen understands, and notes the files that are to be copied."""

    def __init__(self, root, known):
        self.root, self.known, self.files, self.dead = root, known, set(), []

    def prepare(self, page, text):
        text = PICTURE.sub(lambda found: f"![{found.group(1)}]({found.group(2)})", text)
        parts = CODE.split(text)  # text and blocks of code in turn
        out, title = [], True
        for index, part in enumerate(parts):
            if index % 2 == 0:
                first = "".join(parts[:index]).count("\n") + 1
                part = LINK.sub(lambda found: self.link(page, first + part[:found.start()].count("\n"), *found.groups()),
                                part)
                part, title = self.headings(page, part, title)
            out.append(part)
        return "".join(out)

    def headings(self, page, text, title):
        """Labels the headings; the first one of a page is its title."""
        lines = []
        for line in text.split("\n"):
            if heading := HEADING.match(line):
                own = self.known[page] if title else label(self.known[page], slug(heading.group(2)))
                line = f"{heading.group(1)} {heading.group(2)} {{#{own}}}"
                title = False
            lines.append(line)
        return "\n".join(lines), title

    def link(self, page, number, image, text, target):
        text = " ".join(text.split())  # a link may go over the end of a line, but not for Doxygen
        if re.match(r"\w+:", target):
            return f"{image}[{text}]({target})"
        path, _, anchor = target.partition("#")
        name = page if not path else (self.root / page).parent.joinpath(path).resolve().relative_to(self.root).as_posix()
        file = self.root / name
        if name in self.known:
            return f"[{text}](@ref {label(self.known[name], anchor) if anchor else self.known[name]})"
        if not file.exists():
            self.dead.append(f"{page}:{number}: {target} does not exist")
            return text
        if file.is_dir():
            return text
        self.files.add(name)
        if image:
            return f"![{text}](files/{name})"
        return f'<a href="files/{name}">{text}</a>'


class Html(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.anchors = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if value and (name == "id" or (tag == "a" and name == "name")):
                self.anchors.add(value)
            if value and name in ("href", "src"):
                self.targets.append(value)


def dead_links(folder):
    """Links in the HTML whose file or anchor is missing."""
    parsed = {}
    for path in folder.glob("*.html"):
        parsed[path.name] = Html()
        parsed[path.name].feed(path.read_text(errors="replace"))
    dead = []
    for name, document in sorted(parsed.items()):
        for target in document.targets:
            if re.match(r"\w+:", target):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            other = path or name
            if not (folder / other).is_file():
                dead.append(f"{name}: {target} does not exist")
            elif anchor and other in parsed and anchor not in parsed[other].anchors:
                dead.append(f"{name}: {target}: no such anchor")
    return dead


def version(root):
    header = (root / "include/upsweep/version.hpp").read_text()
    return ".".join(re.findall(r"define UPSWEEP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def prepare(root, folder):
    """Writes the prepared pages. Gives the links that lead nowhere, and the files that are to be copied."""
    known = pages(root)
    links = Links(root, known)
    for name, own in known.items():
        (folder / f"{own}.md").write_text(links.prepare(name, (root / name).read_text()))
    return links.dead, links.files


def layout(root):
    """The tree of pages, without those that are not there."""
    known = pages(root).values()
    lines = (SITE / "layout.xml").read_text().splitlines()
    return "\n".join(line for line in lines
                     if not (found := re.search(r"@ref (page_\w+)", line)) or found.group(1) in known) + "\n"


def doxygen(root, folder, prepared):
    (folder / "layout.xml").write_text(layout(root))
    settings = (SITE / "Doxyfile").read_text() + (
        f'PROJECT_NUMBER = {version(root)}\nOUTPUT_DIRECTORY = "{folder}"\nSTRIP_FROM_PATH = "{root}" "{prepared}"\n'
        f'STRIP_FROM_INC_PATH = "{root}/include"\nINPUT = "{root}/include/upsweep" "{prepared}"\n'
        f'USE_MDFILE_AS_MAINPAGE = "{prepared}/page_readme.md"\nIMAGE_PATH = "{root}"\n'
        f'LAYOUT_FILE = "{folder}/layout.xml"\nHTML_EXTRA_STYLESHEET = "{SITE}/style.css"\n')
    if shutil.which("doxygen") is None:
        return 1, "doxygen was not found: run 'scripts/setup --docs', or install doxygen 1.9.4 or newer"
    result = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True, cwd=root)
    return result.returncode, result.stderr.strip()


def build(root, folder):
    """Builds the site. Gives the problems, a line each."""
    shutil.rmtree(folder, ignore_errors=True)
    prepared = folder / "pages"
    prepared.mkdir(parents=True)
    dead, files = prepare(root, prepared)
    for name in files:
        target = folder / "html/files" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, target)
    code, messages = doxygen(root, folder, prepared)
    problems = dead + messages.splitlines()
    if code != 0 and not problems:
        problems.append(f"doxygen ended with exit code {code}")
    return problems or dead_links(folder / "html")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    if problems := build(ROOT, folder):
        print("\n".join(problems), file=sys.stderr)
        print(f"docs: {len(problems)} problems", file=sys.stderr)
        return 1
    print(f"docs: {folder}/html/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
