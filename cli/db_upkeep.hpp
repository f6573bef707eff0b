// The parts of `upsweep db` that put databases together and in order.
#pragma once

#include "cli/command.hpp"

namespace upsweep::cli {

// Adds wanted, merge, prune and compact.
void add_db_upkeep(CLI::App& db, Action& action);

}  // namespace upsweep::cli
