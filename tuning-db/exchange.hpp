// Tuning results as text: to move them between machines, to read them in a diff, to ship them with the library.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tuning-db/database.hpp"

namespace upsweep::tuning_db {

struct ExportOptions {
  bool trials = false;  // also those that did not win
  std::function<bool(const Trial&)> keeps =
      {};  // which of them, but for carried ones, which it cannot judge; empty: all
};

// JSON: a head with format, version, and the devices and environments of all lines, each once; then one trial a line,
// which names those two by their indices. The order depends on the contents alone. Rows with the same contents are one
// line.
[[nodiscard]] std::string export_json(const Database& database, const ExportOptions& options = {});

// Reads what export_json writes, and has written since version 2 of the format. The text is checked as a whole first,
// and one transaction takes it in: a bad file throws InputError, saying where, and changes nothing. Of two winners for
// the same device, problem, size class, side of it and environment, the one that takes less time per item stays (by its
// median), and at the same time the database's own; trials that are not there yet are added either way.
using ImportReport = MergeReport;
ImportReport import_json(Database& database, std::string_view text);

// The winners in such a text, without carried ones, with origin "shipped". Throws InputError for a bad one. Whether
// configs lie in the space is for `choose` to see: a released file must not stop a program because a later generator
// has dropped a value.
[[nodiscard]] std::vector<Winner> read_shipped(std::string_view json);

// The winners of a database file or of an export, with origin "pinned"; told by the content. Throws DatabaseError if
// there is no such file or it is a database that cannot be used, InputError for a bad export.
[[nodiscard]] std::vector<Winner> pinned_winners(const std::filesystem::path& path);

// The winners in all files of tuning-db/shipped, which are part of the library. Read once a process: that takes about
// 0.1 s for the 2,400 of one device.
[[nodiscard]] const std::vector<Winner>& shipped_winners();

// Those of them that may serve the problem (candidates.hpp), in the same order; read anew each time, 1 to 10 ms.
[[nodiscard]] std::vector<Winner> shipped_winners_for(const Problem& problem);

// The texts of those files (made from them by embed.cmake).
[[nodiscard]] std::vector<std::string_view> shipped_files();

}  // namespace upsweep::tuning_db
