// A search, compilers and a runner that do what a test says. Configs are told apart by a number.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/median.hpp"
#include "generator/space.hpp"
#include "tuner/compile/compilations.hpp"
#include "tuner/measure/measurement.hpp"
#include "tuner/search/search.hpp"
#include "tuner/worker/runner.hpp"

namespace upsweep::tuner {

inline const Problem scripted_problem =
    make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, std::uint64_t{1} << 20);

inline Config config_of(std::int64_t number) {
  Config config = Space(scripted_problem, {}).default_config();
  config.values["items_per_thread"] = number % 100;
  config.values["minimum_blocks"] = 1 + number / 100;  // as many blocks
  return config;
}

inline std::int64_t number_of(const Config& config) {
  return config.integer("items_per_thread") + 100 * (config.integer("minimum_blocks") - 1);
}

// 1, 2, 3, ... `last`, but for those that were reported before; 1 is the default.
class Counting final : public Search {
 public:
  explicit Counting(std::int64_t last) : last_(last) {}
  std::optional<Config> next() override {
    while (given_ < last_) {
      if (!known_.contains(++given_)) return config_of(given_);
    }
    return std::nullopt;
  }
  void report(const Config& config, std::optional<double> us) override {
    known_.insert(number_of(config));
    reports[number_of(config)] = us;
  }
  std::map<std::int64_t, std::optional<double>> reports;  // the last of each

 private:
  std::int64_t last_;
  std::int64_t given_ = 0;
  std::set<std::int64_t> known_;
};

// In order, unless a test turns it round.
class ScriptedCompilers final : public Compilations {
 public:
  std::function<CompileResult(std::int64_t)> result = [](std::int64_t) { return CompileResult{}; };
  std::size_t ahead = 1;
  bool last_first = false;
  int not_ready = 0;  // so many times that it is asked
  std::vector<std::int64_t> submitted;

  void submit(const Config& config) override {
    submitted.push_back(number_of(config));
    waiting_.push_back(config);
  }
  CompileResult wait() override {
    Config config = last_first ? waiting_.back() : waiting_.front();
    last_first ? waiting_.pop_back() : waiting_.pop_front();
    CompileResult compiled = result(number_of(config));
    compiled.config = std::move(config);
    return compiled;
  }
  bool ready() override { return !waiting_.empty() && not_ready-- <= 0; }
  std::size_t pending() const override { return waiting_.size(); }
  std::size_t enough() const override { return ahead; }

 private:
  std::deque<Config> waiting_;
};

inline Outcome failed(Verdict verdict, std::string reason) {
  Outcome outcome;
  outcome.verdict = verdict;
  outcome.failure = std::move(reason);
  return outcome;
}

// As many samples as asked for.
inline Outcome taking(double us, const RunRequest& request) {
  Outcome outcome;
  outcome.samples_us.assign(static_cast<std::size_t>(request.samples), us);
  return outcome;
}

inline CompileResult not_compiled(std::string reason) {
  CompileResult result;
  result.verdict = tuning_db::Verdict::not_compiled;
  result.failure = std::move(reason);
  return result;
}

// Config k takes 100 - k microseconds.
class ScriptedRunner final : public Runner {
 public:
  std::function<Outcome(std::int64_t, const RunRequest&)> outcome = [](std::int64_t number, const RunRequest& request) {
    return taking(100.0 - static_cast<double>(number), request);
  };
  // In turn; 0: it fails now.
  std::function<double(std::int64_t, std::uint64_t)> turn_us = [](std::int64_t number, std::uint64_t) {
    return 100.0 - static_cast<double>(number);
  };
  // With data of a density a config takes this many times as long.
  std::function<double(std::int64_t, Density)> density = [](std::int64_t, Density) { return 1.0; };
  // With misaligned arrays a config takes this many times as long.
  std::function<double(std::int64_t)> misaligned = [](std::int64_t) { return 1.0; };
  std::function<void(const RunRequest&)> turn = [](const RunRequest&) {};  // called by each
  std::vector<std::pair<std::int64_t, RunRequest>> runs;
  std::vector<std::int64_t> contestants;        // of the latest turn
  std::vector<std::int64_t> finalists;          // of the latest turn with more than one config
  std::map<std::uint64_t, int> turns_of_sizes;  // rounds
  std::vector<std::int64_t> kept;

  // In the place of what that config gave before.
  void give(std::int64_t number, const Outcome& instead) {
    outcome = [number, instead, before = outcome](std::int64_t which, const RunRequest& request) {
      return which == number ? instead : before(which, request);
    };
  }

  void start(const Config& config, const RunRequest& request) override {
    runs.emplace_back(number_of(config), request);
  }
  Outcome finish() override {
    const auto [number, request] = runs.back();
    Outcome made = outcome(number, request);
    if (request.more_samples == 0 || made.verdict != Verdict::measured) return made;
    if (base::median(made.samples_us) > request.near_us) return made;
    RunRequest more = request;
    more.samples = request.more_samples;
    Outcome again = outcome(number, more);
    if (again.verdict != Verdict::measured) return again;
    made.more_us = std::move(again.samples_us);
    return made;
  }
  void start_in_turn(std::span<const Config> configs, const RunRequest& request) override {
    started_ = {{configs.begin(), configs.end()}, request};
  }
  Samples finish_in_turn() override {
    const auto& [configs, request] = started_;
    Samples all;
    contestants.clear();
    for (const Config& config : configs) contestants.push_back(number_of(config));
    turn(request);
    const bool against_itself = configs.size() == 2 && configs[0] == configs[1];
    if (request.size != scripted_problem.size || !against_itself) {
      if (request.size == scripted_problem.size && turns_of_sizes.empty()) finalists = contestants;
      turns_of_sizes[request.size] += request.samples;
    }
    for (const Config& config : configs) {
      const double factor = request.misaligned ? misaligned(number_of(config)) : 1.0;
      const double us = turn_us(number_of(config), request.size) * factor * density(number_of(config), request.density);
      all.emplace_back(us > 0 ? request.samples : 0, us);
    }
    return all;
  }
  void keep_only(std::span<const Config> configs) override {
    kept.clear();
    for (const Config& config : configs) kept.push_back(number_of(config));
  }
  double busy_seconds() const override { return 0; }

 private:
  std::pair<std::vector<Config>, RunRequest> started_;
};

}  // namespace upsweep::tuner
