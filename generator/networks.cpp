#include "generator/networks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/hash.hpp"
#include "generator/assemble.hpp"
#include "generator/names.hpp"

namespace upsweep {
namespace {

using Count = std::uint64_t;

constexpr Count warp = 32;

constexpr Count log2_of(Count n) {
  return static_cast<Count>(std::bit_width(n)) - 1;
}

// ---- closed forms, for n = 2^l places

constexpr Count depth_serial(Count n) {
  return n - 1;
}

constexpr Count depth_log2(Count n) {
  return log2_of(n);
}

// An upsweep of l levels and a downsweep of l - 2: its first level is beside the root.
constexpr Count depth_trees(Count n) {
  return n < 4 ? log2_of(n) : 2 * log2_of(n) - 2;
}

// One level more than the network of half as many places in the middle has, and one again.
constexpr Count depth_of_pairs(Count n) {
  return n < 8 ? log2_of(n) : log2_of(n) + 1;
}

constexpr Count size_kogge_stone(Count n) {
  return n * log2_of(n) - n + 1;
}

// Place i takes min(3, i / d) values in the step of distance d = 1, 4, 16, ...
constexpr Count size_radix_4(Count n) {
  const Count whole = log2_of(n) / 2;  // steps in which the last place takes three
  if (log2_of(n) % 2 == 0) return 3 * n * whole - 2 * (n - 1);
  return 3 * n * whole - n / 2 + 2;
}

constexpr Count size_sklansky(Count n) {
  return n / 2 * log2_of(n);
}

constexpr Count size_brent_kung(Count n) {
  return 2 * n - 2 - log2_of(n);
}

// n / 2 pairs, the network over them, and the n / 2 - 1 places between.
constexpr Count size_han_carlson(Count n) {
  return n < 2 ? 0 : n / 2 + size_kogge_stone(n / 2) + n / 2 - 1;
}

constexpr Count size_ladner_fischer(Count n) {
  return n < 2 ? 0 : n / 2 + size_sklansky(n / 2) + n / 2 - 1;
}

// As Brent-Kung. In a block that is not full, the last thread combines the total.
constexpr Count size_blelloch(Count n) {
  return n < 2 ? 0 : size_brent_kung(n) + (n < warp ? 1 : 0);
}

constexpr Count depth_blelloch(Count n) {
  return depth_trees(n) + (n > 2 && n < warp ? 1 : 0);
}

// Kogge-Stone in each warp, all totals of warps in each thread, and what is before a warp for each of its lanes but the
// first.
constexpr Count depth_warp_scans(Count n) {
  return log2_of(warp) + n / warp - 1;
}

constexpr Count size_warp_scans(Count n) {
  const Count warps = n / warp;
  return warps * size_kogge_stone(warp) + n * (warps - 1) + (warps - 1) * (warp - 1);
}

// Each lane folds its segment, Kogge-Stone scans the folds, and each lane goes over its segment again: all but the
// first lane have something before it. What the last call of a lane gives is not used.
constexpr Count size_raking_by(Count lanes, Count n) {
  return n - lanes + size_kogge_stone(lanes) + n - 1;
}

constexpr Count depth_raking_by(Count lanes, Count n) {
  return 2 * (n / lanes - 1) + log2_of(lanes);
}

constexpr std::array networks{
    ScanNetwork{"serial",
                "Place after place: each takes the result of the one before. The fewest calls, and the deepest.",
                "Merrill and Garland, NVR-2016-002, 2016, figure 1 (chained scan)", true, false, 2, 2, depth_serial,
                depth_serial},
    ScanNetwork{
        "kogge_stone",
        "Doubling distances: each place takes the value 1, 2, 4, ... places before. The least depth, each "
        "value is taken once in a step, and the most calls.",
        "Kogge and Stone, \"A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence "
        "Equations\", IEEE Transactions on Computers C-22 (8), 1973; Merrill and Garland, NVR-2016-002, 2016, figure 1",
        true, true, 2, 2, depth_log2, size_kogge_stone},
    ScanNetwork{
        "kogge_stone_radix_4",
        "Kogge-Stone of radix 4: each place takes up to three values 1, 4, 16, ... places apart. Half as many "
        "steps, each of two calls in a row, and more calls.",
        "Weste and Harris, \"CMOS VLSI Design\", 4th edition, 2011, section 11.2.2 (higher-valency tree adders); "
        "Merrill and Grimshaw, \"Parallel Scan for Stream Architectures\", CS2009-14, 2009",
        true, false, 4, 2, depth_log2, size_radix_4},
    ScanNetwork{"sklansky",
                "Divide and conquer: the upper half of a group takes the total of the lower half. The least depth, "
                "half the calls of Kogge-Stone, and one value is taken by up to n/2 places.",
                "Sklansky, \"Conditional-Sum Addition Logic\", IRE Transactions on Electronic Computers EC-9 (2), "
                "1960; Merrill and Garland, NVR-2016-002, 2016, figure 1",
                true, true, 2, 2, depth_log2, size_sklansky},
    ScanNetwork{"brent_kung",
                "A tree up and a tree down. About twice the depth of Kogge-Stone, and about two calls per place.",
                "Brent and Kung, \"A Regular Layout for Parallel Adders\", IEEE Transactions on Computers C-31 (3), "
                "1982; Merrill and Garland, NVR-2016-002, 2016, figure 1",
                true, true, 2, 2, depth_trees, size_brent_kung},
    ScanNetwork{"han_carlson",
                "Pairs, Kogge-Stone over the pairs, then the places between. Half the calls of Kogge-Stone, one level "
                "deeper.",
                "Han and Carlson, \"Fast Area-Efficient VLSI Adders\", 8th Symposium on Computer Arithmetic, 1987",
                true, false, 2, 2, depth_of_pairs, size_han_carlson},
    ScanNetwork{
        "ladner_fischer",
        "Pairs, Sklansky over the pairs, then the places between. One level deeper than Sklansky, with fewer "
        "calls.",
        "Ladner and Fischer, \"Parallel Prefix Computation\", Journal of the ACM 27 (4), 1980; Harris, \"A Taxonomy "
        "of Parallel Prefix Networks\", Asilomar 2003",
        true, false, 2, 2, depth_of_pairs, size_ladner_fischer},
    ScanNetwork{"hillis_steele", "Kogge-Stone in shared memory, between two buffers: one barrier per step.",
                "Hillis and Steele, \"Data Parallel Algorithms\", Communications of the ACM 29 (12), 1986; GPU Gems "
                "3, 2007, section 39.2.1",
                false, true, 2, 2, depth_log2, size_kogge_stone},
    ScanNetwork{"blelloch",
                "Upsweep and downsweep of an exclusive scan, by a tree in shared memory. As many calls as "
                "Brent-Kung, and one more for the total of a block that is not full.",
                "Blelloch, \"Prefix Sums and Their Applications\", CMU-CS-90-190, 1990; GPU Gems 3, 2007, section "
                "39.2.2",
                false, true, 2, 2, depth_blelloch, size_blelloch, ResultPlace::node},
    ScanNetwork{"blelloch_padded", "The same, at other addresses.", "GPU Gems 3, 2007, section 39.2.3", false, true, 2,
                2, depth_blelloch, size_blelloch, ResultPlace::node},
    ScanNetwork{"warp_scans",
                "Each warp scans its values, and each thread folds the totals of the warps (here with Kogge-Stone in "
                "each warp).",
                "Merrill, \"CUB: Collective Software Primitives\", GPU Technology Conference, 2014", false, true, 2, 32,
                depth_warp_scans, size_warp_scans},
    ScanNetwork{"raking",
                "Reduce-then-scan: each lane of a warp folds a segment, the warp scans the folds, and each lane goes "
                "over its segment again (here with Kogge-Stone in the warp).",
                "Merrill and Garland, NVR-2016-002, 2016, figure 1; Merrill, \"CUB: Collective Software Primitives\", "
                "GPU Technology "
                "Conference, 2014",
                false, true, 2, 32, [](Count n) { return depth_raking_by(32, n); },
                [](Count n) { return size_raking_by(32, n); }, ResultPlace::last},
    ScanNetwork{
        "raking_16", "The same by 16 lanes, with longer segments: four values each in a block of 64 threads.",
        "Merrill, \"CUB: Collective Software Primitives\", GPU Technology Conference, 2014 (16 threads x 4 items)",
        false, true, 2, 32, [](Count n) { return depth_raking_by(16, n); },
        [](Count n) { return size_raking_by(16, n); }, ResultPlace::last},
};

// ---- a network by itself

// What the kernel of a network combines: numbers of values. The operator asks the host for the number of the result.
constexpr const char* recorded_types = R"(#include "target/cuda.cuh"

struct Recorder {
  u32 (*call)(Recorder* recorder, u32 left, u32 right);
};

struct Recorded {
  Recorder* recorder;
  u32 value;
};

using Input = Recorded;

using Output = Recorded;

using Accumulator = Recorded;

using Value = Recorded;

using Local = Recorded;

struct Arguments {
  const Input* in;
  Output* out;
  u64 n;
};
)";

constexpr const char* recorded_operator = R"(#pragma once

#include "parameters.cuh"

__device__ __forceinline__ Value combine(Value a, Value b) {
  return {a.recorder, a.recorder->call(a.recorder, a.value, b.value)};
}
)";

void check_places(const ScanNetwork& network, int n) {
  if (n >= network.least && n <= network.most()) return;
  const char* const where = network.is_block_scan ? "the threads of a block" : "the lanes of a warp";
  throw UsageError(fmt::format("the network {} cannot scan {} values: it scans {} to {} values, one for each of {}",
                               network.name, n, network.least, network.most(), where));
}

}  // namespace

std::span<const ScanNetwork> scan_networks() {
  return networks;
}

const ScanNetwork& find_network(std::string_view name) {
  const auto* const found = std::ranges::find(networks, name, &ScanNetwork::name);
  if (found != networks.end()) return *found;
  std::vector<std::string> names;
  for (const ScanNetwork& network : networks) names.emplace_back(network.name);
  throw UsageError(unknown_name("network", name, names));
}

bool is_of_warp(const ScanNetwork& network, int n) {
  return network.is_warp_scan && n <= static_cast<int>(warp);
}

Source network_source(const ScanNetwork& network, int n) {
  check_places(network, n);
  const int lanes = static_cast<int>(warp);
  const int threads = std::has_single_bit(static_cast<unsigned>(n)) && n > lanes ? n : (n + lanes - 1) / lanes * lanes;
  const std::string scan(network.name);
  Recipe recipe;
  recipe.kernel = is_of_warp(network, n) ? "kernel/network.warp.cuh" : "kernel/network.block.cuh";
  recipe.roles = {{"warp/scan", is_of_warp(network, n) ? scan : "kogge_stone"},
                  {"block/scan", scan},
                  {"operator/operator", "recorded"}};
  recipe.definitions = {{"operator/operator.recorded.cuh", recorded_operator}};
  recipe.parameters = fmt::format("{}\nconstexpr int threads_per_block = {};\n", recorded_types, threads);
  recipe.launch = {
      .grid = GridRule::one_block, .threads_per_block = threads, .items_per_tile = static_cast<std::uint64_t>(threads)};
  Source source{.text = assemble(recipe, Target::host), .entry = "upsweep_kernel", .key = {}, .launch = recipe.launch};
  source.key = base::hash(source.text);
  return source;
}

}  // namespace upsweep
