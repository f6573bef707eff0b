// What the tests of parts of a GPU share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <upsweep/error.hpp>

#include "runtime/cuda/cuda_device.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/port_rings.hpp"
#include "tests/support/runs.hpp"
#include "tests/support/selection.hpp"

namespace upsweep::test {

// Why the tests of parts skip; empty: device 0 has parts.
inline std::string why_no_parts() {
  try {
    return runtime::CudaDevice::open(0)->part_sizes().most > 0 ? "" : "the driver makes no parts of this GPU";
  } catch (const DeviceError& error) {
    return error.what();
  }
}

// Every kind of emission and fold; integers and floating-point numbers.
inline std::vector<Problem> problems_of_parts(std::uint64_t size) {
  std::vector<Problem> problems{make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32),
                                make_problem(Algorithm::exclusive_scan, plus, Type::f64, Type::f64),
                                make_problem(Algorithm::inclusive_scan, maximum, Type::u8, Type::u8),
                                make_problem(Algorithm::reduce, plus, Type::f32, Type::f32),
                                make_problem(Algorithm::reduce, plus, Type::i64, Type::i64),
                                make_problem(Algorithm::three_way_partition, less, Type::i32, Type::u64),
                                make_problem(Algorithm::stable_partition, less, Type::f32, Type::u64),
                                selection(less, Type::i32),
                                reduction_by_key(plus, Type::f64, Type::u32),
                                usual_runs(Algorithm::unique, Type::u32),
                                usual_runs(Algorithm::run_length_encode, Type::i16),
                                usual_runs(Algorithm::inclusive_scan_by_key, Type::i32)};
  for (Problem& problem : problems) problem.size = size;
  return problems;
}

// Runs the plan in the stream and compares; selections by a predicate and reductions by key, in the default stream.
inline std::optional<std::string> wrong_on_part(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                std::uint64_t seed, Stream stream) {
  switch (plan.problem().algorithm) {
    case Algorithm::inclusive_scan:
    case Algorithm::exclusive_scan:
    case Algorithm::reduce:
      return run_and_compare(device, plan, n, Data::random, seed, {}, stream);
    case Algorithm::three_way_partition:
    case Algorithm::stable_partition:
      return run_and_compare(device, plan, make_partition_case(plan.problem(), n, 3, seed), {}, stream);
    case Algorithm::select_if:
    case Algorithm::reduce_by_key:
      return compact_and_compare(device, plan, n, seed);
    default:
      return run_and_compare(device, plan, make_runs_case(plan.problem(), n, 3, seed), {}, stream);
  }
}

}  // namespace upsweep::test
