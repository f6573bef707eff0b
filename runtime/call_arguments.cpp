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

}  // namespace

ResolvedArguments resolve(const Problem& problem, const Arguments& arguments) {
  const std::vector<Port> known = ports(problem);
  check_names("array", arguments.arrays(), known, problem);
  check_names("scalar", arguments.scalars(), scalars(problem), problem);
  ResolvedArguments resolved;
  for (const Port& port : known) {
    const void* const address = address_of(port, arguments);
    if (port.direction == Direction::in) {
      resolved.in = address;
    } else {
      resolved.out = const_cast<void*>(address);  // given as one that is not const
    }
  }
  for (const Arguments::ScalarValue& scalar : arguments.scalars()) {
    resolved.initial_in_memory = scalar.in_memory;
    resolved.initial_address = scalar.address;
    if (!scalar.in_memory) resolved.initial = scalar.value;
  }
  return resolved;
}

}  // namespace upsweep::runtime
