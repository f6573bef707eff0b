#include "tests/support/partitions.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "tests/support/selection.hpp"

namespace upsweep::test {
namespace {

using Items = std::vector<std::byte>;

Items count_of(std::uint64_t bytes, const Problem& problem) {
  const std::uint64_t items = bytes / size_of(problem.input);
  Items count(size_of(problem.accumulator));
  std::memcpy(count.data(), &items, count.size());  // little-endian
  return count;
}

// Calls `take(item)` for each item, with the address of the item.
template <typename Take>
void for_each_item(const Items& items, std::size_t size, const Take& take) {
  for (std::size_t at = 0; at < items.size(); at += size) take(items.data() + at);
}

PortCase of_one_output(const Problem& problem, std::uint64_t n, const Selection& selection) {
  const std::size_t size = size_of(problem.input);
  std::vector<Items> behind;
  Items out;
  for_each_item(selection.items, size, [&](const std::byte* item) {
    if (holds(problem.op, problem.input, item, selection.threshold.bytes.data())) {
      out.insert(out.end(), item, item + size);
    } else {
      behind.emplace_back(item, item + size);
    }
  });
  const Items count = count_of(out.size(), problem);
  if (problem.algorithm == Algorithm::partition) std::reverse(behind.begin(), behind.end());
  for (const Items& item : behind) out.insert(out.end(), item.begin(), item.end());
  return {.n = n,
          .inputs = {{"in", selection.items}},
          .scalars = {{"threshold", selection.threshold}},
          .results = {{"out", out}, {"count", count}}};
}

PortCase three_way_case(const Problem& problem, std::uint64_t n, const Selection& selection, std::uint64_t seed) {
  const std::size_t size = size_of(problem.input);
  Scalar second_threshold = selection.threshold;
  if (n > 0) std::memcpy(second_threshold.bytes.data(), &selection.items[(seed * 7919 % n) * size], size);
  Items first, second, rest;
  for_each_item(selection.items, size, [&](const std::byte* item) {
    const auto is_taken = [&](const Scalar& threshold) {
      return holds(problem.op, problem.input, item, threshold.bytes.data());
    };
    Items& part = is_taken(selection.threshold) ? first : is_taken(second_threshold) ? second : rest;
    part.insert(part.end(), item, item + size);
  });
  return {.n = n,
          .inputs = {{"in", selection.items}},
          .scalars = {{"threshold", selection.threshold}, {"second_threshold", second_threshold}},
          .results = {{"first", first},
                      {"second", second},
                      {"rest", rest},
                      {"first_count", count_of(first.size(), problem)},
                      {"second_count", count_of(second.size(), problem)},
                      {"rest_count", count_of(rest.size(), problem)}}};
}

}  // namespace

PortCase make_partition_case(const Problem& problem, std::uint64_t n, double items_each, std::uint64_t seed) {
  const Selection selection = make_selection(problem, n, 1 / items_each, seed);
  switch (problem.algorithm) {
    case Algorithm::partition:
    case Algorithm::stable_partition:
      return of_one_output(problem, n, selection);
    case Algorithm::three_way_partition:
      return three_way_case(problem, n, selection, seed);
    default:
      throw std::logic_error("the tests have no plain loop for " + to_string(problem));
  }
}

}  // namespace upsweep::test
