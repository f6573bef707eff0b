#include "tests/support/port_rings.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "tests/support/by_key.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep::test {
namespace {

constexpr double kept_shares[] = {0.5, 0.03, 1, 0, 0.99};
constexpr double run_lengths[] = {8, 1, 300, 1.5, 1e18};

struct RingWay {
  const char* fill;
  const char* emit;
  const char* order;
  const char* descriptor;
  int stages, ahead, warps, vectors;
};

// Each pair of a way to fill and a way to emit; orders, descriptors and depths take turns.
constexpr RingWay ring_ways_of_ports[] = {
    {"bulk", "bulk", "ticket", "packed", 3, 1, 2, 1},
    {"async", "bulk_once", "strided", "split", 2, 0, 1, 3},
    {"bulk_once", "vectorized", "ticket", "split", 4, 2, 2, 1},
    {"async", "vectorized_once", "ticket", "packed", 5, 3, 1, 1},
    {"bulk", "vectorized", "strided", "packed", 3, 0, 2, 3},
    {"async", "bulk", "ticket", "split", 4, 1, 2, 1},
};

}  // namespace

std::vector<PortRing> port_rings() {
  const Problem problems[][2] = {
      {flagged_selection(less, Type::i32, Type::u8), reduction_by_key(plus, Type::f64, Type::u32)},
      {flagged_selection(not_equal_to, Type::f64, Type::u8), reduction_by_key(affine, Type::u64, Type::u8)},
      {flagged_selection(less, Type::u8, Type::i64), reduction_by_key(plus, Type::u8, Type::u64)},
      {flagged_selection(less, Type::u8, Type::u8), reduction_by_key(maximum, Type::i16, Type::u8)},
      {flagged_selection(less, Type::i16, Type::u32, Type::u32), reduction_by_key(affine, Type::u32, Type::u32)},
      {flagged_selection(not_equal_to, Type::c128, Type::i16), reduction_by_key(plus, Type::c128, Type::i16)}};
  std::vector<PortRing> found;
  for (std::size_t turn = 0; turn < std::size(ring_ways_of_ports); ++turn) {
    const RingWay& way = ring_ways_of_ports[turn];
    for (const Problem& problem : problems[turn]) {
      Config config{"lookahead",
                    {{"fill", way.fill},
                     {"emit", way.emit},
                     {"order", way.order},
                     {"descriptor", way.descriptor},
                     {"stages", way.stages},
                     {"reduce_ahead", way.ahead},
                     {"worker_warps", way.warps},
                     {"vectors_per_thread", way.vectors},
                     {"states_per_lane", turn % 3 == 0 ? 1 : 2}}};
      const std::string what =
          fmt::format("{}_{}_{}", name(problem.algorithm), name(problem.input), name(*problem.key));
      found.push_back({problem, std::move(config), fmt::format("{}_{}_{}", what, way.fill, way.emit)});
    }
  }
  return found;
}

std::uint64_t port_ring_items(const Plan& plan, int multiprocessors, std::uint64_t seed) {
  const LaunchRule& launch = plan.source().launch;
  return refilling_items(launch, plan.config(), multiprocessors) + seed * 37 % (2 * launch.items_per_tile);
}

std::optional<std::string> compact_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                               std::uint64_t seed, const Layout& layout) {
  if (plan.problem().algorithm == Algorithm::reduce_by_key) {
    return reduce_by_key_and_compare(device, plan, n, run_lengths[seed % std::size(run_lengths)], seed, layout);
  }
  return select_and_compare(device, plan, n, kept_shares[seed % std::size(kept_shares)], seed, layout);
}

std::optional<std::string> run_port_ring(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                         std::uint64_t seed) {
  return compact_and_compare(device, plan, n, seed / 2,
                             {.in_place = seed % 2 == 0,
                              .in_offset = static_cast<int>(seed * 3 % 7),
                              .out_offset = static_cast<int>(seed * 7 % 33)});
}

}  // namespace upsweep::test
