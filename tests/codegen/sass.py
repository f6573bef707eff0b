"""What a kernel's machine code is: its bytes, and what nvdisasm says of them."""

import hashlib
import re
import struct

# More instructions of a group make a kernel worse. An instruction belongs to the first group that matches.
GROUPS = [
    ("local", r"(LDL|STL)\b"),
    ("global_load", r"LDG\b"),
    ("global_store", r"STG\b"),
    ("generic", r"(LD|ST)\b"),
    ("shared_load", r"(LDS|LDSM)\b"),
    ("shared_store", r"(STS|STAS)\b"),
    ("atomic", r"(ATOM|ATOMG|ATOMS|RED|REDG|REDAS|UREDGR)\b"),
    ("async_copy", r"(LDGSTS|UBLKCP|UBLKPF|UBLKRED|LDGDEPBAR|ARRIVES|UCP)\b"),
    ("shuffle", r"(SHFL|REDUX|CREDUX)\b"),
    ("vote", r"(VOTE|VOTEU|MATCH)\b"),
    ("barrier", r"(BAR|B2R|WARPSYNC|SYNCS|UCGABAR_ARV|UCGABAR_WAIT)\b"),
    ("fence", r"(MEMBAR|FENCE|CCTL)\b"),
    ("dependent_launch", r"(ACQBULK|PREEXIT)\b"),
]
_GROUPS = [(name, re.compile(pattern)) for name, pattern in GROUPS]
_INSTRUCTION = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)([^;]*);")
_LABEL = re.compile(r"^(\.L_x_\d+|[A-Za-z_][\w$.]*):")
_TARGET = re.compile(r"`\((\.L_x_\d+)\)")


class BadCubin(Exception):
    pass


def sections(cubin):
    """Name to bytes, of a 64-bit little-endian ELF file."""
    if cubin[:6] != b"\x7fELF\x02\x01":
        raise BadCubin("this is no 64-bit ELF file")
    try:
        (offset,) = struct.unpack_from("<Q", cubin, 0x28)
        size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
        headers = [struct.unpack_from("<IIQQQQ", cubin, offset + i * size) for i in range(count)]
        _, _, _, _, at, length = headers[names]
    except (struct.error, IndexError) as error:
        raise BadCubin("the ELF file is cut off") from error
    strings = cubin[at : at + length]
    found = {}
    for name, kind, _, _, at, length in headers:
        text = strings[name : strings.index(b"\0", name)].decode()
        found[text] = b"" if kind == 8 else cubin[at : at + length]
    return found


_VARIABLES = ".nv.global.init"
_ADDRESSES = ".nv.constant4"  # of all variables, whether an instruction uses them or not
_SCALAR_BYTES = 8


def tables(found):
    """The initial bytes of variables that are larger than a scalar, by name. Scalars are constants of the source, whose
    values are in the instructions."""
    if ".symtab" not in found:
        return found[_VARIABLES]
    section, contents = list(found).index(_VARIABLES), []
    for name, _, _, home, at, size in struct.iter_unpack("<IBBHQQ", found[".symtab"]):
        if home == section and size > _SCALAR_BYTES:
            text = found[".strtab"][name : found[".strtab"].index(b"\0", name)]
            contents.append(text + b"\0" + found[_VARIABLES][at : at + size])
    return b"".join(sorted(contents))


def code_hash(cubin):
    """Of the instructions of all functions, and of the constants that they use, without the parameters."""
    digest = hashlib.sha256()
    found = sections(cubin)
    for name, content in sorted(found.items()):
        is_constant = name.startswith(".nv.constant") and not name.startswith((".nv.constant0", _ADDRESSES))
        if name.startswith(".text.") or is_constant:
            digest.update(name.encode() + b"\0" + content)
        elif name == _VARIABLES:
            digest.update(tables(found))
    return digest.hexdigest()[:16]


def parse(disassembly):
    """The instructions as (conditional, opcode, rest), and the index of the instruction behind each label."""
    instructions, labels = [], {}
    for line in disassembly.splitlines():
        if label := _LABEL.match(line):
            labels[label[1]] = len(instructions)
        found = _INSTRUCTION.match(line)
        if found and found[3] != "NOP":
            instructions.append((found[2] is not None, found[3], found[4]))
    return instructions, labels


def divergent(instructions, labels):
    """The indices of instructions that only run where the lanes of a warp have diverged. The compiler puts such a copy
    of each shuffle behind the kernel's end: it is entered by BRA.DIV, and ends with a branch back."""
    indices = set()
    for _, opcode, rest in instructions:
        target = _TARGET.search(rest)
        if opcode != "BRA" or not rest.startswith(".DIV") or not target or target[1] not in labels:
            continue
        for at in range(labels[target[1]], len(instructions)):
            indices.add(at)
            conditional, opcode_there, _ = instructions[at]
            if opcode_there in ("BRA", "EXIT") and not conditional:
                break
    return indices


def figures(disassembly):
    """Counts of instructions by group, and the lengths of loops in instructions, from the output of nvdisasm -c. The
    copies for diverged warps are left out."""
    instructions, labels = parse(disassembly)
    left_out = divergent(instructions, labels)
    counts = {name: 0 for name, _ in GROUPS}
    loops, total = [], 0
    for at, (_, opcode, rest) in enumerate(instructions):
        if at in left_out:
            continue
        total += 1
        for name, pattern in _GROUPS:
            if pattern.match(opcode):
                counts[name] += 1
                break
        target = _TARGET.search(rest)
        # A branch to itself is what the assembler puts behind the end.
        if opcode in ("BRA", "UBRA", "BRX") and target and labels.get(target[1], at) < at:
            loops.append(at - labels[target[1]] + 1)
    return {"instructions": total, **counts, "loops": sorted(loops)}


# Per multiprocessor: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". The shared memory
# that a block may have, and what the system takes of it for each block.
_LIMITS = {
    "sm_80": {"warps": 64, "blocks": 32, "shared": 164 * 1024, "registers": 65536},
    "sm_90": {"warps": 64, "blocks": 32, "shared": 228 * 1024, "registers": 65536},
    "sm_120": {"warps": 48, "blocks": 24, "shared": 100 * 1024, "registers": 65536},
}


def resident_blocks(architecture, threads, registers, shared_bytes):
    """How many blocks of a kernel a multiprocessor holds."""
    limits = _LIMITS[architecture]
    warps = (threads + 31) // 32
    register_units = (max(registers, 1) * 32 + 255) // 256 * 256  # of a warp
    # Warps are given to four partitions, each with a quarter of the registers.
    warps_by_registers = limits["registers"] // 4 // register_units * 4
    shared = (shared_bytes + 1024 + 127) // 128 * 128
    return min(limits["blocks"], limits["warps"] // warps, warps_by_registers // warps, limits["shared"] // shared)
