// What items are made of.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/cases.hpp"
#include "tests/support/value.hpp"

namespace upsweep::test {
namespace {

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser: any bijection that scrambles would do
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
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

// The least number above 0.
double least_finite(Type type) {
  switch (type) {
    case Type::f16:
      return 0x1p-24;
    case Type::bf16:
      return 0x1p-133;
    case Type::f32:
    case Type::c64:
      return 0x1p-149;
    default:
      return 0x1p-1074;
  }
}

// One kind of zero up to a half, then both: the sign of a sum, an extreme and a product of all so far changes there.
double signed_zero(Operator op, std::uint64_t i, std::uint64_t word, std::uint64_t n) {
  const bool early = i < n / 2;
  const double any = word & 1 ? -0.0 : 0.0;
  switch (op) {
    case Operator::multiplies:
      return early ? (word & 1 ? -1 : 1) : any;
    case Operator::minimum:
      return early ? 0.0 : any;
    case Operator::last_nonzero:
      return word % 7 == 0 && !early ? (word & 1 ? -1 : 1) : any;
    default:
      return early ? -0.0 : any;
  }
}

// Of products only the first factor is subnormal, and large enough that none of them rounds.
double subnormal(const Problem& problem, std::uint64_t i, std::uint64_t seed) {
  const double least = least_finite(problem.input);
  const std::uint64_t word = mix(i + seed * 77777);
  if (problem.op == Operator::multiplies) {
    if (i == 0) return 8 * least;
    return problem.algorithm == Algorithm::reduce ? (word & 1 ? -1 : 1) : floating_item(problem, i, seed);
  }
  return floating_item(problem, i, seed) * least;
}

// After one infinity comes what makes a NaN of it, or the other one, which nothing exceeds.
double infinite(const Problem& problem, std::uint64_t i, std::uint64_t seed, std::uint64_t n) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::uint64_t word = mix(i + seed * 77777);
  const double usual = floating_item(problem, i, seed);
  switch (problem.op) {
    case Operator::plus:
      return i == n / 2 ? infinity : i == 3 * n / 4 ? -infinity : usual;
    case Operator::multiplies:
      return i == n / 2 ? -infinity : i == 3 * n / 4 ? 0.0 : usual;
    case Operator::minimum:
      return i == 3 * n / 4 ? -infinity : word % 3 > 0 ? infinity : usual;
    case Operator::maximum:
      return i == 3 * n / 4 ? infinity : word % 3 > 0 ? -infinity : usual;
    default:
      return word % 7 == 0 ? (word & 8 ? infinity : -infinity) : 0.0;
  }
}

double not_a_number(const Problem& problem, std::uint64_t i, std::uint64_t seed, std::uint64_t n) {
  const double nan = std::copysign(std::nan(""), seed % 2 == 0 ? 1.0 : -1.0);
  const bool again = problem.op == Operator::last_nonzero && mix(i + seed) % 5 == 0;
  return i == 2 * n / 3 || again ? nan : floating_item(problem, i, seed);
}

// Which part of a complex product becomes a NaN when a factor is infinite depends on the association.
double special_item(const Problem& problem, std::uint64_t i, Data data, std::uint64_t seed, std::uint64_t n) {
  const bool complex_product = problem.op == Operator::multiplies && is_complex(problem.accumulator);
  if (complex_product && data == Data::infinities) data = Data::nans;
  switch (data) {
    case Data::signed_zeros:
      return signed_zero(problem.op, i, mix(i + seed * 77777), n);
    case Data::subnormals:
      return subnormal(problem, i, seed);
    case Data::infinities:
      return infinite(problem, i, seed, n);
    default:
      return not_a_number(problem, i, seed, n);
  }
}

// Of complex factors the real one alone is special.
Value special_complex_item(const Problem& problem, std::uint64_t i, Data data, std::uint64_t seed, std::uint64_t n) {
  const bool product = problem.op == Operator::multiplies;
  const double real = special_item(problem, i, data, seed, n);
  return {0, real, product ? 0.0 : special_item(problem, i, data, seed + 1000, n)};
}

Value item(const Problem& problem, std::uint64_t i, Data data, std::uint64_t seed, std::uint64_t n) {
  const bool floating = is_floating(problem.input) || is_floating(problem.accumulator);
  if (is_special(data)) {
    if (is_complex(problem.input)) return special_complex_item(problem, i, data, seed, n);
    return {0, special_item(problem, i, data, seed, n)};
  }
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

bool is_special(Data data) {
  return data >= Data::signed_zeros;
}

const std::vector<Data>& special_data() {
  static const std::vector<Data> all{Data::signed_zeros, Data::subnormals, Data::infinities, Data::nans};
  return all;
}

std::vector<std::byte> make_data(const Problem& problem, std::uint64_t n, Data data, std::uint64_t seed) {
  const std::size_t size = size_of(problem.input);
  std::vector<std::byte> bytes(n * size);
  for (std::uint64_t i = 0; i < n; ++i) write(problem.input, item(problem, i, data, seed, n), &bytes[i * size]);
  return bytes;
}

}  // namespace upsweep::test
