#include <upsweep/plan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/space.hpp"
#include "generator/value_type.hpp"
#include "generator/workspace_parts.hpp"
#include "runtime/argument_bytes.hpp"
#include "runtime/call_arguments.hpp"
#include "runtime/call_checks.hpp"
#include "runtime/nvtx.hpp"
#include "runtime/offset_checks.hpp"
#include "runtime/plan_state.hpp"

namespace upsweep {
namespace {

using runtime::PlanState;

// Blocks share the items of segments, and the ends of segments, if each has a result. Of unordered ones, each block has
// some.
std::uint64_t shared_items(const PlanState& state, const runtime::CallValues& values) {
  std::uint64_t sum = 0;
  if (!is_fold_of_segments(state.problem) && !state.problem.unordered_segments) return values.n;
  return __builtin_add_overflow(values.n, values.rows, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

// As many as the partition holds that the plan was made for. In a smaller one, the blocks of a cooperative launch must
// fit too; others come and go.
std::uint64_t blocks_for(const PlanState& state, std::size_t step, const runtime::CallValues& values, Stream stream) {
  int multiprocessors = state.multiprocessors;
  if (state.launches[step].cooperative)
    multiprocessors = std::min(multiprocessors, state.device->multiprocessors_of(stream));
  const LaunchRule& rule = state.steps[step]->source.launch;
  if (state.problem.shape == Shape::axis) {
    return rule.blocks_along_axis(values.n, values.rows, values.inner, multiprocessors);
  }
  return rule.blocks(shared_items(state, values), multiprocessors);
}

struct Call {
  const runtime::CallValues& values;
  Stream stream;
  const runtime::LoadedSteps& steps;
};

// `memory`: the address of each part of the workspace.
void launch(const PlanState& state, const Call& call, std::size_t step, void* const* memory) {
  const WorkspaceParts& parts = state.parts;
  const WorkspaceParts::Use& use = parts.use(step);
  std::array<void*, most_scratch_arrays> scratch{};
  for (std::size_t i = 0; i < use.scratch.size(); ++i) {
    scratch[i] =
        static_cast<std::byte*>(memory[parts.index_of_scratch()]) + parts.offset(use.scratch[i], call.values.n);
  }
  runtime::ArgumentBytes arguments(call.steps[step]->source.arguments, call.values,
                                   use.state ? memory[*use.state] : nullptr,
                                   std::span(scratch).first(use.scratch.size()));
  runtime::Launch launch = state.launches[step];
  launch.blocks = blocks_for(state, step, call.values, call.stream);
  void* parameters[] = {arguments.data()};
  state.device->launch(*call.steps[step]->kernel, launch, parameters, call.stream);
}

// Threads may call at the same time, in one stream too.
void launch_all(const PlanState& state, const Call& call, void* const* memory) {
  std::unique_lock<std::mutex> order;
  if (call.steps.size() > 1) order = state.workspaces->hold_order();
  for (std::size_t step = 0; step < call.steps.size(); ++step) launch(state, call, step, memory);
}

// With a workspace of the context.
void start(const PlanState& state, const Call& call) {
  const std::size_t count = state.parts.count();
  if (count == 0) return launch_all(state, call, nullptr);
  std::array<runtime::WorkspaceRequest, most_workspace_parts> requests{};
  for (std::size_t part = 0; part < count; ++part) {
    requests[part] = {state.layouts[part], state.parts.bytes(part, call.values.n)};
  }
  state.workspaces->lend(std::span(requests).first(count), call.stream,
                         [&](void* const* memory) { launch_all(state, call, memory); });
}

[[noreturn]] void refuse_size(const PlanState& state, const BorrowedWorkspace& workspace, std::uint64_t n) {
  throw UsageError(
      fmt::format("the workspace has {} bytes, but {} items need {} bytes: call workspace_bytes() for the size",
                  workspace.bytes(), n, state.parts.bytes(n)));
}

// With a workspace of the caller.
void start(const PlanState& state, const Call& call, const BorrowedWorkspace& workspace) {
  if (workspace.layout() != state.layout) {
    throw UsageError(
        fmt::format("the workspace has the layout '{}', but this plan needs the layout '{}': make the workspace with "
                    "borrow_workspace() of this plan",
                    workspace.layout(), state.layout));
  }
  std::array<void*, most_workspace_parts> memory{};
  auto* at = static_cast<std::byte*>(workspace.memory());
  for (std::size_t part = 0; part < workspace.parts().size(); ++part) {
    const std::uint64_t given = workspace.parts()[part];
    if (given < state.parts.bytes(part, call.values.n)) refuse_size(state, workspace, call.values.n);
    memory[part] = at;
    at += given;
  }
  launch_all(state, call, memory.data());
}

void start(const PlanState& state, const Call& call, const BorrowedWorkspace* workspace) {
  workspace == nullptr ? start(state, call) : start(state, call, *workspace);
}

// The plan that takes the call.
const PlanState& plan_for(const PlanState& planned, const runtime::CallValues& values, Stream stream,
                          const BorrowedWorkspace* workspace) {
  const PlanState& state = planned.plan_for(values, stream);
  if (workspace == nullptr || &state == &planned) return state;
  throw UsageError(
      fmt::format("a workspace of yours serves calls of one array with {} items behind the axis, but the call has {} "
                  "columns, of which {} lie next to each other: make a plan for such calls, with along_axis()",
                  planned.steps.front()->source.launch.row_columns, values.rows, values.inner));
}

void prepare_workspace(const PlanState& state, std::uint64_t n, Stream stream) {
  for (std::size_t part = 0; part < state.parts.count(); ++part) {
    state.workspaces->prepare(state.layouts[part], state.parts.bytes(part, n), stream);
  }
}

// The options of the kernels that a call needs.
SourceOptions options_of(const runtime::CallValues& values, bool scalars_in_memory = false) {
  return {.scalars_in_memory = scalars_in_memory,
          .limits = values.limits != runtime::CallLimits{},
          .segment_ends = values.has_segment_ends};
}

// For a profiler, from the checks of a call to its launch.
runtime::NvtxRange range_of(const PlanState& state, std::uint64_t n) {
  return {state.range.empty() ? nullptr : state.range.c_str(), n};
}

// A scan of nothing does nothing; a reduce of nothing writes its initial value, as that of each empty row or column.
bool has_work(const PlanState& state, const runtime::CallValues& values) {
  if (state.problem.shape == Shape::segments && values.rows == 0) return false;
  return values.n > 0 || (state.has_finish && (state.problem.shape == Shape::flat || values.rows > 0));
}

// The default of a scalar that the caller did not pass: for the initial value, the identity of the operator. Throws
// UsageError if the scalar has no default.
const Scalar& default_of(const PlanState& state, const ScalarPort& port) {
  if (port.name != "initial") {
    throw UsageError(fmt::format("the scalar '{}' is missing: pass a value of type {}", port.name, name(port.type)));
  }
  return runtime::default_initial(state);
}

// The arrays of a call of the short form. Throws UsageError where the problem has others.
runtime::CallValues in_and_out(const PlanState& state, const void* in, void* out, std::uint64_t n) {
  if (state.problem.shape != Shape::flat) runtime::need_shape(state.problem);
  if (!state.has_in_and_out) {
    std::vector<std::string> names;
    for (const Port& port : state.ports) names.push_back(port.name);
    throw UsageError(fmt::format("the algorithm {} has the arrays {}: pass each by its name, in Arguments",
                                 name(state.problem.algorithm), fmt::join(names, ", ")));
  }
  return {.arrays = {in, out}, .n = n};
}

// Of the short form; `initial`: null if the caller passed none.
void run_short(const PlanState& state, const void* in, void* out, std::uint64_t n, const Scalar* initial, Stream stream,
               const BorrowedWorkspace* workspace) {
  runtime::CallValues values = in_and_out(state, in, out, n);
  if (!state.scalars.empty()) {
    values.scalars[0] = (initial == nullptr ? default_of(state, state.scalars[0]) : *initial).bytes.data();
  }
  if (initial != nullptr && initial->type != state.problem.accumulator) {
    runtime::check_scalar({"initial", state.problem.accumulator}, *initial);
  }
  runtime::run(state, values, stream, workspace);
}

// Of the general form.
void run_by_name(const PlanState& state, const Arguments& arguments, Stream stream,
                 const BorrowedWorkspace* workspace) {
  runtime::ResolvedArguments call = runtime::resolve(state.problem, arguments);
  if (call.scalars_in_memory) {
    call.values.scalars = call.scalar_addresses;
    return runtime::run_from_memory(state, call.values, stream, workspace);
  }
  for (std::size_t i = 0; i < state.scalars.size(); ++i) {
    const Scalar& value = call.scalars[i] ? *call.scalars[i] : default_of(state, state.scalars[i]);
    runtime::check_scalar(state.scalars[i], value);
    call.values.scalars[i] = value.bytes.data();
  }
  runtime::run(state, call.values, stream, workspace);
}

}  // namespace

namespace runtime {

const Scalar& default_initial(const PlanState& state) {
  if (state.identity) return *state.identity;
  throw UsageError(fmt::format("the operator {} has no identity: pass an initial value", name(state.problem.op)));
}

void run(const PlanState& planned, const CallValues& values, Stream stream, const BorrowedWorkspace* workspace) {
  const PlanState& state = plan_for(planned, values, stream, workspace);
  const NvtxRange range = range_of(state, values.n);
  if (!has_work(state, values)) return;
  check_arrays(state, values);
  check_offsets(state, values, stream);
  start(state, {values, stream, state.steps_with(options_of(values), stream)}, workspace);
}

void run_from_memory(const PlanState& planned, const CallValues& values, Stream stream,
                     const BorrowedWorkspace* workspace) {
  const PlanState& state = plan_for(planned, values, stream, workspace);
  const NvtxRange range = range_of(state, values.n);
  if (!has_work(state, values)) return;
  check_arrays(state, values);
  check_offsets(state, values, stream);
  CallValues addresses = values;  // the arguments are the addresses
  for (std::size_t i = 0; i < state.scalars.size(); ++i) {
    check_scalar_address(state, state.scalars[i], values.scalars[i], values);
    addresses.scalars[i] = static_cast<const void*>(&values.scalars[i]);
  }
  start(state, {addresses, stream, state.steps_with(options_of(values, true), stream)}, workspace);
}

}  // namespace runtime

void Plan::run(const void* in, void* out, std::uint64_t n, Stream stream) const {
  run_short(*state_, in, out, n, nullptr, stream, nullptr);
}

void Plan::run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream) const {
  run_short(*state_, in, out, n, &initial, stream, nullptr);
}

void Plan::run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream,
               const BorrowedWorkspace& workspace) const {
  run_short(*state_, in, out, n, &initial, stream, &workspace);
}

void Plan::run(const Arguments& arguments, Stream stream) const {
  run_by_name(*state_, arguments, stream, nullptr);
}

void Plan::run(const Arguments& arguments, Stream stream, const BorrowedWorkspace& workspace) const {
  run_by_name(*state_, arguments, stream, &workspace);
}

void Plan::prepare(const Arguments& arguments, Stream stream) const {
  const runtime::ResolvedArguments call = runtime::resolve(state_->problem, arguments);
  const PlanState& state = state_->plan_for(call.values, stream);
  static_cast<void>(state.steps_with(options_of(call.values, call.scalars_in_memory), stream));
  prepare_workspace(state, call.values.n, stream);
}

void Plan::prepare(std::uint64_t n, Stream stream) const {
  prepare_workspace(*state_, n, stream);
}

std::uint64_t Plan::workspace_bytes(std::uint64_t n) const {
  return state_->parts.bytes(n);
}

BorrowedWorkspace Plan::borrow_workspace(void* memory, std::uint64_t bytes, Stream stream) const {
  if (reinterpret_cast<std::uintptr_t>(memory) % WorkspaceRule::header_bytes != 0) {
    throw UsageError(
        fmt::format("the workspace is not aligned: pass memory at an address that is a multiple of {} bytes",
                    WorkspaceRule::header_bytes));
  }
  BorrowedWorkspace workspace;
  workspace.memory_ = memory;
  workspace.bytes_ = bytes;
  workspace.layout_ = state_->layout;
  workspace.parts_ = state_->parts.split(bytes);
  std::uint64_t states = bytes;
  if (state_->parts.has_scratch())
    states = std::accumulate(workspace.parts_.begin(), workspace.parts_.end() - 1, std::uint64_t{0});
  if (states > 0) state_->device->fill(memory, 0, states, stream);
  return workspace;
}

const Problem& Plan::problem() const noexcept {
  return state_->problem;
}
const Config& Plan::config() const noexcept {
  return state_->choice.config;
}
std::size_t Plan::steps() const noexcept {
  return state_->steps.size();
}
const Source& Plan::source(std::size_t step) const {
  if (step < steps()) return state_->steps[step]->source;
  throw UsageError(fmt::format("the plan has no step {}: it has {}, which are numbered from 0", step, steps()));
}
std::string Plan::rung() const {
  return std::string(tuning_db::name(state_->choice.rung));
}
const std::string& Plan::reason() const noexcept {
  return state_->choice.reason;
}
bool Plan::reproducible() const {
  return is_reproducible(state_->problem, state_->choice.config);
}

}  // namespace upsweep
