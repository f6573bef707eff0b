// How near two problems are, as far as measurements of one are a guide to the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <upsweep/problem.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

// Each holds for whatever the later ones hold for.
enum class Nearness : std::uint8_t {
  unrelated,
  same_widths,  // results are emitted alike and values are as wide: the same schedules move the same bytes
  may_serve,    // also the same algorithm, and functions of one cost
  same_kinds,   // also values of one kind
  same_problem  // all but the size
};

// What nearness is judged by. Whatever else a problem is made of one day is added here, and all that looks for related
// results follows.
struct Family {
  // Integer, floating or complex. Their operators take other units and other numbers of cycles: of an inclusive scan of
  // 2^20 items on an H200, f64 took 10.2 us with the winner of i64 and 7.9 us with the built-in default.
  // Items that are only passed on are bits, whatever their type.
  enum class Kind : std::uint8_t { integer, floating, complex, structure, bits };
  struct Value {
    Kind kind = Kind::structure;
    std::optional<Type> own = {};  // of a structure, which is like no other
    bool operator==(const Value&) const = default;
  };
  struct Function {
    OperatorCost cost = OperatorCost::unknown;
    std::optional<Operator> own = {};  // nothing is known of one that does not say what it costs
    bool compensated = false;          // sums with an error term: all methods exchange the same, and cost about as much
    bool binned = false;               // reproducible sums
    bool operator==(const Function&) const = default;
  };

  Shape shape = Shape::flat;
  int row_class = 0;    // of the length of rows, where configs depend on it: one result per row. Otherwise 0
  int inner_class = 0;  // of an axis, whose length is in row_class
  std::uint64_t row_alignment = 0;  // of the rows behind an axis, in bytes; see row_alignment()
  Emission emission = Emission::dense;
  bool is_folded = true;  // problems whose items do not combine have schedules of their own
  static constexpr std::size_t most_types = 4;
  std::size_t types = 0;                         // that the problem has: input, accumulator, output and the like
  std::array<std::size_t, most_types> widths{};  // of each, in bytes
  Algorithm algorithm = Algorithm::inclusive_scan;
  Function function;
  std::array<Value, most_types> values{};  // as the widths
};

[[nodiscard]] Family family_of(const Problem& problem) noexcept;

// The one place that judges it.
[[nodiscard]] Nearness nearness(const Problem& a, const Problem& b) noexcept;

// Whether two problems are the same but for their size, and the lengths of their rows, or the extents of their axes,
// are of one class, and the rows behind an axis of one alignment.
[[nodiscard]] bool same_but_for_size(const Problem& a, const Problem& b) noexcept;

// Whether two problems are the same but for what is expected of them: their size, density and row length. Densities,
// and the lengths of rows that are scanned, do not belong to families: of the problems of the same kinds, these are the
// nearest.
[[nodiscard]] bool same_but_for_hints(const Problem& a, const Problem& b) noexcept;

// What the texts of families that this rule makes begin with. Whoever changes the rule, or an entry that it looks at,
// gives it another number: databases hold texts of all rules that there ever were.
inline constexpr const char* family_rule = "3/";

// The problem's family as text, such as "3/dense/4,4,4/inclusive_scan/addition/integer,integer,integer/". The text up
// to what `least` needs begins the texts of just those problems that are so near, or nearer.
[[nodiscard]] std::string family_text(const Problem& problem, Nearness least = Nearness::same_kinds);

}  // namespace upsweep
