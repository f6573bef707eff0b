#include "cli/run_offsets.hpp"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/value_type.hpp"
#include "runtime/segment_overlap.hpp"

namespace upsweep::cli {
namespace {

std::uint64_t offset_of(const Array& offsets, std::uint64_t i) {
  const std::size_t size = size_of(offsets.type);
  std::uint64_t offset = 0;
  std::memcpy(&offset, offsets.bytes.data() + i * size, size);  // little-endian
  // A negative one is above all numbers of items.
  return offsets.type == Type::i32 ? static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(offset)})
                                   : offset;
}

// How an offset is written in messages; a negative one is above all numbers of items.
std::string text_of_offset(const Array& offsets, std::uint64_t offset) {
  const auto number = static_cast<std::int64_t>(offset);
  return is_signed(offsets.type) && number < 0 ? fmt::format("{}", number) : fmt::format("{}", offset);
}

// `what` the segment does there: "begins", "ends".
void check_within(const std::string& label, const Array& offsets, std::uint64_t i, std::uint64_t segment,
                  const char* what, std::uint64_t items) {
  const std::uint64_t offset = offset_of(offsets, i);
  if (offset <= items) return;
  throw InputError(fmt::format("{}: segment {} {} at item {}, but there are {} items", label, segment, what,
                               text_of_offset(offsets, offset), items));
}

// Throws InputError if two segments have an item in common. Each ends where it begins, or behind.
void check_apart(const std::string& label, const Array& begins, const Array& ends) {
  std::vector<runtime::SegmentExtent> segments;
  for (std::uint64_t i = 0; i < begins.items; ++i) {
    const std::uint64_t begin = offset_of(begins, i), end = offset_of(ends, i);
    if (begin < end) segments.push_back({begin, end, i});
  }
  if (const auto overlap = runtime::describe_overlap(std::move(segments))) {
    throw InputError(fmt::format("{}: {}", label, *overlap));
  }
}

// Throws InputError unless each segment begins where the one before it ends, or behind.
void check_ascending(const std::string& label, const Array& begins, const Array& ends, bool may_overlap) {
  for (std::uint64_t i = 1; i < begins.items; ++i) {
    const std::uint64_t begin = offset_of(begins, i), end_before = offset_of(ends, i - 1);
    if (begin >= end_before) continue;
    if (!may_overlap) check_apart(label, begins, ends);  // those that overlap are wrong in any order
    throw InputError(
        fmt::format("{}: segment {} begins at item {}, but segment {} ends at item {}: segments must ascend{}, or add "
                    "--unordered-segments",
                    label, i, begin, i - 1, end_before, may_overlap ? " and not overlap" : ""));
  }
}

}  // namespace

void check_offsets(const std::string& label, const Array& offsets, std::uint64_t items) {
  if (offsets.items == 0) {
    throw InputError(fmt::format("{} holds no offsets: of n segments there are n + 1 offsets", label));
  }
  for (std::uint64_t i = 0; i < offsets.items; ++i) {
    const std::uint64_t segment = i == 0 ? 0 : i - 1;
    check_within(label, offsets, i, segment, i == 0 ? "begins" : "ends", items);
    if (i > 0 && offset_of(offsets, i) < offset_of(offsets, i - 1)) {
      throw InputError(fmt::format("{}: segment {} begins at item {} and ends at {}: offsets must ascend", label,
                                   segment, offset_of(offsets, i - 1), offset_of(offsets, i)));
    }
  }
}

void check_pairs(const std::string& label, const Array& begins, const std::string& ends_label, const Array& ends,
                 std::uint64_t items, PairRules rules) {
  if (begins.items != ends.items) {
    throw InputError(fmt::format("{} has {} offsets and {} has {}: each segment begins and ends", label, begins.items,
                                 ends_label, ends.items));
  }
  if (size_of(begins.type) != size_of(ends.type)) {
    throw InputError(fmt::format("{} holds {} and {} holds {}: save both with the same type", label, name(begins.type),
                                 ends_label, name(ends.type)));
  }
  for (std::uint64_t i = 0; i < begins.items; ++i) {
    check_within(label, begins, i, i, "begins", items);
    check_within(ends_label, ends, i, i, "ends", items);
    const std::uint64_t begin = offset_of(begins, i), end = offset_of(ends, i);
    if (end < begin) {
      throw InputError(fmt::format("{}: segment {} begins at item {} and ends at {}: offsets must ascend", ends_label,
                                   i, begin, end));
    }
  }
  if (!rules.may_come_in_any_order) {
    check_ascending(label, begins, ends, rules.may_overlap);
  } else if (!rules.may_overlap) {
    check_apart(label, begins, ends);
  }
}

}  // namespace upsweep::cli
