"""The user pages, and what stands in them: blocks of code with the marks that readers do not see.

A mark is an HTML comment on the line before a block:
    <!-- test: gpu -->               needs a GPU
    <!-- test: skip: REASON -->      is not run
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER_PAGES = ["README.md"] + [
    f"docs/{name}.md"
    for name in ("guide", "algorithms", "determinism", "tuning", "tuning-database", "faq", "troubleshooting", "glossary",
                 "environment", "kernels", "collectives", "README")
] + sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/strategies").glob("*.md"))
# cuda: lines of what the last command before them prints; "..." stands for others.
LANGUAGES = {"sh", "cpp", "cmake", "text", "json", "cuda"}

MARK = re.compile(r"<!-- test: (gpu|skip: .{10,}) -->$")
FENCE = re.compile(r"```(\w*)$")


class Block:
    def __init__(self, page, line, language, text, mark):
        self.page, self.line, self.language, self.text, self.mark = page, line, language, text, mark

    @property
    def needs_gpu(self):
        return self.mark == "gpu"

    @property
    def skipped(self):
        return self.mark.startswith("skip:")

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    """The blocks between fences. Raises ValueError for a fence without a known language, or a mark without a block."""
    blocks, mark, language, start, inside = [], "", None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if language is not None:
            if line.strip() == "```":
                blocks.append(Block(page, start, language, "\n".join(inside) + "\n", mark))
                mark, language, inside = "", None, []
            else:
                inside.append(line)
            continue
        fence = FENCE.match(line.strip())
        if fence:
            language, start = fence.group(1), number + 1
            if language not in LANGUAGES:
                raise ValueError(f"{page}:{number}: a block needs one of the languages {', '.join(sorted(LANGUAGES))}")
        elif line.startswith("<!-- test"):
            found = MARK.match(line)
            if not found:
                raise ValueError(f"{page}:{number}: a mark is '<!-- test: gpu -->' or '<!-- test: skip: REASON -->'")
            mark = found.group(1)
        elif mark:
            raise ValueError(f"{page}:{number}: a mark stands on the line before a block")
    if language is not None:
        raise ValueError(f"{page}: a block has no end")
    return blocks


def all_blocks(root=ROOT):
    return [block for page in USER_PAGES for block in blocks_of(page, (root / page).read_text())]


def calls_in_tables(page, text):
    """Calls that stand as code in cells of tables: `context.reduce(...)`, `plan.run(...)`."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("|"):
            found += [Block(page, number, "cpp", f"(void){call};\n", "")
                      for call in re.findall(r"`((?:context|plan)\.[^`]*\))`", line)]
    return found
