"""Checks that the links between the Markdown pages of a folder lead to files: of what is installed, for example.

Usage: links.py FOLDER
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(folder.rglob("*.md"))
    dead = []
    for page in pages:
        for target in LINK.findall(CODE.sub("", page.read_text())):
            if ":" in target:
                continue
            found = (page.parent / target).resolve()
            if not found.exists() or not found.is_relative_to(folder):
                dead.append(f"{page.relative_to(folder)}: {target} does not exist")
    if dead or not pages:
        sys.exit("\n".join(dead) or f"{folder} has no pages")


main()
