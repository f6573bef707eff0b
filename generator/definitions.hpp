// Types, operators and algorithms that are not built in: defined at run time, by source text (upsweep/define.hpp).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <upsweep/define.hpp>
#include <upsweep/problem.hpp>

#include "generator/algorithm.hpp"
#include "generator/operator.hpp"
#include "generator/value_type.hpp"

namespace upsweep {

// An algorithm that emits as scans or as reduces do, over one input and one output.
struct AlgorithmDefinition {
  std::string name;  // an identifier
  Emission emission = Emission::dense;
  bool has_initial = false;
  std::string text;  // its hooks, as in templates/algorithm/hooks.*.cuh; emit_word is not needed
};

// As define_type.
Algorithm define_algorithm(const AlgorithmDefinition& definition);

// What was defined; nothing of what is built in.
[[nodiscard]] std::optional<TypeDefinition> definition_of(Type type);
[[nodiscard]] std::optional<OperatorDefinition> definition_of(Operator op);
[[nodiscard]] std::optional<AlgorithmDefinition> definition_of(Algorithm algorithm);

// Whether a definition, made here or elsewhere, may have such a name: an identifier, '@' and a hash of 16 hexadecimal
// digits.
[[nodiscard]] bool is_name_of_definition(std::string_view text) noexcept;

// The templates of all that a problem uses and that is not built in: text by path.
[[nodiscard]] std::map<std::string, std::string> definitions_of(const Problem& problem);

}  // namespace upsweep
