#include "runtime/segment_overlap.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::runtime {

std::optional<std::string> describe_overlap(std::vector<SegmentExtent> segments) {
  std::sort(segments.begin(), segments.end(),
            [](const SegmentExtent& a, const SegmentExtent& b) { return a.begin < b.begin; });
  const auto found = std::adjacent_find(segments.begin(), segments.end(),
                                        [](const SegmentExtent& a, const SegmentExtent& b) { return b.begin < a.end; });
  if (found == segments.end()) return std::nullopt;
  const auto [first, second] = std::minmax(found->number, found[1].number);
  return fmt::format("segments {} and {} both have item {}: segments of a scan must not overlap", first, second,
                     found[1].begin);
}

}  // namespace upsweep::runtime
