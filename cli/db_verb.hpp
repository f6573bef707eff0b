// The interface of the verbs of `upsweep db`.
#pragma once

#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"

namespace upsweep::cli {

// With the option for the database and an example; `run` gets the arguments.
template <typename Arguments>
CLI::App& add_db_verb(CLI::App& db, const char* name, const char* what, int (*run)(const Arguments&, Io&),
                      const std::shared_ptr<Arguments>& arguments, Action& action) {
  CLI::App* const verb = db.add_subcommand(name, what);
  add_database(*verb, arguments->database);
  verb->footer(fmt::format("Example:\n  upsweep db {}", name));
  verb->callback([arguments, run, &action] { action = [arguments, run](Io& io) { return run(*arguments, io); }; });
  return *verb;
}

}  // namespace upsweep::cli
