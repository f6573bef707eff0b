#include "generator/algorithm.hpp"

#include <limits>

#include "generator/bytes.hpp"
#include "generator/shape.hpp"

namespace upsweep {
namespace {

std::uint64_t bytes_of_ports(const Problem& problem, Direction direction, std::uint64_t n) {
  std::uint64_t sum = 0;
  for (const Port& port : ports(problem)) {
    if (port.direction != direction) continue;
    const std::uint64_t bytes = bytes_of(port_items(problem, port, n), port.type);
    if (__builtin_add_overflow(sum, bytes, &sum)) return std::numeric_limits<std::uint64_t>::max();
  }
  return sum;
}

}  // namespace

std::vector<Port> dense_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::n}};
}

std::vector<Port> at_end_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::one}};
}

std::vector<Port> row_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n}, {"out", problem.output, Direction::out, Extent::rows}};
}

std::vector<Port> dense_segment_ports(const Problem& problem) {
  std::vector<Port> all = segment_ports(problem);
  all.back().extent = Extent::n;
  return all;
}

std::vector<Port> segment_ports(const Problem& problem) {
  return {{"in", problem.input, Direction::in, Extent::n},
          {"offsets", problem.key.value_or(Type::u32), Direction::in, Extent::offsets},
          {"out", problem.output, Direction::out, Extent::rows}};
}

std::uint64_t port_items(const Problem& problem, const Port& port, std::uint64_t n) noexcept {
  return port.items(whole_items(problem, n), rows_of(problem, n));
}

std::vector<Port> ports(const Problem& problem) {
  return entry_of(problem).ports(problem);
}

std::vector<ScalarPort> scalars(const Problem& problem) {
  const AlgorithmEntry& entry = entry_of(problem);
  std::vector<ScalarPort> all;
  if (entry.has_initial) all.push_back({"initial", problem.accumulator});
  if (!entry.scalars) return all;
  for (ScalarPort& scalar : entry.scalars(problem)) all.push_back(std::move(scalar));
  return all;
}

Problem problem_of(Algorithm algorithm, Operator op, Type input, std::optional<Type> accumulator,
                   std::optional<Type> output, std::optional<Type> key) {
  const AlgorithmEntry& entry = entry_of(algorithm);
  const Type otherwise = output && !entry.output_is_input ? *output : entry.accumulator.value_or(input);
  Problem problem = make_problem(algorithm, op, input, accumulator.value_or(otherwise));
  problem.output = output.value_or(problem.output);
  if (key) problem.key = key;
  return problem;
}

std::vector<Type> types_of(const Problem& problem) {
  std::vector<Type> types{problem.input, problem.accumulator, problem.output};
  if (problem.key) types.push_back(*problem.key);
  return types;
}

std::vector<Port> tile_inputs(const Problem& problem) {
  std::vector<Port> inputs = ports(problem);
  std::erase_if(inputs, [](const Port& port) {
    return port.direction != Direction::in || port.extent == Extent::one || port.extent == Extent::offsets;
  });
  return inputs;
}

std::vector<Port> tile_outputs(const Problem& problem) {
  std::vector<Port> outputs = ports(problem);
  std::erase_if(outputs, [](const Port& port) {
    return port.direction != Direction::out || port.extent == Extent::one || port.extent == Extent::rows;
  });
  return outputs;
}

bool has_plain_items(const Problem& problem) {
  if (has_segment_begins(problem)) return false;
  if (!is_dense(problem)) return !is_compact(problem);
  const std::vector<Port> inputs = tile_inputs(problem);
  return inputs.size() == 1 && inputs.front().previous_items == 0 && !entry_of(problem).with_index &&
         !has_row_begins(problem);
}

std::uint64_t input_bytes(const Problem& problem, std::uint64_t n) {
  return bytes_of_ports(problem, Direction::in, n);
}

std::uint64_t output_bytes(const Problem& problem, std::uint64_t n) {
  return bytes_of_ports(problem, Direction::out, n);
}

std::uint64_t output_items(const Problem& problem, std::uint64_t n) {
  for (const Port& port : ports(problem)) {
    if (port.direction == Direction::out) return port_items(problem, port, n);
  }
  return 0;
}

}  // namespace upsweep
