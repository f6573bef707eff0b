// What single-pass scans with one tile per block have in common. They differ in how a tile gets its exclusive prefix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generator/algorithm.hpp"
#include "generator/described_schedule.hpp"
#include "generator/tile_constraints.hpp"
#include "generator/tile_parameters.hpp"
#include "generator/tile_storage.hpp"

namespace upsweep::scan_tiles {

extern const CountParameter delay_nanoseconds;

struct Values : tiles::ScanValues {
  tiles::Descriptor descriptor = tiles::Descriptor::packed;
  std::int64_t delay_nanoseconds = 0;

  template <typename Self, typename Visitor>
  static void visit_own(Self& values, const Problem& problem, Visitor&& visitor) {
    visitor(values.threads_per_block, tiles::threads_per_block);
    visitor(values.items_per_thread, tiles::items_per_thread);
    visitor(values.minimum_blocks, tiles::minimum_blocks);
    visitor(values.load, tiles::load);
    visitor(values.store, tiles::store(problem));
    visitor(values.warp_scan, tiles::warp_scan_of(problem));
    visitor(values.block_scan, tiles::block_scan);
    visitor(values.descriptor, tiles::descriptor);
    visitor(values.prefetch, tiles::prefetch);
    visitor(values.delay_nanoseconds, scan_tiles::delay_nanoseconds);
  }
  template <typename Self, typename Visitor>
  static void visit(Self& values, const Problem& problem, Visitor&& visitor) {
    visit_own(values, problem, visitor);
    LaunchValues::visit(values, problem, visitor);
  }
};

[[nodiscard]] Values default_values(const Problem& problem, const DeviceLimits& limits);

// `warps`: how many warps of a block compute the exclusive prefix of its tile.
[[nodiscard]] std::vector<std::string> violations(const Problem& problem, const Values& values,
                                                  const DeviceLimits& limits, std::int64_t warps);
[[nodiscard]] Recipe recipe(const Problem& problem, const Values& values, std::int64_t warps);

// A schedule of that kind.
template <typename V>
class TileScan : public DescribedSchedule<V> {
 public:
  using DescribedSchedule<V>::DescribedSchedule;

  [[nodiscard]] bool supports(const Problem& problem) const final { return is_scanned(problem); }
  [[nodiscard]] std::vector<Constraint> constraints(const Problem&) const final {
    return tiles::tile_constraints("`prefetch=bulk` needs compute capability 9.0.");
  }
};

}  // namespace upsweep::scan_tiles
