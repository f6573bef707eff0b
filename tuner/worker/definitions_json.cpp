#include "tuner/worker/definitions_json.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <upsweep/error.hpp>

#include "generator/definitions.hpp"

namespace upsweep::tuner {
namespace {

using nlohmann::json;

json json_of(const TypeDefinition& type) {
  json fields = json::array();
  for (const Field& field : type.fields) fields.push_back({{"type", name(field.type)}, {"offset", field.offset}});
  return {{"what", "type"},   {"name", type.name}, {"size", type.size}, {"alignment", type.alignment},
          {"fields", fields}, {"text", type.text}};
}

json json_of(const OperatorDefinition& op) {
  json definition{{"what", "operator"},    {"name", op.name},
                  {"type", name(op.type)}, {"commutative", op.commutative},
                  {"exact", op.exact},     {"test_data", static_cast<int>(op.test_data)},
                  {"text", op.text}};
  if (op.identity) {
    std::vector<int> bytes;
    for (std::size_t i = 0; i < size_of(op.type); ++i) bytes.push_back(std::to_integer<int>(op.identity->bytes[i]));
    definition["identity"] = bytes;
  }
  return definition;
}

json json_of(const AlgorithmDefinition& algorithm) {
  return {{"what", "algorithm"},
          {"name", algorithm.name},
          {"emission", static_cast<int>(algorithm.emission)},
          {"has_initial", algorithm.has_initial},
          {"text", algorithm.text}};
}

TypeDefinition type_of(const json& object) {
  TypeDefinition type{.name = object.at("name").get<std::string>(),
                      .size = whole_of<std::uint32_t>(object.at("size")),
                      .alignment = whole_of<std::uint32_t>(object.at("alignment")),
                      .text = object.at("text").get<std::string>()};
  for (const json& field : object.at("fields")) {
    type.fields.push_back(
        {parse_type(field.at("type").get<std::string>()), whole_of<std::uint32_t>(field.at("offset"))});
  }
  return type;
}

// An enumerator by its number.
template <typename Enum>
Enum enumerator(const json& object, const char* member, Enum last) {
  const int value = whole_of<int>(object.at(member));
  if (value < 0 || value > static_cast<int>(last)) throw UsageError(std::string("unknown value of ") + member);
  return static_cast<Enum>(value);
}

OperatorDefinition operator_of(const json& object) {
  OperatorDefinition op{.name = object.at("name").get<std::string>(),
                        .type = parse_type(object.at("type").get<std::string>()),
                        .commutative = object.at("commutative").get<bool>(),
                        .exact = object.at("exact").get<bool>(),
                        .test_data = enumerator(object, "test_data", TestData::keys),
                        .text = object.at("text").get<std::string>()};
  if (!object.contains("identity")) return op;
  const json& bytes = object.at("identity");
  if (!bytes.is_array() || bytes.size() != size_of(op.type)) {
    throw UsageError("the identity has another size than its type");
  }
  Scalar identity;
  identity.type = op.type;
  std::transform(bytes.begin(), bytes.end(), identity.bytes.begin(),
                 [](const json& byte) { return std::byte{whole_of<std::uint8_t>(byte)}; });
  op.identity = identity;
  return op;
}

AlgorithmDefinition algorithm_of(const json& object) {
  return {.name = object.at("name").get<std::string>(),
          .emission = enumerator(object, "emission", Emission::at_end),
          .has_initial = object.at("has_initial").get<bool>(),
          .text = object.at("text").get<std::string>()};
}

}  // namespace

json definitions_json(const Problem& problem) {
  json definitions = json::array();
  for (const Type type : types_of(problem)) {
    if (const auto definition = definition_of(type)) definitions.push_back(json_of(*definition));
  }
  if (const auto definition = definition_of(problem.op)) definitions.push_back(json_of(*definition));
  if (const auto definition = definition_of(problem.algorithm)) definitions.push_back(json_of(*definition));
  return definitions;
}

void define(const json& definitions) {
  for (const json& definition : definitions) {
    const std::string what = definition.at("what").get<std::string>();
    if (what == "type") {
      define_type(type_of(definition));
    } else if (what == "operator") {
      define_operator(operator_of(definition));
    } else if (what == "algorithm") {
      define_algorithm(algorithm_of(definition));
    } else {
      throw UsageError("unknown definition '" + what + "'");
    }
  }
}

}  // namespace upsweep::tuner
