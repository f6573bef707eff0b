// The scan networks that templates/warp and templates/block have: what each is, and how deep and how large it is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <upsweep/source.hpp>

namespace upsweep {

// Which place a drawing gives to the result of an operator call: the thread that calls, the last of the inputs that are
// combined, or the node's place in Blelloch's tree.
enum class ResultPlace : std::uint8_t { thread, last, node };

// Places are lanes of a warp, or threads of a block with one value each. The counts are for n places, a power of two
// that the network takes; tuner/network_run.hpp has those of a run.
struct ScanNetwork {
  using Count = std::uint64_t (*)(std::uint64_t n);

  std::string_view name;
  std::string_view meaning;  // a sentence or two
  std::string_view source;   // paper, year, section or figure
  bool is_warp_scan;         // a value of the parameter warp_scan: up to 32 places
  bool is_block_scan;        // a value of the parameter block_scan: up to 1024 places
  int radix;                 // so many values come together in a step, at most
  int least;                 // places
  Count depth;               // operator calls on the longest path from an input to an output
  Count size;                // operator calls
  ResultPlace result = ResultPlace::thread;

  [[nodiscard]] int most() const { return is_block_scan ? 1024 : 32; }  // places
};

// Those of a warp first.
[[nodiscard]] std::span<const ScanNetwork> scan_networks();

// Throws UsageError that lists the names if there is none of that name.
[[nodiscard]] const ScanNetwork& find_network(std::string_view name);

// Whether n places are scanned by a warp: there are at most 32, and the network is one of a warp.
[[nodiscard]] bool is_of_warp(const ScanNetwork& network, int n);

// A kernel for the host device that runs the network's template once, on n places, with an operator that reports its
// calls; templates/kernel/network.*.cuh have its arguments. Throws UsageError if the network does not take n places.
[[nodiscard]] Source network_source(const ScanNetwork& network, int n);

}  // namespace upsweep
