#include "tuner/measure/sizes.hpp"

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"

namespace upsweep::tuner {

void check_size(const Problem& problem, const runtime::Device& device) {
  // A device that does not tell: what no device has, and what leaves room for the arithmetic on sizes.
  constexpr std::uint64_t more_than_any = std::uint64_t{1} << 56;
  const std::uint64_t known = device.limits().memory_bytes;
  const std::uint64_t memory = known == 0 || known > more_than_any ? more_than_any : known;
  const std::uint64_t in = input_bytes(problem, problem.size), out = output_bytes(problem, problem.size);
  if (in <= memory && out <= memory - in) return;
  throw UsageError(fmt::format("{} of {} items needs more memory than {} has ({} bytes): give smaller sizes",
                               to_string(problem), problem.size, device.label(), memory));
}

}  // namespace upsweep::tuner
