#include "tests/support/cases.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/algorithm.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/value.hpp"

namespace upsweep::test {
namespace {

// As a conversion in C++ would have it: integers to floating by value, the rest as it is.
Value convert(Type from, Type to, Value value) {
  if (!is_floating(from) && is_floating(to)) {
    value.real = is_signed(from) ? static_cast<double>(static_cast<std::int64_t>(value.integer))
                                 : static_cast<double>(value.integer);
  }
  std::byte rounded[16];
  write(to, value, rounded);
  return read(to, rounded);
}

bool is_below(Type type, Value a, Value b) {
  if (is_floating(type)) return a.real == b.real ? std::signbit(a.real) && !std::signbit(b.real) : a.real < b.real;
  if (is_signed(type)) return static_cast<std::int64_t>(a.integer) < static_cast<std::int64_t>(b.integer);
  return a.integer < b.integer;
}

Value compose(Type type, Value a, Value b) {
  const int bits = static_cast<int>(size_of(type)) * 4;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t slope = (a.integer >> bits) * (b.integer >> bits) & mask;
  const std::uint64_t offset = ((b.integer >> bits) * (a.integer & mask) + (b.integer & mask)) & mask;
  return {slope << bits | offset, 0};
}

Value apply(Operator op, Type type, Value a, Value b) {
  const bool nan = std::isnan(a.real) || std::isnan(b.real);
  switch (op) {
    case Operator::plus:
      return {a.integer + b.integer, a.real + b.real, a.imaginary + b.imaginary};
    case Operator::minus:
      return {a.integer - b.integer, a.real - b.real, a.imaginary - b.imaginary};
    case Operator::multiplies:
      if (!is_complex(type)) return {a.integer * b.integer, a.real * b.real};
      return {0, a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
    case Operator::minimum:
      return nan ? Value{0, std::nan("")} : is_below(type, b, a) ? b : a;
    case Operator::maximum:
      return nan ? Value{0, std::nan("")} : is_below(type, a, b) ? b : a;
    case Operator::bit_and:
      return {a.integer & b.integer, 0};
    case Operator::bit_or:
      return {a.integer | b.integer, 0};
    case Operator::bit_xor:
      return {a.integer ^ b.integer, 0};
    case Operator::last_nonzero:
      return b.integer != 0 || b.real != 0 || b.imaginary != 0 ? b : a;
    default:
      break;
  }
  return compose(type, a, b);
}

}  // namespace

std::vector<Problem> all_problems() {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const Operator op : all_operators()) {
      for (const Type type : all_types()) {
        const Problem problem = make_problem(algorithm, op, type, type);
        try {
          validate(problem);
          problems.push_back(problem);
        } catch (const UsageError&) {  // the operator does not take the type: problem_test checks which
        }
      }
    }
  }
  return problems;
}

std::vector<Problem> mixed_problems() {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : test::scans_and_reduces) {
    problems.push_back(make_problem(algorithm, Operator::plus, Type::i32, Type::i64));
    problems.push_back(make_problem(algorithm, Operator::plus, Type::u8, Type::u64));
    problems.push_back(make_problem(algorithm, Operator::plus, Type::i8, Type::i16));
    problems.push_back(make_problem(algorithm, Operator::plus, Type::u64, Type::u32));
    problems.push_back(make_problem(algorithm, Operator::plus, Type::f16, Type::f32));
    problems.push_back(make_problem(algorithm, Operator::maximum, Type::bf16, Type::f64));
    problems.push_back(make_problem(algorithm, Operator::plus, Type::i8, Type::f32));
    Problem narrowed = make_problem(algorithm, Operator::plus, Type::f16, Type::f32);
    narrowed.output = Type::f16;
    problems.push_back(narrowed);
    problems.push_back(make_problem(algorithm, Operator::multiplies, Type::f32, Type::c64));
    problems.push_back(make_problem(algorithm, Operator::plus, Type::i16, Type::c128));
    Problem complex = make_problem(algorithm, Operator::plus, Type::c64, Type::c128);
    complex.output = Type::c64;
    problems.push_back(complex);
    Problem widened = make_problem(algorithm, Operator::maximum, Type::i16, Type::i16);
    widened.output = Type::f64;
    problems.push_back(widened);
  }
  return problems;
}

std::string test_name(const Problem& problem) {
  std::string text = to_string(problem);
  std::erase(text, ',');
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::vector<std::byte> expected_differences(const Problem& problem, std::span<const std::byte> input, std::uint64_t n) {
  const Type type = problem.accumulator;
  std::vector<std::byte> output(n * size_of(problem.output));
  Value before;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Value own = convert(problem.input, type, read(problem.input, &input[i * size_of(problem.input)]));
    const Value result = i == 0 ? own : convert(type, type, apply(problem.op, type, own, before));
    write(problem.output, convert(type, problem.output, result), &output[i * size_of(problem.output)]);
    before = own;
  }
  return output;
}

std::vector<std::byte> expected(const Problem& problem, std::span<const std::byte> input, std::uint64_t n,
                                const Scalar& initial) {
  const std::size_t in_size = size_of(problem.input), out_size = size_of(problem.output);
  const bool reduce = problem.algorithm == Algorithm::reduce;
  std::vector<std::byte> output((reduce ? 1 : n) * out_size);
  const bool backward =
      problem.algorithm == Algorithm::reverse_inclusive_scan || problem.algorithm == Algorithm::reverse_exclusive_scan;
  const bool inclusive =
      problem.algorithm == Algorithm::inclusive_scan || problem.algorithm == Algorithm::reverse_inclusive_scan;
  Value running = read(problem.accumulator, initial.bytes.data());
  const auto emit = [&](std::uint64_t i) {
    write(problem.output, convert(problem.accumulator, problem.output, running), &output[i * out_size]);
  };
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::uint64_t i = backward ? n - 1 - k : k;
    const Value own = convert(problem.input, problem.accumulator, read(problem.input, &input[i * in_size]));
    if (!inclusive && !reduce) emit(i);
    running = k == 0 && inclusive ? own
                                  : convert(problem.accumulator, problem.accumulator,
                                            apply(problem.op, problem.accumulator, running, own));
    if (inclusive) emit(i);
  }
  if (reduce) emit(0);
  return output;
}

Zeros zeros_of(const Problem& problem) {
  const bool depends = problem.op == Operator::multiplies && is_complex(problem.accumulator);
  return depends ? Zeros::alike : Zeros::by_sign;
}

std::optional<std::string> difference(Type type, std::span<const std::byte> wanted, std::span<const std::byte> got,
                                      Zeros zeros) {
  const std::size_t size = size_of(type);
  if (wanted.size() != got.size()) return fmt::format("{} bytes expected, {} got", wanted.size(), got.size());
  if (std::ranges::equal(wanted, got)) return std::nullopt;
  for (std::size_t i = 0; i * size < wanted.size(); ++i) {
    const Value a = read(type, &wanted[i * size]), b = read(type, &got[i * size]);
    const auto same = [&](double x, double y) {
      if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
      return x == y && (zeros == Zeros::alike || std::signbit(x) == std::signbit(y));
    };
    if (a.integer == b.integer && same(a.real, b.real) && same(a.imaginary, b.imaginary)) continue;
    Scalar left{.type = type}, right{.type = type};
    std::memcpy(left.bytes.data(), &wanted[i * size], size);
    std::memcpy(right.bytes.data(), &got[i * size], size);
    return fmt::format("item {}: expected {}, got {}", i, to_string(left), to_string(right));
  }
  return std::nullopt;
}

std::vector<Layout> misaligned_layouts(const Problem& problem) {
  std::vector<Layout> layouts{
      {.in_offset = 1}, {.out_offset = 3}, {.in_offset = 1, .out_offset = 1}, {.in_offset = 5, .out_offset = 2}};
  if (size_of(problem.input) == size_of(problem.output)) {
    layouts.push_back({.in_place = true});
    layouts.push_back({.in_place = true, .in_offset = 1});
  }
  return layouts;
}

namespace {

const char* name(Data data) {
  constexpr const char* names[] = {"random",     "constant",   "stepping", "signed_zeros",
                                   "subnormals", "infinities", "nans"};
  return names[static_cast<std::size_t>(data)];
}

// What hides none of the special items.
Scalar special_initial_value(const Problem& problem, Data data) {
  Scalar initial{.type = problem.accumulator};
  double value = problem.op == Operator::multiplies ? 1 : 0;
  if (data == Data::signed_zeros && problem.op != Operator::minimum) value = -value;
  if (data == Data::signed_zeros && problem.op == Operator::plus) value = -0.0;
  write(problem.accumulator, {0, value, problem.op == Operator::plus ? value : 0.0}, initial.bytes.data());
  return initial;
}

// Never the identity where another value keeps floating results exact: that it is taken, in which place, and by an
// inclusive scan not at all, is to show.
Scalar initial_value(const Problem& problem, Data data) {
  if (is_special(data)) return special_initial_value(problem, data);
  const Type type = problem.accumulator;
  if (problem.op == Operator::affine) {
    const std::uint64_t map = std::uint64_t{3} << size_of(type) * 4 | 5;  // x -> 3 x + 5
    return parse_scalar(type, std::to_string(map));
  }
  const bool rounds = problem.op == Operator::multiplies && entry_of(problem).has_initial;
  if (is_complex(type)) return parse_scalar(type, rounds ? "1i" : "3-2i");
  return parse_scalar(type, rounds ? "1" : "3");
}

bool is_written(std::span<const std::byte> guard) {
  return std::ranges::any_of(guard, [](std::byte b) { return b != std::byte{0xa7}; });
}

}  // namespace

std::optional<std::string> run_and_compare(runtime::Device& device, const Plan& plan, std::uint64_t n, Data data,
                                           std::uint64_t seed, const Layout& layout, Stream stream) {
  const Problem& problem = plan.problem();
  constexpr std::size_t guard = 64;  // bytes before and behind
  const std::size_t in_size = size_of(problem.input), out_size = size_of(problem.output);
  const std::size_t in_at = guard + layout.in_offset * in_size;
  const std::size_t out_at = layout.in_place ? in_at : guard + layout.out_offset * out_size;
  const std::uint64_t outputs = problem.algorithm == Algorithm::reduce ? 1 : n;
  const std::vector<std::byte> input = make_data(problem, n, data, seed);
  const Scalar initial = initial_value(problem, data);

  runtime::Buffer in(device, in_at + std::max(input.size(), outputs * out_size) + guard);
  runtime::Buffer separate;
  if (!layout.in_place) separate = runtime::Buffer(device, out_at + outputs * out_size + guard);
  runtime::Buffer& out = layout.in_place ? in : separate;
  device.fill(out.data(), 0xa7, out.bytes(), stream);
  device.copy_to_device(static_cast<std::byte*>(in.data()) + in_at, input.data(), input.size(), stream);
  std::byte* const to = static_cast<std::byte*>(out.data()) + out_at;
  const std::byte* const from = static_cast<std::byte*>(in.data()) + in_at;
  runtime::Buffer initial_memory;
  if (layout.initial_in_memory) {
    initial_memory = runtime::Buffer(device, initial.bytes.size());
    device.copy_to_device(initial_memory.data(), initial.bytes.data(), initial.bytes.size(), stream);
    plan.run(Arguments(n).array("in", from).array("out", to).scalar_in_memory("initial", initial_memory.data()),
             stream);
  } else {
    plan.run(from, to, n, initial, stream);
  }

  std::vector<std::byte> got(out_at + outputs * out_size + guard);
  device.copy_to_host(got.data(), out.data(), got.size(), stream);
  const std::span<const std::byte> before(got.data(), out_at), values(got.data() + out_at, outputs * out_size),
      behind(got.data() + out_at + values.size(), guard);
  std::optional<std::string> wrong =
      difference(problem.output, expected(problem, input, n, initial), values, zeros_of(problem));
  const bool reduced_in_place = layout.in_place && problem.algorithm == Algorithm::reduce;
  if (!wrong && is_written(before)) wrong = "something before the output was written";
  if (!wrong && !reduced_in_place && is_written(behind)) wrong = "something behind the output was written";
  if (!wrong) return std::nullopt;
  return fmt::format("{}, n {}, {} data, seed {}{}, offsets {} and {}, config {}: {}", to_string(problem), n,
                     name(data), seed,
                     layout.in_place            ? ", in place"
                     : layout.initial_in_memory ? ", initial value in memory"
                                                : "",
                     layout.in_offset, layout.out_offset, to_json(plan.config()), *wrong);
}

std::vector<std::uint64_t> awkward_sizes(std::uint64_t tile) {
  return {0, 1, 2, 31, 32, 33, tile - 1, tile, tile + 1, 3 * tile, 5 * tile + 7};
}

}  // namespace upsweep::test
