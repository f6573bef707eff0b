// The arguments of `upsweep run`, and the checks of them before a file is read.
#pragma once

#include <string>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "cli/arguments.hpp"
#include "cli/io.hpp"

namespace upsweep::cli {

struct RunArguments {
  ProblemArguments problem;
  std::string input;
  std::string column;
  std::string format = "auto";
  std::string items;
  std::string axis;
  std::string segments;      // file of offsets; empty: none
  std::string segment_ends;  // file of the ends of segments, if `segments` has where they begin
  bool unordered_segments = false;
  std::string key_column;
  std::string key_file;  // empty: keys or flags are a column of the input
  std::string key_format = "auto";
  std::string initial;
  std::string threshold;
  std::string second_threshold;
  std::string output;      // empty: text on standard output
  std::string key_output;  // empty: keys are a column of the output
  std::string output_format = "auto";
  std::string device = "auto";
  std::string config;
  std::string database;
};

// What `parse` returns. A UsageError of it names the option.
template <typename Parse>
auto of_option(const std::string& option, Parse&& parse) {
  try {
    return parse();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

// The dimension that --axis names, from 0 or backward from -1. Throws UsageError if it is not a number.
[[nodiscard]] int axis_named(const std::string& text);

// Throws UsageError for unknown names, and for options that do not go together or that the algorithm does not have.
void check(const RunArguments& arguments, const Io& io);

}  // namespace upsweep::cli
