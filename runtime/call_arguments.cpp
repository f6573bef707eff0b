#include "runtime/call_arguments.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <upsweep/error.hpp>
#include <upsweep/port.hpp>

#include "generator/names.hpp"
#include "generator/shape.hpp"

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

// What the arguments say of how the items are divided.
Shape shape_of(const Arguments& arguments) {
  return arguments.segments() ? Shape::segments
         : arguments.axis()   ? Shape::axis
         : arguments.rows()   ? Shape::rows
                              : Shape::flat;
}

void check_pitch(const Problem& problem, const Rows& rows) {
  if (!has_pitch(in_rows(problem, rows)) || has_pitch(problem)) return;
  throw UsageError(fmt::format(
      "the plan of {} takes no rows with gaps between them: make the plan of in_rows(problem, rows) with the "
      "pitch of the rows",
      to_string(problem)));
}

void check_order(const Problem& problem, const Segments& segments) {
  if (!segments.are_unordered() || problem.unordered_segments) return;
  throw UsageError(fmt::format(
      "the plan of {} takes no segments in any order: make the plan of in_segments(problem, segments) with these",
      to_string(problem)));
}

void check_shape(const Problem& problem, const Arguments& arguments) {
  const Shape given = shape_of(arguments);
  const bool are_rows = problem.shape == Shape::rows && arguments.rows();  // an axis may be rows, too
  if (given != problem.shape && !are_rows) {
    if (problem.shape != Shape::flat) need_shape(problem);
    const ShapeWords& words = words_of(given);
    throw UsageError(fmt::format("the plan of {} takes no {}: pass {}, or make the plan of {}", to_string(problem),
                                 words.name, words_of(Shape::flat).call, words.problem));
  }
  if (arguments.rows()) check_pitch(problem, *arguments.rows());
  if (given != Shape::segments) return;
  check_order(problem, *arguments.segments());
  if (const Type type = arguments.segments()->offset_type(); type != problem.key) {
    throw UsageError(
        fmt::format("the offsets are {}, but the plan is of {}: pass offsets of {}, or make the plan with "
                    "in_segments(problem, count, items, {})",
                    name(type), to_string(problem), name(*problem.key), name(type)));
  }
}

void set_shape(CallValues& values, Shape shape, const Arguments& arguments) {
  switch (shape) {
    case Shape::flat:
      return set_items(values, arguments.items());
    case Shape::rows:
      return set_rows(values, *arguments.rows());
    case Shape::axis:
      return set_axis(values, *arguments.axis());
    case Shape::segments:
      return set_segments(values, *arguments.segments());
  }
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
  values.in_pitch = rows.in_pitch();
  values.out_pitch = rows.out_pitch();
}

void set_axis(CallValues& values, const Axis& axis) {
  values.n = axis.items();
  values.rows = axis.columns();
  values.row_length = axis.length();
  values.inner = axis.inner();
}

void set_segments(CallValues& values, const Segments& segments) {
  values.n = segments.items();
  values.rows = segments.count();
  values.segment_ends = segments.ends();
  values.has_segment_ends = segments.has_ends();
  values.segments_are_unordered = segments.are_unordered();
  if (segments.count() < std::numeric_limits<std::uint64_t>::max()) return;
  throw UsageError("2^64-1 segments have 2^64 offsets, more than an array can have: pass fewer segments");
}

void need_shape(const Problem& problem) {
  const ShapeWords& words = words_of(problem.shape);
  throw UsageError(fmt::format("the plan of {} needs {}: pass {}", to_string(problem), words.parts, words.call));
}

ResolvedArguments resolve(const Problem& problem, const Arguments& arguments) {
  const std::vector<Port> known = ports(problem);
  const std::vector<ScalarPort> known_scalars = scalars(problem);
  check_shape(problem, arguments);
  check_names("array", arguments.arrays(), known, problem);
  check_names("scalar", arguments.scalars(), known_scalars, problem);
  ResolvedArguments resolved;
  set_shape(resolved.values, problem.shape, arguments);
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
