#include "tests/support/rows.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "generator/algorithm.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

Problem rows_of_type(Algorithm algorithm, Operator op, Type type, std::uint64_t length) {
  return in_rows(make_problem(algorithm, op, type, type), 1000, length);
}

PortCase make_rows_case(const Problem& problem, const Rows& rows, std::uint64_t seed) {
  Problem flat = problem;
  flat.shape = Shape::flat;
  flat.row_length = 0;
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
  PortCase call{.n = rows.items(), .rows = rows, .inputs = {{"in", items}}, .results = {{"out", out}}};
  if (entry_of(problem).has_initial) call.scalars = {{"initial", initial}};
  if (is_dense(problem) && size_of(problem.input) == size_of(problem.output)) call.in_place = {{"out", "in"}};
  return call;
}

}  // namespace upsweep::test
