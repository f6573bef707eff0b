#include "runtime/call_checks.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/shape.hpp"
#include "generator/value_type.hpp"

namespace upsweep::runtime {
namespace {

void check_not_null(const void* address, const Port& port) {
  if (address != nullptr) return;
  throw UsageError(
      fmt::format("'{}' is null: pass the address of device memory for {} values", port.name, name(port.type)));
}

// Addresses are aligned to the whole of a value, of complex ones too.
void check_array(const PlanState& state, const void* address, Type type, const char* what) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment_of(type) != 0) {
    throw UsageError(fmt::format("'{}' ({}) is not aligned for {}: pass an address that is a multiple of {}", what,
                                 address, name(type), alignment_of(type)));
  }
  state.device->check_pointer(address, what);
}

// Whether `a_items` items from a on and `b_items` from b on have a byte in common, without a product that overflows.
bool overlap(const void* a, std::uint64_t a_size, std::uint64_t a_items, const void* b, std::uint64_t b_size,
             std::uint64_t b_items) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
  if (a_items == 0 || b_items == 0) return false;
  return second >= first ? (second - first) / a_size < a_items : (first - second) / b_size < b_items;
}

// Whether results may take the place of items: where each has the place of one of the same size, but not those of
// partitions. An item that the next one needs, too, may be the first of another tile that is not read yet. What takes
// its place must equal it, or be the result of a later item: that of a run stands behind its last item.
bool may_replace(const Problem& problem, const Port& a, const Port& b) {
  const Port &read = a.direction == Direction::in ? a : b, &written = a.direction == Direction::in ? b : a;
  if (read.direction == written.direction || size_of(read.type) != size_of(written.type)) return false;
  if (is_partition(problem) || written.extent == Extent::rows || read.extent == Extent::offsets) return false;
  if (read.previous_items == 0) return true;
  if (written.extent == Extent::n) return false;
  const AlgorithmEntry& entry = entry_of(problem);
  return entry.fold == Fold::counted_values || (entry.is_built_in() && written.is_key == read.is_key);
}

// Number of items that an array of a call has room for.
std::uint64_t items_of(const Port& port, const CallValues& values) {
  if (port.extent == Extent::offsets && values.has_segment_ends) return values.rows;  // where segments begin
  // Of rows: with the gaps between them.
  if (port.extent == Extent::n && values.in_pitch > 0) {
    return places_of(values.rows, values.row_length,
                     port.direction == Direction::in ? values.in_pitch : values.out_pitch);
  }
  const std::uint64_t items = port.items(values.n, values.rows);
  return port.extent == Extent::at_most_n ? std::min(items, values.limits.capacity) : items;
}

// Whether the rows of one array lie in the gaps between those of the other.
bool lie_in_gaps(const Port& a, const void* at_a, const Port& b, const void* at_b, const CallValues& values) {
  if (a.extent != Extent::n || b.extent != Extent::n) return false;
  const auto pitch = [&](const Port& port) {
    return size_of(port.type) * (port.direction == Direction::in ? values.in_pitch : values.out_pitch);
  };
  const auto first = reinterpret_cast<std::uintptr_t>(at_a), second = reinterpret_cast<std::uintptr_t>(at_b);
  if (first > second) return lie_in_gaps(b, at_b, a, at_a, values);
  if (pitch(a) != pitch(b) || pitch(a) == 0) return false;
  const std::uint64_t apart = (second - first) % pitch(a);  // of rows, no two of which begin at the same place
  return apart >= size_of(a.type) * values.row_length && apart + size_of(b.type) * values.row_length <= pitch(a);
}

void check_no_overlap(const PlanState& state, const CallValues& values) {
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    for (std::size_t k = i + 1; k < state.ports.size(); ++k) {
      const Port &a = state.ports[i], &b = state.ports[k];
      const bool same_pitch = values.rows <= 1 || values.in_pitch == values.out_pitch;
      const bool in_place = values.arrays[i] == values.arrays[k] && may_replace(state.problem, a, b) && same_pitch;
      const bool both_read = a.direction == Direction::in && b.direction == Direction::in;
      if (in_place || both_read ||
          !overlap(values.arrays[i], size_of(a.type), items_of(a, values), values.arrays[k], size_of(b.type),
                   items_of(b, values)) ||
          lie_in_gaps(a, values.arrays[i], b, values.arrays[k], values)) {
        continue;
      }
      const char* const advice = !may_replace(state.problem, a, b) ? ""
                                 : same_pitch                      ? ", or the same address for both"
                                                                   : ", or the same address and pitch for both";
      throw UsageError(
          fmt::format("'{}' ({}, {} items of {}) and '{}' ({}, {} items of {}) overlap: use separate memory{}", a.name,
                      values.arrays[i], items_of(a, values), name(a.type), b.name, values.arrays[k],
                      items_of(b, values), name(b.type), advice));
    }
  }
}

// The array of where segments end, which is no port.
void check_segment_ends(const PlanState& state, const CallValues& values) {
  const auto offsets = std::find_if(state.ports.begin(), state.ports.end(),
                                    [](const Port& port) { return port.extent == Extent::offsets; });
  Port ends = *offsets;
  ends.name = "ends";
  check_not_null(values.segment_ends, ends);
  if (state.ends_are_checked.load(std::memory_order_relaxed)) return;
  check_array(state, values.segment_ends, ends.type, "ends");
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    const Port& port = state.ports[i];
    if (port.direction == Direction::in || !overlap(values.segment_ends, size_of(ends.type), values.rows,
                                                    values.arrays[i], size_of(port.type), items_of(port, values))) {
      continue;
    }
    throw UsageError(
        fmt::format("the ends of segments ({}) overlap '{}' ({}), which the call writes: use separate memory",
                    values.segment_ends, port.name, values.arrays[i]));
  }
  if (!state.check_always && values.n > 0) state.ends_are_checked.store(true, std::memory_order_relaxed);
}

// Of more items than the counts and indices of the problem can tell.
[[noreturn]] void refuse_items(const PlanState& state, std::uint64_t n) {
  for (const Port& port : state.ports) {
    if (!port.is_index || port.type != Type::u32) continue;
    throw UsageError(
        fmt::format("indices of 32 bits cannot number {} items: use u64 as the type of '{}'", n, port.name));
  }
  throw UsageError(
      fmt::format("a count of 32 bits cannot take {} items: pass the address of a std::uint64_t as count", n));
}

// The number of items in device memory, and the capacity.
void check_limits(const PlanState& state, const CallValues& values) {
  const CallLimits& limits = values.limits;
  const auto is_limited = [](const Port& port) { return port.extent == Extent::at_most_n; };
  const bool writes_all =
      is_partition(state.problem) || std::none_of(state.ports.begin(), state.ports.end(), is_limited);
  if (limits.capacity != CallLimits{}.capacity && writes_all) {
    throw UsageError(
        fmt::format("{} writes a result for each item: leave out the capacity", name(state.problem.algorithm)));
  }
  if (limits.items_bytes == 0) return;
  const Type type = limits.items_bytes == 4 ? Type::u32 : Type::u64;
  if (limits.items == nullptr) {
    throw UsageError("the address of the number of items is null: pass the address of a number in device memory");
  }
  check_array(state, limits.items, type, "items");
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    const Port& port = state.ports[i];
    if (port.direction == Direction::in ||
        !overlap(limits.items, size_of(type), 1, values.arrays[i], size_of(port.type), items_of(port, values))) {
      continue;
    }
    throw UsageError(
        fmt::format("the number of items ({}) lies within '{}' ({}), which the call writes: use separate "
                    "memory",
                    limits.items, port.name, values.arrays[i]));
  }
}

}  // namespace

void check_scalar(const ScalarPort& port, const Scalar& value) {
  if (value.type == port.type) return;
  throw UsageError(port.name == "initial"
                       ? fmt::format("the initial value has type {}, but the accumulator has type {}: pass a value of "
                                     "type {}",
                                     name(value.type), name(port.type), name(port.type))
                       : fmt::format("the scalar '{}' has type {}: pass a value of type {}", port.name,
                                     name(value.type), name(port.type)));
}

void check_arrays(const PlanState& state, const CallValues& values) {
  if (values.n > state.most_items) refuse_items(state, values.n);
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    if (items_of(state.ports[i], values) > 0) check_not_null(values.arrays[i], state.ports[i]);
  }
  if (values.limits != CallLimits{}) check_limits(state, values);
  if (values.has_segment_ends && values.rows > 0) check_segment_ends(state, values);
  if (state.arrays_are_checked.load(std::memory_order_relaxed)) return;
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    const Port& port = state.ports[i];
    if (items_of(port, values) > 0) check_array(state, values.arrays[i], port.type, port.name.c_str());
  }
  check_no_overlap(state, values);
  if (!state.check_always && values.n > 0) state.arrays_are_checked.store(true, std::memory_order_relaxed);
}

void check_scalar_address(const PlanState& state, const ScalarPort& scalar, const void* address,
                          const CallValues& values) {
  if (address == nullptr) {
    throw UsageError(
        fmt::format("'{}' is null: pass the address of one {} value in device memory", scalar.name, name(scalar.type)));
  }
  if (state.scalars_are_checked.load(std::memory_order_relaxed)) return;
  check_array(state, address, scalar.type, scalar.name.c_str());
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    const Port& port = state.ports[i];
    if (port.direction == Direction::in || (port.extent == Extent::one && address == values.arrays[i])) continue;
    const std::uint64_t items = items_of(port, values);
    if (!overlap(address, size_of(scalar.type), 1, values.arrays[i], size_of(port.type), items)) continue;
    throw UsageError(fmt::format("'{}' ({}) lies within '{}' ({}, {} items of {}): use separate memory", scalar.name,
                                 address, port.name, values.arrays[i], items, name(port.type)));
  }
  if (!state.check_always && values.n > 0) state.scalars_are_checked.store(true, std::memory_order_relaxed);
}

}  // namespace upsweep::runtime
