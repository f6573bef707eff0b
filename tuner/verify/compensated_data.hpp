// Test data of sums with an error term.
#pragma once

#include <upsweep/problem.hpp>

#include "tuner/verify/test_items.hpp"

namespace upsweep::tuner {

// What rounds in a plain sum, and in no association of sums with an error term: a few large items that come and go, and
// small ones. Of up to 2^22 items the error terms are exact, so that the results are the same to the bit.
[[nodiscard]] Next compensated_sums(const Problem& problem, Random& random);

// An initial value that goes with them.
[[nodiscard]] double compensated_initial(const Problem& problem);

}  // namespace upsweep::tuner
