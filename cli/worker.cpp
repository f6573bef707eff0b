// upsweep worker: a tune's other half, in a process that a candidate may ruin. Not for people, and not in --help.
#include "tuner/worker/worker_main.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace upsweep::cli {

void add_worker(CLI::App& command, Action& action) {
  CLI::App* const verb = command.add_subcommand("worker", "Used by `upsweep tune`; not for direct use");
  verb->group("");  // hidden
  verb->callback([&action] { action = [](Io&) { return tuner::worker_main(); }; });
}

}  // namespace upsweep::cli
