// Writes the results of a call of `upsweep run`: one file or column for each output port of the problem.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/array_file.hpp"
#include "cli/io.hpp"
#include "cli/run_arguments.hpp"

namespace upsweep::cli {

// How many items of a result belong to one part of a partition.
struct PartOfResult {
  std::string name;
  std::uint64_t items = 0;
};

// The arrays that a call wrote, without their number.
struct RunResults {
  std::vector<Array> arrays;        // keys before what belongs to them; the parts of a partition as one array
  bool with_keys = false;           // whether the first are keys, or items of runs
  std::vector<PartOfResult> parts;  // of a partition: one behind the other in the array

  [[nodiscard]] std::span<const Array> keys() const { return std::span(arrays).first(with_keys ? 1 : 0); }
  [[nodiscard]] std::span<const Array> values() const { return std::span(arrays).last(1); }
};

// Writes results to the files that the arguments name, or to standard output where they name none and no document is
// asked for. Throws InputError where a file cannot be written.
void write_results(const RunArguments& arguments, const RunResults& results, Io& io);

// The members of the document that hold results, or name their files.
void add_results(Json& document, const RunArguments& arguments, const RunResults& results);

// The lines of the account that name the files.
[[nodiscard]] std::string output_lines(const RunArguments& arguments, const RunResults& results);

}  // namespace upsweep::cli
