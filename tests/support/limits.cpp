#include "tests/support/limits.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <upsweep/port.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/port_case.hpp"
#include "tests/support/runs.hpp"
#include "tests/support/selection.hpp"

namespace upsweep::test {
namespace {

std::vector<std::byte> bytes_of(std::uint64_t count) {
  std::vector<std::byte> bytes(sizeof count);
  std::memcpy(bytes.data(), &count, sizeof count);
  return bytes;
}

PortCase selection_case(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  const Selection selection = make_selection(problem, n, 0.4, seed);
  const std::vector<std::byte> out = selected(problem, selection);
  return {.n = n,
          .inputs = {{"in", selection.items}},
          .scalars = {{"threshold", selection.threshold}},
          .results = {{"out", out}, {"count", bytes_of(out.size() / size_of(problem.input))}},
          .in_place = {{"out", "in"}}};
}

PortCase by_key_case(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  const KeyedItems items = make_keyed_items(problem, n, 3, seed);
  const Runs runs = runs_of(problem, items, n);
  return {.n = n,
          .inputs = {{"keys", items.keys}, {"values", items.values}},
          .results = {{"unique", runs.unique}, {"aggregates", runs.aggregates}, {"count", bytes_of(runs.count)}},
          .in_place = {{"unique", "keys"}, {"aggregates", "values"}}};
}

PortCase plain_case(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  const std::vector<std::byte> in = make_data(problem, n, Data::random, seed);
  const Scalar initial = identity(problem.op, problem.accumulator);
  PortCase call{.n = n, .inputs = {{"in", in}}, .results = {{"out", expected(problem, in, n, initial)}}};
  if (entry_of(problem).has_initial) call.scalars.emplace("initial", initial);
  const bool same_size = size_of(problem.input) == size_of(problem.output);
  if (is_dense(problem) && same_size) call.in_place.emplace("out", "in");
  return call;
}

PortCase make_case(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  switch (problem.algorithm) {
    case Algorithm::select_if:
      return selection_case(problem, n, seed);
    case Algorithm::reduce_by_key:
      return by_key_case(problem, n, seed);
    case Algorithm::inclusive_scan:
    case Algorithm::exclusive_scan:
    case Algorithm::reverse_inclusive_scan:
    case Algorithm::reverse_exclusive_scan:
    case Algorithm::reduce:
      return plain_case(problem, n, seed);
    default:
      return make_runs_case(problem, n, 3, seed);
  }
}

std::optional<std::string> run_in_memory(runtime::Device& device, const Plan& plan, PortCase call) {
  const std::uint64_t n = call.n, tile = plan.source().launch.items_per_tile;
  int turn = 0;
  for (const std::uint64_t most : {n, n + 1, n + tile, n + 17 * tile + 3}) {
    for (const bool in_place : {false, true}) {
      call.items_in_memory = turn++ % 2 == 0 ? 4 : 8;
      call.most = most;
      call.in_memory = most == n ? n + 5 : n;  // no more are taken than the host knows of
      const Layout layout{.in_place = in_place, .in_offset = turn % 3, .out_offset = turn % 4};
      if (auto wrong = run_and_compare(device, plan, call, layout)) {
        return fmt::format("{} items in memory, {} known to the host{}: {}", n, most, in_place ? ", in place" : "",
                           *wrong);
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> run_with_capacities(runtime::Device& device, const Plan& plan, PortCase call) {
  std::uint64_t count = 0;
  std::memcpy(&count, call.results.at("count").data(), call.results.at("count").size());
  const std::uint64_t n = call.n, less = count > 0 ? count - 1 : 0;
  int turn = 0;
  for (const std::uint64_t capacity : {std::uint64_t{0}, std::uint64_t{1}, count / 3, less, count, count + 1, n + 9}) {
    call.capacity = capacity;
    call.items_in_memory = ++turn % 3 == 0 ? 8 : 0;
    call.in_memory = n;
    call.most = call.items_in_memory == 0 ? 0 : n + 7;
    const Layout layout{.in_place = turn % 2 == 0 && capacity >= std::max(n, call.most), .out_offset = turn % 4};
    if (auto wrong = run_and_compare(device, plan, call, layout)) {
      return fmt::format("{} items, {} results, room for {}: {}", n, count, capacity, *wrong);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Strategy> limited_strategies(const DeviceLimits& limits) {
  const std::vector<Problem> problems = {selection(less, Type::i32),
                                         runs_of_type(Algorithm::run_length_encode, equal_to, Type::u16),
                                         reduction_by_key(plus, Type::i64, Type::u32),
                                         runs_of_type(Algorithm::nontrivial_runs, equal_to, Type::u16),
                                         runs_of_type(Algorithm::adjacent_difference, minus, Type::u16),
                                         runs_of_type(Algorithm::partition, less, Type::i16),
                                         runs_of_type(Algorithm::inclusive_scan_by_key, affine, Type::u32, Type::u32),
                                         make_problem(Algorithm::inclusive_scan, affine, Type::u32, Type::u32),
                                         make_problem(Algorithm::exclusive_scan, plus, Type::i64, Type::i64),
                                         make_problem(Algorithm::reverse_exclusive_scan, affine, Type::u32, Type::u32),
                                         make_problem(Algorithm::reduce, affine, Type::u64, Type::u64),
                                         make_problem(Algorithm::reduce, plus, Type::i8, Type::i32)};
  std::vector<Strategy> all = strategies(problems, limits, Tiles::small);
  std::erase_if(all, [](const Strategy& strategy) {
    const auto is_of = [&](const char* value) { return strategy.name.find(value) != std::string::npos; };
    const bool stores = strategy.problem.algorithm == Algorithm::select_if && (is_of("scatter") || is_of("emit"));
    const bool few_schedules = strategy.problem.algorithm == Algorithm::nontrivial_runs;
    if (few_schedules && !is_of("lookback") && !is_of("lookahead") && !is_of("sequential")) return true;
    return !is_of("default") && !stores;
  });
  return all;
}

std::optional<std::string> run_with_limits(runtime::Device& device, const Plan& plan, std::uint64_t n,
                                           std::uint64_t seed) {
  const PortCase call = make_case(plan.problem(), n, seed);
  if (auto wrong = run_in_memory(device, plan, call)) return wrong;
  const std::vector<Port> all = ports(plan.problem());
  const auto is_limited = [](const Port& port) { return port.extent == Extent::at_most_n; };
  if (is_partition(plan.problem()) || std::none_of(all.begin(), all.end(), is_limited)) return std::nullopt;
  return run_with_capacities(device, plan, call);
}

}  // namespace upsweep::test
