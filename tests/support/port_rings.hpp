// Problems of several arrays for the schedule lookahead: ways to fill, emit and claim, and runs that refill the rings.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>

#include "runtime/device.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

struct PortRing {
  Problem problem;
  Config config;
  std::string name;
};

inline void PrintTo(const PortRing& ring, std::ostream* out) {
  *out << ring.name;
}

// Each way to fill with each way to emit; orders, descriptors, depths and problems take turns.
[[nodiscard]] std::vector<PortRing> port_rings();

// Three tiles for each stage of each block, and some items that depend on the seed.
[[nodiscard]] std::uint64_t port_ring_items(const Plan& plan, int multiprocessors, std::uint64_t seed);

// Runs a selection or a reduction by key on data of the seed, of which it keeps nothing, a part or all, and compares
// with a plain loop. Empty: all is right.
[[nodiscard]] std::optional<std::string> compact_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                             std::uint64_t seed, const Layout& layout = {});

// The same for a ring. The seed also says where the arrays begin, and whether results replace the items.
[[nodiscard]] std::optional<std::string> run_port_ring(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                       std::uint64_t seed);

}  // namespace upsweep::test
