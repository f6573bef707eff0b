// An algorithm with two inputs and three outputs, and its kernel as a function on host memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include <upsweep/port.hpp>

#include "generator/catalogues.hpp"
#include "runtime/argument_bytes.hpp"

namespace upsweep::tuner {

// kept[k] = values[i] for the items i, in their order, with keys[i] < threshold; marks[i] = keys[i] + values[i] modulo
// 2^16; count[0]: number of items that are kept. The schedules know no such kernel: `emission` says for which ones they
// are asked.
inline Algorithm select_pairs(Emission emission = Emission::compact) {
  return algorithms().add(
      {.name = emission == Emission::compact ? "select_pairs@1" : "select_pairs@2",
       .emission = emission,
       .has_finish = true,
       .ports = [](const Problem& problem) -> std::vector<Port> {
         return {{"keys", problem.input, Direction::in, Extent::n},
                 {"values", problem.output, Direction::in, Extent::n},
                 {"kept", problem.output, Direction::out, Extent::at_most_n, "count"},
                 {"marks", Type::i16, Direction::out, Extent::n},
                 {"count", problem.accumulator, Direction::out, Extent::one}};
       },
       .scalars = [](const Problem& problem) -> std::vector<ScalarPort> {
         return {{"threshold", problem.input}};
       },
       .test_data = [](const Problem&,
                       const Port& port) { return port.name == "keys" ? TestData::keys : TestData::any; },
       .test_scalars = [](const Problem&) -> std::vector<Scalar> { return {Scalar::of(std::int32_t{1000})}; },
       .definition = "constexpr bool emits_inclusive = true;\n"});
}

inline Problem select_pairs_problem(std::uint64_t size, Emission emission = Emission::compact) {
  return {.algorithm = select_pairs(emission),
          .op = Operator::bit_xor,
          .input = Type::i32,
          .accumulator = Type::u32,
          .output = Type::i64,
          .size = size};
}

// The arrays of a call.
struct Pairs {
  explicit Pairs(const runtime::CallValues& call)
      : n(call.n),
        keys(static_cast<const std::int32_t*>(call.arrays[0])),
        values(static_cast<const std::int64_t*>(call.arrays[1])),
        kept(static_cast<std::int64_t*>(const_cast<void*>(call.arrays[2]))),
        marks(static_cast<std::int16_t*>(const_cast<void*>(call.arrays[3]))),
        count(static_cast<std::uint32_t*>(const_cast<void*>(call.arrays[4]))) {
    std::memcpy(&threshold, call.scalars[0], sizeof threshold);
  }
  void compute() const {
    std::uint32_t selected = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      if (keys[i] < threshold) kept[selected++] = values[i];
      marks[i] = static_cast<std::int16_t>(static_cast<std::uint64_t>(keys[i]) + static_cast<std::uint64_t>(values[i]));
    }
    *count = selected;
  }
  std::uint64_t n;
  const std::int32_t* keys;
  const std::int64_t* values;
  std::int64_t* kept;
  std::int16_t* marks;
  std::uint32_t* count;
  std::int32_t threshold = 0;
};

}  // namespace upsweep::tuner
