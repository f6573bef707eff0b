#include "runtime/plan_state.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/logging.hpp"
#include "generator/algorithm.hpp"
#include "generator/catalogues.hpp"
#include "generator/device_limits.hpp"
#include "generator/space.hpp"
#include "runtime/nvtx.hpp"

namespace upsweep::runtime {
namespace {

constexpr const char* advice_for_calls = "prepare() with the arguments of the call";

// `advice`: what compiles the kernel.
void check_not_captured(const PlanSetting& setting, const std::vector<Source>& steps, const Problem& problem,
                        Stream stream, const char* advice) {
  const auto held = [&](const Source& step) { return setting.kernels->holds(step.key); };
  if (std::all_of(steps.begin(), steps.end(), held) || setting.device->identify(stream).capture == 0) return;
  throw DeviceError(
      fmt::format("the kernel for {} is not compiled yet and the stream is being captured: call {} before the capture "
                  "begins",
                  to_string(problem), advice));
}

// A count has a port of its own, and may have 32 bits, and so may indices.
std::uint64_t most_items_of(const std::vector<Port>& ports) {
  const auto is_narrow = [&](const Port& port) {
    const auto counts = [&](const Port& other) { return other.count == port.name; };
    return port.type == Type::u32 && (port.is_index || std::any_of(ports.begin(), ports.end(), counts));
  };
  return std::any_of(ports.begin(), ports.end(), is_narrow) ? std::numeric_limits<std::uint32_t>::max()
                                                            : std::numeric_limits<std::uint64_t>::max();
}

// The same problem for axes of any extents. It does not depend on the call that asks first, so that all calls of a
// reproducible plan have one association.
Problem of_any_extents(Problem problem) {
  constexpr std::uint64_t few_columns = 8;  // of a class of several numbers
  problem.inner = few_columns;
  return problem;
}

}  // namespace

const LoadedSteps& PlanState::steps_with(const SourceOptions& options, Stream stream) const {
  if (options == SourceOptions{}) return steps;
  Variant& variant =
      variants_[(options.scalars_in_memory ? 1U : 0U) + (options.limits ? 2U : 0U) + (options.segment_ends ? 4U : 0U)];
  if (const LoadedSteps* const known = variant.known.load(std::memory_order_acquire)) return *known;
  std::vector<Source> sources = generate_steps(problem, choice.config, device->target(), options);
  check_not_captured(*this, sources, problem, stream, advice_for_calls);
  LoadedSteps loaded = kernels->get(std::move(sources));
  const std::lock_guard lock(variants_mutex_);
  if (variant.owner.empty()) variant.owner = std::move(loaded);
  variant.known.store(&variant.owner, std::memory_order_release);
  return variant.owner;
}

const PlanState& PlanState::plan_for(const CallValues& values, Stream stream) const {
  const auto columns = static_cast<std::uint64_t>(steps.front()->source.launch.row_columns);
  if (columns == 0 || values.n == 0 || (values.inner == columns && values.rows == columns)) return *this;
  if (const PlanState* const known = known_of_all_axes_.load(std::memory_order_acquire)) return *known;
  const Problem other = of_any_extents(problem);
  const tuning_db::ChoiceOptions options{.reproducible = is_reproducible(problem, choice.config)};
  tuning_db::Choice made =
      tuning_db::choose(other, device->identity(), limits_of_part(device->limits(), multiprocessors), {}, options);
  auto state = make_plan_state(*this, other, std::move(made), multiprocessors, stream, advice_for_calls);
  const std::lock_guard lock(variants_mutex_);
  if (!of_all_axes_) of_all_axes_ = std::move(state);
  known_of_all_axes_.store(of_all_axes_.get(), std::memory_order_release);
  return *of_all_axes_;
}

Launch launch_of(const LaunchRule& rule, bool dependent_launch) {
  return {.blocks = 1,
          .threads_per_block = rule.threads_per_block,
          .shared_bytes = rule.shared_bytes,
          .cluster_blocks = rule.cluster_blocks,
          .cooperative = rule.cooperative,
          .dependent = rule.dependent && dependent_launch};
}

std::shared_ptr<const PlanState> make_plan_state(const PlanSetting& setting, const Problem& problem,
                                                 tuning_db::Choice choice, int multiprocessors, Stream stream,
                                                 const char* advice) {
  const NvtxRange range(setting.nvtx ? "plan" : nullptr, problem.size);
  std::vector<Source> sources = generate_steps(problem, choice.config, setting.device->target());
  check_not_captured(setting, sources, problem, stream, advice);
  auto state = std::make_shared<PlanState>();
  static_cast<PlanSetting&>(*state) = setting;
  state->problem = problem;
  state->multiprocessors = multiprocessors;
  state->choice = std::move(choice);
  state->parts = WorkspaceParts(sources, multiprocessors);
  state->layout = state->parts.layout();
  for (std::size_t part = 0; part < state->parts.count(); ++part) {
    state->layouts.push_back(setting.workspaces->layout(state->parts.layout(part)));
  }
  state->steps = setting.kernels->get(std::move(sources));
  log_info("{}, {} items: {} ({}), {}", to_string(problem), problem.size, tuning_db::name(state->choice.rung),
           state->choice.reason, to_json(state->choice.config));
  if (has_identity(problem.op)) state->identity = identity(problem.op, problem.accumulator);
  for (const auto& step : state->steps) {
    state->launches.push_back(launch_of(step->source.launch, setting.dependent_launch));
  }
  state->has_finish = entry_of(problem).has_finish;
  state->ports = ports(problem);
  state->most_items = most_items_of(state->ports);
  state->scalars = scalars(problem);
  const bool starts_at_most = state->scalars.empty() || (state->scalars.size() == 1 && entry_of(problem).has_initial);
  state->has_in_and_out = state->ports.size() == 2 && state->ports[0].direction == Direction::in &&
                          state->ports[1].direction == Direction::out && starts_at_most;
  if (setting.nvtx) state->range = to_string(problem);
  return state;
}

}  // namespace upsweep::runtime
