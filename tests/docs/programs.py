#!/usr/bin/env python3
"""Writes the C++ of the user pages as files that are compiled: each whole program as it stands, and all fragments in one
file of functions, in which the names that fragments use are declared.

    python3 tests/docs/programs.py FOLDER     prints KIND;FILE a line: program, gpu_program, fragments or gpu_fragments
"""

import pathlib
import re
import sys

from pages import ROOT, USER_PAGES, all_blocks, blocks_of, calls_in_tables

PRELUDE = """#include <chrono>
#include <cstdio>
#include <vector>

{include}#include <upsweep/upsweep.hpp>

"""
# What a fragment may use without declaring it.
FUNCTION = """// {place}
void fragment_{number}([[maybe_unused]] upsweep::Context& context, [[maybe_unused]] upsweep::Plan& plan,
                [[maybe_unused]] const float* in, [[maybe_unused]] float* out,
                [[maybe_unused]] const float* device_in, [[maybe_unused]] float* device_out,
                [[maybe_unused]] std::uint64_t n, [[maybe_unused]] float initial,
                [[maybe_unused]] const std::uint8_t* flags, [[maybe_unused]] std::uint64_t* count,
                [[maybe_unused]] const std::uint32_t* keys, [[maybe_unused]] std::uint32_t* unique_keys,
                [[maybe_unused]] const float* values, [[maybe_unused]] float* aggregates, [[maybe_unused]] float* unique,
                [[maybe_unused]] std::uint32_t* offsets, [[maybe_unused]] std::uint32_t* lengths,
                [[maybe_unused]] std::uint64_t* indices,
                [[maybe_unused]] float* first, [[maybe_unused]] std::uint64_t* first_count,
                [[maybe_unused]] float* second, [[maybe_unused]] std::uint64_t* second_count,
                [[maybe_unused]] float* rest, [[maybe_unused]] std::uint64_t* rest_count,
                [[maybe_unused]] float threshold, [[maybe_unused]] float second_threshold,
                [[maybe_unused]] void* memory, [[maybe_unused]] std::uint64_t bytes,
                [[maybe_unused]] CUstream_st* stream) {{
  {{
#line {line} "{page}"
{text}  }}
}}

"""


def fragments_file(blocks, include):
    text = PRELUDE.format(include=include)
    for number, block in enumerate(blocks):
        text += FUNCTION.format(place=block.place, number=number, line=block.line, page=block.page, text=block.text)
    return text


def write(file, text):
    if not file.exists() or file.read_text() != text:  # what did not change is not compiled again
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def write_project(folder):
    """README's one program and its CMakeLists.txt, as they stand."""
    blocks = blocks_of("README.md", (ROOT / "README.md").read_text())
    [program] = [block for block in blocks if block.language == "cpp" and "int main(" in block.text]
    [project] = [block for block in blocks if block.language == "cmake"]
    write(folder / "main.cpp", program.text)
    write(folder / "CMakeLists.txt", project.text)


def main():
    folder = pathlib.Path(sys.argv[1])
    files = {}
    blocks = [block for block in all_blocks() if block.language == "cpp" and not block.skipped]
    fragments = {False: [], True: []}
    for block in blocks:
        if "int main(" not in block.text:
            fragments[block.needs_gpu].append(block)
            continue
        kind = "gpu_program" if block.needs_gpu else "program"
        name = re.sub(r"\W", "_", block.page.removesuffix(".md").lower()) + f"_{len(files) + 1}.cpp"
        files[name] = (kind, f'#line {block.line} "{block.page}"\n{block.text}')
    write_project(folder / "project")
    for page in USER_PAGES:
        fragments[False] += calls_in_tables(page, (ROOT / page).read_text())
    files["fragments.cpp"] = ("fragments", fragments_file(fragments[False], ""))
    files["gpu_fragments.cpp"] = ("gpu_fragments", fragments_file(fragments[True], "#include <cuda_runtime.h>\n"))
    for name, (kind, text) in files.items():
        file = folder / name
        write(file, text)
        print(f"{kind};{file}")


if __name__ == "__main__":
    main()
