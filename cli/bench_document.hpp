// A comparison as JSON: what `bench` prints and writes, and `plot` and `report` read.
#pragma once

#include <vector>

#include "bench/cell.hpp"
#include "bench/summary.hpp"
#include "cli/arguments.hpp"

namespace upsweep::cli {

[[nodiscard]] Json json_of(const bench::Row& row);
[[nodiscard]] Json json_of(const bench::RungCell& cell);
[[nodiscard]] Json json_of(const bench::Cell& cell);
[[nodiscard]] Json json_of(const bench::Summary& summary);

// The JSON in a file, "-" being standard input. Throws InputError, naming the file, if it cannot be read or is none.
[[nodiscard]] Json read_document(const std::string& path);

// The cells of a document that `bench` wrote. Throws InputError, naming the file, for anything else.
[[nodiscard]] std::vector<bench::Cell> read_cells(const Json& document, const std::string& label);
// Those of one mode. Throws InputError for none, too.
[[nodiscard]] std::vector<bench::Cell> read_cells(const Json& document, const std::string& label,
                                                  const bench::Mode& mode);

}  // namespace upsweep::cli
