// Whole numbers: checks those of options, and writes counts ("2 blocks").
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace CLI {
class Option;
}

namespace upsweep::cli {

// Refuses what is not a whole number from `least` to `most`, in words.
CLI::Option* whole_number(CLI::Option* option, std::uint64_t least,
                          std::uint64_t most = std::numeric_limits<std::int32_t>::max());

// "1 block", "2 blocks".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

}  // namespace upsweep::cli
