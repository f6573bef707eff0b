#include "runtime/offset_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "runtime/segment_overlap.hpp"

namespace upsweep::runtime {
namespace {

constexpr std::uint64_t offsets_at_a_time = std::uint64_t{1} << 20;

std::uint64_t offset_of(const std::vector<std::byte>& read, std::uint64_t i, std::size_t size) {
  std::uint64_t offset = 0;
  std::memcpy(&offset, read.data() + i * size, size);  // little-endian
  return offset;
}

// The segments that a run of offsets is of: one array, or pairs.
struct Numbering {
  bool has_pairs = false;
  bool are_unordered = false;
  bool are_reduced = false;
  [[nodiscard]] bool begins(std::uint64_t number) const { return has_pairs ? number % 2 == 0 : number == 0; }
  [[nodiscard]] std::uint64_t segment(std::uint64_t number) const {
    return has_pairs ? number / 2 : number - std::min<std::uint64_t>(number, 1);
  }
};

// `before`: the offset before this one, which is the `number`th.
void check_offset(const Numbering& of, std::uint64_t number, std::uint64_t before, std::uint64_t offset,
                  std::uint64_t n) {
  const std::uint64_t segment = of.segment(number);
  const bool is_free = of.are_unordered && of.begins(number);  // wherever segments before it are
  if (number > 0 && offset < before && of.begins(number) && !is_free) {
    throw UsageError(fmt::format(
        "segment {} begins at item {}, but segment {} ends at item {}: segments must ascend and not overlap, or {}",
        segment, offset, segment - 1, before,
        of.are_reduced ? "be unordered_segments()" : "be unordered_segments(), which may not overlap in a scan"));
  }
  if (number > 0 && offset < before && !is_free) {
    throw UsageError(
        fmt::format("segment {} begins at item {} and ends at {}: offsets must ascend", segment, before, offset));
  }
  if (offset <= n) return;
  throw UsageError(fmt::format("segment {} {} at item {}, but there are {} items: no offset may be {} them", segment,
                               of.begins(number) ? "begins" : "ends", offset, n, "negative or behind"));
}

// Offsets in device memory, read by parts.
class Reader {
 public:
  Reader(const PlanState& state, const void* offsets, std::size_t size, Stream stream)
      : state_(state), offsets_(static_cast<const std::byte*>(offsets)), size_(size), stream_(stream) {}
  // Those from number `first` on. The next calls ask for these.
  void read(std::uint64_t first, std::uint64_t count) {
    first_ = first;
    read_.resize(count * size_);
    state_.device->copy_to_host(read_.data(), offsets_ + first * size_, read_.size(), stream_);
  }
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return offset_of(read_, i - first_, size_); }

 private:
  const PlanState& state_;
  const std::byte* offsets_;
  std::size_t size_;
  Stream stream_;
  std::uint64_t first_ = 0;
  std::vector<std::byte> read_;
};

}  // namespace

void check_offsets(const PlanState& state, const CallValues& values, Stream stream) {
  if (!state.check_always || state.problem.shape != Shape::segments || values.offsets_are_known) return;
  if (state.device->identify(stream).capture != 0) return;
  const auto port = std::find_if(state.ports.begin(), state.ports.end(),
                                 [](const Port& each) { return each.extent == Extent::offsets; });
  const Numbering numbering{values.has_segment_ends, values.segments_are_unordered, is_fold_of_segments(state.problem)};
  std::vector<SegmentExtent> unordered;  // of a scan
  const std::size_t size = size_of(port->type);
  Reader begins(state, values.arrays[static_cast<std::size_t>(port - state.ports.begin())], size, stream);
  Reader ends(state, values.segment_ends, size, stream);
  const std::uint64_t all = values.has_segment_ends ? values.rows : values.rows + 1;
  std::uint64_t before = 0;
  for (std::uint64_t first = 0; first < all; first += offsets_at_a_time) {
    const std::uint64_t count = std::min(all - first, offsets_at_a_time);
    begins.read(first, count);
    if (values.has_segment_ends) ends.read(first, count);
    for (std::uint64_t i = first; i < first + count; ++i) {
      const std::uint64_t begin = begins.at(i);
      check_offset(numbering, values.has_segment_ends ? 2 * i : i, before, begin, values.n);
      before = begin;
      if (!values.has_segment_ends) continue;
      check_offset(numbering, 2 * i + 1, before, ends.at(i), values.n);
      before = ends.at(i);
      if (numbering.are_unordered && !numbering.are_reduced && begin < before) unordered.push_back({begin, before, i});
    }
  }
  if (const auto overlap = describe_overlap(std::move(unordered))) throw UsageError(*overlap);
}

}  // namespace upsweep::runtime
