// Numbers of items as people write them: 1048576, 1M, 2^20 or 1e6.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::base {

// A decimal number, one with a binary suffix (K = 2^10, M = 2^20, G = 2^30, T = 2^40, either case), 2^k with k of 0
// to 63, or 1e6 and 1.5e6 where that is a whole number. Throws UsageError for other text and for what does not fit in
// 64 bits.
[[nodiscard]] std::uint64_t parse_size(std::string_view text);

// Shortest of the forms that parse_size reads back: 2^20, 3M, 1000.
[[nodiscard]] std::string format_size(std::uint64_t size);
// "2^20 items", "1 item".
[[nodiscard]] std::string format_items(std::uint64_t size);

// "2^10..2^30", "1024", "2^20": a range means every power of two from one to the other. Throws UsageError.
[[nodiscard]] std::vector<std::uint64_t> parse_sizes(const std::vector<std::string>& texts);

}  // namespace upsweep::base
