// Reads configs that earlier versions have written, with the names of then and without parameters that came later.
#pragma once

#include <upsweep/config.hpp>
#include <upsweep/problem.hpp>

namespace upsweep {

// The config with today's names of schedules and values: `gather` became `all_aggregates`, and the packing `halves`
// became `packed_16x2`.
[[nodiscard]] Config with_present_names(Config config);

// The same, with the values that stand for parameters that the config lacks (Parameter::absent). All else is left as it
// is, also what is not valid.
[[nodiscard]] Config migrated(const Problem& problem, Config stored);

}  // namespace upsweep
