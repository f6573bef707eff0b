#include "tests/support/cases.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <upsweep/error.hpp>

namespace upsweep::test {
namespace {

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser: any bijection that scrambles would do
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// A value of any type: integers modulo 2^64, floating ones as double, complex ones as two.
struct Value {
  std::uint64_t integer = 0;
  double real = 0;
  double imaginary = 0;
};

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(T));
  return value;
}

Value read(Type type, const std::byte* from) {
  switch (type) {
    case Type::i8:
      return {static_cast<std::uint64_t>(std::int64_t{load<std::int8_t>(from)}), 0};
    case Type::u8:
      return {load<std::uint8_t>(from), 0};
    case Type::i16:
      return {static_cast<std::uint64_t>(std::int64_t{load<std::int16_t>(from)}), 0};
    case Type::u16:
      return {load<std::uint16_t>(from), 0};
    case Type::i32:
      return {static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(from)}), 0};
    case Type::u32:
      return {load<std::uint32_t>(from), 0};
    case Type::i64:
    case Type::u64:
      return {load<std::uint64_t>(from), 0};
    case Type::f16:
      return {0, static_cast<float>(load<f16>(from))};
    case Type::bf16:
      return {0, static_cast<float>(load<bf16>(from))};
    case Type::f32:
      return {0, load<float>(from)};
    case Type::f64:
      return {0, load<double>(from)};
    case Type::c64:
      return {0, load<float>(from), load<float>(from + 4)};
    case Type::c128:
      break;
  }
  return {0, load<double>(from), load<double>(from + 8)};
}

void write(Type type, Value value, std::byte* to) {
  const auto put = [&](auto narrowed) { std::memcpy(to, static_cast<const void*>(&narrowed), sizeof narrowed); };
  switch (type) {
    case Type::f16:
      return put(f16(static_cast<float>(value.real)));
    case Type::bf16:
      return put(bf16(static_cast<float>(value.real)));
    case Type::f32:
      return put(static_cast<float>(value.real));
    case Type::f64:
      return put(value.real);
    case Type::c64:
      return put(std::complex(static_cast<float>(value.real), static_cast<float>(value.imaginary)));
    case Type::c128:
      return put(std::complex(value.real, value.imaginary));
    default:
      std::memcpy(to, &value.integer, size_of(type));  // little-endian: the low bytes are the value modulo 2^bits
  }
}

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

bool less(Type type, Value a, Value b) {
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
    case Operator::multiplies:
      if (!is_complex(type)) return {a.integer * b.integer, a.real * b.real};
      return {0, a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
    case Operator::minimum:
      return nan ? Value{0, std::nan("")} : less(type, b, a) ? b : a;
    case Operator::maximum:
      return nan ? Value{0, std::nan("")} : less(type, a, b) ? b : a;
    case Operator::bit_and:
      return {a.integer & b.integer, 0};
    case Operator::bit_or:
      return {a.integer | b.integer, 0};
    case Operator::bit_xor:
      return {a.integer ^ b.integer, 0};
    case Operator::last_nonzero:
      return b.integer != 0 || b.real != 0 || b.imaginary != 0 ? b : a;
    case Operator::affine:
      break;
  }
  return compose(type, a, b);
}

// Few values, so that differences stay exact in 8 bits of mantissa.
double stepping_stone(std::uint64_t i, std::uint64_t seed, int values) {
  return static_cast<double>(mix(i * 0x9e3779b97f4a7c15ull + seed) % static_cast<std::uint64_t>(values));
}

// A reduce may fold items in any order: few of them are not the identity, so that no partial result grows long.
double sparse_item(Operator op, std::uint64_t word) {
  if (op == Operator::plus) return word >> 8 & 255 ? 0.0 : word & 1 ? 1.0 : -1.0;
  const double sign = word & 1 ? 1.0 : -1.0;
  return word >> 8 & 0xffff ? sign : word & 2 ? sign * 2 : sign / 2;
}

double floating_item(const Problem& problem, std::uint64_t i, std::uint64_t seed) {
  const Operator op = problem.op;
  const std::uint64_t word = mix(i + seed * 77777);
  const bool rounds = op == Operator::plus || op == Operator::multiplies;
  if (problem.algorithm == Algorithm::reduce && rounds && i > 256) return sparse_item(op, word);
  switch (op) {
    case Operator::plus:
      return stepping_stone(i + 1, seed, 32) - stepping_stone(i, seed, 32);
    case Operator::multiplies:
      return std::exp2(stepping_stone(i + 1, seed, 4) - stepping_stone(i, seed, 4)) * (word % 2 == 0 ? 1 : -1);
    case Operator::last_nonzero:
      return word % 7 == 0 ? static_cast<double>(word >> 8 & 127) : 0.0;
    default:
      return static_cast<double>(word >> 8 & 0xff) - 128;
  }
}

// Factors lie on the axes, so that no product rounds: the real one, or that times i. Else the parts go their own ways.
Value complex_item(const Problem& problem, double real, std::uint64_t i, std::uint64_t seed) {
  if (problem.op != Operator::multiplies) return {0, real, floating_item(problem, i, seed + 1000)};
  return mix(i + seed * 99991) % 2 == 0 ? Value{0, real, 0} : Value{0, 0, real};
}

std::uint64_t integer_item(Operator op, Type type, std::uint64_t i, std::uint64_t seed) {
  const std::uint64_t word = mix(i + seed * 77777);
  switch (op) {
    case Operator::multiplies:
      return word | 1;  // odd: the product never collapses to 0
    case Operator::bit_and:
      return ~(word & word >> 13 & word << 17 & mix(word)) | (i % 97 != 0 ? ~0ull : 0);
    case Operator::bit_or:
      return i % 97 != 0 ? 0 : word & word >> 13 & word << 17;
    case Operator::last_nonzero:
      return word % 7 == 0 ? word : 0;
    case Operator::affine:
      return word | std::uint64_t{1} << size_of(type) * 4;  // odd slope
    default:
      return word;
  }
}

// From one end of the type's range to the other, with some noise on the side that changes no result.
Value stepping_item(const Problem& problem, std::uint64_t i, std::uint64_t seed, std::uint64_t n) {
  const int bits = static_cast<int>(size_of(problem.input)) * 8;
  const std::uint64_t range = (std::uint64_t{1} << bits) - 1, base = is_signed(problem.input) ? range / 2 + 1 : 0;
  const std::uint64_t step = n > 1 ? i * range / (n - 1) : 0;
  const std::uint64_t above = std::min(step, (i * 2654435761u + seed) >> 7 & 3);
  const std::uint64_t from_least = problem.op == Operator::minimum ? range - step + above : step - above;
  return {(base + from_least) & range, 0};
}

Value item(const Problem& problem, std::uint64_t i, Data data, std::uint64_t seed, std::uint64_t n) {
  const bool floating = is_floating(problem.input) || is_floating(problem.accumulator);
  if (data == Data::stepping) return stepping_item(problem, i, seed, n);
  if (data == Data::constant) {
    // Sums of ones are exact up to 2^8 in bf16 and 2^11 in f16; longer ones are of zeros.
    const bool exact = !floating || n <= 256 || problem.op != Operator::plus;
    return exact ? Value{1 + (std::uint64_t{1} << size_of(problem.input) * 4) * (problem.op == Operator::affine), 1}
                 : Value{};
  }
  if (!floating) return {integer_item(problem.op, problem.input, i, seed), 0};
  const double real = floating_item(problem, i, seed);
  if (is_complex(problem.input)) return complex_item(problem, real, i, seed);
  return {static_cast<std::uint64_t>(static_cast<std::int64_t>(real)), real};
}

}  // namespace

std::vector<Problem> all_problems() {
  std::vector<Problem> problems;
  for (const Algorithm algorithm : all_algorithms()) {
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
  for (const Algorithm algorithm : all_algorithms()) {
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
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::vector<std::byte> make_data(const Problem& problem, std::uint64_t n, Data data, std::uint64_t seed) {
  const std::size_t size = size_of(problem.input);
  std::vector<std::byte> bytes(n * size);
  for (std::uint64_t i = 0; i < n; ++i) write(problem.input, item(problem, i, data, seed, n), &bytes[i * size]);
  return bytes;
}

std::vector<std::byte> expected(const Problem& problem, std::span<const std::byte> input, std::uint64_t n,
                                const Scalar& initial) {
  const std::size_t in_size = size_of(problem.input), out_size = size_of(problem.output);
  const bool reduce = problem.algorithm == Algorithm::reduce;
  std::vector<std::byte> output((reduce ? 1 : n) * out_size);
  Value running = read(problem.accumulator, initial.bytes.data());
  const auto emit = [&](std::uint64_t i) {
    write(problem.output, convert(problem.accumulator, problem.output, running), &output[i * out_size]);
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    const Value own = convert(problem.input, problem.accumulator, read(problem.input, &input[i * in_size]));
    if (problem.algorithm == Algorithm::exclusive_scan) emit(i);
    const bool first_of_inclusive = i == 0 && problem.algorithm == Algorithm::inclusive_scan;
    running = first_of_inclusive ? own
                                 : convert(problem.accumulator, problem.accumulator,
                                           apply(problem.op, problem.accumulator, running, own));
    if (problem.algorithm == Algorithm::inclusive_scan) emit(i);
  }
  if (reduce) emit(0);
  return output;
}

std::optional<std::string> difference(Type type, std::span<const std::byte> wanted, std::span<const std::byte> got) {
  const std::size_t size = size_of(type);
  if (wanted.size() != got.size()) return fmt::format("{} bytes expected, {} got", wanted.size(), got.size());
  if (std::memcmp(wanted.data(), got.data(), wanted.size()) == 0) return std::nullopt;
  for (std::size_t i = 0; i * size < wanted.size(); ++i) {
    const Value a = read(type, &wanted[i * size]), b = read(type, &got[i * size]);
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
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
  return data == Data::random ? "random" : data == Data::constant ? "constant" : "stepping";
}

Scalar initial_value(const Problem& problem) {
  const bool product = problem.op == Operator::multiplies;
  if (problem.op == Operator::affine || problem.algorithm == Algorithm::inclusive_scan) {
    return identity(problem.op, problem.accumulator);
  }
  if (is_complex(problem.accumulator)) return parse_scalar(problem.accumulator, product ? "1i" : "3-2i");
  return parse_scalar(problem.accumulator, product ? "1" : "3");
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
  const Scalar initial = initial_value(problem);

  runtime::Buffer in(device, in_at + std::max(input.size(), outputs * out_size) + guard);
  runtime::Buffer separate;
  if (!layout.in_place) separate = runtime::Buffer(device, out_at + outputs * out_size + guard);
  runtime::Buffer& out = layout.in_place ? in : separate;
  device.fill(out.data(), 0xa7, out.bytes(), stream);
  device.copy_to_device(static_cast<std::byte*>(in.data()) + in_at, input.data(), input.size(), stream);
  std::byte* const to = static_cast<std::byte*>(out.data()) + out_at;
  plan.run(static_cast<std::byte*>(in.data()) + in_at, to, n, initial, stream);

  std::vector<std::byte> got(out_at + outputs * out_size + guard);
  device.copy_to_host(got.data(), out.data(), got.size(), stream);
  const std::span<const std::byte> before(got.data(), out_at), values(got.data() + out_at, outputs * out_size),
      behind(got.data() + out_at + values.size(), guard);
  std::optional<std::string> wrong = difference(problem.output, expected(problem, input, n, initial), values);
  const bool reduced_in_place = layout.in_place && problem.algorithm == Algorithm::reduce;
  const auto is_written = [](std::byte b) { return b != std::byte{0xa7}; };
  if (!wrong && std::any_of(before.begin(), before.end(), is_written)) {
    wrong = "something before the output was written";
  }
  if (!wrong && !reduced_in_place && std::any_of(behind.begin(), behind.end(), is_written)) {
    wrong = "something behind the output was written";
  }
  if (!wrong) return std::nullopt;
  return fmt::format("{}, n {}, {} data, seed {}{}, offsets {} and {}, config {}: {}", to_string(problem), n,
                     name(data), seed, layout.in_place ? ", in place" : "", layout.in_offset, layout.out_offset,
                     to_json(plan.config()), *wrong);
}

std::vector<std::uint64_t> awkward_sizes(std::uint64_t tile) {
  return {0, 1, 2, 31, 32, 33, tile - 1, tile, tile + 1, 3 * tile, 5 * tile + 7};
}

}  // namespace upsweep::test
