#include "cli/tune_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/size.hpp"

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
  if (report.measuring_seconds <= 0) return "";
  return fmt::format("measured for {:.1f} s, the device busy {:.0f}% of it, waiting for compilers {:.0f}%",
                     report.measuring_seconds, 100 * report.busy_seconds / report.measuring_seconds,
                     100 * report.waiting_seconds / report.measuring_seconds);
}

std::string size_table(const TuneReport& report) {
  std::string text = fmt::format("{} on {}\n", to_string(report.problem), report.device);
  text += fmt::format("{:>10}  {:>10}  {:>10}  {:>7}  {:>6}  {:>6}  {:>6}  {:>6}  {}\n", "size", "default", "winner",
                      "faster", "noise", "trials", "failed", "pruned", "config");
  for (const TunedSize& each : report.sizes) {
    text += fmt::format("{:>10}  {:>10}  {:>10}  {:>7}  {:>5.1f}%  {:>6}  {:>6}  {:>6}  {}\n", format_size(each.size),
                        each.default_us > 0 ? format_time(each.default_us) : "-", format_time(each.winner_us),
                        factor(faster(each)), 100 * each.noise, each.trials, each.failures, each.pruned,
                        to_json(each.winner));
  }
  return text + busy(report) + "\n";
}

std::string problem_table(const std::vector<TuneReport>& reports) {
  std::string text = fmt::format("{:<36}  {:<8}  {:>5}  {:>7}  {:>6}  {:>6}  {}\n", "problem", "device", "sizes",
                                 "faster", "trials", "failed", "");
  for (const TuneReport& report : reports) {
    int trials = 0, failures = 0;
    for (const TunedSize& size : report.sizes) trials += size.trials, failures += size.failures;
    text += fmt::format("{:<36}  {:<8}  {:>5}  {:>7}  {:>6}  {:>6}  {}\n", to_string(report.problem), report.device,
                        report.sizes.size(), factor(mean_factor(report)), trials, failures, busy(report));
  }
  return text;
}

Json json_of(const TunedSize& size) {
  return {{"size", size.size},           {"winner", cli::json_of(size.winner)},
          {"winner_us", size.winner_us}, {"default_us", size.default_us},
          {"noise", size.noise},         {"trials", size.trials},
          {"failures", size.failures},   {"pruned", size.pruned},
          {"earlier", size.earlier}};
}

}  // namespace

void TuneTicker::operator()(const TuneProgress& now) {
  const auto step = io_->terminal() ? std::chrono::milliseconds(100) : std::chrono::milliseconds(2000);
  if (Clock::now() - said_ < step) return;
  said_ = Clock::now();
  std::string line = fmt::format("tuning {} {}: {:3.0f}%, {} trials", to_string(now.problem),
                                 format_size(now.problem.size), 100 * now.fraction_done, now.trials);
  if (now.jobs > 1) line = fmt::format("{} of {} on {}, ", now.jobs_done + 1, now.jobs, now.device) + line;
  if (now.failures > 0) line += fmt::format(" ({} failed)", now.failures);
  if (now.best_us > 0) line += fmt::format(", best {}", format_time(now.best_us));
  if (now.best_us > 0 && now.default_us > 0) line += fmt::format(" ({:.2f}x)", now.default_us / now.best_us);
  io_->status(line + remaining((now.jobs_done + now.fraction_done) / now.jobs));
}

std::string TuneTicker::remaining(double done) const {
  if (done <= 0 || done > 1) return "";
  const std::chrono::duration<double> left = (Clock::now() - begin_) * ((1 - done) / done);
  return ", " + format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(left)) + " left";
}

Json document(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures) {
  Json problems = Json::array(), failed = Json::array();
  for (const TuneReport& report : reports) {
    Json problem = json_of(report.problem);
    problem.erase("size");
    Json sizes = Json::array();
    for (const TunedSize& size : report.sizes) sizes.push_back(json_of(size));
    problems.push_back({{"problem", problem},
                        {"device", report.device},
                        {"sizes", sizes},
                        {"measuring_seconds", report.measuring_seconds},
                        {"busy_seconds", report.busy_seconds},
                        {"waiting_seconds", report.waiting_seconds}});
  }
  for (const TuneFailure& failure : failures) {
    failed.push_back({{"problem", failure.problem}, {"reason", failure.reason}});
  }
  return {{"problems", problems}, {"failed", failed}};
}

std::string tables(const std::vector<TuneReport>& reports, const std::vector<TuneFailure>& failures) {
  std::string text = reports.size() == 1 ? size_table(reports.front()) : problem_table(reports);
  for (const TuneFailure& failure : failures)
    text += fmt::format("{}: not tuned: {}\n", failure.problem, failure.reason);
  return text;
}

}  // namespace upsweep::cli
