// The offsets of segments that `upsweep run` reads: whether they are segments of the items.
#pragma once

#include <cstdint>
#include <string>

#include "cli/array_file.hpp"

namespace upsweep::cli {

// What is asked of pairs: that they ascend, nothing, or that no two have an item in common.
enum class PairOrder : std::uint8_t { ascending, any, any_without_overlap };

// Throws InputError, which names the first wrong segment, unless the integers in `offsets` ascend and are at most
// `items`. `label`: how messages call the file.
void check_offsets(const std::string& label, const Array& offsets, std::uint64_t items);

// The same of where segments begin and end, each of `begins` with the one of `ends` that has its index.
void check_pairs(const std::string& label, const Array& begins, const std::string& ends_label, const Array& ends,
                 std::uint64_t items, PairOrder order);

}  // namespace upsweep::cli
