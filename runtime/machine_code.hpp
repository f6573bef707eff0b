// A hash of the machine code in a binary. Configs with equal machine code are one candidate.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace upsweep::runtime {

// 32 hexadecimal digits (XXH3-128). Of a cubin: its code, constants and resources (.text, .nv.constant, .nv.shared and
// .nv.info), not the names, lines and notes around them. Of anything else: all of its bytes.
[[nodiscard]] std::string hash_machine_code(std::span<const std::byte> binary);
// One hash of those of all steps of a plan: of one step, its own.
[[nodiscard]] std::string combined_machine_code(std::span<const std::string> hashes);

}  // namespace upsweep::runtime
