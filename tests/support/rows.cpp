#include "tests/support/rows.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "generator/algorithm.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

namespace {

// The bytes of rows with others behind each but the last, up to the begin of the next one.
std::vector<std::byte> with_gaps(const std::vector<std::byte>& items, const Rows& rows, std::uint64_t pitch,
                                 std::size_t item_bytes) {
  if (items.empty()) return {};
  const std::size_t row = rows.length() * item_bytes, step = pitch * item_bytes;
  std::vector<std::byte> spread((rows.count() - 1) * step + row, std::byte{0xa5});
  for (std::size_t i = 0; i < rows.count(); ++i) {
    std::copy_n(items.begin() + static_cast<std::ptrdiff_t>(i * row), row,
                spread.begin() + static_cast<std::ptrdiff_t>(i * step));
  }
  return spread;
}

}  // namespace

Problem rows_of_type(Algorithm algorithm, Operator op, Type type, std::uint64_t length) {
  return in_rows(make_problem(algorithm, op, type, type), 1000, length);
}

PortCase make_rows_case(const Problem& problem, const Rows& rows, std::uint64_t seed) {
  Problem flat = problem;
  flat.shape = Shape::flat;
  flat.row_length = flat.row_pitch = 0;
  // Of a scan, any stretch folds exactly.
  Problem of_items = flat;
  of_items.algorithm = Algorithm::inclusive_scan;
  Problem of_accumulators = of_items;
  of_accumulators.input = problem.accumulator;
  Scalar initial{.type = problem.accumulator};
  const std::vector<std::byte> value = make_data(of_accumulators, 1, Data::random, seed + 1);
  std::copy(value.begin(), value.end(), initial.bytes.begin());

  const std::vector<std::byte> items = make_data(of_items, rows.items(), Data::random, seed);
  const std::uint64_t bytes = rows.length() * size_of(problem.input);
  std::vector<std::byte> out;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    const std::vector<std::byte> results =
        expected(flat, std::span(items).subspan(row * bytes, bytes), rows.length(), initial);
    out.insert(out.end(), results.begin(), results.end());
  }
  const bool has_out_gaps = is_dense(problem);
  PortCase call{.n = rows.items(), .rows = rows};
  call.inputs = {{"in", with_gaps(items, rows, rows.in_pitch(), size_of(problem.input))}};
  call.results = {
      {"out", has_out_gaps ? with_gaps(out, rows, rows.out_pitch(), size_of(problem.output)) : std::move(out)}};
  for (std::uint64_t row = 1; has_out_gaps && rows.length() > 0 && row < rows.count(); ++row) {
    call.gaps.push_back({(row - 1) * rows.out_pitch() + rows.length(), row * rows.out_pitch()});
  }
  if (entry_of(problem).has_initial) call.scalars = {{"initial", initial}};
  const bool is_alike = size_of(problem.input) == size_of(problem.output) && rows.in_pitch() == rows.out_pitch();
  if (is_dense(problem) && is_alike) call.in_place = {{"out", "in"}};
  return call;
}

}  // namespace upsweep::test
