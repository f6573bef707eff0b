// An operator: everything that the generator, the database and the tuner need to know of it. Each built-in operator is
// one file in generator/operators, with its templates in templates/operator. CONTRIBUTING.md lists what adding one
// touches. What an entry leaves out has the safe answer: not associative, not commutative, not exact, no identity, for
// no type.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/define.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/types.hpp>

namespace upsweep {

// Operators of one cost take about as long and allow the same kernels: a config that is fast with one is so with all.
enum class OperatorCost : std::uint8_t { unknown, addition, extremum, product, carry, comparison };

struct OperatorEntry {
  std::string name;  // of an operator that is not built in, with a hash of its definition behind it
  std::vector<std::string> aliases = {};    // other names that the command takes
  std::optional<Operator> enumerator = {};  // in the public enumeration
  bool is_predicate = false;                // says whether an item is kept, and combines nothing
  bool associative = false;                 // scans and reduces take no other operators
  bool commutative = false;
  OperatorCost cost = OperatorCost::unknown;
  TestData test_data = TestData::any;

  // Of the accumulator's type.
  std::function<bool(Type)> takes = {};            // whether it is defined on the type
  std::string takes_text = {};                     // "an integer type"
  std::function<bool(Type)> exact = {};            // whether every association gives the same bits
  std::function<Scalar(Type)> identity = {};       // empty: it has none
  std::function<std::string(Type)> strategy = {};  // which templates/operator/operator.*.cuh; empty: that of its name
  std::function<bool(Type)> native = {};           // whether devices from sm_90 on have an instruction for the type:
                                                   // templates/operator/operator.NAME_native_TYPE.cuh

  // Whether devices from sm_80 on fold the 32-bit integers of a warp by one instruction:
  // templates/operator/redux.NAME.cuh.
  bool has_redux = false;

  // Word forms: faster ways for narrow integers.
  bool adds_bytes = false;       // the sum of four bytes by one instruction
  std::string packed_16x2 = {};  // which templates/operator/packed_16x2.*.cuh takes two values at a time; empty: none

  // Of an operator that is not built in: the text that defines it, and the only type that it takes.
  std::string definition = {};
  std::optional<Type> own_type = {};

  [[nodiscard]] bool is_built_in() const noexcept { return definition.empty(); }
};

[[nodiscard]] const OperatorEntry& entry_of(Operator op) noexcept;

[[nodiscard]] inline bool has_identity(Operator op) noexcept {
  return entry_of(op).identity != nullptr;
}

// Whether every association of the operator gives the same bits.
[[nodiscard]] bool is_exact(Operator op, Type type);

}  // namespace upsweep
