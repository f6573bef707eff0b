// Who takes part in a comparison, ready to be called.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/compare.hpp"

namespace upsweep::bench {

struct Contestant {
  Who who = Who::upsweep;
  std::string label;
  std::uint64_t bytes = 0;  // that a call reads and writes
  tuner::Measurement::Call call;
};

// upsweep as chosen and, if that is another config, as built in; the peer if it knows the problem; memcpy and the plain
// copy (scans) or the plain read (reduces) of as many bytes as the problem must move, at aligned addresses whatever the
// offsets; an empty kernel. `chosen` is the plan that `upsweep` runs, for problem.size items. Calls keep what they need
// alive, but the engine and the plain kernels (which may be null) must outlive them.
[[nodiscard]] std::vector<Contestant> contestants(runtime::Engine& engine, const Problem& problem, const Plan& chosen,
                                                  const std::shared_ptr<const Peer>& peer, const PlainKernels* plain,
                                                  const CompareOptions& options);

}  // namespace upsweep::bench
