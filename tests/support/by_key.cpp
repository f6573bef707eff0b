#include "tests/support/by_key.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "tests/support/guarded_memory.hpp"

namespace upsweep::test {
namespace {

Problem reduce_of(const Problem& problem) {
  Problem reduce = make_problem(Algorithm::reduce, problem.op, problem.input, problem.accumulator);
  reduce.output = problem.output;
  return reduce;
}

// What lies there after a call that writes `results` from the beginning of the array on.
std::vector<std::byte> with_results(const GuardedMemory& memory, const std::vector<std::byte>& results, Stream stream) {
  std::vector<std::byte> all = memory.fetch(stream);
  std::copy(results.begin(), results.end(), all.begin() + static_cast<std::ptrdiff_t>(memory.offset()));
  return all;
}

}  // namespace

Problem reduction_by_key(Operator op, Type value, Type key) {
  Problem problem = make_problem(Algorithm::reduce_by_key, op, value, value);
  problem.key = key;
  return problem;
}

std::vector<std::byte> make_keys(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  const std::size_t size = size_of(*problem.key);
  std::mt19937_64 random(seed);
  std::vector<std::byte> keys(n * size);
  std::uint64_t key = random();
  for (std::uint64_t i = 0; i < n; ++i) {
    // Neighbouring runs differ in one bit, which may be any.
    if (static_cast<double>(random() >> 11) * run_length < 0x1p53) key ^= std::uint64_t{1} << random() % (8 * size);
    std::memcpy(&keys[i * size], &key, size);
  }
  return keys;
}

KeyedItems make_keyed_items(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  return {make_keys(problem, n, run_length, seed), make_data(reduce_of(problem), n, Data::random, seed)};
}

Runs runs_of(const Problem& problem, const KeyedItems& items, std::uint64_t n) {
  const std::size_t key = size_of(*problem.key), value = size_of(problem.input);
  const Problem reduce = reduce_of(problem);
  const Scalar start = identity(problem.op, problem.accumulator);
  const std::span<const std::byte> values = items.values;
  Runs runs;
  for (std::uint64_t first = 0, end = 0; first < n; first = end) {
    const std::byte* const own = &items.keys[first * key];
    for (end = first + 1; end < n && std::memcmp(own, &items.keys[end * key], key) == 0;) ++end;
    runs.unique.insert(runs.unique.end(), own, own + key);
    const std::vector<std::byte> fold =
        expected(reduce, values.subspan(first * value, (end - first) * value), end - first, start);
    runs.aggregates.insert(runs.aggregates.end(), fold.begin(), fold.end());
    ++runs.count;
  }
  return runs;
}

std::optional<std::string> reduce_by_key_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                                     double run_length, std::uint64_t seed, const Layout& layout,
                                                     Stream stream) {
  const KeyedItems items = make_keyed_items(plan.problem(), n, run_length, seed);
  return reduce_by_key_and_compare(device, plan, items, runs_of(plan.problem(), items, n), layout, stream);
}

std::optional<std::string> reduce_by_key_and_compare(runtime::Device& device, const Plan& plan, const KeyedItems& items,
                                                     const Runs& runs, const Layout& layout, Stream stream) {
  const Problem& problem = plan.problem();
  const std::size_t key = size_of(*problem.key), value = size_of(problem.input), result = size_of(problem.output);
  const std::uint64_t n = items.keys.size() / key;
  const bool values_in_place = layout.in_place && problem.input == problem.output;

  // Keys and values are off an aligned address by different numbers of items.
  const GuardedMemory keys(device, n * key, layout.in_offset * key, stream);
  const GuardedMemory values(device, n * value, 2 * layout.in_offset * value, stream);
  const GuardedMemory other_keys(device, n * key, layout.out_offset * key, stream);
  const GuardedMemory other_values(device, n * result, (layout.out_offset + 1) * result, stream);
  const GuardedMemory count(device, sizeof(std::uint64_t), 0, stream);
  const GuardedMemory& unique = layout.in_place ? keys : other_keys;
  const GuardedMemory& aggregates = values_in_place ? values : other_values;
  device.copy_to_device(keys.data(), items.keys.data(), items.keys.size(), stream);
  device.copy_to_device(values.data(), items.values.data(), items.values.size(), stream);
  const std::vector<std::byte> expected_keys = with_results(unique, runs.unique, stream);
  const std::vector<std::byte> expected_values = with_results(aggregates, runs.aggregates, stream);
  std::vector<std::byte> number(sizeof(std::uint64_t));
  std::memcpy(number.data(), &runs.count, number.size());
  const std::vector<std::byte> expected_count = with_results(count, number, stream);

  Arguments arguments(n);
  arguments.array("keys", static_cast<const void*>(keys.data()))
      .array("values", static_cast<const void*>(values.data()))
      .array("unique", unique.data())
      .array("aggregates", aggregates.data())
      .array("count", count.data());
  plan.run(arguments, stream);

  if (auto wrong = first_difference(expected_count, count.fetch(stream), "count", number.size())) return wrong;
  if (auto wrong = first_difference(expected_keys, unique.fetch(stream), "unique", key)) return wrong;
  return first_difference(expected_values, aggregates.fetch(stream), "aggregates", result);
}

}  // namespace upsweep::test
