#include "tuner/verify/density_data.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generator/algorithm.hpp"
#include "generator/density.hpp"
#include "generator/operator.hpp"
#include "tuner/verify/test_items.hpp"

namespace upsweep::tuner {
namespace {

// How an item is to compare with another one.
struct Relation {
  int side = 0;  // -1: below it, 1: above it, 0: to be equal to it, or not
  bool or_equal = false;
};

// Empty for an operator that is not a predicate, and for a program's own.
std::optional<Relation> relation_of(Operator op) {
  switch (op) {
    case Operator::less:
      return Relation{-1, false};
    case Operator::less_equal:
      return Relation{-1, true};
    case Operator::greater:
      return Relation{1, false};
    case Operator::greater_equal:
      return Relation{1, true};
    case Operator::equal_to:
      return Relation{0, true};
    case Operator::not_equal_to:
      return Relation{0, false};
    default:
      return std::nullopt;
  }
}

Relation opposite(const Relation& relation) {
  return {-relation.side, !relation.or_equal};
}

// The greatest integer up to which the type holds all, at most 2^30; at most 2^62 of integer types.
std::int64_t greatest_of(Type type) {
  if (is_floating(type)) return std::int64_t{1} << std::min(format_of(type).digits, 30);
  return (std::int64_t{1} << std::min<int>(8 * static_cast<int>(size_of(type)) - is_signed(type), 62)) - 1;
}

Number of_integer(Type type, std::int64_t value) {
  return is_floating(type) ? Number{.floating = static_cast<double>(value)} : Number{.integer = value};
}

// Any value but zero.
Number nonzero_value(Type type, Random& random) {
  const int unused = 64 - 8 * static_cast<int>(std::min<std::size_t>(size_of(type), 8));
  const std::int64_t greatest = greatest_of(type);
  if (!is_floating(type)) {
    const std::uint64_t bits = random.bits() << unused >> unused;
    return {.integer = static_cast<std::int64_t>(std::max<std::uint64_t>(bits, 1))};
  }
  const std::int64_t real = random.between(-greatest, greatest);
  Number value = of_integer(type, real == 0 ? 1 : real);
  if (is_complex(type)) value.imaginary = static_cast<double>(random.between(-greatest, greatest));
  return value;
}

// A value that is in this relation to the threshold in the middle of the type's range.
Number beside_middle(Type type, const Relation& relation, Random& random) {
  if (relation.side == 0) return relation.or_equal ? Number{} : nonzero_value(type, random);
  const int bits = 8 * static_cast<int>(size_of(type));
  const std::uint64_t half =
      is_floating(type) ? static_cast<std::uint64_t>(greatest_of(type)) : std::uint64_t{1} << (bits - 1);
  // Half of an integer range is a power of two; so is a floating type's bound.
  std::uint64_t away = random.bits() & (half - 1);
  if (!relation.or_equal) away = std::max<std::uint64_t>(away, 1);
  const std::uint64_t middle = is_signed(type) ? 0 : half;
  return of_integer(type, static_cast<std::int64_t>(relation.side < 0 ? middle - away : middle + away));
}

Next values_by_share(Type type, const Relation& passes, double share, Random& random) {
  return [type, passes, share, &random](std::uint64_t) {
    return beside_middle(type, random.chance(share) ? passes : opposite(passes), random);
  };
}

// Says of one item after the other whether a run begins with it, so that runs have that mean length. Runs have
// `shortest` items or more.
class RunStarts {
 public:
  RunStarts(double mean_length, int shortest)
      : chance_(1 / (mean_length - (shortest - 1))), others_(static_cast<std::uint64_t>(shortest) - 1) {}

  [[nodiscard]] bool next(Random& random) {
    if (left_ > 0) {
      --left_;
      return false;
    }
    const bool starts = random.chance(chance_);
    if (starts) left_ = others_;
    return starts;
  }

 private:
  double chance_;
  std::uint64_t others_;
  std::uint64_t left_ = 0;
};

// Values of which each that joins a run equals the one before, and each that begins one does not; or the other way
// round. Which do depends on the seed only: all fields of a structure change at the same items.
Next equal_runs(Type type, bool joins_are_equal, RunStarts starts, std::uint64_t seed, Random& random) {
  return [=, &random, joins = Random(~seed), value = Number()](std::uint64_t i) mutable {
    if (i > 0 && starts.next(joins) != joins_are_equal) return value;
    const Scalar before = to_scalar(type, value);
    do value = nonzero_value(type, random);
    while (to_scalar(type, value) == before);
    return value;
  };
}

// Strict: a run steps away from the least value and begins anywhere before it. Otherwise, each further run steps back
// and a run that goes on leaps ahead. Where the range ends, a strict run does too, and one of the others goes on.
Next ordered_runs(Type type, const Relation& relation, RunStarts starts, Random& random) {
  const std::int64_t greatest = greatest_of(type), least = is_signed(type) ? -greatest : 0;
  const std::int64_t middle = least + (greatest - least) / 2;
  return [=, &random, at = middle](std::uint64_t) mutable {
    const bool begins = starts.next(random);
    if (!relation.or_equal) {
      at = begins || at == greatest ? random.between(least, std::min(at, middle)) : at + 1;
    } else {
      at = begins && at > least ? at - 1 : random.between(std::max(at, middle), greatest);
    }
    // As if `less`: the item before is below this one. Of `greater` it is the other way round.
    return of_integer(type, relation.side < 0 ? at : least + (greatest - at));
  };
}

Next runs_by_density(const Problem& problem, Type type, std::uint64_t seed, Random& random) {
  const RunStarts starts(mean_run_length(problem.density), entry_of(problem).result_distance);
  const Relation relation = relation_of(problem.op).value_or(Relation{0, true});  // keys are equal
  if (relation.side == 0) return equal_runs(type, relation.or_equal, starts, seed, random);
  return ordered_runs(type, relation, starts, random);
}

bool has_runs(const Problem& problem) {
  const std::vector<Port> inputs = tile_inputs(problem);
  return std::any_of(inputs.begin(), inputs.end(), [](const Port& port) { return port.previous_items > 0; });
}

// Of the arrays that are read: flags if there are any.
bool is_compared(const Problem& problem, const Port& port) {
  const std::vector<Port> inputs = tile_inputs(problem);
  const bool has_flags = std::any_of(inputs.begin(), inputs.end(), [](const Port& each) { return each.is_key; });
  return port.is_key == has_flags;
}

}  // namespace

bool gives_density(const Problem& problem, const Port& port) {
  if (problem.density == Density::unknown || port.direction != Direction::in) return false;
  if (has_runs(problem)) return port.previous_items > 0;
  if (!relation_of(problem.op) || !entry_of(problem).is_built_in()) return false;
  return is_compared(problem, port);
}

Bytes make_density_items(const Problem& problem, const Port& port, std::uint64_t n, std::uint64_t seed) {
  const std::size_t item = size_of(port.type);
  Bytes data(n * item);
  Random random(seed);
  for (const Field& field : fields_of(port.type)) {
    const Next next = has_runs(problem) ? runs_by_density(problem, field.type, seed, random)
                                        : values_by_share(field.type, *relation_of(problem.op),
                                                          results_per_item(problem.density), random);
    store_field(field, item, n, next, data);
  }
  return data;
}

PatternItems pattern_items(const Problem& problem) {
  PatternItems items{std::uint64_t{1} << 16, std::uint64_t{1} << 20};
  if (problem.density == Density::none && has_runs(problem)) {  // of 10^5 items: 40 runs
    items.least <<= 2;
    items.most <<= 2;
  }
  return items;
}

}  // namespace upsweep::tuner
