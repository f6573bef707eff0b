// Types, operators and algorithms that are not built in: defined at run time, by source text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

// A struct of 1 to 16 bytes.
struct TypeDefinition {
  std::string name;        // an identifier: the name of the struct in `text`
  std::uint32_t size = 0;  // in bytes, as the alignment
  std::uint32_t alignment = 0;
  std::vector<Field> fields = {};  // of built-in types; they cover all but padding
  std::string text;                // CUDA C++ and C++: "struct pair { float a, b; };"
};

// An associative operator on one type.
struct OperatorDefinition {
  std::string name;       // an identifier: the name of the function in `text`
  Type type = Type::i32;  // of its arguments and its result
  bool commutative = false;
  bool exact = false;  // whether every association gives the same bits
  std::optional<Scalar> identity = {};
  TestData test_data = TestData::any;
  std::string text;  // "__device__ pair add(pair a, pair b) { ... }"
};

// An algorithm that emits as scans or as reduces do, over one input and one output.
struct AlgorithmDefinition {
  std::string name;  // an identifier
  Emission emission = Emission::dense;
  bool has_initial = false;
  std::string text;  // its hooks, as in templates/algorithm/hooks.*.cuh; emit_word is not needed
};

// The same definition gives the same value, however often it is made. Throw UsageError where a definition is not
// complete, says what cannot be, or takes the name of a built-in one.
Type define_type(const TypeDefinition& definition);
Operator define_operator(const OperatorDefinition& definition);
Algorithm define_algorithm(const AlgorithmDefinition& definition);

// What was defined; nothing of what is built in.
[[nodiscard]] std::optional<TypeDefinition> definition_of(Type type);
[[nodiscard]] std::optional<OperatorDefinition> definition_of(Operator op);
[[nodiscard]] std::optional<AlgorithmDefinition> definition_of(Algorithm algorithm);

// The templates of all that a problem uses and that is not built in: text by path.
[[nodiscard]] std::map<std::string, std::string> definitions_of(const Problem& problem);

}  // namespace upsweep
