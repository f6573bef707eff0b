// Problems, data and expected results for the correctness tables, on the host device and on GPUs alike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/device.hpp"

namespace upsweep::test {

// Every algorithm x operator x type that is valid, accumulated in its own type.
[[nodiscard]] std::vector<Problem> all_problems();
// A few with accumulators or outputs of other types.
[[nodiscard]] std::vector<Problem> mixed_problems();

[[nodiscard]] std::string test_name(const Problem& problem);

// stepping: for minimum and maximum of integers of up to 4 bytes: results change all along, not in the first items
// only.
// signed_zeros, subnormals, infinities, nans: of floating inputs, what such items and a few others fold to, whatever
// the association; the first result that shows one is well before the end.
enum class Data { random, constant, stepping, signed_zeros, subnormals, infinities, nans };

[[nodiscard]] const std::vector<Data>& special_data();
[[nodiscard]] bool is_special(Data data);

// n items whose fold over any stretch is exact in the accumulator type, whatever the association: floating sums and
// products telescope (item i is w(i) - w(i-1), or 2 to that power, for a hash w of few values), so that the result does
// not depend on the order of rounding and a comparison can be exact, at any n. A reduce may fold in any order: there,
// all but the first items are the identity or its neighbours.
[[nodiscard]] std::vector<std::byte> make_data(const Problem& problem, std::uint64_t n, Data data, std::uint64_t seed);

// The result by a plain sequential loop in 64-bit integers or doubles, rounded or wrapped to the accumulator type after
// every step: bytes of n outputs, or of one for a reduce.
[[nodiscard]] std::vector<std::byte> expected(const Problem& problem, std::span<const std::byte> input, std::uint64_t n,
                                              const Scalar& initial);

// Likewise of an adjacent difference.
[[nodiscard]] std::vector<std::byte> expected_differences(const Problem& problem, std::span<const std::byte> input,
                                                          std::uint64_t n);

// Which sign a zero has depends on the association in products of complex values, and in nothing else.
enum class Zeros { by_sign, alike };
[[nodiscard]] Zeros zeros_of(const Problem& problem);

// "item 17: expected 3, got 4" for the first output that differs; NaNs are equal, -0 and +0 are not but where they are
// alike.
[[nodiscard]] std::optional<std::string> difference(Type type, std::span<const std::byte> expected,
                                                    std::span<const std::byte> got, Zeros zeros = Zeros::by_sign);

// What a run is to look like.
struct Layout {
  bool in_place = false;
  int in_offset = 0;  // items by which the input is off an aligned address
  int out_offset = 0;
  bool initial_in_memory = false;  // in device memory, not on the host
};

// Off an aligned address in every way that the problem allows: input, output, both, and in place.
[[nodiscard]] std::vector<Layout> misaligned_layouts(const Problem& problem);

// Runs the plan on data of the seed and compares; also that nothing beyond the output was written. Empty: all is right.
[[nodiscard]] std::optional<std::string> run_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                         Data data, std::uint64_t seed, const Layout& layout = {},
                                                         Stream stream = nullptr);

// Sizes around warps, tiles and several tiles.
[[nodiscard]] std::vector<std::uint64_t> awkward_sizes(std::uint64_t tile);

}  // namespace upsweep::test
