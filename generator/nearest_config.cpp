#include "generator/nearest_config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>
#include <string_view>

namespace upsweep {
namespace {

// Enough for every schedule; a call takes some ten milliseconds then.
constexpr int most_configs = 3000;

double distance(const ParameterValue& from, const ParameterValue& to) {
  const auto* const a = std::get_if<std::int64_t>(&from);
  const auto* const b = std::get_if<std::int64_t>(&to);
  if (a == nullptr || b == nullptr) return from == to ? 0 : 1;
  return std::abs(std::log2(static_cast<double>(*a + 1) / static_cast<double>(*b + 1)));
}

std::string_view rule_of(const std::string& violation) {
  return std::string_view(violation).substr(0, violation.find(':'));
}

// How many of the violations are of the same rule as this one.
std::ptrdiff_t breaches(const std::vector<std::string>& violations, const std::string& of) {
  return std::ranges::count_if(violations, [&](const std::string& each) { return rule_of(each) == rule_of(of); });
}

// Best first: the nearest config whose changes were not looked at yet is next.
class Search {
 public:
  Search(const ConfigSpace& space, const std::vector<Parameter>& parameters, const Config& start, const Config& given)
      : space_(space), parameters_(parameters), start_(start), given_(given) {}

  std::optional<Config> run() {
    add({.cost = 0, .config = start_, .violations = space_.violations(start_)});
    while (!open_.empty() && open_.top().cost < best_cost_ && tried_ < most_configs) {
      const Node node = open_.top();
      open_.pop();
      for (const Parameter& parameter : parameters_) {
        if (!given_.values.contains(parameter.name)) expand(node, parameter);
      }
    }
    return best_;
  }

 private:
  struct Node {
    double cost = 0;
    Config config;
    std::vector<std::string> violations;
    bool operator<(const Node& other) const { return cost > other.cost; }  // the top of the queue is the nearest
  };

  void add(Node node) {
    if (node.cost >= best_cost_) return;
    if (node.violations.empty()) {
      best_cost_ = node.cost;
      best_ = std::move(node.config);
    } else {
      open_.push(std::move(node));
    }
  }

  // Looks at every other value of one parameter. Worth going on from: what repairs the first rule that is broken, and
  // for counts a step that changes how far it is broken, because two small steps may be nearer than one large one.
  void expand(const Node& node, const Parameter& parameter) {
    const std::vector<ParameterValue>& values = parameter.values;
    const ParameterValue& initial = start_.values.at(parameter.name);
    const ParameterValue& own = node.config.values.at(parameter.name);
    const auto at = std::ranges::find(values, own) - values.begin();
    for (std::ptrdiff_t other = 0; other < std::ssize(values); ++other) {
      const ParameterValue& value = values[static_cast<std::size_t>(other)];
      const double cost = node.cost - distance(initial, own) + distance(initial, value);
      if (other == at || cost >= best_cost_) continue;
      Config config = node.config;
      config.values[parameter.name] = value;
      if (!known_.insert(config.values).second) continue;
      ++tried_;
      std::vector<std::string> violations = space_.violations(config);
      const std::string& broken = node.violations.front();
      const bool repairs = breaches(violations, broken) < breaches(node.violations, broken);
      const bool is_step = std::holds_alternative<std::int64_t>(value) && std::abs(other - at) == 1 &&
                           std::ranges::find(violations, broken) == violations.end();
      if (repairs || is_step) add({.cost = cost, .config = std::move(config), .violations = std::move(violations)});
    }
  }

  const ConfigSpace& space_;
  const std::vector<Parameter>& parameters_;
  const Config& start_;
  const Config& given_;
  std::priority_queue<Node> open_;
  std::set<decltype(Config::values)> known_;
  int tried_ = 0;
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::optional<Config> best_;
};

}  // namespace

std::optional<Config> nearest_config(const ConfigSpace& space, const std::vector<Parameter>& parameters,
                                     const Config& start, const Config& given) {
  return Search(space, parameters, start, given).run();
}

}  // namespace upsweep
