// Made-up trials to develop searches on: times of a rough model of a GPU over parts of the spaces there are.
#pragma once

#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// About `configs` valid configs of the schedules that suit; the times follow from occupancy, bytes in flight, waves of
// tiles, spills, latency of chains and what the strategies cost, with cliffs, interactions and a ruggedness that differ
// by problem and `seed`. A few in a hundred fail. No promise of likeness: it is as hard to search as the real ones, or
// harder.
[[nodiscard]] std::vector<tuning_db::Trial> made_up_trials(const Problem& problem, std::uint64_t seed,
                                                           std::size_t configs = 5000);

}  // namespace upsweep::tuner
