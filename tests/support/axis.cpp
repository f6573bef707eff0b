#include "tests/support/axis.hpp"

#include <algorithm>
#include <vector>

#include "generator/algorithm.hpp"
#include "tests/support/cases.hpp"

namespace upsweep::test {

Problem axis_of_type(Algorithm algorithm, Operator op, Type type, std::uint64_t length, std::uint64_t inner) {
  return along_axis(make_problem(algorithm, op, type, type), axis(1, length, inner));
}

PortCase make_axis_case(const Problem& problem, const Axis& axis, std::uint64_t seed) {
  Problem flat = problem;
  flat.shape = Shape::flat;
  flat.row_length = 0;
  flat.inner = 0;
  // Of a scan, any stretch folds exactly.
  Problem of_items = flat;
  of_items.algorithm = Algorithm::inclusive_scan;
  Problem of_accumulators = of_items;
  of_accumulators.input = problem.accumulator;
  Scalar initial{.type = problem.accumulator};
  const std::vector<std::byte> value = make_data(of_accumulators, 1, Data::random, seed + 1);
  std::copy(value.begin(), value.end(), initial.bytes.begin());

  const std::size_t in_size = size_of(problem.input), out_size = size_of(problem.output);
  const std::vector<std::byte> items = make_data(of_items, axis.items(), Data::random, seed);
  const bool dense = is_dense(problem);
  std::vector<std::byte> out((dense ? axis.items() : axis.columns()) * out_size);
  std::vector<std::byte> column(axis.length() * in_size);
  for (std::uint64_t index = 0; index < axis.columns(); ++index) {
    const std::uint64_t outer = index / axis.inner(), j = index % axis.inner();
    const auto place = [&](std::uint64_t k) { return (outer * axis.length() + k) * axis.inner() + j; };
    for (std::uint64_t k = 0; k < axis.length(); ++k) {
      std::copy_n(items.data() + place(k) * in_size, in_size, column.data() + k * in_size);
    }
    const std::vector<std::byte> results = expected(flat, column, axis.length(), initial);
    for (std::uint64_t k = 0; k < results.size() / out_size; ++k) {
      std::copy_n(results.data() + k * out_size, out_size, out.data() + (dense ? place(k) : index) * out_size);
    }
  }
  PortCase call{.n = axis.items(), .axis = axis, .inputs = {{"in", items}}, .results = {{"out", out}}};
  if (entry_of(problem).has_initial) call.scalars = {{"initial", initial}};
  if (dense && in_size == out_size) call.in_place = {{"out", "in"}};
  return call;
}

}  // namespace upsweep::test
