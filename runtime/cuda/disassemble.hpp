// Machine code of a compiled kernel as text.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace upsweep::runtime {

// A cubin's SASS, by nvdisasm or cuobjdump, whichever one of the folders has first. Throws CompilerError where none has
// one, and where it fails.
[[nodiscard]] std::string disassemble(std::span<const std::byte> cubin, const std::vector<std::string>& folders);
// The same with the folders of $PATH and the bin folders of CUDA installations.
[[nodiscard]] std::string disassemble(std::span<const std::byte> cubin);

}  // namespace upsweep::runtime
