#include "runtime/call_arguments.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/port.hpp>

#include "generator/names.hpp"

namespace upsweep::runtime {
namespace {

template <typename Given, typename Known>
void check_names(const char* what, const std::vector<Given>& given, const std::vector<Known>& known,
                 const Problem& problem) {
  std::vector<std::string> names;
  for (const Known& each : known) names.push_back(each.name);
  for (const Given& each : given) {
    if (std::find(names.begin(), names.end(), each.name) != names.end()) continue;
    const std::string algorithm(name(problem.algorithm));
    if (names.empty()) {
      throw UsageError(fmt::format("the algorithm {} has no {}: remove '{}'", algorithm, what, each.name));
    }
    throw UsageError(unknown_name(what, each.name, names, "for " + algorithm));
  }
}

const void* address_of(const Port& port, const Arguments& arguments) {
  for (const Arguments::Array& array : arguments.arrays()) {
    if (array.name != port.name) continue;
    if (port.direction == Direction::out && !array.writable) {
      throw UsageError(
          fmt::format("'{0}' is written: pass an address that is not const as array(\"{0}\", address)", port.name));
    }
    return array.address;
  }
  throw UsageError(fmt::format("the array '{0}' is missing: add array(\"{0}\", address)", port.name));
}

void check_shape(const Problem& problem, const Arguments& arguments) {
  const bool is_axis = problem.shape == Shape::axis;
  if (is_axis
          ? arguments.axis().has_value()
          : arguments.rows().has_value() == (problem.shape == Shape::rows) && (arguments.rows() || !arguments.axis())) {
    return;
  }
  throw UsageError(
      is_axis
          ? fmt::format("the plan of {} needs an axis: pass Arguments(axis(outer, length, inner))", to_string(problem))
      : problem.shape == Shape::rows
          ? fmt::format("the plan of {} needs rows: pass Arguments(rows(count, length))", to_string(problem))
      : arguments.axis()
          ? fmt::format("the plan of {} takes no rows and no axis: pass Arguments(n), or make the plan of "
                        "along_axis(problem, axis)",
                        to_string(problem))
          : fmt::format("the plan of {} takes no rows: pass Arguments(n), or make the plan of "
                        "in_rows(problem, count, length)",
                        to_string(problem)));
}

}  // namespace

void set_items(CallValues& values, const Items& items) {
  values.n = items.most();
  values.limits = {items.address(), items.address_bytes(), items.capacity()};
}

void set_rows(CallValues& values, const Rows& rows) {
  values.n = rows.items();
  values.rows = rows.count();
  values.row_length = rows.length();
}

void set_axis(CallValues& values, const Axis& axis) {
  values.n = axis.items();
  values.rows = axis.columns();
  values.row_length = axis.length();
  values.inner = axis.inner();
}

ResolvedArguments resolve(const Problem& problem, const Arguments& arguments) {
  const std::vector<Port> known = ports(problem);
  const std::vector<ScalarPort> known_scalars = scalars(problem);
  check_names("array", arguments.arrays(), known, problem);
  check_names("scalar", arguments.scalars(), known_scalars, problem);
  ResolvedArguments resolved;
  check_shape(problem, arguments);
  set_items(resolved.values, arguments.items());
  if (problem.shape == Shape::axis) {
    set_axis(resolved.values, *arguments.axis());
  } else if (arguments.rows()) {
    set_rows(resolved.values, *arguments.rows());
  }
  for (std::size_t i = 0; i < known.size(); ++i) resolved.values.arrays[i] = address_of(known[i], arguments);
  std::size_t in_memory = 0;
  for (const Arguments::ScalarValue& scalar : arguments.scalars()) {
    const auto same = [&](const ScalarPort& port) { return port.name == scalar.name; };
    const auto at = static_cast<std::size_t>(std::find_if(known_scalars.begin(), known_scalars.end(), same) -
                                             known_scalars.begin());
    resolved.scalar_addresses[at] = scalar.address;
    if (!scalar.in_memory) resolved.scalars[at] = scalar.value;
    in_memory += scalar.in_memory ? 1 : 0;
  }
  resolved.scalars_in_memory = in_memory > 0;
  if (in_memory > 0 && in_memory != known_scalars.size()) {
    throw UsageError("some scalars are in device memory and others are not: pass all of them in the same way");
  }
  return resolved;
}

}  // namespace upsweep::runtime
