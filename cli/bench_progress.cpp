#include "cli/bench_progress.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/size.hpp"
#include "cli/arguments.hpp"

namespace upsweep::cli {

BenchProgress::BenchProgress(Io& io, std::span<const Problem> problems, Target target, std::stop_token stop)
    : target_(target), stop_(std::move(stop)), count_(problems.size()), ticker_(io, [this] { return line(); }) {
  const std::lock_guard lock(mutex_);
  for (const Problem& problem : problems) all_ += weight(problem);
}

double BenchProgress::weight(const Problem& problem) const {
  constexpr double as_many_items = 1 << 14;  // take about as long as what comes before and after a call
  return target_ == Target::host ? static_cast<double>(problem.size) + as_many_items : 1;
}

void BenchProgress::begin(const Problem& problem) {
  const std::lock_guard lock(mutex_);
  ++number_;
  done_ += doing_;
  doing_ = weight(problem);
  what_ = fmt::format("{}, {} items", to_string(problem), base::format_size(problem.size));
}

std::string BenchProgress::line() const {
  if (stop_.stop_requested()) return "";
  const std::lock_guard lock(mutex_);
  if (number_ == 0) return "bench: getting ready";
  std::string text = fmt::format("{} of {}: {}", number_, count_, what_);
  if (done_ <= 0) return text;
  const std::chrono::duration<double> left = (Clock::now() - begin_) * ((all_ - done_) / (done_ + doing_ / 2));
  return fmt::format("{}, {} left", text, format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(left)));
}

}  // namespace upsweep::cli
