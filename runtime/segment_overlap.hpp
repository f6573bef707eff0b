// Segments that have items in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::runtime {

// Items [begin, end), at least one.
struct SegmentExtent {
  std::uint64_t begin, end, number;
};

// Two segments that have an item in common, in words; none if there are no such segments. The segments may be in any
// order.
[[nodiscard]] std::optional<std::string> describe_overlap(std::vector<SegmentExtent> segments);

}  // namespace upsweep::runtime
