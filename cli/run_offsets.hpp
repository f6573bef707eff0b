// The offsets of segments that `upsweep run` reads: whether they are segments of the items.
#pragma once

#include <cstdint>
#include <string>

#include "cli/array_file.hpp"

namespace upsweep::cli {

// What is asked of pairs. Those that ascend do not overlap either.
struct PairRules {
  bool may_come_in_any_order = false;
  bool may_overlap = false;  // in any order: two may have an item in common
};

// Throws InputError, which names the first wrong segment, unless the integers in `offsets` ascend and are at most
// `items`. `label`: how messages call the file.
void check_offsets(const std::string& label, const Array& offsets, std::uint64_t items);

// The same of where segments begin and end, each of `begins` with the one of `ends` that has its index. A message
// suggests --unordered-segments where the pairs would pass with it.
void check_pairs(const std::string& label, const Array& begins, const std::string& ends_label, const Array& ends,
                 std::uint64_t items, PairRules rules);

}  // namespace upsweep::cli
