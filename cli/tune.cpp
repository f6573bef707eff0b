// upsweep tune: measures configs and remembers the winners.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>
#include <upsweep/tune.hpp>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/tune_jobs.hpp"
#include "cli/tune_report.hpp"
#include "runtime/engine.hpp"
#include "tuner/search.hpp"

namespace upsweep::cli {
namespace {

Isolation parse_isolation(const std::string& name) {
  if (name == "auto") return Isolation::automatic;
  if (name == "worker") return Isolation::worker;
  if (name == "none") return Isolation::in_process;
  throw UsageError(fmt::format("unknown isolation '{}': use auto, worker or none", name));
}

TuneOptions options_of(const TuneArguments& arguments) {
  TuneOptions options;
  options.budget = parse_budget(arguments.budget);
  options.maximum_trials = arguments.maximum_trials;
  options.patience = arguments.patience;
  options.strategy = arguments.strategy;
  options.only = arguments.only;
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

int tune_verb(const TuneArguments& arguments, Io& io) {
  TuneOptions options = options_of(arguments);
  const std::vector<std::unique_ptr<Context>> contexts = open_contexts(arguments);
  const std::vector<TuneJob> jobs = choose_jobs(arguments, contexts);
  const std::string database = contexts.front()->engine()->database().string();
  if (jobs.empty()) {
    if (io.json) io.print(document({}, {}));
    io.say(arguments.wanted
               ? "nothing that ran untuned is known for this device"
               : "all of it was tuned before with this driver, compiler and generator: --again repeats it");
    return 0;
  }
  options.progress = TuneTicker(io);
  const Interrupt interrupt;
  options.stop = interrupt.token();

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
    io.out() << tables(reports, failures);
  }
  io.flush();
  io.say(fmt::format("{}kept in {}", stopped ? "stopped; what was measured is " : "", database));
  if (stopped) return interrupted;
  return failures.empty() ? 0 : static_cast<int>(ErrorKind::device);
}

void add_what(CLI::App& verb, TuneArguments& arguments) {
  arguments.problem.add_to(verb, ProblemArguments::Need::nothing);
  verb.add_flag("--all", arguments.all,
                "The built-in problems at every power of two from 2^10 to 2^30, but for what was tuned before");
  verb.add_flag("--wanted", arguments.wanted, "What ran on this device and was not tuned for it");
  verb.add_flag("--again", arguments.again, "With --all and --wanted: also what was tuned before");
  verb.add_option("--size", arguments.sizes,
                  "Numbers of items to tune for: 2^20, 100K, 2^10..2^30 (default: 2^24; 2^14 on the host device)")
      ->delimiter(',');
  add_device(verb, arguments.device);
  verb.add_option("--devices", arguments.devices, "Several devices at once: all, or their names (cuda:0,cuda:1)")
      ->delimiter(',');
  add_database(verb, arguments.database);
}

void add_how(CLI::App& verb, TuneArguments& arguments) {
  std::string strategies;
  for (const std::string_view name : tuner::search_strategies())
    strategies += (strategies.empty() ? "" : ", ") + std::string(name);
  verb.add_option("--budget", arguments.budget, "Time for all sizes of a problem together: 500ms, 60s, 2m, 1h")
      ->capture_default_str();
  verb.add_option("--max-trials", arguments.maximum_trials,
                  "Most configs for each size, those of earlier runs included (default: what the budget allows)")
      ->check(CLI::PositiveNumber);
  verb.add_option("--patience", arguments.patience, "End a size after so many configs that were no better")
      ->check(CLI::PositiveNumber);
  verb.add_option("--strategy", arguments.strategy, "What to try next: " + strategies + " (default: the first)");
  verb.add_option("--only", arguments.only,
                  "Part of the space: worker_warps=8,12 or schedule=lookahead; may be given several times");
  verb.add_flag("--refresh", arguments.refresh, "Measure the finalists of earlier tunes anew, and nothing else");
  verb.add_option("--isolation", arguments.isolation,
                  "Where candidates run: worker (processes of their own), none, or auto")
      ->capture_default_str();
  verb.add_option("--jobs", arguments.compile_jobs,
                  "Compilers at the same time, for each device (default: all hardware threads but an eighth, shared by "
                  "the devices)")
      ->check(CLI::PositiveNumber);
  verb.add_option("--seed", arguments.seed, "Of the search and of the data")->capture_default_str();
}

}  // namespace

void add_tune(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<TuneArguments>();
  CLI::App* const verb = command.add_subcommand("tune", "Measure configs on this device and remember the best");
  add_what(*verb, *arguments);
  add_how(*verb, *arguments);
  verb->footer(
      "Ctrl-C ends it after the trial in flight and keeps what was measured; the same command goes on from there.\n"
      "Example:\n  upsweep tune inclusive_scan --op plus --type i32 --size 2^10..2^30 --budget 90s\n"
      "  upsweep tune --all --devices all --budget 30s");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return tune_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
