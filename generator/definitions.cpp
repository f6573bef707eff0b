#include "generator/definitions.hpp"

#include <algorithm>
#include <bit>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "generator/catalogues.hpp"

namespace upsweep {
namespace {

constexpr std::uint32_t most_bytes = sizeof(Scalar::bytes);

bool is_valid_name(std::string_view text) {
  const auto starts = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !text.empty() && starts(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return starts(static_cast<unsigned char>(c)) || (c >= '0' && c <= '9'); });
}

template <typename Known>
void check_name(const char* what, const std::string& name, const std::string& text, Known& known) {
  if (!is_valid_name(name)) {
    throw UsageError(fmt::format("'{}' cannot be the name of the {}: use letters, digits and underscores",
                                 base::clipped(name), what));
  }
  if (known.find(name)) throw UsageError(fmt::format("the {} '{}' is built in: use another name", what, name));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw UsageError(fmt::format("the {} '{}' has no text: pass its definition", what, name));
  }
  try {
    static_cast<void>(nlohmann::json(text).dump());  // as worker processes get it
  } catch (const nlohmann::json::exception&) {
    throw UsageError(fmt::format("the text of the {} '{}' is not UTF-8: save its source as UTF-8", what, name));
  }
}

constexpr std::size_t hash_digits = 16;

// The name by which the process and databases know it.
std::string hashed(const std::string& name, const std::string& content) {
  return fmt::format("{}@{}", name, base::hash(content).substr(0, hash_digits));
}

// The name without the hash.
std::string own_name(const std::string& name) {
  return name.substr(0, name.find('@'));
}

void check_layout(const TypeDefinition& definition) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("the type '{}' {}", definition.name, why));
  };
  if (definition.size == 0 || definition.size > most_bytes) {
    refuse(fmt::format("has {} bytes: use 1 to {}", definition.size, most_bytes));
  }
  if (!std::has_single_bit(definition.alignment) || definition.size % definition.alignment != 0) {
    refuse(fmt::format("has {} bytes and an alignment of {}: use a power of two that divides the size", definition.size,
                       definition.alignment));
  }
  if (definition.fields.empty()) refuse("has no fields: list the type and the offset of each");
  std::uint64_t end = 0;
  for (const Field& field : definition.fields) {
    if (!entry_of(field.type).is_built_in()) refuse("has a field of a type that is not built in");
    if (alignment_of(field.type) > definition.alignment) {
      refuse(fmt::format("has an alignment of {}, but its field of type {} needs {}", definition.alignment,
                         upsweep::name(field.type), alignment_of(field.type)));
    }
    if (field.offset < end || field.offset % alignment_of(field.type) != 0) {
      refuse(
          fmt::format("has a field of type {} at byte {}: list the fields in the order of their offsets, without an "
                      "overlap, each at a multiple of its alignment",
                      upsweep::name(field.type), field.offset));
    }
    end = std::uint64_t{field.offset} + size_of(field.type);
  }
  if (end > definition.size) refuse(fmt::format("has fields up to byte {}, but {} bytes", end, definition.size));
}

// What lies between the fields is zero: it is not a part of the value.
Scalar without_padding(const Scalar& value) {
  Scalar plain;
  plain.type = value.type;
  for (const Field& field : fields_of(value.type)) {
    std::copy_n(value.bytes.begin() + field.offset, size_of(field.type), plain.bytes.begin() + field.offset);
  }
  return plain;
}

// "{1, 2.5}"
std::string text_of(const std::vector<Field>& fields, const Scalar& value) {
  std::vector<std::string> texts;
  for (const Field& field : fields) {
    Scalar part;
    part.type = field.type;
    std::memcpy(part.bytes.data(), value.bytes.data() + field.offset, size_of(field.type));
    texts.push_back(to_string(part));
  }
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

// Puts the user's text into a namespace, with #line, so that messages of compilers give the lines of that text. Empty
// lines separate the parts of a template that are kept or left out on their own, so each empty line gets a blank: the
// text is kept as a whole. If the text ends with a comment and a backslash, the comment continues on the next line, so
// a blank line follows the text.
std::string in_namespace(const std::string& what, const std::string& text) {
  std::string lines;
  for (const char c : text) {
    if (c == '\n' && (lines.empty() || lines.back() == '\n')) lines += ' ';
    lines += c;
  }
  return fmt::format("namespace user {{\n#line 1 \"{}\"\n{}\n \n}}  // namespace user\n", what, lines);
}

// With assertions that the struct has the size and the alignment of the definition. Offsets are not checked.
std::string type_template(const TypeEntry& entry) {
  const std::string name = own_name(entry.name);
  std::string includes = "#include \"target/cuda.cuh\"\n";
  for (const Field& field : entry.fields) {
    if (const std::string& file = entry_of(field.type).file; !file.empty())
      includes += fmt::format("#include \"{}\"\n", file);
  }
  return fmt::format(
      "#pragma once\n\n{0}\n{1}\n#line 1 \"definition of type {2}\"\n"
      "static_assert(__is_trivial(user::{2}), \"{2} must have no constructors and no default member initializers\");\n"
      "static_assert(sizeof(user::{2}) == {3}, \"the size in the definition of {2} is not sizeof the struct\");\n"
      "static_assert(alignof(user::{2}) == {4}, \"the alignment in the definition of {2} is not alignof the "
      "struct\");\n",
      includes, in_namespace("type " + name, entry.definition), name, entry.size, entry.alignment);
}

std::string path_of_type(const TypeEntry& entry) {
  return fmt::format("user/type.{}.cuh", entry.name);
}

std::string operator_template(const OperatorEntry& entry) {
  const std::string name = own_name(entry.name);
  return fmt::format(
      "#pragma once\n\n#include \"parameters.cuh\"\n\n{0}\n#line 1 \"call of operator {1}\"\n"
      "__device__ __forceinline__ Value combine(Value a, Value b) {{\n  return user::{1}(a, "
      "b);\n}}\n",
      in_namespace("operator " + name, entry.definition), name);
}

}  // namespace

bool is_name_of_definition(std::string_view text) noexcept {
  const std::size_t at = text.find('@');
  if (at == text.npos || !is_valid_name(text.substr(0, at))) return false;
  const std::string_view digits = text.substr(at + 1);
  return digits.size() == hash_digits && digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

Type define_type(const TypeDefinition& definition) {
  check_name("type", definition.name, definition.text, types());
  check_layout(definition);
  std::string content =
      fmt::format("{} {} {}\n{}", definition.size, definition.alignment, definition.text.size(), definition.text);
  for (const Field& field : definition.fields) content += fmt::format("\n{} {}", name(field.type), field.offset);

  TypeEntry entry;
  entry.name = hashed(definition.name, content);
  entry.size = definition.size;
  entry.alignment = definition.alignment;
  entry.spelling = entry.arithmetic = "user::" + definition.name;
  entry.comparison = "float";
  entry.file = path_of_type(entry);
  entry.fields = definition.fields;
  entry.definition = definition.text;
  entry.text = [fields = definition.fields](const Scalar& value) { return text_of(fields, value); };
  return types().add(std::move(entry));
}

Operator define_operator(const OperatorDefinition& definition) {
  check_name("operator", definition.name, definition.text, operators());
  if (definition.identity && definition.identity->type != definition.type) {
    throw UsageError(fmt::format("the identity of the operator '{}' has type {}: pass a value of type {}",
                                 definition.name, name(definition.identity->type), name(definition.type)));
  }
  if (definition.name == own_name(std::string(name(definition.type)))) {
    throw UsageError(fmt::format("the operator '{}' has the name of its type: use another name", definition.name));
  }
  std::optional<Scalar> identity;
  if (definition.identity) identity = without_padding(*definition.identity);
  const auto bytes = identity.value_or(Scalar{}).bytes;
  std::string content = fmt::format("{} {} {} {} {} {}\n{}", name(definition.type), definition.commutative,
                                    definition.exact, identity.has_value(), static_cast<int>(definition.test_data),
                                    definition.text.size(), definition.text);
  content.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());

  OperatorEntry entry;
  entry.name = hashed(definition.name, content);
  entry.associative = true;
  entry.commutative = definition.commutative;
  entry.test_data = definition.test_data;
  entry.own_type = definition.type;
  entry.takes = [type = definition.type](Type other) { return other == type; };
  entry.takes_text = std::string(name(definition.type));
  entry.exact = [exact = definition.exact](Type) { return exact; };
  if (identity) entry.identity = [value = *identity](Type) { return value; };
  entry.definition = definition.text;
  return operators().add(std::move(entry));
}

Algorithm define_algorithm(const AlgorithmDefinition& definition) {
  check_name("algorithm", definition.name, definition.text, algorithms());
  AlgorithmEntry entry;
  entry.name = hashed(definition.name, fmt::format("{} {}\n{}", static_cast<int>(definition.emission),
                                                   definition.has_initial, definition.text));
  entry.emission = definition.emission;
  entry.has_initial = definition.has_initial;
  entry.has_finish = definition.emission == Emission::at_end;
  entry.ports = definition.emission == Emission::dense ? dense_ports : at_end_ports;
  entry.definition = definition.text;
  return algorithms().add(std::move(entry));
}

std::optional<TypeDefinition> definition_of(Type type) {
  const TypeEntry& entry = entry_of(type);
  if (entry.is_built_in()) return std::nullopt;
  return TypeDefinition{.name = own_name(entry.name),
                        .size = entry.size,
                        .alignment = entry.alignment,
                        .fields = entry.fields,
                        .text = entry.definition};
}

std::optional<OperatorDefinition> definition_of(Operator op) {
  const OperatorEntry& entry = entry_of(op);
  if (entry.is_built_in()) return std::nullopt;
  OperatorDefinition definition{.name = own_name(entry.name),
                                .type = *entry.own_type,
                                .commutative = entry.commutative,
                                .exact = entry.exact(*entry.own_type),
                                .test_data = entry.test_data,
                                .text = entry.definition};
  if (entry.identity) definition.identity = entry.identity(definition.type);
  return definition;
}

std::optional<AlgorithmDefinition> definition_of(Algorithm algorithm) {
  const AlgorithmEntry& entry = entry_of(algorithm);
  if (entry.is_built_in()) return std::nullopt;
  return AlgorithmDefinition{.name = own_name(entry.name),
                             .emission = entry.emission,
                             .has_initial = entry.has_initial,
                             .text = entry.definition};
}

std::map<std::string, std::string> definitions_of(const Problem& problem) {
  std::map<std::string, std::string> texts;
  for (const Type type : types_of(problem)) {
    const TypeEntry& entry = entry_of(type);
    if (entry.is_built_in()) continue;
    texts[entry.file] = type_template(entry);
  }
  const OperatorEntry& op = entry_of(problem.op);
  if (!op.is_built_in()) texts[fmt::format("operator/operator.{}.cuh", op.name)] = operator_template(op);
  const AlgorithmEntry& algorithm = entry_of(problem);
  if (!algorithm.is_built_in()) {
    texts[fmt::format("algorithm/hooks.{}.cuh", algorithm.name)] =
        "#pragma once\n\n#include \"parameters.cuh\"\n\n" + algorithm.definition;
  }
  return texts;
}

}  // namespace upsweep
