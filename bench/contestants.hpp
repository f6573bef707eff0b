// The contestants of a comparison, ready to be called: upsweep, a peer library, and kernels that are limits.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/compare.hpp"

namespace upsweep::bench {

struct Contestant {
  Who who = Who::upsweep;
  std::string label;
  std::uint64_t bytes = 0;  // that a call reads and writes
  tuner::TimedCall call;
  std::optional<Config> config = {};  // of upsweep's
};

// A call of a plan with problem.size items and the scalars of timed calls, off the slot's beginning by the offsets.
[[nodiscard]] tuner::TimedCall run_plan(Plan plan, const Problem& problem, const CompareOptions& options);

// upsweep as chosen and, if that is another config, as built in; the peer if it knows the problem; memcpy and the plain
// copy, or the plain read where all results are written at the end, of as many bytes as the problem must move, at
// aligned addresses whatever the offsets; an empty kernel. `chosen` is the plan that `upsweep` runs, for problem.size
// items; `written`: bytes of its results. Calls keep what they need alive, but the engine and the plain kernels (which
// may be null) must outlive them.
[[nodiscard]] std::vector<Contestant> contestants(runtime::Engine& engine, const Problem& problem, const Plan& chosen,
                                                  std::uint64_t written, const std::shared_ptr<const Peer>& peer,
                                                  const PlainKernels* plain, const CompareOptions& options);

// Adds the configs that rungs give, but for those that a contestant has already: equal configs are timed once. Returns
// the index of each rung's contestant, or nothing where the rung has no config.
[[nodiscard]] std::vector<std::optional<std::size_t>> add_rungs(std::vector<Contestant>& all, runtime::Engine& engine,
                                                                const Problem& problem,
                                                                std::span<const tuning_db::RungChoice> rungs,
                                                                const CompareOptions& options);

// Adds the configs of the options, each as a contestant of its own. Returns a cell for each, which says why where the
// config is not valid for the problem or does not compile, and the index of its contestant otherwise.
struct AddedConfig {
  ConfigCell cell;
  std::optional<std::size_t> contestant = {};
};
[[nodiscard]] std::vector<AddedConfig> add_configs(std::vector<Contestant>& all, runtime::Engine& engine,
                                                   const Problem& problem, const CompareOptions& options);

}  // namespace upsweep::bench
