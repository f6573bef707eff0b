#include <upsweep/plan.hpp>

#include <array>
#include <cstddef>
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
#include "runtime/engine.hpp"
#include "runtime/nvtx.hpp"

namespace upsweep {
namespace {

using runtime::PlanState;

// The blocks of a cooperative launch must fit on what serves the stream; others come and go.
std::uint64_t blocks_for(const PlanState& state, std::size_t step, std::uint64_t n, Stream stream) {
  const int multiprocessors = state.launches[step].cooperative ? state.device->multiprocessors_of(stream)
                                                               : state.device->limits().multiprocessors;
  return state.steps[step]->source.launch.blocks(n, multiprocessors);
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
  launch.blocks = blocks_for(state, step, call.values.n, call.stream);
  void* parameters[] = {arguments.data()};
  state.device->launch(*call.steps[step]->kernel, launch, parameters, call.stream);
}

void launch_all(const PlanState& state, const Call& call, void* const* memory) {
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

// For a profiler, from the checks of a call to its launch.
runtime::NvtxRange range_of(const PlanState& state, std::uint64_t n) {
  return {state.range.empty() ? nullptr : state.range.c_str(), n};
}

// A scan of nothing does nothing; a reduce of nothing writes its initial value.
bool has_work(const PlanState& state, std::uint64_t n) {
  return n > 0 || state.has_finish;
}

void check_scalar(const ScalarPort& port, const Scalar& value) {
  if (value.type == port.type) return;
  throw UsageError(port.name == "initial"
                       ? fmt::format("the initial value has type {}, but the accumulator has type {}: pass a value of "
                                     "type {}",
                                     name(value.type), name(port.type), name(port.type))
                       : fmt::format("the scalar '{}' has type {}: pass a value of type {}", port.name,
                                     name(value.type), name(port.type)));
}

// The default of a scalar that the caller did not pass: for the initial value, the identity of the operator. Throws
// UsageError if the scalar has no default.
const Scalar& default_of(const PlanState& state, const ScalarPort& port) {
  if (port.name != "initial") {
    throw UsageError(fmt::format("the scalar '{}' is missing: pass a value of type {}", port.name, name(port.type)));
  }
  if (state.identity) return *state.identity;
  throw UsageError(fmt::format("the operator {} has no identity: pass an initial value", name(state.problem.op)));
}

void check_not_null(const void* address, const Port& port) {
  if (address != nullptr) return;
  throw UsageError(
      fmt::format("'{}' is null: pass the address of device memory for {} values", port.name, name(port.type)));
}

// Addresses are aligned to the whole of a value, of complex ones too.
void check_array(const PlanState& state, const void* address, Type type, const char* what) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment_of(type) != 0) {
    throw UsageError(fmt::format("'{}' ({}) is not aligned for {}: pass an address that is a multiple of {}", what,
                                 address, name(type), alignment_of(type)));
  }
  state.device->check_pointer(address, what);
}

// Whether `a_items` items from a on and `b_items` from b on have a byte in common, without a product that overflows.
bool overlap(const void* a, std::uint64_t a_size, std::uint64_t a_items, const void* b, std::uint64_t b_size,
             std::uint64_t b_items) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
  if (a_items == 0 || b_items == 0) return false;
  return second >= first ? (second - first) / a_size < a_items : (first - second) / b_size < b_items;
}

// In place is allowed where each item of the result takes the place of one of the input.
void check_no_overlap(const PlanState& state, const runtime::CallValues& values) {
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    for (std::size_t k = i + 1; k < state.ports.size(); ++k) {
      const Port &a = state.ports[i], &b = state.ports[k];
      const bool in_place =
          a.direction != b.direction && values.arrays[i] == values.arrays[k] && size_of(a.type) == size_of(b.type);
      const bool both_read = a.direction == Direction::in && b.direction == Direction::in;
      if (in_place || both_read ||
          !overlap(values.arrays[i], size_of(a.type), a.items(values.n), values.arrays[k], size_of(b.type),
                   b.items(values.n))) {
        continue;
      }
      throw UsageError(fmt::format(
          "'{}' ({}, {} items of {}) and '{}' ({}, {} items of {}) overlap: use separate memory{}", a.name,
          values.arrays[i], a.items(values.n), name(a.type), b.name, values.arrays[k], b.items(values.n), name(b.type),
          a.direction == b.direction ? "" : ", or the same address for both if the items have the same size"));
    }
  }
}

// Null by every call, because it costs nothing; the rest by the first call of a plan, and by all if UPSWEEP_CHECK=1.
// An array of no items is not looked at.
void check_arrays(const PlanState& state, const runtime::CallValues& values) {
  if (values.n > state.most_items) {
    throw UsageError(
        fmt::format("a count of 32 bits cannot take {} items: pass the address of a std::uint64_t as count", values.n));
  }
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    if (state.ports[i].items(values.n) > 0) check_not_null(values.arrays[i], state.ports[i]);
  }
  if (state.arrays_are_checked.load(std::memory_order_relaxed)) return;
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    const Port& port = state.ports[i];
    if (port.items(values.n) > 0) check_array(state, values.arrays[i], port.type, port.name.c_str());
  }
  check_no_overlap(state, values);
  if (!state.check_always && values.n > 0) state.arrays_are_checked.store(true, std::memory_order_relaxed);
}

// What is written once, at the end, may take the place of a scalar. Other outputs are written while other blocks may
// still read the scalar.
void check_scalar_address(const PlanState& state, const ScalarPort& scalar, const void* address,
                          const runtime::CallValues& values) {
  if (address == nullptr) {
    throw UsageError(
        fmt::format("'{}' is null: pass the address of one {} value in device memory", scalar.name, name(scalar.type)));
  }
  if (state.scalars_are_checked.load(std::memory_order_relaxed)) return;
  check_array(state, address, scalar.type, scalar.name.c_str());
  for (std::size_t i = 0; i < state.ports.size(); ++i) {
    const Port& port = state.ports[i];
    if (port.direction == Direction::in || (port.extent == Extent::one && address == values.arrays[i])) continue;
    const std::uint64_t items = port.items(values.n);
    if (!overlap(address, size_of(scalar.type), 1, values.arrays[i], size_of(port.type), items)) continue;
    throw UsageError(fmt::format("'{}' ({}) lies within '{}' ({}, {} items of {}): use separate memory", scalar.name,
                                 address, port.name, values.arrays[i], items, name(port.type)));
  }
  if (!state.check_always && values.n > 0) state.scalars_are_checked.store(true, std::memory_order_relaxed);
}

// The arrays of a call of the short form. Throws UsageError where the problem has others.
runtime::CallValues in_and_out(const PlanState& state, const void* in, void* out, std::uint64_t n) {
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
    check_scalar({"initial", state.problem.accumulator}, *initial);
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
    check_scalar(state.scalars[i], value);
    call.values.scalars[i] = value.bytes.data();
  }
  runtime::run(state, call.values, stream, workspace);
}

}  // namespace

namespace runtime {

void run(const PlanState& state, const CallValues& values, Stream stream, const BorrowedWorkspace* workspace) {
  const NvtxRange range = range_of(state, values.n);
  if (!has_work(state, values.n)) return;
  check_arrays(state, values);
  start(state, {values, stream, state.steps}, workspace);
}

void run_from_memory(const PlanState& state, const CallValues& values, Stream stream,
                     const BorrowedWorkspace* workspace) {
  const NvtxRange range = range_of(state, values.n);
  if (!has_work(state, values.n)) return;
  check_arrays(state, values);
  CallValues addresses = values;  // the arguments are the addresses
  for (std::size_t i = 0; i < state.scalars.size(); ++i) {
    check_scalar_address(state, state.scalars[i], values.scalars[i], values);
    addresses.scalars[i] = static_cast<const void*>(&values.scalars[i]);
  }
  start(state, {addresses, stream, state.steps_with_scalars_in_memory(stream)}, workspace);
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

void Plan::run_from_memory(const void* in, void* out, std::uint64_t n, const void* initial, Stream stream) const {
  runtime::CallValues values = in_and_out(*state_, in, out, n);
  values.scalars[0] = initial;
  runtime::run_from_memory(*state_, values, stream, nullptr);
}

void Plan::run(const Arguments& arguments, Stream stream) const {
  run_by_name(*state_, arguments, stream, nullptr);
}

void Plan::run(const Arguments& arguments, Stream stream, const BorrowedWorkspace& workspace) const {
  run_by_name(*state_, arguments, stream, &workspace);
}

void Plan::prepare(const Arguments& arguments, Stream stream) const {
  if (runtime::resolve(state_->problem, arguments).scalars_in_memory) {
    static_cast<void>(state_->steps_with_scalars_in_memory(stream));
  }
  prepare(arguments.items(), stream);
}

void Plan::prepare(std::uint64_t n, Stream stream) const {
  const WorkspaceParts& parts = state_->parts;
  for (std::size_t part = 0; part < parts.count(); ++part) {
    state_->workspaces->prepare(state_->layouts[part], parts.bytes(part, n), stream);
  }
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
