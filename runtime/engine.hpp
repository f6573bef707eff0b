// What a context is made of: device, compiler, kernels, workspaces, plans. Internal; the tuner and the command use it
// to run configs of their own choice.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include <upsweep/context.hpp>
#include <upsweep/plan.hpp>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/compiler.hpp"
#include "runtime/device.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/wanted_log.hpp"
#include "runtime/workspaces.hpp"
#include "tuning-db/choose.hpp"

namespace upsweep::runtime {

// Holds what it runs on, but not the engine: the engine keeps plans.
struct PlanState {
  std::shared_ptr<Device> device;
  std::shared_ptr<Workspaces> workspaces;
  Problem problem;
  tuning_db::Choice choice;
  std::shared_ptr<const LoadedKernel> kernel;
  Scalar identity;  // of the operator, in the accumulator type
  // Made ready, so that a call has but little to do:
  Launch launch;             // but for the number of blocks
  std::uint32_t layout = 0;  // the number by which the workspaces know the kernel's
};

// What the rule asks for beyond the number of blocks; dependent only if the context allows it.
[[nodiscard]] Launch launch_of(const LaunchRule& rule, bool dependent_launch);

class Engine {
 public:
  struct Parts {
    std::shared_ptr<Device> device;
    std::shared_ptr<Compiler> compiler;
    BinaryCache::Options cache;
    std::filesystem::path database;  // empty: shipped results only
    std::filesystem::path pinned;    // not empty: this file alone decides, whatever `database` and the library hold
    bool record_wanted = false;      // plans that stand on a rung below exact are noted in `database`
    bool reproducible = false;
    bool dependent_launch = true;
    std::optional<Config> forced;
  };
  explicit Engine(Parts parts);

  // Device, compiler, cache and database as the options and the environment say.
  [[nodiscard]] static Parts parts(const ContextOptions& options);
  [[nodiscard]] static std::shared_ptr<Engine> open(const ContextOptions& options);

  [[nodiscard]] Device& device() const noexcept { return *parts_.device; }
  [[nodiscard]] Compiler& compiler() const noexcept { return *parts_.compiler; }
  [[nodiscard]] const std::filesystem::path& database() const noexcept { return parts_.database; }
  [[nodiscard]] const BinaryCache::Options& cache() const noexcept { return parts_.cache; }
  [[nodiscard]] Environment environment() const;
  [[nodiscard]] KernelStore& kernels() noexcept { return kernels_; }
  [[nodiscard]] Workspaces& workspaces() noexcept { return *workspaces_; }

  // The config for a problem, with its rung and reason; nothing is compiled.
  [[nodiscard]] tuning_db::Choice choose(const Problem& problem);

  [[nodiscard]] Plan plan(const Problem& problem, Stream stream);
  [[nodiscard]] Plan plan(const Problem& problem, const Config& config, Stream stream);

  // Forgets winners, but for pinned ones, and plans; compiled kernels stay.
  void refresh();

 private:
  [[nodiscard]] std::shared_ptr<const PlanState> make_plan(const Problem& problem, tuning_db::Choice choice,
                                                           Stream stream);
  // All that may serve the problem, and others that were asked for before.
  [[nodiscard]] const std::vector<tuning_db::Winner>& winners_for(const Problem& problem);
  // None where results of the current environment are not to go before others, or there is no compiler to ask.
  [[nodiscard]] std::optional<Environment> preferred_environment() const;

  Parts parts_;
  KernelStore kernels_;
  std::shared_ptr<Workspaces> workspaces_;
  std::mutex winners_mutex_;
  std::optional<std::vector<tuning_db::Winner>> winners_;
  std::vector<Problem> known_for_;  // whose winners, and others' that may serve them, are among them
  std::shared_mutex plans_mutex_;
  std::unordered_map<std::uint64_t, Plan> plans_;  // by problem and size class, packed
  std::unique_ptr<WantedLog> wanted_;              // null: not to be noted
};

}  // namespace upsweep::runtime
