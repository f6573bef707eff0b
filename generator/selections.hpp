// What the algorithms select_if and select_flagged have in common: a predicate decides which items are kept.
#pragma once

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep {

// Throws UsageError unless the operator is a predicate on values of type `compared`, and the problem copies items and
// counts them.
void validate_selection(const Problem& problem, Type compared);

// A threshold for the tuner. Of data that lie all over the range of the type, about half are on either side of its
// middle. Those that are compared for equality are zero, or rarely not.
[[nodiscard]] Scalar middle_threshold(const Problem& problem, Type compared);

}  // namespace upsweep
