// What a plan holds, and its calls.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/port.hpp>

#include "generator/workspace_parts.hpp"
#include "runtime/argument_bytes.hpp"
#include "runtime/device.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/workspaces.hpp"
#include "tuning-db/choose.hpp"

namespace upsweep::runtime {

// What the plans of a context run on, and how. They do not hold the engine: the engine keeps plans.
struct PlanSetting {
  std::shared_ptr<Device> device;
  std::shared_ptr<Workspaces> workspaces;
  std::shared_ptr<KernelStore> kernels;
  bool dependent_launch = true;
  bool nvtx = false;          // calls have NVTX ranges
  bool check_always = false;  // the addresses of every call, not only of a plan's first
};

struct PlanState : PlanSetting {
  Problem problem;
  int multiprocessors = 0;  // that the plan was made for: all of the device's, or those of a stream's partition
  tuning_db::Choice choice;
  LoadedSteps steps;
  std::optional<Scalar> identity;  // of the operator, in the accumulator type; none: it has none
  // Made ready, so that a call has but little to do:
  std::vector<Launch> launches;        // of each step, but for the number of blocks
  WorkspaceParts parts;                // of the workspace
  std::vector<std::uint32_t> layouts;  // the number by which the workspaces know each part's
  std::string layout;                  // of all parts, as BorrowedWorkspace has it
  bool has_finish = false;             // a call of no items writes something
  std::vector<Port> ports;             // of the problem
  std::vector<ScalarPort> scalars;
  std::uint64_t most_items = 0;  // that the counts and indices of a call can tell
  bool has_in_and_out = false;   // these two arrays and no others, and no scalar but an initial value
  std::string range;             // name of the NVTX range of a call; empty: calls have no NVTX range
  mutable std::atomic<bool> arrays_are_checked{false};   // where not always
  mutable std::atomic<bool> ends_are_checked{false};     // likewise, of segments that are given by pairs
  mutable std::atomic<bool> scalars_are_checked{false};  // likewise, of scalars in device memory

  // The kernels of calls with options, compiled by the first call that asks. Throws DeviceError where one is not
  // compiled and the stream is being captured.
  [[nodiscard]] const LoadedSteps& steps_with(const SourceOptions& options, Stream stream) const;

  // The plan that takes a call with such extents: this one, unless its kernel is for axes with another number of items
  // behind them (LaunchRule::row_columns). Then one of a schedule that takes all axes, which the first such call makes.
  // Throws as steps_with does.
  [[nodiscard]] const PlanState& plan_for(const CallValues& values, Stream stream) const;

 private:
  struct Variant {
    std::atomic<const LoadedSteps*> known{nullptr};
    LoadedSteps owner;  // guarded by the mutex until it is not empty, constant from then on
  };
  mutable std::array<Variant, 8> variants_;  // by the options
  mutable std::mutex variants_mutex_;
  mutable std::atomic<const PlanState*> known_of_all_axes_{nullptr};
  mutable std::shared_ptr<const PlanState> of_all_axes_;  // guarded by the mutex until it is set, constant from then on
};

// Compiles the kernels of a choice, on the device or a part of so many multiprocessors. `advice`: what compiles them
// before a capture. Throws DeviceError where they are not compiled and the stream is being captured.
[[nodiscard]] std::shared_ptr<const PlanState> make_plan_state(const PlanSetting& setting, const Problem& problem,
                                                               tuning_db::Choice choice, int multiprocessors,
                                                               Stream stream, const char* advice);

// One call of a plan, with addresses in the order of its ports. Checks the arrays (plan.hpp: "Address checks"), not the
// types of scalars. `workspace`: null for one of the context's. Throws UsageError and DeviceError.
void run(const PlanState& state, const CallValues& values, Stream stream, const BorrowedWorkspace* workspace);
// The same with all scalars in device memory, at these addresses.
void run_from_memory(const PlanState& state, const CallValues& values, Stream stream,
                     const BorrowedWorkspace* workspace);

// The initial value of a call that passes none: the identity of the operator. Throws UsageError where there is none.
[[nodiscard]] const Scalar& default_initial(const PlanState& state);

// What the rule asks for beyond the number of blocks; dependent only if the context allows it.
[[nodiscard]] Launch launch_of(const LaunchRule& rule, bool dependent_launch);

}  // namespace upsweep::runtime
