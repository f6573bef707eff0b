#include <upsweep/plan.hpp>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/space.hpp"
#include "generator/value_type.hpp"
#include "runtime/argument_bytes.hpp"
#include "runtime/call_arguments.hpp"
#include "runtime/engine.hpp"
#include "runtime/nvtx.hpp"

namespace upsweep {
namespace {

using runtime::PlanState;

std::uint64_t blocks_for(const PlanState& state, std::uint64_t n) {
  return state.kernel->source.launch.blocks(n, state.device->limits().multiprocessors);
}

// The blocks of a cooperative launch must fit on what serves the stream; others come and go.
std::uint64_t blocks_for(const PlanState& state, std::uint64_t n, Stream stream) {
  if (!state.launch.cooperative) return blocks_for(state, n);
  return state.kernel->source.launch.blocks(n, state.device->multiprocessors_of(stream));
}

std::uint64_t workspace_bytes_for(const PlanState& state, std::uint64_t n) {
  return state.kernel->source.workspace_bytes(n, state.device->limits().multiprocessors);
}

struct Call {
  const void* in;
  void* out;
  std::uint64_t n;
  const void* initial;  // address of the argument `initial`: of the value, or of its address
  Stream stream;
  const runtime::LoadedKernel& kernel;
};

void launch(const PlanState& state, const Call& call, std::uint64_t blocks, void* workspace) {
  runtime::ArgumentBytes arguments(call.kernel.source.arguments, call.in, call.out, call.n, call.initial, workspace);
  runtime::Launch launch = state.launch;
  launch.blocks = blocks;
  void* parameters[] = {arguments.data()};
  state.device->launch(*call.kernel.kernel, launch, parameters, call.stream);
}

// With a workspace of the context.
void start(const PlanState& state, const Call& call) {
  const std::uint64_t blocks = blocks_for(state, call.n, call.stream);
  const std::uint64_t bytes = workspace_bytes_for(state, call.n);
  const auto launch_with = [&](void* workspace) { launch(state, call, blocks, workspace); };
  if (bytes == 0) return launch_with(nullptr);
  state.workspaces->lend(state.layout, bytes, call.stream, launch_with);
}

// With a workspace of the caller.
void start(const PlanState& state, const Call& call, const BorrowedWorkspace& workspace) {
  const std::string& layout = state.kernel->source.workspace.layout;
  if (workspace.layout() != layout) {
    throw UsageError(
        fmt::format("the workspace has the layout '{}', but this plan needs the layout '{}': make the workspace with "
                    "borrow_workspace() of this plan",
                    workspace.layout(), layout));
  }
  const std::uint64_t blocks = blocks_for(state, call.n, call.stream);
  if (const std::uint64_t needed = workspace_bytes_for(state, call.n); workspace.bytes() < needed) {
    throw UsageError(
        fmt::format("the workspace has {} bytes, but {} items need {} bytes: call workspace_bytes() for the size",
                    workspace.bytes(), call.n, needed));
  }
  launch(state, call, blocks, workspace.memory());
}

// For a profiler, from the checks of a call to its launch.
runtime::NvtxRange range_of(const PlanState& state, std::uint64_t n) {
  return {state.range.empty() ? nullptr : state.range.c_str(), n};
}

// A scan of nothing does nothing; a reduce of nothing writes its initial value.
bool has_work(const PlanState& state, std::uint64_t n) {
  return n > 0 || state.has_finish;
}

void check_initial(const PlanState& state, const Scalar& initial) {
  if (initial.type == state.problem.accumulator) return;
  throw UsageError(
      fmt::format("the initial value has type {}, but the accumulator has type {}: pass a value of type {}",
                  name(initial.type), name(state.problem.accumulator), name(state.problem.accumulator)));
}

// The initial value of a call: the one that the caller passed, otherwise the identity of the operator. Throws
// UsageError if the algorithm needs an initial value and there is neither.
Scalar initial_or_identity(const PlanState& state, const std::optional<Scalar>& initial) {
  if (initial) return *initial;
  if (state.identity) return *state.identity;
  if (entry_of(state.problem).has_initial) {
    throw UsageError(fmt::format("the operator {} has no identity: pass an initial value", name(state.problem.op)));
  }
  Scalar unused;
  unused.type = state.problem.accumulator;
  return unused;
}

void check_not_null(const void* address, Type type, const char* what) {
  if (address != nullptr) return;
  throw UsageError(fmt::format("'{}' is null: pass the address of device memory for {} values", what, name(type)));
}

// Addresses are aligned to the whole of a value, of complex ones too.
void check_array(const PlanState& state, const void* address, Type type, const char* what) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment_of(type) != 0) {
    throw UsageError(fmt::format("'{}' ({}) is not aligned for {}: pass an address that is a multiple of {}", what,
                                 address, name(type), alignment_of(type)));
  }
  state.device->check_pointer(address, what);
}

// In place is allowed where each item of the result takes the place of one of the input.
void check_no_overlap(const PlanState& state, const void* in, const void* out, std::uint64_t n) {
  const std::uint64_t in_size = size_of(state.problem.input), out_size = size_of(state.problem.output);
  const std::uint64_t results = output_items(state.problem, n);
  const auto in_begin = reinterpret_cast<std::uintptr_t>(in), out_begin = reinterpret_cast<std::uintptr_t>(out);
  if (n == 0 || (in == out && in_size == out_size)) return;
  const bool overlap = out_begin >= in_begin ? (out_begin - in_begin) / in_size < n  // without a product that overflows
                                             : (in_begin - out_begin) / out_size < results;
  if (!overlap) return;
  throw UsageError(fmt::format(
      "'in' ({}, {} items of {}) and 'out' ({}, {} items of {}) overlap: use separate memory, or the same address for "
      "both if the items have the same size",
      in, n, name(state.problem.input), out, results, name(state.problem.output)));
}

// Null by every call, because it costs nothing; the rest by the first call of a plan, and by all if UPSWEEP_CHECK=1.
void check_arrays(const PlanState& state, const void* in, const void* out, std::uint64_t n) {
  if (n > 0) check_not_null(in, state.problem.input, "in");
  check_not_null(out, state.problem.output, "out");
  if (state.arrays_are_checked.load(std::memory_order_relaxed)) return;
  if (n > 0) check_array(state, in, state.problem.input, "in");
  check_array(state, out, state.problem.output, "out");
  check_no_overlap(state, in, out, n);
  if (!state.check_always) state.arrays_are_checked.store(true, std::memory_order_relaxed);
}

// The result of a reduce may take the place of its initial value. A scan writes results while other blocks may still
// read the initial value.
void check_initial_address(const PlanState& state, const void* initial, const void* out, std::uint64_t n) {
  const Type type = state.problem.accumulator;
  if (initial == nullptr) {
    throw UsageError(fmt::format("'initial' is null: pass the address of one {} value in device memory", name(type)));
  }
  if (state.initial_is_checked.load(std::memory_order_relaxed)) return;
  check_array(state, initial, type, "initial");
  const auto at = reinterpret_cast<std::uintptr_t>(initial), begin = reinterpret_cast<std::uintptr_t>(out);
  const std::uint64_t results = output_items(state.problem, n), size = size_of(state.problem.output);
  const bool apart = at >= begin ? (at - begin) / size >= results : begin - at >= size_of(type);
  if (!apart && (is_dense(state.problem) || at != begin)) {
    throw UsageError(fmt::format("'initial' ({}) lies within 'out' ({}, {} items of {}): use separate memory", initial,
                                 out, results, name(state.problem.output)));
  }
  if (!state.check_always) state.initial_is_checked.store(true, std::memory_order_relaxed);
}

}  // namespace

void Plan::run(const void* in, void* out, std::uint64_t n, Stream stream) const {
  run(in, out, n, initial_or_identity(*state_, std::nullopt), stream);
}

void Plan::run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream) const {
  const runtime::NvtxRange range = range_of(*state_, n);
  check_initial(*state_, initial);
  if (!has_work(*state_, n)) return;
  check_arrays(*state_, in, out, n);
  start(*state_, {in, out, n, initial.bytes.data(), stream, *state_->kernel});
}

void Plan::run(const void* in, void* out, std::uint64_t n, const Scalar& initial, Stream stream,
               const BorrowedWorkspace& workspace) const {
  const runtime::NvtxRange range = range_of(*state_, n);
  check_initial(*state_, initial);
  if (!has_work(*state_, n)) return;
  check_arrays(*state_, in, out, n);
  start(*state_, {in, out, n, initial.bytes.data(), stream, *state_->kernel}, workspace);
}

void Plan::run_from_memory(const void* in, void* out, std::uint64_t n, const void* initial, Stream stream,
                           const BorrowedWorkspace* workspace) const {
  const runtime::NvtxRange range = range_of(*state_, n);
  if (!has_work(*state_, n)) return;
  check_arrays(*state_, in, out, n);
  check_initial_address(*state_, initial, out, n);
  const Call call{
      in, out, n, static_cast<const void*>(&initial), stream, state_->kernel_with_initial_in_memory(stream)};
  workspace == nullptr ? start(*state_, call) : start(*state_, call, *workspace);
}

void Plan::run(const Arguments& arguments, Stream stream) const {
  const runtime::ResolvedArguments call = runtime::resolve(state_->problem, arguments);
  if (call.initial_in_memory) {
    return run_from_memory(call.in, call.out, arguments.items(), call.initial_address, stream, nullptr);
  }
  run(call.in, call.out, arguments.items(), initial_or_identity(*state_, call.initial), stream);
}

void Plan::run(const Arguments& arguments, Stream stream, const BorrowedWorkspace& workspace) const {
  const runtime::ResolvedArguments call = runtime::resolve(state_->problem, arguments);
  if (call.initial_in_memory) {
    return run_from_memory(call.in, call.out, arguments.items(), call.initial_address, stream, &workspace);
  }
  run(call.in, call.out, arguments.items(), initial_or_identity(*state_, call.initial), stream, workspace);
}

void Plan::prepare(const Arguments& arguments, Stream stream) const {
  if (runtime::resolve(state_->problem, arguments).initial_in_memory) {
    static_cast<void>(state_->kernel_with_initial_in_memory(stream));
  }
  prepare(arguments.items(), stream);
}

void Plan::prepare(std::uint64_t n, Stream stream) const {
  const std::uint64_t bytes = workspace_bytes_for(*state_, n);
  if (bytes > 0) state_->workspaces->prepare(state_->layout, bytes, stream);
}

std::uint64_t Plan::workspace_bytes(std::uint64_t n) const {
  return workspace_bytes_for(*state_, n);
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
  workspace.layout_ = state_->kernel->source.workspace.layout;
  if (bytes > 0) state_->device->fill(memory, 0, bytes, stream);
  return workspace;
}

const Problem& Plan::problem() const noexcept {
  return state_->problem;
}
const Config& Plan::config() const noexcept {
  return state_->choice.config;
}
const Source& Plan::source() const noexcept {
  return state_->kernel->source;
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

std::string tune_command(const Problem& problem) {
  std::string text =
      fmt::format("upsweep tune {} --op {} --type {}", name(problem.algorithm), name(problem.op), name(problem.input));
  const bool same_output = problem.output == problem.accumulator;
  // An accumulator that is not named is of the output type, if that is.
  if (problem.accumulator != problem.input || !same_output) {
    text += fmt::format(" --accumulate {}", name(problem.accumulator));
  }
  if (!same_output) text += fmt::format(" --output-type {}", name(problem.output));
  return text + fmt::format(" --size {}", problem.size);
}

std::string Plan::resources() const {
  if (state_->device->target() == Target::host)
    return "not known on the host device, which has no registers and no occupancy";
  const runtime::KernelResources found = state_->device->resources(*state_->kernel->kernel, state_->launch);
  return fmt::format("{} registers and {} bytes of local memory per thread, {} blocks per multiprocessor",
                     found.registers_per_thread, found.local_bytes_per_thread,
                     found.resident_blocks_per_multiprocessor);
}

std::string Plan::explain() const {
  const PlanState& state = *state_;
  const Source& source = state.kernel->source;
  std::string text = fmt::format("problem       {}, {} items\n", to_string(state.problem), state.problem.size);
  text += fmt::format("device        {} ({})\n", state.device->label(), state.device->identity().name);
  text += fmt::format("rung          {}: {}\n", rung(), state.choice.reason);
  text += fmt::format("config        {}\n", to_json(state.choice.config));
  text += fmt::format("kernel        {} ({})\n", source.key,
                      state.kernel->origin == runtime::Origin::disk ? "from the cache" : "compiled");
  text += fmt::format("launch        {} blocks of {} threads for {} items, {} bytes of workspace\n",
                      blocks_for(state, state.problem.size), source.launch.threads_per_block, state.problem.size,
                      workspace_bytes_for(state, state.problem.size));
  text += fmt::format("resources     {}\n", resources());
  text += fmt::format("reproducible  {}\n", reproducible() ? "yes" : "no");
  const bool is_built_in = entry_of(state.problem.op).is_built_in() && entry_of(state.problem.input).is_built_in() &&
                           entry_of(state.problem).is_built_in();
  text += fmt::format("to tune it    {}\n", is_built_in ? tune_command(state.problem)
                                                        : "upsweep::tune() in the program that has the definitions");
  return text;
}

}  // namespace upsweep
