// Winners for the sizes beside a power of two. Nothing is searched: configs that are known to be good near such a size
// are timed in turn, with kinds of calls that the winner for the power of two was not measured with (other_calls).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "tuner/compile/compilations.hpp"
#include "tuner/session/trial_log.hpp"
#include "tuner/worker/runner.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuner {

struct SideParts {
  CompiledOnce& compilations;
  Runner& runner;
  tuning_db::Database& database;
};

// Configs for a contest at setting.problem.size, which is a typical one of the side (typical_sizes), without
// repetitions: those that are given, the winners of the same problem on the device at size classes at most one away,
// and if `unmeasured`, also defaults and seed configs of the schedules that suit the size. All are valid there.
[[nodiscard]] std::vector<Config> side_candidates(const Setting& setting, std::span<const Config> given,
                                                  std::span<const tuning_db::Winner> winners, bool unmeasured);

// Records the finalists, and the best as the winner for the side. False if none of the candidates compiles, is right
// and runs. A winner of the same environment takes part, and stays where it does not matter. What the compilations, the
// runner and the database throw passes through.
bool hold_side_contest(const Setting& setting, const SideParts& parts, std::span<const Config> candidates);

// Of a tune.
struct SidePass {
  runtime::Engine& engine;
  Problem problem;      // of any size
  std::string session;  // Trial::session
  bool restricted;      // only configs of the shortlists may win
};

// Configs that did well in a tune, by size.
using Shortlists = std::map<std::uint64_t, std::vector<Config>>;

// Contests for both sides of each power of two that has a shortlist, as far as the calling thread's work is not
// cancelled; returns how many had a winner. On a GPU, shipped winners and seed configs take part; on the host device,
// where compiling takes seconds, there are only the shortlist and winners of the database. What goes wrong is a
// warning, but for a DatabaseError: the winners for the powers of two serve.
int find_side_winners(const SidePass& pass, const SideParts& parts, const Shortlists& shortlists);

}  // namespace upsweep::tuner
