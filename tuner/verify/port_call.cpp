#include "tuner/verify/port_call.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/bytes.hpp"
#include "generator/shape.hpp"

namespace upsweep::tuner {

runtime::CallValues call_of(const Problem& problem, const SlotArrays& arrays, std::uint64_t n,
                            std::span<const Scalar> scalars) {
  runtime::CallValues values{.arrays = arrays,
                             .n = whole_items(problem, n),
                             .rows = rows_of(problem, n),
                             .row_length = std::max<std::uint64_t>(length_of_rows(problem, n), 1),
                             .inner = inner_of(problem, n),
                             .offsets_are_known = true};
  if (has_pitch(problem)) {  // each row with a gap behind it
    values.n = values.rows * values.row_length;
    values.in_pitch = values.out_pitch = std::max(problem.row_pitch, values.row_length);
  }
  for (std::size_t i = 0; i < scalars.size(); ++i) values.scalars.at(i) = scalars[i].bytes.data();
  return values;
}

std::vector<Port> outputs_of(const Problem& problem) {
  std::vector<Port> outputs = ports(problem);
  std::erase_if(outputs, [](const Port& port) { return port.direction != Direction::out; });
  return outputs;
}

std::size_t count_of(std::span<const Port> outputs, const Port& port) {
  const auto at = std::find_if(outputs.begin(), outputs.end(), [&](const Port& other) {
    return other.name == port.count && other.extent == Extent::one;
  });
  if (at == outputs.end()) {
    throw Error(ErrorKind::internal, fmt::format("the array {} has no array for the number of its items: please report "
                                                 "this",
                                                 port.name));
  }
  return static_cast<std::size_t>(at - outputs.begin());
}

Shifts shifts_of(const Problem& problem, std::uint64_t input_items, std::uint64_t output_items) {
  Shifts shifts{};
  std::size_t i = 0;
  for (const Port& port : ports(problem)) {
    const bool is_moved = port.extent != Extent::offsets;  // an offset behind the last one is none
    shifts.at(i++) = is_moved ? bytes_of(port.direction == Direction::in ? input_items : output_items, port.type) : 0;
  }
  return shifts;
}

SlotArrays shifted(SlotArrays arrays, const Shifts& shifts) {
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i] = static_cast<const std::byte*>(arrays[i]) + shifts[i];
  return arrays;
}

std::vector<TimedArray> timed_arrays(const Problem& problem, std::uint64_t n, const Shifts& shifts,
                                     std::span<const Bytes> patterns) {
  std::vector<TimedArray> arrays;
  std::size_t input = 0;
  for (const Port& port : ports(problem)) {
    std::uint64_t bytes = 0, items = port_items(problem, port, n);
    if (has_pitch(problem) && port.extent == Extent::n) {
      items = places_of(rows_of(problem, n), length_of_rows(problem, n), problem.row_pitch);
    }
    if (__builtin_add_overflow(bytes_of(items, port.type), shifts.at(arrays.size()), &bytes)) {
      bytes = std::numeric_limits<std::uint64_t>::max();
    }
    TimedArray array{.direction = port.direction, .bytes = bytes, .begins_slots = port.extent == Extent::offsets};
    if (port.direction == Direction::in && input < patterns.size()) array.pattern = patterns[input++];
    arrays.push_back(array);
  }
  return arrays;
}

}  // namespace upsweep::tuner
