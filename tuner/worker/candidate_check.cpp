#include "tuner/worker/candidate_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/shape.hpp"

namespace upsweep::tuner {
namespace {

// None where results cannot be compared on the device: then everything is fetched, and whatever is wrong shows at the
// first candidate.
Verifier::Comparison comparison_on(runtime::Engine& engine, std::optional<DeviceComparison>& comparison) {
  if (engine.device().target() != Target::cuda) return {};
  try {
    comparison.emplace(engine.device(), engine.kernels());
  } catch (const Error&) {
    return {};
  }
  return {.begin = [&comparison](runtime::Stream stream) { comparison->begin(stream); },
          .compare = [&comparison](const void* a, const void* b, std::uint64_t bytes,
                                   runtime::Stream stream) { comparison->compare(a, b, bytes, stream); },
          .all_same = [&comparison](runtime::Stream stream) { return comparison->all_same(stream); }};
}

}  // namespace

CandidateCheck::CandidateCheck(runtime::Engine& engine, const Problem& problem, runtime::Stream stream,
                               std::uint64_t seed, const std::vector<Scalar>& scalars)
    : device_(engine.device()),
      stream_(stream),
      scalars_(scalars),
      sequential_(engine, problem, stream),
      verifier_(device_, stream, problem, seed, sequential_.calls(), comparison_on(engine, comparison_)) {}

std::uint64_t CandidateCheck::items_of_call(const Candidate& candidate, std::uint64_t size) const {
  return std::max(size, verifier_.sizes(candidate.tiles(), size).back());
}

void CandidateCheck::check(const Config& config, const Candidate& candidate, const RunRequest& request,
                           const SlotArrays& arrays, Outcome& outcome) {
  const auto checked = right_.find(config);
  if (checked != right_.end() && checked->second >= request.size) return;
  outcome.verdict = Verdict::wrong;
  outcome.failure = verifier_.check([&](const runtime::CallValues& values, runtime::Stream) { candidate.run(values); },
                                    candidate.tiles(), request.size);
  if (!outcome.failure.empty()) return;
  outcome.verdict = Verdict::pruned;
  outcome.failure = hopeless(candidate, request, arrays);
  if (!outcome.failure.empty()) return;
  outcome.verdict = Verdict::measured;
  right_[config] = request.size;
}

// A chain of small tiles can take a thousand times as long as the best, which is not worth measuring at great sizes.
std::string CandidateCheck::hopeless(const Candidate& candidate, const RunRequest& request,
                                     const SlotArrays& arrays) const {
  constexpr double hopeless_factor = 16;  // large calls take less time an item than small ones, but not so much less
  const std::uint64_t n = verifier_.sizes(candidate.tiles(), request.size).back();
  if (n >= request.size || std::isinf(request.limit_us)) return {};
  // Fewer rows than multiprocessors leave some of these idle: the time does not grow with the number of rows. Fewer
  // columns do not, by one of the schedules, and shorter ones tell nothing.
  const Problem& problem = verifier_.problem();
  const auto multiprocessors = static_cast<std::uint64_t>(std::max(device_.limits().multiprocessors, 1));
  if (problem.shape == Shape::rows && rows_of(problem, n) < multiprocessors) return {};
  if (problem.shape == Shape::axis && n < least_items(problem)) return {};
  const double scale = static_cast<double>(request.size) / static_cast<double>(n);
  const auto call_us = [&] {
    return device_.elapsed_us(stream_, [&] { candidate.run(call_of(problem, arrays, n, scalars_)); });
  };
  const auto is_too_slow = [&](double us) { return us * scale > hopeless_factor * request.limit_us; };
  double us = call_us();
  if (is_too_slow(us)) us = std::min(us, call_us());  // the host may have been late
  if (!is_too_slow(us)) return {};
  return fmt::format("takes {:.0f} us for {} items, which is too slow to measure with {} items", us, n, request.size);
}

}  // namespace upsweep::tuner
