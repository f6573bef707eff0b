#include "tests/support/runs.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "generator/algorithm.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/selection.hpp"

namespace upsweep::test {
namespace {

using Bytes = std::vector<std::byte>;

void append(Bytes& to, const Bytes& items, std::size_t size, std::uint64_t i) {
  const std::byte* const item = items.data() + i * size;
  to.insert(to.end(), item, item + size);
}

void append_number(Bytes& to, std::uint64_t number, std::size_t size) {
  const std::size_t at = to.size();
  to.resize(at + size);
  std::memcpy(to.data() + at, &number, size);  // little-endian: the first bytes are those of a narrower number
}

Bytes number_of(std::uint64_t number, Type type) {
  Bytes bytes;
  append_number(bytes, number, size_of(type));
  return bytes;
}

// Where runs of items of a type begin, and n.
std::vector<std::uint64_t> run_ends(Operator op, Type type, const Bytes& items, std::uint64_t n) {
  const std::size_t size = size_of(type);
  std::vector<std::uint64_t> ends;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i == 0 || !holds(op, type, &items[(i - 1) * size], &items[i * size])) ends.push_back(i);
  }
  ends.push_back(n);
  return ends;
}

PortCase unique_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  const Bytes items = make_keys(problem.input, n, run_length, seed);
  const std::vector<std::uint64_t> ends = run_ends(problem.op, problem.input, items, n);
  Bytes first;
  for (std::size_t run = 0; run + 1 < ends.size(); ++run) append(first, items, size_of(problem.input), ends[run]);
  return {.n = n,
          .inputs = {{"in", items}},
          .results = {{"out", first}, {"count", number_of(ends.size() - 1, problem.accumulator)}},
          .in_place = {{"out", "in"}}};
}

PortCase unique_by_key_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  const Bytes keys = make_keys(*problem.key, n, run_length, seed);
  const Bytes values = make_keys(problem.input, n, 1, seed + 1);
  const std::vector<std::uint64_t> ends = run_ends(problem.op, *problem.key, keys, n);
  Bytes unique, out;
  for (std::size_t run = 0; run + 1 < ends.size(); ++run) {
    append(unique, keys, size_of(*problem.key), ends[run]);
    append(out, values, size_of(problem.input), ends[run]);
  }
  return {.n = n,
          .inputs = {{"keys", keys}, {"values", values}},
          .results = {{"unique", unique}, {"out", out}, {"count", number_of(ends.size() - 1, problem.accumulator)}},
          .in_place = {{"unique", "keys"}, {"out", "values"}}};
}

PortCase run_length_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  const Bytes items = make_keys(problem.input, n, run_length, seed);
  const std::vector<std::uint64_t> ends = run_ends(problem.op, problem.input, items, n);
  Bytes last, lengths;
  for (std::size_t run = 0; run + 1 < ends.size(); ++run) {
    append(last, items, size_of(problem.input), ends[run + 1] - 1);
    append_number(lengths, ends[run + 1] - ends[run], size_of(problem.output));
  }
  return {.n = n,
          .inputs = {{"in", items}},
          .results = {{"unique", last}, {"lengths", lengths}, {"count", number_of(ends.size() - 1, Type::u64)}},
          .in_place = {{"unique", "in"}}};
}

PortCase nontrivial_runs_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  const Bytes items = make_keys(problem.input, n, run_length, seed);
  const std::vector<std::uint64_t> ends = run_ends(problem.op, problem.input, items, n);
  Bytes offsets, lengths;
  std::uint64_t count = 0;
  for (std::size_t run = 0; run + 1 < ends.size(); ++run) {
    if (ends[run + 1] - ends[run] < 2) continue;
    append_number(offsets, ends[run], size_of(problem.output));
    append_number(lengths, ends[run + 1] - ends[run], size_of(problem.output));
    ++count;
  }
  PortCase call{.n = n,
                .inputs = {{"in", items}},
                .results = {{"offsets", offsets}, {"lengths", lengths}, {"count", number_of(count, Type::u64)}}};
  // The seeds take turns with what takes the place of the items.
  if (size_of(problem.input) == size_of(problem.output)) call.in_place = {{seed % 4 < 2 ? "offsets" : "lengths", "in"}};
  return call;
}

PortCase difference_case(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  const Bytes items = make_data(problem, n, Data::random, seed);
  return {.n = n, .inputs = {{"in", items}}, .results = {{"out", expected_differences(problem, items, n)}}};
}

PortCase nonzero_case(const Problem& problem, std::uint64_t n, double items_each, std::uint64_t seed) {
  const Problem same = selection(problem.op, problem.input);
  const Selection selection = make_selection(same, n, 1 / items_each, seed);
  Bytes out;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::byte* const item = &selection.items[i * size_of(problem.input)];
    if (!holds(problem.op, problem.input, item, selection.threshold.bytes.data())) continue;
    append_number(out, i, size_of(problem.output));
    ++count;
  }
  return {.n = n,
          .inputs = {{"in", selection.items}},
          .scalars = {{"threshold", selection.threshold}},
          .results = {{"out", out}, {"count", number_of(count, problem.accumulator)}}};
}

PortCase scan_by_key_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  const bool inclusive = problem.algorithm == Algorithm::inclusive_scan_by_key;
  Problem scan = make_problem(inclusive ? Algorithm::inclusive_scan : Algorithm::exclusive_scan, problem.op,
                              problem.input, problem.accumulator);
  scan.output = problem.output;
  Problem of_accumulators = scan;
  of_accumulators.input = problem.accumulator;
  Scalar initial{.type = problem.accumulator};
  const Bytes item = make_data(of_accumulators, 1, Data::random, seed + 1);
  std::copy(item.begin(), item.end(), initial.bytes.begin());

  const Bytes keys = make_keys(*problem.key, n, run_length, seed);
  const Bytes values = make_data(scan, n, Data::random, seed);
  const std::size_t size = size_of(problem.input);
  Bytes out;
  std::uint64_t first = 0;
  for (const std::uint64_t end : run_ends(equal_to, *problem.key, keys, n)) {
    const Bytes results =
        expected(scan, std::span(values).subspan(first * size, (end - first) * size), end - first, initial);
    out.insert(out.end(), results.begin(), results.end());
    first = end;
  }
  PortCase call{.n = n, .inputs = {{"keys", keys}, {"values", values}}, .results = {{"out", out}}};
  if (!inclusive) call.scalars.emplace("initial", initial);
  if (size == size_of(problem.output)) call.in_place.emplace("out", "values");
  return call;
}

}  // namespace

Problem runs_of_type(Algorithm algorithm, Operator predicate, Type type, std::optional<Type> key) {
  return problem_of(algorithm, predicate, type, {}, {}, key);
}

// Loads, exchanges and stores are those of selections and reductions by key; what differs is what items contribute and
// emit, which each schedule does in its own way.
std::vector<Strategy> run_strategies(const DeviceLimits& limits) {
  const std::vector<Problem> problems = {runs_of_type(Algorithm::unique, equal_to, Type::i32),
                                         runs_of_type(Algorithm::nonzero, not_equal_to, Type::u8),
                                         runs_of_type(Algorithm::run_length_encode, equal_to, Type::u32),
                                         runs_of_type(Algorithm::nontrivial_runs, equal_to, Type::u32),
                                         runs_of_type(Algorithm::unique_by_key, equal_to, Type::f64, Type::u16),
                                         runs_of_type(Algorithm::partition, less, Type::i32),
                                         runs_of_type(Algorithm::partition, greater, Type::u8),
                                         runs_of_type(Algorithm::inclusive_scan_by_key, affine, Type::u32, Type::u8),
                                         runs_of_type(Algorithm::exclusive_scan_by_key, plus, Type::f32, Type::u32),
                                         runs_of_type(Algorithm::adjacent_difference, minus, Type::i32)};
  std::vector<Strategy> all = strategies(problems, limits, Tiles::small);
  std::erase_if(all, [](const Strategy& strategy) {
    const Algorithm algorithm = strategy.problem.algorithm;
    const bool has_two = tile_outputs(strategy.problem).size() == 2 && algorithm != Algorithm::nontrivial_runs;
    const auto is_of = [&](const char* value) { return strategy.name.find(value) != std::string::npos; };
    const bool moves = algorithm == Algorithm::adjacent_difference && (is_of("load") || is_of("store"));
    return !is_of("default") && !moves && !(has_two && (is_of("store") || is_of("emit") || is_of("block_scan")));
  });
  return all;
}

PortCase make_runs_case(const Problem& problem, std::uint64_t n, double run_length, std::uint64_t seed) {
  switch (problem.algorithm) {
    case Algorithm::unique:
      return unique_case(problem, n, run_length, seed);
    case Algorithm::unique_by_key:
      return unique_by_key_case(problem, n, run_length, seed);
    case Algorithm::run_length_encode:
      return run_length_case(problem, n, run_length, seed);
    case Algorithm::nontrivial_runs:
      return nontrivial_runs_case(problem, n, run_length, seed);
    case Algorithm::adjacent_difference:
      return difference_case(problem, n, seed);
    case Algorithm::nonzero:
      return nonzero_case(problem, n, run_length, seed);
    case Algorithm::partition:
    case Algorithm::three_way_partition:
    case Algorithm::stable_partition:
      return make_partition_case(problem, n, run_length, seed);
    case Algorithm::inclusive_scan_by_key:
    case Algorithm::exclusive_scan_by_key:
      return scan_by_key_case(problem, n, run_length, seed);
    default:
      throw std::logic_error("the tests have no plain loop for " + to_string(problem));
  }
}

}  // namespace upsweep::test
