// The arguments of a call by name, resolved against the ports of its problem.
#pragma once

#include <array>
#include <optional>

#include <upsweep/arguments.hpp>
#include <upsweep/problem.hpp>

#include "runtime/argument_bytes.hpp"

namespace upsweep::runtime {

struct ResolvedArguments {
  CallValues values;  // but for the scalars
  bool scalars_in_memory = false;
  std::array<std::optional<Scalar>, most_scalars> scalars;      // on the host; none: in memory, or the default
  std::array<const void*, most_scalars> scalar_addresses = {};  // of those in memory
};

void set_items(CallValues& values, const Items& items);
// Throws UsageError if all rows together have too many items.
void set_rows(CallValues& values, const Rows& rows);
// Throws UsageError if the array has too many items.
void set_axis(CallValues& values, const Axis& axis);
// Throws UsageError if there are more segments than offsets can tell.
void set_segments(CallValues& values, const Segments& segments);

// Throws UsageError that says what the plan of a problem that is not flat needs.
[[noreturn]] void need_shape(const Problem& problem);

// Throws UsageError for a name that the problem does not have, an array that is missing, an output whose address is
// const, and scalars of which some are in memory and others are not. Throws it, too, for a call of another
// shape than the problem's, and for offsets of another type than the problem's.
[[nodiscard]] ResolvedArguments resolve(const Problem& problem, const Arguments& arguments);

}  // namespace upsweep::runtime
