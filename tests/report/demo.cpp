#include "tests/report/demo.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <upsweep/source.hpp>

#include "bench/compare.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "tests/support/space_points.hpp"

namespace upsweep::report {
namespace {

using bench::Who;
using tuning_db::Stage;
using tuning_db::Trial;
using tuning_db::Verdict;

constexpr double floor_us = 2.9, memcpy_bytes_per_us = 4.28e6, peer_share = 0.71, best_share = 0.95;

std::vector<Problem> all_problems() {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce, Algorithm::exclusive_scan}) {
    for (const Type type :
         {Type::i32, Type::f32, Type::i64, Type::f16, Type::f64, Type::u8, Type::u32, Type::u64, Type::i16}) {
      for (const Operator op : {Operator::plus, Operator::maximum, Operator::minimum, Operator::multiplies}) {
        problems.push_back(make_problem(algorithm, op, type, type, 0));
      }
    }
  }
  return problems;
}

// Spread over algorithms, operators and types.
std::vector<Problem> some_problems(int count) {
  if (count > 6) {
    std::vector<Problem> all = all_problems();
    all.resize(std::min<std::size_t>(static_cast<std::size_t>(count), all.size()));
    return all;
  }
  const std::vector<Problem> few{
      make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 0),
      make_problem(Algorithm::inclusive_scan, Operator::plus, Type::f64, Type::f64, 0),
      make_problem(Algorithm::inclusive_scan, Operator::maximum, Type::f16, Type::f16, 0),
      make_problem(Algorithm::exclusive_scan, Operator::plus, Type::i32, Type::i64, 0),
      make_problem(Algorithm::reduce, Operator::plus, Type::f32, Type::f32, 0),
      make_problem(Algorithm::reduce, Operator::maximum, Type::f16, Type::f16, 0),
  };
  return {few.begin(), few.begin() + count};
}

double time_of_bytes(double bytes, double share) {
  return floor_us + 0.4 + bytes / (memcpy_bytes_per_us * share);
}

// How much slower than the best a config is: a few parameters matter much, the others little.
double slowdown(const Config& config, std::uint64_t size) {
  double factor = 1;
  const bool large = size >= (std::uint64_t{1} << 20);
  if (large && config.schedule != "lookahead" && config.schedule != "last_started") factor *= 1.25;
  if (large && (config.schedule == "single_block" || config.schedule == "cluster")) factor *= 6;
  double weight = 0.03;
  for (const auto& [name, value] : config.values) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
      const double best = name == "items_per_thread" ? 4 : name == "threads" ? 8 : 2;
      const double off = std::log2(static_cast<double>(*number) + 1) - best;
      factor *= 1 + (name == "items_per_thread" ? 0.02 : 0.001) * off * off;
    } else {
      factor *= 1 + weight * static_cast<double>(std::get<std::string>(value).size() % 3);
      weight /= 2;
    }
  }
  return factor;
}

// By their names, the values that others have replaced. Listing the parameters for each of thousands of configs would
// take most of the time.
using Baselines = std::vector<std::pair<std::string, std::vector<ParameterValue>>>;

const Baselines& baselines_of(const Schedule& schedule, Problem problem) {
  static auto& known = *new std::map<std::pair<const Schedule*, Problem>, Baselines>;
  problem.size = 0;
  const auto [at, is_new] = known.try_emplace({&schedule, problem});
  if (!is_new) return at->second;
  for (Parameter& parameter : schedule.parameters(problem)) {
    if (!parameter.baselines.empty()) at->second.emplace_back(parameter.name, std::move(parameter.baselines));
  }
  return at->second;
}

bool has_baseline(const Schedule& schedule, const Problem& problem, const Config& config) {
  return std::ranges::any_of(baselines_of(schedule, problem), [&](const auto& each) {
    return std::ranges::count(each.second, config.values.at(each.first)) > 0;
  });
}

class Maker {
 public:
  Maker(const DemoOptions& options, Sources& sources) : options_(options), sources_(sources), random_(options.seed) {
    limits_ = limits_of_architecture("sm_90");
    limits_.memory_bytes = std::uint64_t{140} << 30;
  }

  // The trials of one search, and the winner among them.
  void search(const Problem& problem) {
    const Space space(problem, limits_);
    const double best_us = time_of_bytes(bytes_moved(problem), best_share);
    std::size_t winner = 0;
    double winner_us = 0;
    for (int i = 0; i < options_.trials; ++i) {
      Trial made = trial(problem);
      made.config = i == 0 ? space.default_config() : guess(space, i);
      if (i > 0 && random_() % 11 == 0) {
        fail(made);
      } else {
        time(made, best_us * (i == 0 ? default_slowdown(problem) : slowdown(made.config, problem.size)));
        if (winner_us == 0 || made.median_us() < winner_us) {
          winner = sources_.trials.size();
          winner_us = made.median_us();
        }
      }
      sources_.trials.push_back(std::move(made));
    }
    sources_.winners.push_back({sources_.trials[winner], size_class(problem.size), "user"});
  }

  bench::Cell cell(const Problem& problem) {
    bench::Cell made;
    made.problem = problem;
    made.rung = "exact";
    made.config = sources_.winners.back().trial.config;
    const auto bytes = static_cast<std::uint64_t>(bytes_moved(problem));
    const double own = sources_.winners.back().trial.median_us();
    const bool reduce = problem.algorithm == Algorithm::reduce;
    const auto add = [&](Who who, const std::string& label, double us) {
      made.rows.push_back(bench::make_row(who, label, bytes, {us, us * 1.01, us * 0.99}));
    };
    add(Who::upsweep, "upsweep", own * 1.005);
    add(Who::peer, "CUB 3.6.0", time_of_bytes(bytes_moved(problem), reduce ? 0.97 : peer_share) + 2);
    add(reduce ? Who::plain_read : Who::memcpy, reduce ? "plain read" : "memcpy",
        time_of_bytes(bytes_moved(problem), 1) - 0.4);
    return made;
  }

 private:
  // Later guesses are better ones, as of a search that learns.
  Config guess(const Space& space, int i) {
    const auto is_usual = [&](const Config& config) {
      const Schedule& schedule = find_schedule(space.problem(), config.schedule);
      return space.suits(config) && !schedule.is_baseline() && !has_baseline(schedule, space.problem(), config);
    };
    Config best = test::sample(space, random_);
    for (int more = i / 16; more > 0 || !is_usual(best); --more) {
      Config other = test::sample(space, random_);
      if (!is_usual(best) || slowdown(other, space.problem().size) < slowdown(best, space.problem().size)) best = other;
    }
    return best;
  }

  double default_slowdown(const Problem& problem) {
    const bool rare = problem.op != Operator::plus || problem.input == Type::f16;
    return 1.12 + (rare ? 0.3 : 0.08) + 0.02 * static_cast<double>(random_() % 8);
  }

  Trial trial(const Problem& problem) {
    Trial made;
    made.id = static_cast<std::int64_t>(sources_.trials.size()) + 1;
    const std::size_t second = sources_.trials.size();
    made.measured_at =
        fmt::format("2026-11-21T{:02}:{:02}:{:02}Z", 6 + second / 3600 % 16, second / 60 % 60, second % 60);
    made.device = {"NVIDIA H200", 9, 0, 132, 6144, 3201000, true};
    made.environment = {"580.159.03", "nvrtc 13.0", generator_version()};
    made.problem = problem;
    made.session = fmt::format("session-{}-{}", to_string(problem), problem.size);
    made.clock_mhz = 1980;
    return made;
  }

  void time(Trial& made, double us) {
    for (int i = 0; i < 5; ++i) made.samples_us.push_back(us * (1 + 0.004 * static_cast<double>(random_() % 5)));
  }

  void fail(Trial& made) {
    constexpr Verdict verdicts[] = {Verdict::pruned, Verdict::not_compiled, Verdict::wrong, Verdict::hung};
    made.verdict = verdicts[random_() % 4];
    made.failure = made.verdict == Verdict::wrong ? "wrong result at index 1048577" : "the compiler gave up after 20 s";
    if (made.verdict == Verdict::pruned) made.failure = "spills 96 bytes";
    if (made.verdict == Verdict::hung) made.failure = "ran past its deadline of 1.2 s";
  }

  DemoOptions options_;
  Sources& sources_;
  DeviceLimits limits_;
  std::mt19937_64 random_;
};

}  // namespace

Sources demo(const DemoOptions& options) {
  Sources sources{"/home/user/.local/share/upsweep/tuning.db", "2026-11-21T15:00:00Z", {}, {}, {}, {}};
  Maker maker(options, sources);
  BenchDocument document{"NVIDIA H200", "580.159.03", "2026-11-21T14:00:00Z", {}};
  for (Problem problem : some_problems(options.problems)) {
    for (int i = 0; i < options.sizes; ++i) {
      problem.size = std::uint64_t{1} << (10 + 2 * i);
      maker.search(problem);
      document.cells.push_back(maker.cell(problem));
    }
  }
  if (options.documents) sources.documents.push_back(std::move(document));
  return sources;
}

}  // namespace upsweep::report
