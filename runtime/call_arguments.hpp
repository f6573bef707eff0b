// The arguments of a call by name, resolved against the ports of its problem.
#pragma once

#include <optional>

#include <upsweep/arguments.hpp>
#include <upsweep/problem.hpp>

namespace upsweep::runtime {

struct ResolvedArguments {
  const void* in = nullptr;
  void* out = nullptr;
  std::optional<Scalar> initial;  // on the host; none: in memory, or the default
  bool initial_in_memory = false;
  const void* initial_address = nullptr;
};

// Throws UsageError for a name that the problem does not have, an array that is missing, and an output whose address is
// const.
[[nodiscard]] ResolvedArguments resolve(const Problem& problem, const Arguments& arguments);

}  // namespace upsweep::runtime
