// What a plan tells people.
#include <upsweep/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/config.hpp>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/density.hpp"
#include "generator/launch_tiles.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"
#include "runtime/engine.hpp"

namespace upsweep {
namespace {

std::uint64_t blocks_of(const runtime::PlanState& state, std::size_t step, std::uint64_t n) {
  return expected_blocks(state.steps[step]->source.launch, state.problem, n, state.multiprocessors);
}

// Whether it was made for a stream that has a part of the device only.
bool is_partition(const runtime::PlanState& state) {
  return state.multiprocessors != state.device->limits().multiprocessors;
}

// For the part of the device that the plan was made for.
std::string tune_command_of(const runtime::PlanState& state) {
  const std::string device = state.device->label();
  const std::string whole = device.substr(0, device.find('/'));
  if (device == whole && !is_partition(state)) return tune_command(state.problem);
  return fmt::format("{} --device {}/{}", tune_command(state.problem), whole, state.multiprocessors);
}

}  // namespace

std::string tune_command(const Problem& problem) {
  std::string text =
      fmt::format("upsweep tune {} --op {} --type {}", name(problem.algorithm), name(problem.op), name(problem.input));
  const bool same_output = problem.output == problem.accumulator;
  // An accumulator that is not named is of the output type, if that is.
  if (problem.accumulator != problem.input || !same_output) {
    text += fmt::format(" --accumulate {}", name(problem.accumulator));
  }
  if (!same_output) text += fmt::format(" --output-type {}", name(problem.output));
  if (problem.key) text += fmt::format(" --key-type {}", name(*problem.key));
  if (problem.density != Density::unknown) text += fmt::format(" --density {}", name(problem.density));
  if (problem.accuracy != Accuracy::plain) text += fmt::format(" --accuracy {}", name(problem.accuracy));
  if (problem.shape != Shape::flat && problem.shape != Shape::segments && problem.row_length > 0)
    text += fmt::format(" --row-length {}", problem.row_length);
  if (problem.shape == Shape::axis && problem.inner > 0) text += fmt::format(" --inner {}", problem.inner);
  if (problem.shape == Shape::segments)
    text += fmt::format(" --segment-length {}", std::max<std::uint64_t>(problem.row_length, 1));
  return text + fmt::format(" --size {}", problem.size);
}

std::string Plan::resources() const {
  if (state_->device->target() == Target::host)
    return "not known on the host device, which has no registers and no occupancy";
  std::vector<std::string> texts;
  for (std::size_t step = 0; step < steps(); ++step) {
    const runtime::KernelResources found =
        state_->device->resources(*state_->steps[step]->kernel, state_->launches[step]);
    texts.push_back(fmt::format("{}{} registers and {} bytes of local memory per thread, {} blocks per multiprocessor",
                                steps() == 1 ? "" : fmt::format("step {}: ", step + 1), found.registers_per_thread,
                                found.local_bytes_per_thread, found.resident_blocks_per_multiprocessor));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string Plan::explain() const {
  const runtime::PlanState& state = *state_;
  const std::uint64_t n = state.problem.size;
  std::string text = fmt::format("problem       {}, {} items\n", to_string(state.problem), state.problem.size);
  text += fmt::format("device        {} ({}){}\n", state.device->label(), state.device->identity().name,
                      is_partition(state) ? fmt::format(", {} multiprocessors of it", state.multiprocessors) : "");
  text += fmt::format("rung          {}: {}\n", rung(), state.choice.reason);
  text += fmt::format("config        {}\n", to_json(state.choice.config));
  for (std::size_t step = 0; step < steps(); ++step) {
    if (steps() > 1) text += fmt::format("step          {} of {}\n", step + 1, steps());
    text += fmt::format("kernel        {} ({})\n", state.steps[step]->source.key,
                        state.steps[step]->origin == runtime::Origin::disk ? "from the cache" : "compiled");
    text += fmt::format("launch        {} blocks of {} threads for {} items{}\n", blocks_of(state, step, n),
                        state.steps[step]->source.launch.threads_per_block, n,
                        steps() > 1 ? "" : fmt::format(", {} bytes of workspace", state.parts.bytes(n)));
  }
  if (steps() > 1) text += fmt::format("workspace     {} bytes\n", state.parts.bytes(n));
  text += fmt::format("resources     {}\n", resources());
  text += fmt::format("reproducible  {}\n", reproducible() ? "yes" : "no");
  const bool is_built_in = entry_of(state.problem.op).is_built_in() && entry_of(state.problem.input).is_built_in() &&
                           entry_of(state.problem).is_built_in();
  text += fmt::format("to tune it    {}\n",
                      is_built_in ? tune_command_of(state) : "upsweep::tune() in the program that has the definitions");
  return text;
}

}  // namespace upsweep
