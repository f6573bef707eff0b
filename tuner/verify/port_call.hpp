// A call of any problem, with the addresses of its arrays in the order of the ports.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <upsweep/port.hpp>
#include <upsweep/scalar.hpp>

#include "runtime/argument_bytes.hpp"
#include "runtime/device.hpp"
#include "tuner/measure/rotation_memory.hpp"
#include "tuner/verify/number.hpp"

namespace upsweep::tuner {

// Adds one call of a kernel to the stream.
using RunKernel = std::function<void(const runtime::CallValues& values, runtime::Stream stream)>;

// Of n items of the problem: of rows, as many whole ones as n items have. The values refer to the scalars.
[[nodiscard]] runtime::CallValues call_of(const Problem& problem, const SlotArrays& arrays, std::uint64_t n,
                                          std::span<const Scalar> scalars);

// Those of the problem's arrays that are written, in their order.
[[nodiscard]] std::vector<Port> outputs_of(const Problem& problem);
// The index among them of the port that receives the number of items of an array with Extent::at_most_n.
[[nodiscard]] std::size_t count_of(std::span<const Port> outputs, const Port& port);

// By how many bytes each array of a call is off an aligned address.
using Shifts = std::array<std::uint64_t, most_arrays>;
// By so many items of their types.
[[nodiscard]] Shifts shifts_of(const Problem& problem, std::uint64_t input_items, std::uint64_t output_items);
[[nodiscard]] SlotArrays shifted(SlotArrays arrays, const Shifts& shifts);

// What timed calls of n items need, shifts included. `patterns`: of each array that is read; none: zeros. They must
// outlive the result.
[[nodiscard]] std::vector<TimedArray> timed_arrays(const Problem& problem, std::uint64_t n, const Shifts& shifts,
                                                   std::span<const Bytes> patterns);

}  // namespace upsweep::tuner
