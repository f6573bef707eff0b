// A call with data of its own, for tests that run several at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/gpu/gpu.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

struct Job {
  Job(runtime::Device& device, const Plan& plan, std::uint64_t n, std::uint64_t seed)
      : problem(plan.problem()),
        items(n),
        input(make_data(problem, n, Data::random, seed)),
        in(device, input.size()),
        out(device, n * size_of(problem.output)) {
    device.copy_to_device(in.data(), input.data(), input.size(), nullptr);
  }
  void run(const Plan& plan, Stream stream) const { plan.run(in.data(), out.data(), items, stream); }
  [[nodiscard]] std::optional<std::string> wrong(runtime::Device& device, Stream stream) const {
    const std::uint64_t outputs = problem.algorithm == Algorithm::reduce ? 1 : items;
    std::vector<std::byte> got(outputs * size_of(problem.output));
    device.copy_to_host(got.data(), out.data(), got.size(), stream);
    const Scalar start = identity(problem.op, problem.accumulator);
    return difference(problem.output, expected(problem, input, items, start), got);
  }
  Problem problem;
  std::uint64_t items;
  std::vector<std::byte> input;
  runtime::Buffer in;
  runtime::Buffer out;
};

}  // namespace upsweep::test
