#include "tests/support/segments.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <span>

#include "generator/algorithm.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {
namespace {

std::vector<std::byte> stored(const std::vector<std::uint64_t>& offsets, Type type) {
  std::vector<std::byte> bytes(offsets.size() * size_of(type));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::memcpy(bytes.data() + i * size_of(type), &offsets[i], size_of(type));  // little-endian
  }
  return bytes;
}

}  // namespace

Problem segments_of_type(Algorithm algorithm, Operator op, Type type, Type offset_type) {
  return in_segments(make_problem(algorithm, op, type, type), 1000, 64'000, offset_type);
}

std::vector<std::uint64_t> offsets_of(const std::vector<std::uint64_t>& lengths, std::uint64_t first) {
  std::vector<std::uint64_t> offsets{first};
  for (const std::uint64_t length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

// What each segment is, on its own.
static Problem flat_problem(const Problem& problem) {
  Problem flat = problem;
  flat.shape = Shape::flat;
  flat.row_length = 0;
  flat.unordered_segments = false;
  flat.key.reset();
  return flat;
}

// Of a scan, any stretch folds exactly.
static std::vector<std::byte> make_items(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  Problem of_items = flat_problem(problem);
  of_items.algorithm = Algorithm::inclusive_scan;
  return make_data(of_items, n, Data::random, seed);
}

static Scalar make_initial(const Problem& problem, std::uint64_t seed) {
  Problem of_accumulators = problem;
  of_accumulators.input = problem.accumulator;
  Scalar initial{.type = problem.accumulator};
  const std::vector<std::byte> value = make_items(of_accumulators, 1, seed + 1);
  std::copy(value.begin(), value.end(), initial.bytes.begin());
  return initial;
}

// Segments lie between the offsets; with gaps, segments and gaps in turn.
static PortCase make_case(const Problem& problem, const std::vector<std::uint64_t>& offsets, bool has_gaps,
                          std::uint64_t n, std::uint64_t seed) {
  const Problem flat = flat_problem(problem);
  const Scalar initial = make_initial(problem, seed);
  const std::vector<std::byte> items = make_items(problem, n, seed);
  const std::size_t size = size_of(problem.input);
  std::vector<std::byte> out;
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::uint64_t length = offsets[i + 1] - offsets[i];
    if (has_gaps && i % 2 != 0) {
      if (!is_dense(problem)) continue;
      gaps.push_back({offsets[i] - offsets.front(), offsets[i + 1] - offsets.front()});
      out.resize(out.size() + length * size_of(problem.output));
      continue;
    }
    const std::vector<std::byte> results =
        expected(flat, std::span(items).subspan(offsets[i] * size, length * size), length, initial);
    out.insert(out.end(), results.begin(), results.end());
  }
  PortCase call{.n = n,
                .segments = offsets.size() - 1,
                .inputs = {{"in", items}, {"offsets", stored(offsets, problem.key.value())}},
                .results = {{"out", out}},
                .gaps = gaps};
  if (is_dense(problem)) call.first_result = offsets.front();
  if (has_gaps) {
    std::vector<std::uint64_t> begins, ends;
    for (std::size_t i = 0; i < offsets.size(); ++i) (i % 2 == 0 ? begins : ends).push_back(offsets[i]);
    call.segments = begins.size();
    call.inputs["offsets"] = stored(begins, problem.key.value());
    call.segment_ends = stored(ends, problem.key.value());
  }
  if (entry_of(problem).has_initial) call.scalars = {{"initial", initial}};
  if (is_dense(problem) && size == size_of(problem.output)) call.in_place = {{"out", "in"}};
  return call;
}

PortCase make_segments_case(const Problem& problem, const std::vector<std::uint64_t>& offsets, std::uint64_t n,
                            std::uint64_t seed) {
  return make_case(problem, offsets, false, n, seed);
}

PortCase make_pairs_case(const Problem& problem, std::vector<std::uint64_t> offsets, std::uint64_t n,
                         std::uint64_t seed) {
  if (offsets.size() % 2 != 0) offsets.pop_back();
  return make_case(problem, offsets, true, n, seed);
}

PortCase make_unordered_case(const Problem& problem, const std::vector<SegmentPlace>& segments, std::uint64_t n,
                             std::uint64_t seed) {
  const Problem flat = flat_problem(problem);
  const Scalar initial = make_initial(problem, seed);
  const std::vector<std::byte> items = make_items(problem, n, seed);
  const std::size_t size = size_of(problem.input), wide = size_of(problem.output);
  std::vector<std::byte> out(is_dense(problem) ? n * wide : 0);
  std::vector<std::uint64_t> begins, ends;
  std::vector<bool> has_result(n, false);
  for (const SegmentPlace& each : segments) {
    begins.push_back(each.begin);
    ends.push_back(each.end);
    const std::uint64_t length = each.end - each.begin;
    const std::vector<std::byte> results =
        expected(flat, std::span(items).subspan(each.begin * size, length * size), length, initial);
    if (!is_dense(problem)) {
      out.insert(out.end(), results.begin(), results.end());
      continue;
    }
    std::copy(results.begin(), results.end(), out.begin() + static_cast<std::ptrdiff_t>(each.begin * wide));
    std::fill_n(has_result.begin() + static_cast<std::ptrdiff_t>(each.begin), length, true);
  }
  PortCase call{.n = n,
                .segments = segments.size(),
                .inputs = {{"in", items}, {"offsets", stored(begins, problem.key.value())}},
                .results = {{"out", out}}};
  call.segment_ends = stored(ends, problem.key.value());
  call.segments_are_unordered = true;
  for (std::uint64_t i = 0; is_dense(problem) && i < n; ++i) {
    if (!has_result[i]) call.gaps.push_back({i, i + 1});
  }
  if (entry_of(problem).has_initial) call.scalars = {{"initial", initial}};
  if (is_dense(problem) && size == wide) call.in_place = {{"out", "in"}};
  return call;
}

std::vector<SegmentPlace> shuffled_segments(const std::vector<std::uint64_t>& offsets, std::uint64_t seed) {
  std::vector<SegmentPlace> found;
  for (std::size_t i = 0; i + 1 < offsets.size(); i += 1 + seed % 2) found.push_back({offsets[i], offsets[i + 1]});
  std::shuffle(found.begin(), found.end(), std::mt19937_64(seed));
  return found;
}

std::vector<std::uint64_t> mixed_lengths(std::uint64_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> lengths;
  const std::uint64_t kind = seed % 6, mean = std::uint64_t{1} << random() % 9;
  std::uint64_t left = n;
  while (left > 0) {
    std::uint64_t length = mean;
    if (kind == 1) length = random() % (2 * mean + 1);
    if (kind == 2) length = random() % 16 == 0 ? 3 * mean : 0;
    if (kind == 3) length = lengths.size() == 5 ? n / 2 + 1 : random() % 3;
    if (kind == 4) length = std::uint64_t{1} << random() % 12;
    if (kind == 5) {  // empty segments, once or twice many of them at one offset
      const bool is_crowded = random() % 8 == 0 && lengths.size() < 2 * n;
      lengths.insert(lengths.end(), is_crowded ? n : 1, 0);
      length = mean + random() % mean;
    }
    lengths.push_back(std::min(length, left));
    left -= lengths.back();
  }
  if (seed % 2 == 0) lengths.insert(lengths.end(), seed % 7, 0);
  return lengths;
}

}  // namespace upsweep::test
