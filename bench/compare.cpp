#include "bench/compare.hpp"

#include <algorithm>

#include "generator/space.hpp"
#include "tuner/measurement.hpp"

namespace upsweep::bench {
namespace {

using tuner::Measurement;

std::uint64_t output_bytes(const Problem& problem) {
  return size_of(problem.output) * (problem.algorithm == Algorithm::reduce ? 1 : problem.size);
}

Row row(const std::string& who, const std::vector<double>& samples, std::uint64_t bytes) {
  const auto [lowest, highest] = std::minmax_element(samples.begin(), samples.end());
  const double median = tuner::median(samples);
  return {.who = who,
          .median_us = median,
          .lowest_us = *lowest,
          .highest_us = *highest,
          .gigabytes_per_second = static_cast<double>(bytes) / median / 1e3};
}

}  // namespace

Comparison compare(runtime::Engine& engine, const Problem& problem, const Peer* peer, int samples) {
  runtime::Device& device = engine.device();
  const std::uint64_t n = problem.size, in_bytes = n * size_of(problem.input), out_bytes = output_bytes(problem);
  const Plan chosen = engine.plan(problem, nullptr);
  const Config default_config = Space(problem, device.limits()).default_config();
  const Plan untuned = engine.plan(problem, default_config, nullptr);

  std::vector<std::string> names{"upsweep"};
  std::vector<Measurement::Call> calls{
      [&](const void* in, void* out, Stream stream) { chosen.run(in, out, n, stream); }};
  if (chosen.config() != default_config) {
    names.emplace_back("upsweep default");
    calls.emplace_back([&](const void* in, void* out, Stream stream) { untuned.run(in, out, n, stream); });
  }
  runtime::Buffer temporary;
  if (const auto bytes = peer != nullptr ? peer->temporary_bytes(problem, n) : std::nullopt) {
    temporary = runtime::Buffer(device, *bytes);
    names.push_back(peer->name());
    calls.emplace_back([&, peer](const void* in, void* out, Stream stream) {
      peer->run(problem, in, out, n, temporary.data(), temporary.bytes(), stream);
    });
  }
  // A copy of as many bytes as the problem must move: half read, half written.
  const std::uint64_t copied = std::min(in_bytes, (in_bytes + out_bytes) / 2);
  if (problem.algorithm != Algorithm::reduce) {
    names.emplace_back("memcpy");
    calls.emplace_back([&, copied](const void* in, void* out, Stream stream) {
      device.copy_on_device(out, in, std::min(copied, out_bytes), stream);
    });
  }

  Measurement measurement(device, nullptr, in_bytes, out_bytes, {});
  const std::vector<std::vector<double>> times = measurement.time_in_turn(calls, {.samples = samples});
  Comparison comparison{.problem = problem, .rung = chosen.rung(), .config = to_json(chosen.config()), .rows = {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t bytes = names[i] == "memcpy" ? 2 * std::min(copied, out_bytes) : in_bytes + out_bytes;
    comparison.rows.push_back(row(names[i], times[i], bytes));
  }
  return comparison;
}

}  // namespace upsweep::bench
