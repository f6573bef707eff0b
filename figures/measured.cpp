#include "figures/measured.hpp"

#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/cancellation.hpp"
#include "base/size.hpp"
#include "generator/short_config.hpp"

namespace upsweep::figures {
namespace {

using Clock = std::chrono::steady_clock;

// Compiling and warming up come on top of what is timed: a figure may take twice its budget.
constexpr double overrun = 2;

constexpr int most_samples = 9;

void note_left_out_configs(Measured& measured) {
  std::set<std::string> told;
  for (const bench::Cell& cell : measured.cells) {
    for (const bench::ConfigCell& each : cell.configs) {
      if (each.row || !told.insert(each.label).second) continue;
      measured.notes.push_back(
          fmt::format("{} is left out at {}: {}", each.label, base::format_items(cell.problem.size), each.why_not));
    }
  }
}

}  // namespace

Measured measure(const Setting& setting, std::span<const Problem> problems, std::vector<bench::NamedConfig> configs) {
  bench::CompareOptions options{.samples = most_samples, .configs = std::move(configs)};
  options.budget_us = setting.budget_us / static_cast<double>(problems.size());
  setting.progress("getting ready");
  bench::Comparison comparison(setting.engine, setting.peer, options, problems);
  Measured measured;
  const Clock::time_point begin = Clock::now();
  for (const Problem& problem : problems) {
    base::throw_if_cancelled();
    const std::string items = base::format_items(problem.size);
    if (std::chrono::duration<double, std::micro>(Clock::now() - begin).count() > overrun * setting.budget_us) {
      measured.notes.push_back(
          fmt::format("The time ran out before {}: give more with --budget. Kernels that are compiled once are in the "
                      "cache, so that a second run reaches further.",
                      items));
      break;
    }
    if (const std::string why = comparison.obstacle(problem); !why.empty()) {
      measured.notes.push_back(fmt::format("{} are left out: {}.", items, why));
      continue;
    }
    setting.progress(items);
    measured.cells.push_back(comparison.run(problem).front());
  }
  note_left_out_configs(measured);
  if (!setting.peer) {
    measured.notes.emplace_back("CUB is not in the figure: build upsweep with -DUPSWEEP_CUB=ON (needs nvcc).");
  }
  return measured;
}

std::vector<Problem> at_powers_of_two(Problem problem, int first, int last) {
  std::vector<Problem> all;
  for (int exponent = first; exponent <= last; ++exponent) {
    problem.size = std::uint64_t{1} << exponent;
    all.push_back(problem);
  }
  return all;
}

Problem sum_of_i32(Algorithm algorithm) {
  return make_problem(algorithm, Operator::plus, Type::i32, Type::i32);
}

bench::NamedConfig named_config(std::string label, std::string_view text) {
  return {std::move(label), config_from_text(text).value()};
}

}  // namespace upsweep::figures
