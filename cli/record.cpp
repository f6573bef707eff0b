// upsweep record: the trials of one problem and size as a recorded space, on which searches can be compared.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "runtime/context_engine.hpp"
#include "tuner/search/recording.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

struct RecordArguments {
  ProblemArguments problem;
  std::string size;
  std::string device = "auto";
  std::string database;
  std::string file;
};

int record_verb(const RecordArguments& arguments, Io& io) {
  const Problem problem = arguments.problem.problem(base::parse_size(arguments.size));
  const Context context({.device = arguments.device, .database = arguments.database, .record_wanted = false});
  const tuning_db::Database database(runtime::engine_of(context).database(), tuning_db::Database::Mode::read_only);
  std::vector<tuning_db::Trial> trials = database.trials({.device = context.device_identity(),
                                                          .problem = problem,
                                                          .size_class = size_class(problem.size),
                                                          .environment = runtime::engine_of(context).environment()});
  std::erase_if(trials, [&](const tuning_db::Trial& trial) { return trial.problem.size != problem.size; });
  if (trials.empty()) {
    throw UsageError(fmt::format(
        "{} has no trials of {} with {} items, measured on {} with this driver, compiler and generator: "
        "tune the problem first, with "
        "--strategy exhaustive and --only",
        runtime::engine_of(context).database().string(), to_string(problem), problem.size, context.device()));
  }
  const tuner::Recording recording = tuner::record(trials);
  const std::string text = tuner::write_recording(recording);
  base::write_file(arguments.file, text);
  if (io.json) {
    io.print({{"file", arguments.file}, {"measured", recording.measured.size()}, {"failed", recording.failed.size()}});
  }
  io.say(fmt::format("recorded {} configs with a time and {} failed configs in '{}'", recording.measured.size(),
                     recording.failed.size(), arguments.file));
  return 0;
}

}  // namespace

void add_record(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App* const verb = command.add_subcommand(
      "record", "Write the trials of a problem to a file, for comparing search strategies (for developers of upsweep)");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->size, "Number of items")->required();
  verb->add_option("-o,--output", arguments->file, "File to write")->required();
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer(
      "Example:\n  upsweep tune reduce --op plus --type f32 --size 2^22 --strategy exhaustive --only "
      "schedule=last_block\n"
      "  upsweep record reduce --op plus --type f32 --size 2^22 -o reduce.json");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return record_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
