// Options that take whole numbers.
#pragma once

#include <cstdint>
#include <limits>

namespace CLI {
class Option;
}

namespace upsweep::cli {

// Refuses what is not a whole number from `least` to `most`, in words.
CLI::Option* whole_number(CLI::Option* option, std::uint64_t least,
                          std::uint64_t most = std::numeric_limits<std::int32_t>::max());

}  // namespace upsweep::cli
