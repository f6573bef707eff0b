// upsweep tune: measures configs and remembers the winners.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>
#include <upsweep/tune.hpp>

#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/interrupt.hpp"
#include "cli/tune_jobs.hpp"
#include "cli/tune_report.hpp"
#include "generator/names.hpp"
#include "runtime/context_engine.hpp"
#include "tuner/search/search.hpp"

namespace upsweep::cli {
namespace {

Isolation parse_isolation(const std::string& name) {
  if (name == "auto") return Isolation::automatic;
  if (name == "worker") return Isolation::worker;
  if (name == "none") return Isolation::in_process;
  throw UsageError(unknown_name("isolation", name, as_names(std::array{"auto", "worker", "none"})));
}

// Before a device is opened or a database made.
void check_strategy(const std::string& name) {
  const std::vector<std::string> known = as_names(tuner::search_strategies());
  if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(unknown_name("search strategy", name, known));
}

TuneOptions options_of(const TuneArguments& arguments) {
  check_strategy(arguments.strategy);
  TuneOptions options;
  options.budget = parse_budget(arguments.budget);
  options.maximum_trials = arguments.maximum_trials;
  options.patience = arguments.patience;
  options.strategy = arguments.strategy;
  options.only = restriction_from_text(arguments.only);
  options.refresh = arguments.refresh;
  options.seed = arguments.seed;
  options.database = arguments.database;
  options.isolation = parse_isolation(arguments.isolation);
  options.compile_jobs = arguments.compile_jobs;
  return options;
}

// A problem that was named is the whole job: its failure is the command's.
std::vector<TuneReport> tune_jobs(const std::vector<std::unique_ptr<Context>>& contexts,
                                  const std::vector<TuneJob>& jobs, TuneOptions& options,
                                  std::vector<TuneFailure>& failures) {
  if (jobs.size() == 1 && contexts.size() == 1) {
    options.sizes = jobs.front().sizes;
    return {tune(*contexts.front(), jobs.front().problem, options)};
  }
  std::vector<Context*> devices;
  for (const auto& context : contexts) devices.push_back(context.get());
  return tune(devices, jobs, options, [&](const TuneJob& job, const std::string& reason) {
    failures.push_back({to_string(job.problem), reason});
  });
}

// What all problems take at most: devices of one kind share them, and each kind does them all.
std::chrono::milliseconds total_time(const TuneArguments& arguments, std::chrono::milliseconds budget, std::size_t jobs,
                                     const std::vector<std::unique_ptr<Context>>& contexts) {
  if (!arguments.total_budget.empty()) return parse_budget(arguments.total_budget);
  std::size_t most = 0;
  for (const auto& context : contexts) {
    const auto alike = static_cast<std::size_t>(std::ranges::count_if(
        contexts, [&](const auto& other) { return other->device_identity() == context->device_identity(); }));
    most = std::max(most, (jobs + alike - 1) / alike);
  }
  return budget * static_cast<std::chrono::milliseconds::rep>(most);
}

std::string announcement(const TuneOptions& options, std::size_t jobs) {
  return fmt::format("tuning {} {} with {} each; all of them take at most {} (--total-budget sets another limit)", jobs,
                     jobs == 1 ? "problem" : "problems", format_duration(options.budget),
                     format_duration(options.total_budget));
}

int tune_verb(const TuneArguments& arguments, Io& io) {
  TuneOptions options = options_of(arguments);
  const std::vector<std::unique_ptr<Context>> contexts = open_contexts(arguments);
  const std::vector<TuneJob> jobs = choose_jobs(arguments, contexts, io);
  const std::string database = runtime::engine_of(*contexts.front()).database().string();
  if (jobs.empty()) {
    if (io.json) io.print(document({}, {}));
    io.say(arguments.wanted ? "there are no wanted problems for this device: no problem ran without a tuned config"
                            : "all problems were already tuned with this driver, compiler and version of upsweep; use "
                              "--again to tune them again");
    return 0;
  }
  options.total_budget = total_time(arguments, options.budget, jobs.size(), contexts);
  options.budget = std::min(options.budget, options.total_budget);
  const bool several = jobs.size() > 1 || contexts.size() > 1;
  if (several) io.say(announcement(options, jobs.size()));
  const Interrupt interrupt(
      [&io] { io.say("stopping; all results so far are kept (a second Ctrl-C ends the process at once)"); });
  options.stop = interrupt.token();
  TuneTicker ticker(io, options.total_budget, options.stop);
  options.progress = [&ticker](const TuneProgress& now) { ticker(now); };
  if (several) options.finished = [&io](const TuneReport& report) { io.say(finished_line(report)); };

  std::vector<TuneFailure> failures;
  const std::vector<TuneReport> reports = tune_jobs(contexts, jobs, options, failures);
  const bool stopped = options.stop.stop_requested();
  if (io.json) {
    Json json = document(reports, failures);
    json["database"] = database;
    json["seed"] = arguments.seed;
    json["stopped"] = stopped;
    io.print(json);
  } else {
    io.out() << tables(reports, failures, contexts, io);
  }
  io.flush();
  io.say(fmt::format("{} are stored in {}", stopped ? "stopped; all results so far" : "the results", database));
  if (stopped) return interrupted;
  return failures.empty() ? 0 : static_cast<int>(ErrorKind::device);
}

void add_what(CLI::App& verb, TuneArguments& arguments) {
  arguments.problem.add_to(verb, ProblemArguments::Need::nothing);
  verb.add_flag("--all", arguments.all,
                "Tune all built-in problems at every power of two from 2^10 to 2^30, except those already tuned");
  verb.add_flag("--wanted", arguments.wanted,
                "Tune the problems that ran on this device without a tuned config (upsweep db wanted)");
  verb.add_flag("--again", arguments.again, "With --all or --wanted: also tune problems that were already tuned");
  verb.add_option("--size", arguments.sizes,
                  "Numbers of items to tune for: 2^20, 100K, 2^10..2^30 (default: 2^24; 2^14 on the host device)")
      ->delimiter(',');
  add_device(verb, arguments.device);
  verb.add_option("--devices", arguments.devices,
                  "Tune on several devices at the same time: all (GPUs), or their names (cuda:0,cuda:1)")
      ->delimiter(',');
  add_database(verb, arguments.database);
}

void add_how(CLI::App& verb, TuneArguments& arguments) {
  std::string strategies;
  for (const std::string_view name : tuner::search_strategies())
    strategies += (strategies.empty() ? "" : ", ") + std::string(name);
  verb.add_option("--budget", arguments.budget, "Time for all sizes of a problem together: 500ms, 60s, 2m, 1h")
      ->capture_default_str();
  verb.add_option("--total-budget", arguments.total_budget,
                  "Time for all problems together (default: enough for the budget of each problem)");
  whole_number(
      verb.add_option("--max-trials", arguments.maximum_trials,
                      "Largest number of configs to try per size, including those of earlier runs (default: no limit)"),
      1);
  whole_number(verb.add_option("--patience", arguments.patience,
                               "End the search for a size after this many configs in a row without a faster one"),
               1);
  verb.add_option("--strategy", arguments.strategy, "Search strategy: " + strategies + " (default: model)");
  verb.add_option(
      "--only", arguments.only,
      "Measure only configs with these values, for example worker_warps=8,12 or schedule=lookahead; may be given "
      "several times");
  verb.add_flag("--refresh", arguments.refresh, "Only measure the finalists of earlier tunes again");
  verb.add_option(
          "--isolation", arguments.isolation,
          "Where configs are measured: worker (separate processes), none (this process), or auto (workers if possible)")
      ->capture_default_str();
  whole_number(verb.add_option("--jobs", arguments.compile_jobs,
                               "Number of compilers per device that run at the same time (default: 7/8 of the hardware "
                               "threads, shared by the "
                               "devices)"),
               1);
  verb.add_option("--seed", arguments.seed, "Seed of the search and of the input data")->capture_default_str();
}

}  // namespace

void add_tune(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<TuneArguments>();
  CLI::App* const verb = command.add_subcommand("tune", "Measure configs on this device and store the fastest");
  add_what(*verb, *arguments);
  add_how(*verb, *arguments);
  verb->footer(
      "Ctrl-C ends the tune at once, also in the middle of a trial, and keeps all results so far. Run the same "
      "command\n"
      "again to continue.\n"
      "ALGORITHM, --op, --type, --row-length, --inner and --segment-length take several values, separated by commas: "
      "each\ncombination is a problem. Combinations that cannot exist are left out, and stderr says which and why.\n"
      "Example:\n  upsweep tune inclusive_scan --op plus --type i32 --size 2^10..2^30 --budget 90s\n"
      "  upsweep tune reduce,inclusive_scan --op plus --type f32 --row-length 16,1K,64K --size 2^20,2^24\n"
      "  upsweep tune --all --devices all --budget 30s");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return tune_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
