// What algorithms with results for some items have in common.
#pragma once

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

namespace upsweep {

// Throws UsageError unless the operator is a predicate on values of type `compared`, and the accumulator is a type to
// count items in.
void validate_predicate(const Problem& problem, Type compared);

// Throws UsageError, too, unless results have the type of the items that they are copies of.
void validate_selection(const Problem& problem, Type compared);

// Throws UsageError unless the type is one to count or number items in. `what`: "counts items in the accumulator".
void validate_counter(const Problem& problem, Type type, std::string_view what);

// Whether a selection or partition has so few items that it is fastest with tiles of a few items per thread, all of
// which run at once.
[[nodiscard]] bool counts_few_items(const Problem& problem);

// A threshold for the tuner. Of data that lie all over the range of the type, about half are on either side of its
// middle. Those that are compared for equality are zero, or rarely not.
[[nodiscard]] Scalar middle_threshold(const Problem& problem, Type compared);

// A second threshold for the tuner: about half of the items that the predicate refuses with the first one, it takes
// with this one. Those that are compared for equality, it takes rarely.
[[nodiscard]] Scalar second_threshold(const Problem& problem, Type compared);

}  // namespace upsweep
