// What the tests of parts of a GPU share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <upsweep/error.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/partitions.hpp"

namespace upsweep::test {

// Why the tests of parts skip; empty: device 0 has parts.
inline std::string why_no_parts() {
  try {
    return runtime::CudaDevice::open(0)->part_sizes().most > 0 ? "" : "the driver makes no parts of this GPU";
  } catch (const DeviceError& error) {
    return error.what();
  }
}

// Every kind of emission; integers and floating-point numbers.
inline std::vector<Problem> problems_of_parts(std::uint64_t size) {
  return {make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, size),
          make_problem(Algorithm::exclusive_scan, plus, Type::f64, Type::f64, size),
          make_problem(Algorithm::inclusive_scan, maximum, Type::u8, Type::u8, size),
          make_problem(Algorithm::reduce, plus, Type::f32, Type::f32, size),
          make_problem(Algorithm::reduce, plus, Type::i64, Type::i64, size),
          make_problem(Algorithm::three_way_partition, less, Type::i32, Type::u64, size),
          make_problem(Algorithm::stable_partition, less, Type::f32, Type::u64, size)};
}

// Runs the plan in the stream and compares.
inline std::optional<std::string> wrong_on_part(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                std::uint64_t seed, Stream stream) {
  const Algorithm algorithm = plan.problem().algorithm;
  const bool is_partition = algorithm == Algorithm::three_way_partition || algorithm == Algorithm::stable_partition;
  if (!is_partition) return run_and_compare(device, plan, n, Data::random, seed, {}, stream);
  return run_and_compare(device, plan, make_partition_case(plan.problem(), n, 3, seed), {}, stream);
}

}  // namespace upsweep::test
