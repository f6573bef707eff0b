#include "cli/command.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>
#include <upsweep/source.hpp>

#include "cli/check_names.hpp"
#include "runtime/engine.hpp"

namespace upsweep::cli {
namespace {

using AddVerb = void (*)(CLI::App&, Action&);

// In the order of --help.
constexpr std::array<AddVerb, 16> verbs{add_run,     add_tune,       add_emit,  add_explain, add_space, add_devices,
                                        add_doctor,  add_db,         add_cache, add_bench,   add_plot,  add_report,
                                        add_figures, add_completion, add_man,   add_worker};

std::string_view kind_name(ErrorKind kind) {
  constexpr std::array names{"internal", "usage", "input", "device", "compiler", "database"};
  return names[static_cast<std::size_t>(kind) - 1];
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return shortened(text);
}

int report(Io& io, ErrorKind kind, const std::string& what) {
  const std::string message = one_line(what);
  io.say("upsweep: " + message, Io::Tone::error);
  if (io.json) io.print({{"error", {{"kind", kind_name(kind)}, {"message", message}}}});
  return static_cast<int>(kind);
}

int report(Io& io, const CompilerError& error) {
  if (error.details().empty()) return report(io, error.kind(), error.what());
  if (!io.verbose) {
    return report(io, error.kind(), one_line(error.what()) + " (--verbose shows the compiler's log and the source)");
  }
  const int code = report(io, error.kind(), error.what());
  io.say(error.details(), Io::Tone::error);
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
    return report(io, ErrorKind::device, "not enough memory: use a smaller input");
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      return report(io, ErrorKind::device,
                    "cannot start another thread or process: end other processes, or raise the limit of this user or "
                    "container (ulimit -u)");
    }
    return report(io, ErrorKind::internal, fmt::format("a bug in upsweep, please report it: {}", error.what()));
  } catch (const std::exception& error) {
    return report(io, ErrorKind::internal, fmt::format("a bug in upsweep, please report it: {}", error.what()));
  }
}

// The library's log on the command's own stream for as long as this lives.
class LogTo {
 public:
  explicit LogTo(Io& io)
      : before_(set_log_sink([&io](LogLevel level, const std::string& line) {
          const bool warns = level == LogLevel::warning;
          io.say((warns ? "upsweep: warning: " : "upsweep: ") + shortened(line),
                 warns ? Io::Tone::warning : Io::Tone::account);
        })),
        announced_(runtime::announce_host_device(false)) {}
  ~LogTo() {
    runtime::announce_host_device(announced_);
    set_log_sink(std::move(before_));
  }
  LogTo(const LogTo&) = delete;
  LogTo& operator=(const LogTo&) = delete;

 private:
  LogSink before_;
  bool announced_;
};

constexpr const char* configs_option = "--configs";

void read_configs_form(const std::string& form, Io& io) {
  if (form != "short" && form != "full") {
    throw CLI::ValidationError(configs_option, fmt::format("'{}' is not known: use short or full", form));
  }
  io.full_configs = form == "full";
}

void describe(CLI::App& command, Io& io) {
  command.require_subcommand(0, 1);
  command.fallthrough();  // global options may follow the verb
  command.add_flag("--json", io.json, "Print the results as one JSON document");
  command.add_flag("-q,--quiet", io.quiet, "Print only errors and warnings on standard error");
  command.add_flag("--verbose", io.verbose, "If a kernel does not compile, show the compiler's log and the source");
  command.add_option_function<std::string>(
      configs_option, [&io](const std::string& form) { read_configs_form(form, io); },
      "How tables show configs: short (the schedule, and the parameters that differ from its defaults) or full (JSON)");
  command.set_version_flag("-V,--version", "upsweep " + generator_version());
  command.footer(
      "Sizes are written as 1048576, 1M or 2^20. `upsweep help VERB` shows a verb's options and an example.\n"
      "Exit codes: 0 done, 1 a bug in upsweep, 2 usage, 3 input or output, 4 device, 5 compiler, 6 database, 130 "
      "interrupted.");
}

using Words = std::vector<std::string>;

// `help VERB ...` as `VERB ... --help`.
Words help_as_option(const CLI::App& command, Words arguments) {
  const std::size_t verb = next_verb(command, arguments, 0);
  if (verb == arguments.size() || arguments[verb] != "help") return arguments;
  arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(verb));
  arguments.emplace_back("--help");
  return arguments;
}

// The innermost verb that was parsed, or the command itself; `names` gets what was typed.
const CLI::App& parsed_verb(const CLI::App& command, std::string& names) {
  const CLI::App* within = &command;
  while (!within->get_subcommands().empty()) {
    within = within->get_subcommands().front();
    names += (names.empty() ? "" : " ") + within->get_name();
  }
  return *within;
}

// What CLI11 could not place: the library lists it backwards.
std::string unexpected(const CLI::App& command) {
  std::vector<std::string> extra = command.remaining(true);
  std::reverse(extra.begin(), extra.end());
  // Options with two dashes were checked before. A number may begin with a dash.
  const auto option = std::ranges::find_if(extra, [](const std::string& argument) {
    return argument.size() > 1 && argument[0] == '-' && (argument[1] < '0' || argument[1] > '9') && argument != "--";
  });
  if (option != extra.end()) {
    std::string verb;
    (void)parsed_verb(command, verb);
    return fmt::format("unknown option '{}'{}", *option, verb.empty() ? "" : " of " + verb);
  }
  return fmt::format("unexpected argument{} '{}'", extra.size() > 1 ? "s" : "", fmt::join(extra, "' '"));
}

int parse_and_act(CLI::App& command, const Words& arguments, const Action& action, Io& io) {
  check_names(command, arguments);
  try {
    command.parse(Words(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Success& help_or_version) {
    return command.exit(help_or_version, io.out(), io.out());
  } catch (const CLI::ExtrasError&) {
    throw UsageError(fmt::format("{}; see `{}`", unexpected(command), help_command(command, arguments)));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see `{}`", one_line(error.what()), help_command(command, arguments)));
  }
  if (!action) {
    std::string names;
    const CLI::App& within = parsed_verb(command, names);
    const std::string missing = names.empty() ? "a verb is missing: use one of" : names + " needs a verb:";
    throw UsageError(
        fmt::format("{} {}; see `{}`", missing, fmt::join(verb_names(within), ", "), help_command(command, arguments)));
  }
  const int code = action(io);
  io.flush();
  return code;
}

// Letters to a line; 0: the stream is not the terminal's.
std::size_t terminal_width(const std::ostream& out) {
  winsize size{};
  if (&out != &std::cout || ::isatty(STDOUT_FILENO) != 1) return 0;
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int main(std::vector<std::string> arguments, std::istream& in, std::ostream& out, std::ostream& err) {
  Io io(in, out, err, &err == &std::cerr && ::isatty(STDERR_FILENO) == 1);
  io.width = terminal_width(out);
  io.colour = io.terminal() && colours_are_wanted();
  // After `complete PROGRAM` come the words of an unfinished command line. They are not options of this call.
  const bool is_completion = arguments.size() >= 2 && arguments.front() == "complete";
  // For errors in parsing too.
  io.json = !is_completion && std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  const LogTo log(io);
  return guarded(io, [&] {
    CLI::App command(
        "Scans, reductions, selections and reductions by key: kernels generated, compiled and tuned at run time.",
        "upsweep");
    describe(command, io);
    Action action;
    for (const AddVerb add : verbs) add(command, action);
    // For the list of verbs: help_as_option() takes it out of the arguments.
    command.add_subcommand("help", "Show the options of a verb: upsweep help VERB");
    if (is_completion) return complete(command, {arguments.begin() + 2, arguments.end()}, io);
    return parse_and_act(command, help_as_option(command, std::move(arguments)), action, io);
  });
}

}  // namespace upsweep::cli
