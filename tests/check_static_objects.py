#!/usr/bin/env python3
"""Checks that the library has no static object with a destructor: contexts of static storage duration, which may be
destroyed after it, still work at exit.

    python3 tests/check_static_objects.py NM LIBRARY      exit code 1 and a line for each object file that has one
"""

import subprocess
import sys


def undefined_symbols(nm, library):
    """What each object file of the archive takes from elsewhere."""
    listed = subprocess.run([nm, "-A", "-u", library], check=True, capture_output=True, text=True).stdout
    symbols = {}
    for line in listed.splitlines():
        place, _, symbol = line.rpartition(" U ")
        symbols.setdefault(place.strip().rstrip(":").rpartition(":")[2], set()).add(symbol.strip())
    return symbols


def main():
    nm, library = sys.argv[1:]
    symbols = undefined_symbols(nm, library)
    if not symbols:
        sys.exit(f"{library} holds no object files")
    # <iostream> brings one of its own along, which the standard library can do without.
    found = sorted(name for name, used in symbols.items()
                   if "__cxa_atexit" in used and "_ZNSt8ios_base4InitC1Ev" not in used)
    for name in found:
        print(f"{name}: has a static object with a destructor: make it with `*new`, so that it is never destroyed")
    sys.exit(1 if found else 0)


main()
