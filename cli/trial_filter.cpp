#include "cli/trial_filter.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/plain_text.hpp"
#include "generator/aliases.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Trial;

// Of each text what `parse` makes of it.
template <typename Parse>
auto parsed(const std::vector<std::string>& texts, Parse&& parse) {
  std::set<decltype(parse(texts.front()))> values;
  for (const std::string& text : texts) values.insert(parse(text));
  return values;
}

// Whether the list holds the value. An empty list does not filter and holds every value.
template <typename Value>
bool is_among(const std::set<Value>& values, const Value& value) {
  return values.empty() || values.contains(value);
}

bool is_part_of(const std::set<std::string>& parts, const std::string& name) {
  const auto in_name = [name = lower(name)](const std::string& part) { return name.find(part) != name.npos; };
  return parts.empty() || std::ranges::any_of(parts, in_name);
}

}  // namespace

void TrialFilter::add_to(CLI::App& verb) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const std::string& what) {
    verb.add_option(name, values, what)->delimiter(',');
  };
  add("ALGORITHM", algorithms_, fmt::format("Only results for these algorithms: {}", algorithm_list()));
  add("--op", operators_, "Only results for these operators");
  add("--type", types_, "Only results for items of these types");
  add("--size", sizes_, "Only results in the size classes of these numbers of items: 2^20, 100K, 2^10..2^14");
  add("--device", devices_, "Only results of devices whose name contains this text");
}

bool TrialFilter::empty() const {
  return algorithms_.empty() && operators_.empty() && types_.empty() && sizes_.empty() && devices_.empty();
}

std::function<bool(const Trial&)> TrialFilter::predicate() const {
  return [matches = matches()](const Trial& trial) { return matches(trial.problem, trial.device.name); };
}

std::function<bool(const Problem&, const std::string&)> TrialFilter::matches() const {
  std::set<int> classes;
  for (const std::uint64_t size : base::parse_sizes(sizes_)) classes.insert(size_class(size));
  return [algorithms = parsed(algorithms_, algorithm_named), operators = parsed(operators_, operator_named),
          types = parsed(types_, type_named), classes = std::move(classes),
          devices = parsed(devices_, lower)](const Problem& problem, const std::string& device) {
    return is_among(algorithms, problem.algorithm) && is_among(operators, problem.op) &&
           is_among(types, problem.input) && is_among(classes, size_class(problem.size)) && is_part_of(devices, device);
  };
}

std::string TrialFilter::text() const {
  std::vector<std::string> parts = algorithms_;
  for (const auto& [option, values] : {std::pair{"--op", &operators_}, std::pair{"--type", &types_},
                                       std::pair{"--size", &sizes_}, std::pair{"--device", &devices_}}) {
    if (!values->empty()) parts.push_back(fmt::format("{} {}", option, fmt::join(*values, ",")));
  }
  return fmt::to_string(fmt::join(parts, " "));
}

std::string inventory(std::span<const Trial* const> trials) {
  std::set<std::string> algorithms, operators, devices;
  std::set<Type> types;
  std::set<std::uint64_t> sizes;
  for (const Trial* each : trials) {
    algorithms.emplace(name(each->problem.algorithm));
    operators.emplace(name(each->problem.op));
    types.insert(each->problem.input);
    sizes.insert(each->problem.size);
    devices.insert(each->device.name);
  }
  std::vector<std::string_view> type_names;
  for (const Type each : types) type_names.push_back(name(each));
  const std::string range =
      sizes.size() < 2 ? base::format_size(*sizes.begin())
                       : fmt::format("{} to {}", base::format_size(*sizes.begin()), base::format_size(*sizes.rbegin()));
  return fmt::format("{}: algorithms {}; operators {}; types {}; sizes {}; devices {}", trials.size(),
                     fmt::join(algorithms, ", "), fmt::join(operators, ", "), fmt::join(type_names, ", "), range,
                     fmt::join(devices, ", "));
}

}  // namespace upsweep::cli
