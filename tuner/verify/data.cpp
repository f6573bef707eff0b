#include "tuner/verify/data.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"
#include "tuner/verify/compensated_data.hpp"
#include "tuner/verify/density_data.hpp"
#include "tuner/verify/segment_data.hpp"
#include "tuner/verify/test_items.hpp"

namespace upsweep::tuner {
namespace {

// The greatest integer up to which the input, accumulator and output types hold all integers, at most 2^30.
std::int64_t exact_integers(const Problem& problem) {
  std::int64_t greatest = std::int64_t{1} << 30;
  for (const Type type : {problem.input, problem.accumulator, problem.output}) {
    const int bits = is_floating(type) ? format_of(type).digits : 8 * static_cast<int>(size_of(type)) - is_signed(type);
    if (bits < 30) greatest = std::min(greatest, (std::int64_t{1} << bits) - (is_floating(type) ? 0 : 1));
  }
  return greatest;
}

// An integer in a type that may be an integer type or a floating one.
Number integer_in(Type type, std::int64_t value) {
  return is_floating(type) ? Number{.floating = static_cast<double>(value)} : Number{.integer = value};
}

// Rarer and rarer: about scale x log(n / scale) in n items, and the first.
bool comes_up(Random& random, std::uint64_t i, double scale) {
  return i == 0 || random.chance(std::min(1.0, scale / static_cast<double>(i + 1)));
}

// Steps between random values in [-bound, bound]: a sum of neighbours never exceeds 2 bound.
Next bounded_walk(Random& random, std::int64_t bound, std::function<Number(std::int64_t)> item) {
  return [&random, bound, item = std::move(item), at = std::int64_t{0}](std::uint64_t) mutable {
    const std::int64_t next = random.between(-bound, bound), step = next - at;
    at = next;
    return item(step);
  };
}

// Whether all results are folds of neighbours. Along an axis they are not, and which items a column has depends on how
// many items there are.
bool folds_neighbours(const Problem& problem) {
  return is_dense(problem) && problem.shape != Shape::axis;
}

Next floating_sums(const Problem& problem, std::uint64_t n, Random& random) {
  const Type type = problem.input;
  const std::int64_t room =
      exact_integers({.input = problem.accumulator, .accumulator = problem.accumulator, .output = problem.output});
  if (folds_neighbours(problem) && is_signed(type)) {
    const std::int64_t bound = std::min(room / 4, exact_integers(problem) / 2);
    return bounded_walk(random, bound, [type](std::int64_t step) { return integer_in(type, step); });
  }
  // Half of the room is for the initial value. Where it is not enough for n items, most of them are zero.
  const std::int64_t fit =
      std::min<std::int64_t>({room / 2 / static_cast<std::int64_t>(n), 1000, exact_integers(problem)});
  const double scale = fit > 0 ? static_cast<double>(n) : static_cast<double>(room) / 4 / (1 + std::log(n));
  const std::int64_t most = std::max<std::int64_t>(fit, 1);
  return [&random, type, scale, most, left = room / 2](std::uint64_t i) mutable {
    const std::int64_t size = random.between(1, most), value = is_signed(type) && random.chance(0.5) ? -size : size;
    if (size > left || !comes_up(random, i, scale)) return integer_in(type, 0);
    left -= size;
    return integer_in(type, value);
  };
}

// 2^exponent with a random sign where the type has one.
Number power_of_two(Random& random, Type type, std::int64_t exponent) {
  const double size = std::ldexp(1.0, static_cast<int>(exponent));
  const double value = is_signed(type) && random.chance(0.5) ? -size : size;
  return is_floating(type) ? Number{.floating = value} : Number{.integer = static_cast<std::int64_t>(value)};
}

Next floating_products(const Problem& problem, std::uint64_t n, Random& random) {
  const Type type = problem.input;
  std::int64_t room = 60;
  for (const Type each : {problem.input, problem.accumulator, problem.output}) {
    if (is_floating(each)) room = std::min<std::int64_t>(room, -format_of(each).least_exponent);
  }
  if (folds_neighbours(problem) && is_floating(type)) {
    return bounded_walk(random, room / 4,
                        [&random, type](std::int64_t step) { return power_of_two(random, type, step); });
  }
  const double scale = static_cast<double>(room) / 2 / (1 + std::log(n));
  return [&random, type, scale, left = room / 2](std::uint64_t i) mutable {
    const bool moves = left > 0 && comes_up(random, i, scale);
    if (moves) --left;
    const bool down = is_floating(type) && random.chance(0.5);
    return power_of_two(random, type, !moves ? 0 : down ? -1 : 1);
  };
}

// The parts of a sum go their own ways; factors lie on the axes.
Next complex_items(Problem problem, TestData kind, std::uint64_t n, Random& random) {
  for (Type* const type : {&problem.input, &problem.accumulator, &problem.output}) *type = part_of(*type);
  if (kind == TestData::sums) {
    return [real = floating_sums(problem, n, random), imaginary = floating_sums(problem, n, random)](std::uint64_t i) {
      return Number{.floating = real(i).floating, .imaginary = imaginary(i).floating};
    };
  }
  return [&random, factor = floating_products(problem, n, random)](std::uint64_t i) {
    const double size = factor(i).floating;
    return random.chance(0.5) ? Number{.floating = size} : Number{.imaginary = size};
  };
}

// The value at a fraction of the way from the least to the greatest that all three types hold.
Number at_fraction(const Problem& problem, double fraction) {
  const Type type = problem.input;
  if (is_floating(problem.accumulator) || is_floating(problem.output)) {
    const std::int64_t greatest = exact_integers(problem), least = is_signed(type) ? -greatest : 0;
    const auto steps = std::floor(fraction * static_cast<double>(greatest - least));
    return integer_in(type, least + static_cast<std::int64_t>(steps));
  }
  const int bits = 8 * static_cast<int>(size_of(type));
  const auto steps = static_cast<std::uint64_t>(std::ldexp(fraction, bits));  // fraction < 1: below 2^bits
  const std::uint64_t least = is_signed(type) ? ~std::uint64_t{0} << (bits - 1) : 0;
  return {.integer = static_cast<std::int64_t>(least + steps)};
}

// The problem must outlive what is returned.
Next extremes(const Problem& problem, TestData kind, std::uint64_t n, Random& random) {
  const bool rising = kind == TestData::rising, any = !is_dense(problem);
  return [&random, &problem, rising, any, n](std::uint64_t i) {
    // By the logarithm, so that results change at every scale: in the first tile, and from tile to tile.
    const double record = std::log(static_cast<double>(i) + 1 + random.unit()) / std::log(static_cast<double>(n) + 2);
    const double fraction = any ? random.unit() : random.chance(1.0 / 64) ? record : record * random.unit();
    return at_fraction(problem, rising ? fraction : std::nextafter(1.0, 0.0) - fraction);
  };
}

Next single_bits(const Problem& problem, TestData kind, Random& random) {
  const int bits = 8 * static_cast<int>(std::min(size_of(problem.input), size_of(problem.accumulator)));
  const bool clear = kind == TestData::bits_cleared;
  return [&random, bits, clear](std::uint64_t i) {
    const std::uint64_t one = comes_up(random, i, bits / 8.0) ? std::uint64_t{1} << (random.bits() % bits) : 0;
    return Number{.integer = static_cast<std::int64_t>(clear ? ~one : one)};
  };
}

Next last_values(const Problem& problem, Random& random) {
  const std::int64_t greatest = exact_integers(problem);
  return [&random, type = problem.input, greatest](std::uint64_t i) {
    const std::int64_t value = random.between(1, greatest);
    const std::int64_t signed_value = is_signed(type) && random.chance(0.5) ? -value : value;
    Number item = integer_in(type, i == 0 || random.chance(1.0 / 32) ? signed_value : 0);
    if (is_complex(type) && value % 2 == 0) std::swap(item.floating, item.imaginary);
    return item;
  };
}

// Random bits; `always`: bits that are set.
Next integers(Random& random, std::uint64_t always = 0) {
  return
      [&random, always](std::uint64_t) { return Number{.integer = static_cast<std::int64_t>(random.bits() | always)}; };
}

// Values that a predicate decides on: of either sign, from the whole range of integers that the types hold.
Next anywhere(const Problem& problem, Random& random) {
  const Type type = problem.input;
  if (!is_floating(type) && !is_floating(problem.output)) return integers(random);
  const bool negative = is_signed(type) && is_signed(problem.output);
  const std::int64_t greatest = exact_integers(problem), least = negative ? -greatest : 0;
  return [&random, type, least, greatest](std::uint64_t) {
    Number item = integer_in(type, random.between(least, greatest));
    if (is_complex(type)) item.imaginary = static_cast<double>(random.between(least, greatest));
    return item;
  };
}

// A quarter of the runs have one item, and a few are longer than a tile of most configs. Two come early, so that few
// items have long runs too.
std::uint64_t run_length(Random& random, std::uint64_t run) {
  constexpr std::uint64_t long_run = 40, longer_run = 400;
  if (run == long_run) return random.between(500, 1000);
  if (run == longer_run || random.chance(1.0 / 2048)) return random.between(2000, 6000);
  return random.chance(0.25) ? 1 : random.between(1, 15);
}

// Runs of equal values. Their lengths depend on the seed only: all fields of a structure change at the same items.
Next runs_of_keys(const Problem& problem, std::uint64_t seed, Random& random) {
  return [type = problem.input, values = anywhere(problem, random), lengths = Random(~seed), key = Scalar(),
          value = Number(), run = std::uint64_t{0}, left = std::uint64_t{0}](std::uint64_t i) mutable {
    if (left == 0) {
      do value = values(i);
      while (run > 0 && to_scalar(type, value) == key);
      key = to_scalar(type, value);
      left = run_length(lengths, run++);
    }
    --left;
    return value;
  };
}

Next numbers(const Problem& problem, TestData kind, std::uint64_t n, std::uint64_t seed, Random& random) {
  const bool rounds = is_floating(problem.accumulator);
  switch (kind) {
    case TestData::rising:
    case TestData::falling:
      return extremes(problem, kind, n, random);
    case TestData::bits_set:
    case TestData::bits_cleared:
      return is_floating(problem.input) ? floating_sums(problem, n, random) : single_bits(problem, kind, random);
    case TestData::rare_nonzeros:
      return last_values(problem, random);
    case TestData::affine_maps:
      if (is_floating(problem.input)) return floating_sums(problem, n, random);
      return integers(random, std::uint64_t{1} << (4 * size_of(problem.accumulator)));
    case TestData::sums:
    case TestData::products:
      if (!rounds) return integers(random, kind == TestData::products ? 1 : 0);
      if (problem.accuracy != Accuracy::plain) return compensated_sums(problem, random);
      if (is_complex(problem.input)) return complex_items(problem, kind, n, random);
      return kind == TestData::sums ? floating_sums(problem, n, random) : floating_products(problem, n, random);
    case TestData::keys:
      return runs_of_keys(problem, seed, random);
    case TestData::any:
      break;
  }
  if (rounds) return floating_sums(problem, n, random);
  return is_compact(problem) ? anywhere(problem, random) : integers(random);
}

// The problem of one field of a structure; of a number, the problem itself.
Problem of_field(Problem problem, const Field& field) {
  for (Type* const type : {&problem.input, &problem.accumulator, &problem.output}) {
    if (!is_number(*type)) *type = field.type;
  }
  return problem;
}

// Items of the problem's input type.
Bytes make_items(const Problem& problem, TestData kind, std::uint64_t n, std::uint64_t seed) {
  const std::size_t item = size_of(problem.input);
  Bytes data(n * item);
  Random random(seed);
  if (n == 0) return data;
  for (const Field& field : fields_of(problem.input)) {
    const Problem part = of_field(problem, field);  // `next` refers to it
    const Next next = numbers(part, kind, n, seed, random);
    store_field(field, item, n, next, data);
  }
  return data;
}

// Of an array that is read, `input`th of these. The first one's seed is the given one.
Bytes make_array(Problem problem, const Port& port, std::uint64_t input, std::uint64_t n, std::uint64_t seed) {
  const std::uint64_t own_seed = seed ^ (input * 0xd1b54a32d192ed03u);
  if (gives_density(problem, port)) return make_density_items(problem, port, port_items(problem, port, n), own_seed);
  if (port.extent == Extent::offsets) return make_offsets(problem, port, n, own_seed, LengthDistribution::awkward);
  const AlgorithmEntry& entry = entry_of(problem);
  const TestData kind = entry.test_data ? entry.test_data(problem, port) : entry_of(problem.op).test_data;
  problem.input = port.type;
  return make_items(problem, kind, port_items(problem, port, n), own_seed);
}

// Those of the entry, zeros where it gives none.
Scalar make_scalar(const std::vector<Scalar>& given, std::size_t index, Type type) {
  if (index < given.size()) return given[index];
  Scalar zero;
  zero.type = type;
  return zero;
}

}  // namespace

CallData make_call_data(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  CallData data{.items = n, .inputs = {}, .scalars = make_scalars(problem, seed)};
  for (const Port& port : ports(problem)) {
    if (port.direction == Direction::in) {
      data.inputs.push_back(make_array(problem, port, data.inputs.size(), n, seed));
    }
  }
  return data;
}

Bytes make_data(const Problem& problem, std::uint64_t n, std::uint64_t seed) {
  return make_items(problem, entry_of(problem.op).test_data, n, seed);
}

std::vector<Scalar> make_scalars(const Problem& problem, std::uint64_t seed) {
  const AlgorithmEntry& entry = entry_of(problem);
  const std::vector<Scalar> given = entry.test_scalars ? entry.test_scalars(problem) : std::vector<Scalar>();
  std::vector<Scalar> all;
  std::size_t index = 0;
  for (const ScalarPort& scalar : scalars(problem)) {
    const bool is_initial = entry.has_initial && all.empty();
    all.push_back(is_initial ? make_initial(problem, seed) : make_scalar(given, index++, scalar.type));
  }
  return all;
}

std::vector<Scalar> make_timed_scalars(const Problem& problem, std::uint64_t seed) {
  std::vector<Scalar> all = make_scalars(problem, seed);
  if (entry_of(problem).has_initial && has_identity(problem.op)) {
    all.front() = identity(problem.op, problem.accumulator);
  }
  return all;
}

Scalar make_initial(const Problem& problem, std::uint64_t seed) {
  Problem of_accumulators = problem;
  of_accumulators.input = problem.accumulator;
  Scalar initial;
  initial.type = problem.accumulator;
  const TestData kind = entry_of(problem.op).test_data;
  if (kind == TestData::rising || kind == TestData::falling) {
    // Soon overtaken, for what it hides is not checked.
    const double fraction = kind == TestData::rising ? 0.02 : 0.98;
    for (const Field& field : fields_of(problem.accumulator)) {
      const Number number = at_fraction(of_field(of_accumulators, field), fraction);
      store_number(field.type, number, initial.bytes.data() + field.offset);
    }
    return initial;
  }
  if (problem.accuracy != Accuracy::plain)
    return to_scalar(problem.accumulator, {.floating = compensated_initial(problem)});
  const Bytes item = make_data(of_accumulators, 1, seed ^ 0x9e3779b97f4a7c15u);
  std::copy(item.begin(), item.end(), initial.bytes.begin());
  return initial;
}

}  // namespace upsweep::tuner
