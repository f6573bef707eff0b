// upsweep tune: measures configs and remembers the winners.
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <upsweep/context.hpp>
#include <upsweep/tune.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/size.hpp"
#include "runtime/engine.hpp"

namespace upsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Arguments {
  ProblemArguments problem;
  std::vector<std::string> sizes;
  std::string budget = "60s";
  std::uint64_t seed = 1;
  int maximum_trials = 0;
  std::string device = "auto";
  std::string database;
};

// Keeps the user informed, but not more often than one can read.
class Progress {
 public:
  explicit Progress(Io& io) : io_(&io) {}

  void operator()(const TuneProgress& now) {
    const auto step = io_->terminal() ? std::chrono::milliseconds(100) : std::chrono::milliseconds(2000);
    if (Clock::now() - said_ < step) return;
    said_ = Clock::now();
    std::string line =
        fmt::format("tuning {}: {:3.0f}%, {} trials", format_size(now.size), 100 * now.fraction_done, now.trials);
    if (now.failures > 0) line += fmt::format(" ({} failed)", now.failures);
    if (now.best_us > 0) line += fmt::format(", best {}", format_time(now.best_us));
    if (now.best_us > 0 && now.default_us > 0) line += fmt::format(" ({:.2f}x)", now.default_us / now.best_us);
    io_->status(line + remaining(now.fraction_done));
  }

 private:
  [[nodiscard]] std::string remaining(double done) const {
    if (done <= 0 || done > 1) return "";
    const std::chrono::duration<double> left = (Clock::now() - begin_) * ((1 - done) / done);
    return ", " + format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(left)) + " left";
  }

  Io* io_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point said_ = begin_;
};

// The host device's fibers are several thousand times slower than a GPU.
std::uint64_t default_size(const Context& context) {
  return std::uint64_t{1} << (context.device() == "host" ? 14 : 24);
}

std::vector<std::uint64_t> parse_sizes(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& text : texts) sizes.push_back(parse_size(text));
  return sizes;
}

Json document(const Arguments& arguments, const Problem& problem, const Context& context, const TuneReport& report) {
  Json sizes = Json::array();
  for (const TunedSize& each : report.sizes) {
    sizes.push_back({{"size", each.size},
                     {"winner", json_of(each.winner)},
                     {"winner_us", each.winner_us},
                     {"default_us", each.default_us},
                     {"trials", each.trials},
                     {"failures", each.failures}});
  }
  Json described = json_of(problem);
  described.erase("size");
  return {{"problem", described},
          {"device", json_of(context.device_identity(), context.device())},
          {"database", context.engine()->database().string()},
          {"seed", arguments.seed},
          {"sizes", sizes},
          {"stopped", report.stopped}};
}

void print_table(const Problem& problem, const Context& context, const TuneReport& report, Io& io) {
  io.out() << fmt::format("{} on {} ({})\n", to_string(problem), context.device(), context.device_identity().name);
  io.out() << fmt::format("{:>10}  {:>10}  {:>10}  {:>7}  {:>6}  {:>6}  {}\n", "size", "default", "winner", "faster",
                          "trials", "failed", "config");
  for (const TunedSize& each : report.sizes) {
    if (each.winner.schedule.empty()) {
      io.out() << fmt::format("{:>10}  nothing measured yet\n", format_size(each.size));
      continue;
    }
    const std::string factor =
        each.winner_us > 0 && each.default_us > 0 ? fmt::format("{:.2f}x", each.default_us / each.winner_us) : "-";
    io.out() << fmt::format("{:>10}  {:>10}  {:>10}  {:>7}  {:>6}  {:>6}  {}\n", format_size(each.size),
                            format_time(each.default_us), format_time(each.winner_us), factor, each.trials,
                            each.failures, to_json(each.winner));
  }
}

int tune_verb(const Arguments& arguments, Io& io) {
  Problem problem = arguments.problem.problem(0);
  TuneOptions options;
  options.sizes = parse_sizes(arguments.sizes);
  options.budget = parse_budget(arguments.budget);
  options.maximum_trials = arguments.maximum_trials;
  options.seed = arguments.seed;
  options.database = arguments.database;

  Context context({.device = arguments.device, .database = arguments.database});
  if (options.sizes.empty()) options.sizes = {default_size(context)};
  problem.size = options.sizes.front();
  options.progress = Progress(io);
  const Interrupt interrupt;
  options.stop = interrupt.token();

  const TuneReport report = tune(context, problem, options);
  if (io.json) {
    io.print(document(arguments, problem, context, report));
  } else {
    print_table(problem, context, report, io);
  }
  io.flush();
  io.say(fmt::format("{}kept in {}", report.stopped ? "stopped; what was measured is " : "",
                     context.engine()->database().string()));
  return report.stopped ? interrupted : 0;
}

}  // namespace

void add_tune(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const verb = command.add_subcommand("tune", "Measure configs on this device and remember the best");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->sizes, "Numbers of items to tune for (default: 2^24; 2^14 on the host device)")
      ->delimiter(',');
  verb->add_option("--budget", arguments->budget, "Time for all sizes together: 500ms, 60s, 2m, 1h")
      ->capture_default_str();
  verb->add_option("--max-trials", arguments->maximum_trials,
                   "Most configs for each size (default: what the budget allows)")
      ->check(CLI::PositiveNumber);
  verb->add_option("--seed", arguments->seed, "Of the search and of the data")->capture_default_str();
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer(
      "Ctrl-C ends it after the trial in flight and keeps what was measured.\n"
      "Example:\n  upsweep tune inclusive_scan --op plus --type i32 --size 2^20 2^28 --budget 2m");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return tune_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
