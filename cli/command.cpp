#include "cli/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <new>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>
#include <upsweep/source.hpp>

namespace upsweep::cli {
namespace {

using AddVerb = void (*)(CLI::App&, Action&);

// In the order of --help.
constexpr std::array<AddVerb, 13> verbs{add_run,   add_tune,  add_emit, add_explain, add_devices, add_doctor, add_db,
                                        add_cache, add_bench, add_plot, add_record,  add_report,  add_worker};

std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::device:
      return "device";
    case ErrorKind::compiler:
      return "compiler";
    case ErrorKind::database:
      return "database";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

int report(Io& io, ErrorKind kind, const std::string& what) {
  const std::string message = one_line(what);
  io.say("upsweep: " + message);
  if (io.json) io.print({{"error", {{"kind", kind_name(kind)}, {"message", message}}}});
  return static_cast<int>(kind);
}

int report(Io& io, const CompilerError& error) {
  if (error.details().empty()) return report(io, error.kind(), error.what());
  if (!io.verbose) {
    return report(io, error.kind(), one_line(error.what()) + " (--verbose shows the compiler's log and the source)");
  }
  const int code = report(io, error.kind(), error.what());
  io.say(error.details());
  return code;
}

// Runs what may throw; every failure becomes one line and an exit code.
int guarded(Io& io, const std::function<int()>& work) {
  try {
    return work();
  } catch (const CompilerError& error) {
    return report(io, error);
  } catch (const Error& error) {
    return report(io, error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return report(io, ErrorKind::device, "this machine has not enough memory for that: use smaller data");
  } catch (const std::exception& error) {
    return report(io, ErrorKind::internal, fmt::format("a defect of upsweep, please report it: {}", error.what()));
  }
}

// The library's warnings on the command's own stream for as long as this lives.
class WarningsTo {
 public:
  explicit WarningsTo(Io& io)
      : before_(set_warning_sink([&io](const std::string& message) { io.say("upsweep: warning: " + message); })) {}
  ~WarningsTo() { set_warning_sink(std::move(before_)); }
  WarningsTo(const WarningsTo&) = delete;
  WarningsTo& operator=(const WarningsTo&) = delete;

 private:
  std::function<void(const std::string&)> before_;
};

void describe(CLI::App& command, Io& io) {
  command.require_subcommand(0, 1);
  command.fallthrough();  // global options may follow the verb
  command.add_flag("--json", io.json, "Print one JSON document");
  command.add_flag("--verbose", io.verbose, "Show compiler logs of failures");
  command.set_version_flag("--version", "upsweep " + generator_version());
  command.footer(
      "Sizes are written as 1048576, 1M or 2^20. `upsweep VERB --help` shows a verb's options and an example.\n"
      "Exit codes: 0 done, 1 a defect, 2 usage, 3 input or output, 4 device, 5 compiler, 6 database, 130 interrupted.");
}

std::string verb_names(const CLI::App& command) {
  std::string names;
  for (const CLI::App* verb : command.get_subcommands({})) {
    if (!verb->get_group().empty()) names += (names.empty() ? "" : ", ") + verb->get_name();  // else it is hidden
  }
  return names;
}

// CLI11 would call an unknown verb an unexpected argument.
void check_verb(const CLI::App& command, const std::vector<std::string>& arguments) {
  const auto first =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& each) { return !each.starts_with('-'); });
  const std::vector<const CLI::App*> known = command.get_subcommands({});
  if (first != arguments.end() && std::ranges::find(known, *first, &CLI::App::get_name) == known.end()) {
    throw UsageError(fmt::format("unknown verb '{}': use one of {}", *first, verb_names(command)));
  }
}

std::string help_command(const CLI::App& command) {
  for (const CLI::App* verb : command.get_subcommands()) return fmt::format("upsweep {} --help", verb->get_name());
  return "upsweep --help";
}

int parse_and_act(CLI::App& command, const std::vector<std::string>& arguments, const Action& action, Io& io) {
  check_verb(command, arguments);
  try {
    command.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Success& help_or_version) {
    return command.exit(help_or_version, io.out(), io.out());
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see `{}`", one_line(error.what()), help_command(command)));
  }
  if (!action) throw UsageError(fmt::format("no verb: use one of {}, or --help", verb_names(command)));
  const int code = action(io);
  io.flush();
  return code;
}

}  // namespace

int main(std::vector<std::string> arguments, std::istream& in, std::ostream& out, std::ostream& err) {
  Io io(in, out, err, &err == &std::cerr && ::isatty(STDERR_FILENO) == 1);
  io.json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();  // for errors in parsing too
  const WarningsTo warnings(io);
  return guarded(io, [&] {
    CLI::App command("Scan and reduce kernels, generated, compiled and tuned at run time.", "upsweep");
    describe(command, io);
    Action action;
    for (const AddVerb add : verbs) add(command, action);
    return parse_and_act(command, arguments, action, io);
  });
}

}  // namespace upsweep::cli
