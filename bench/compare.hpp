// One run of upsweep, another library and the machine's limits, interleaved, so that their ratios mean something.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>

#include "bench/peer.hpp"
#include "runtime/engine.hpp"

namespace upsweep::bench {

// What one contestant took at one size.
struct Row {
  std::string who;  // "upsweep", "upsweep default", "CUB 3.0.1", "memcpy"
  double median_us = 0;
  double lowest_us = 0;
  double highest_us = 0;
  double gigabytes_per_second = 0;  // of input read and output written; memcpy moves as many bytes
};

struct Comparison {
  Problem problem;  // with its size
  std::string rung;
  std::string config;
  std::vector<Row> rows;
};

// Calls back to back, cold (rotating through more than four times the L2 cache), all contestants in turn, `samples`
// times; medians. The peer may be null or not know the problem; its rows are then missing.
[[nodiscard]] Comparison compare(runtime::Engine& engine, const Problem& problem, const Peer* peer, int samples);

}  // namespace upsweep::bench
