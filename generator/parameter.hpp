// Tuning parameters with types. A schedule has a struct of values, whose visit() binds each member to a description:
// the name of the parameter, its meaning and its possible values.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <upsweep/config.hpp>
#include <upsweep/config_space.hpp>
#include <upsweep/error.hpp>

namespace upsweep {

// A parameter whose values are numbers.
struct CountParameter {
  const char* name;
  const char* meaning;
  std::initializer_list<std::int64_t> values;
  std::optional<std::int64_t> absent = {};  // as Parameter::absent
};

template <typename Value>
struct Choice {
  Value value;
  const char* name;
  const char* meaning;
  bool is_baseline = false;  // as Parameter::baselines
};

// A parameter whose values are names. Value is an enumeration, or bool.
template <typename Value>
struct ChoiceParameter {
  const char* name;
  const char* meaning;
  std::initializer_list<Choice<Value>> choices;
  std::optional<Value> absent = {};  // as Parameter::absent

  [[nodiscard]] const char* name_of(Value value) const {
    for (const Choice<Value>& choice : choices) {
      if (choice.value == value) return choice.name;
    }
    throw Error(ErrorKind::internal, fmt::format("a value of the parameter {} has no name: please report this", name));
  }
  // Throws UsageError if no value has that name.
  [[nodiscard]] Value value_of(std::string_view text) const {
    for (const Choice<Value>& choice : choices) {
      if (text == choice.name) return choice.value;
    }
    throw UsageError(fmt::format("{}={} is not valid: use a value that the config space lists", name, text));
  }
};

// ---- visitors of a struct of values

// Collects the descriptions.
struct ParameterList {
  std::vector<Parameter> parameters;

  void operator()(std::int64_t, const CountParameter& described) {
    Parameter parameter{described.name, described.meaning, {described.values.begin(), described.values.end()}};
    if (described.absent) parameter.absent = *described.absent;
    parameters.push_back(std::move(parameter));
  }
  template <typename Value>
  void operator()(Value, const ChoiceParameter<Value>& described) {
    Parameter parameter{described.name, described.meaning, {}};
    for (const Choice<Value>& choice : described.choices) {
      parameter.values.emplace_back(std::string(choice.name));
      parameter.value_meanings.emplace_back(choice.meaning);
      if (choice.is_baseline) parameter.baselines.emplace_back(std::string(choice.name));
    }
    if (described.absent) parameter.absent = std::string(described.name_of(*described.absent));
    parameters.push_back(std::move(parameter));
  }
};

// Reads the values from a config that has all of them. Throws UsageError if one is missing or not valid.
struct ConfigReader {
  const Config& config;

  void operator()(std::int64_t& value, const CountParameter& described) const {
    value = config.integer(described.name);
  }
  template <typename Value>
  void operator()(Value& value, const ChoiceParameter<Value>& described) const {
    value = described.value_of(config.name(described.name));
  }
};

// Writes the values to a config.
struct ConfigWriter {
  Config& config;

  void operator()(std::int64_t value, const CountParameter& described) const { config.values[described.name] = value; }
  template <typename Value>
  void operator()(Value value, const ChoiceParameter<Value>& described) const {
    config.values[described.name] = described.name_of(value);
  }
};

}  // namespace upsweep
