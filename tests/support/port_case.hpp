// A call of any problem, as data: the items of each array that is read, and what a plain loop writes to each output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

// Places of an output, from the first result on, that keep what they hold.
struct Gap {
  std::uint64_t begin, end;
};

struct PortCase {
  std::uint64_t n = 0;
  std::optional<Rows> rows{};               // that the items are, of a problem of rows
  std::optional<Axis> axis{};               // along which the call works, of a problem along an axis
  std::optional<std::uint64_t> segments{};  // how many, of a problem of segments
  std::vector<std::byte> segment_ends{};    // where they end, if the input `offsets` is where they begin
  bool segments_are_unordered = false;
  std::map<std::string, std::vector<std::byte>> inputs = {};
  std::map<std::string, Scalar> scalars = {};
  // What is written to each output, from its beginning on; behind it the output stays as it was.
  std::map<std::string, std::vector<std::byte>> results = {};
  std::uint64_t first_result = 0;                    // places of an output before that keep what they hold
  std::vector<Gap> gaps = {};                        // and these among the results
  std::map<std::string, std::string> in_place = {};  // outputs that may take the place of an input, and which

  // With items_in_memory, the number of items lies in device memory, in 4 or 8 bytes, and the host knows of `most`.
  int items_in_memory = 0;
  std::uint64_t most = 0;
  std::uint64_t in_memory = 0;              // the number that lies there; of a greater one than `most`, these are taken
  std::optional<std::uint64_t> capacity{};  // results that there is room for; none: for all
};

// Runs the plan and compares: the results, and that nothing behind them or outside the arrays was written. Each array
// is off an aligned address by a number of items of its own. Empty: all is right.
[[nodiscard]] std::optional<std::string> run_and_compare(runtime::Device& device, const Plan& plan,
                                                         const PortCase& call, const Layout& layout = {},
                                                         Stream stream = nullptr);

}  // namespace upsweep::test
