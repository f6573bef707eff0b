#include "cli/tune_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/columns.hpp"
#include "cli/count.hpp"

namespace upsweep::cli {
namespace {

std::string factor(double value) {
  return value > 0 ? fmt::format("{:.2f}x", value) : "-";
}

double faster(const TunedSize& size) {
  return size.winner_us > 0 && size.default_us > 0 ? size.default_us / size.winner_us : 0;
}

// Of how many times as fast as the default the winners are.
double mean_factor(const TuneReport& report) {
  double sum = 0;
  int known = 0;
  for (const TunedSize& size : report.sizes) {
    if (faster(size) > 0) sum += std::log(faster(size)), ++known;
  }
  return known > 0 ? std::exp(sum / known) : 0;
}

std::string busy(const TuneReport& report) {
  constexpr double shown = 0.05;  // seconds
  if (report.measuring_seconds < shown) return "";
  return fmt::format("measured for {:.1f} s: device busy {:.0f}% of the time, waiting for compilers {:.0f}%",
                     report.measuring_seconds, 100 * report.busy_seconds / report.measuring_seconds,
                     100 * report.waiting_seconds / report.measuring_seconds);
}

using Contexts = std::vector<std::unique_ptr<Context>>;

// Of the device that was tuned; none where no context is of that name.
std::optional<DeviceLimits> limits_of(const TuneReport& report, const Contexts& contexts) {
  for (const auto& context : contexts) {
    if (context->device() == report.device) return context->device_limits();
  }
  return std::nullopt;
}

std::string size_table(const TuneReport& report, const Contexts& contexts, const Io& io) {
  if (report.sizes.empty() && (report.stopped || report.left_out.empty())) {
    return fmt::format("{} on {}: nothing was measured\n", to_string(report.problem), report.device);
  }
  using enum Columns::Align;
  Columns table({{"size", right},
                 {"default", right},
                 {"winner", right},
                 {"faster", right},
                 {"noise", right},
                 {"trials", right},
                 {"failed", right},
                 {"pruned", right},
                 {"config"}});
  const std::optional<DeviceLimits> limits = limits_of(report, contexts);
  for (const TunedSize& each : report.sizes) {
    Problem problem = report.problem;
    problem.size = each.size;
    table.add({base::format_size(each.size), each.default_us > 0 ? format_time(each.default_us) : "-",
               format_time(each.winner_us), factor(faster(each)),
               each.noise > 0 ? fmt::format("{:.1f}%", 100 * each.noise) : "-", std::to_string(each.trials),
               std::to_string(each.failures), std::to_string(each.pruned),
               config_text(io, each.winner, problem, limits)});
  }
  std::string left_out;
  for (const SizeLeftOut& each : report.left_out) {
    left_out += fmt::format("{:>10}  not tuned: {}\n", base::format_size(each.size), each.reason);
  }
  std::string beside;
  if (report.side_winners > 0) {
    beside = fmt::format("found {} for the sizes next to the powers of two\n",
                         counted(static_cast<std::uint64_t>(report.side_winners), "winner"));
  }
  return fmt::format("{} on {}\n{}{}{}{}\n", to_string(report.problem), report.device,
                     table.empty() ? "" : table.text(io.width), left_out, beside, busy(report));
}

// Those that share their reason with many take one line.
std::string failure_lines(const std::vector<TuneFailure>& failures) {
  constexpr std::ptrdiff_t many = 4;
  std::string text;
  std::set<std::string> said;
  for (const TuneFailure& failure : failures) {
    const auto alike = std::ranges::count(failures, failure.reason, &TuneFailure::reason);
    if (alike < many) {
      text += fmt::format("{}: not tuned: {}\n", failure.problem, failure.reason);
    } else if (said.insert(failure.reason).second) {
      text += fmt::format("{} problems: not tuned: {}\n", alike, failure.reason);
    }
  }
  return text;
}

std::string problem_table(const std::vector<TuneReport>& reports, const Io& io) {
  using enum Columns::Align;
  Columns table({{"problem"},
                 {"device"},
                 {"sizes", right},
                 {"faster", right},
                 {"trials", right},
                 {"failed", right},
                 {"measuring"}});
  for (const TuneReport& report : reports) {
    int trials = 0, failures = 0;
    for (const TunedSize& size : report.sizes) trials += size.trials, failures += size.failures;
    table.add({to_string(report.problem), report.device, std::to_string(report.sizes.size()),
               factor(mean_factor(report)), std::to_string(trials), std::to_string(failures), busy(report)});
  }
  return table.text(io.width);
}

Json json_of(const TunedSize& size) {
  return {{"size", size.size},           {"winner", cli::json_of(size.winner)},
          {"winner_us", size.winner_us}, {"default_us", size.default_us},
          {"noise", size.noise},         {"trials", size.trials},
          {"failures", size.failures},   {"pruned", size.pruned},
          {"earlier", size.earlier}};
}

}  // namespace

TuneTicker::TuneTicker(Io& io, std::chrono::milliseconds most, std::stop_token stop)
    : most_(most), stop_(std::move(stop)), ticker_(io, [this] { return line(); }) {}

void TuneTicker::operator()(const TuneProgress& now) {
  const std::lock_guard lock(mutex_);
  now_ = now;
}

// What matters most comes first: the terminal's width cuts off the rest.
std::string TuneTicker::line() const {
  if (stop_.stop_requested()) return "";
  const std::lock_guard lock(mutex_);
  if (!now_) return fmt::format("tuning: getting ready, {}", remaining(0));
  const double done = (now_->jobs_done + now_->fraction_done) / now_->jobs;
  std::string text = now_->jobs > 1 ? fmt::format("{} of {}: ", now_->jobs_done + 1, now_->jobs) : "tuning ";
  text += fmt::format("{} {}, {}, {} trials", to_string(now_->problem), base::format_size(now_->problem.size),
                      remaining(done), now_->trials);
  if (now_->best_us > 0) text += fmt::format(", best {}", format_time(now_->best_us));
  if (now_->best_us > 0 && now_->default_us > 0) text += fmt::format(" ({:.2f}x)", now_->default_us / now_->best_us);
  if (now_->failures > 0) text += fmt::format(", {} failed", now_->failures);
  return now_->jobs > 1 ? fmt::format("{}, on {}", text, now_->device) : text;
}

// By the budget; less where trials are counted and these come to their end sooner.
std::string TuneTicker::remaining(double done) const {
  constexpr double enough_to_tell = 0.05;
  const std::chrono::duration<double> elapsed = Clock::now() - begin_;
  std::chrono::duration<double> left = std::max(std::chrono::duration<double>(most_) - elapsed, elapsed.zero());
  if (done > enough_to_tell && done <= 1)
    left = std::min<std::chrono::duration<double>>(left, elapsed * ((1 - done) / done));
  return format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(left)) + " left";
}

std::string finished_line(const TuneReport& report) {
  const double mean = mean_factor(report);
  return fmt::format("{} on {}: {} {} tuned{}", to_string(report.problem), report.device, report.sizes.size(),
                     report.sizes.size() == 1 ? "size" : "sizes",
                     mean > 0 ? fmt::format(", {} as fast as the default", factor(mean)) : "");
}

Json document(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures) {
  Json problems = Json::array(), failed = Json::array();
  for (const TuneReport& report : reports) {
    Json problem = json_of(report.problem);
    problem.erase("size");
    Json sizes = Json::array();
    for (const TunedSize& size : report.sizes) sizes.push_back(json_of(size));
    Json left_out = Json::array();
    for (const SizeLeftOut& each : report.left_out) left_out.push_back({{"size", each.size}, {"reason", each.reason}});
    problems.push_back({{"problem", problem},
                        {"device", report.device},
                        {"sizes", sizes},
                        {"left_out", left_out},
                        {"side_winners", report.side_winners},
                        {"measuring_seconds", report.measuring_seconds},
                        {"busy_seconds", report.busy_seconds},
                        {"waiting_seconds", report.waiting_seconds}});
  }
  for (const TuneFailure& failure : failures) {
    failed.push_back({{"problem", failure.problem}, {"reason", failure.reason}});
  }
  return {{"problems", problems}, {"failed", failed}};
}

std::string tables(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures,
                   const std::vector<std::unique_ptr<Context>>& contexts, const Io& io) {
  std::string text;
  if (reports.size() == 1) text = size_table(reports.front(), contexts, io);
  if (reports.size() > 1) text = problem_table(reports, io);
  return text + failure_lines(failures);
}

}  // namespace upsweep::cli
