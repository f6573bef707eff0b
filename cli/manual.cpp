// upsweep man: the manual page, written from what the verbs say of themselves.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/source.hpp>

#include "cli/command.hpp"
#include "cli/variables.hpp"

namespace upsweep::cli {
namespace {

// Text for roff (groff_man(7)): no backslash, and no dot or quote at a line's start, is taken for a request.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) escaped += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::vector<const CLI::App*> shown_verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

// "-o, --output OUTPUT"; of positional arguments "FILE".
std::string heading(const CLI::Option& option) {
  if (option.get_positional() && option.get_lnames().empty()) return "\\fI" + roff(option.get_name(true)) + "\\fR";
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("\\fB\\-{}\\fR, ", roff(name));
  for (const std::string& name : option.get_lnames()) names += fmt::format("\\fB\\-\\-{}\\fR, ", roff(name));
  names.resize(names.size() - 2);
  if (option.get_items_expected_max() == 0) return names;
  std::string value = option.get_lnames().empty() ? "value" : option.get_lnames().front();
  return fmt::format("{} \\fI{}\\fR", names, roff(value));
}

std::string options(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* each) { return !each->get_group().empty(); })) {
    std::string description = roff(option->get_description());
    if (!option->get_default_str().empty())
      description += fmt::format(" (default: {})", roff(option->get_default_str()));
    text += fmt::format(".TP\n{}\n{}\n", heading(*option), description);
  }
  return text;
}

std::string synopsis(const CLI::App& verb, const std::string& name) {
  std::string text = fmt::format("\\fB{}\\fR", roff(name));
  for (const CLI::Option* option : verb.get_options([](const CLI::Option* each) { return each->get_positional(); })) {
    const std::string argument = roff(option->get_name(true));
    text += option->get_required() ? fmt::format(" \\fI{}\\fR", argument) : fmt::format(" [\\fI{}\\fR]", argument);
  }
  return text + " [\\fIoptions\\fR]";
}

// A footer: sentences, and examples, whose lines are indented.
std::string footer(const CLI::App& app) {
  const std::string footer = app.get_footer();
  std::string text = ".PP\n";
  for (std::size_t start = 0; start < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', start), footer.size());
    const std::string line = footer.substr(start, end - start);
    if (line.starts_with("  ")) {
      text += fmt::format(".RS\n.EX\n{}\n.EE\n.RE\n", roff(line.substr(2)));
    } else {
      text += fmt::format("{}{}\n", line == "Example:" ? ".PP\n" : "", roff(line));
    }
    start = end + 1;
  }
  return text;
}

std::string verb_section(const CLI::App& verb, const std::string& before) {
  const std::string name = before + verb.get_name();
  const std::vector<const CLI::App*> parts = shown_verbs(verb);
  std::string text = fmt::format(".SS {}\n{}.\n", roff(name), roff(verb.get_description()));
  if (parts.empty()) text += fmt::format(".PP\n{}\n{}", synopsis(verb, "upsweep " + name), options(verb));
  text += footer(verb);
  for (const CLI::App* part : parts) text += verb_section(*part, name + " ");
  return text;
}

std::string page(const CLI::App& command) {
  std::string text = fmt::format(
      ".TH UPSWEEP 1 \"\" \"upsweep {0}\" \"User Commands\"\n"
      ".SH NAME\nupsweep \\- scans, reductions and selections on NVIDIA GPUs, generated, compiled and tuned at run "
      "time\n"
      ".SH SYNOPSIS\n\\fBupsweep\\fR \\fIverb\\fR [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n"
      "\\fBupsweep\\fR generates CUDA kernels for scans, reductions, selections and reductions by key, compiles them "
      "with "
      "NVRTC, times them on this machine's GPU and stores the fastest in a database. Calls of the library use these "
      "results. Without a GPU "
      "the same kernels run on the CPU.\n"
      ".SH GLOBAL OPTIONS\n{1}.SH VERBS\n",
      roff(generator_version()), options(command));
  for (const CLI::App* verb : shown_verbs(command)) text += verb_section(*verb, "");
  text += ".SH NOTES\n" + footer(command);
  text += ".SH ENVIRONMENT\n";
  for (const VariableText& variable : environment_variables()) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(variable.name), roff(variable.meaning));
  }
  return text;
}

}  // namespace

void add_man(CLI::App& command, Action& action) {
  CLI::App* const verb = command.add_subcommand("man", "Print the manual page, in the format that man reads");
  verb->footer("Example:\n  upsweep man | man -l -");
  verb->callback([&command, &action] {
    action = [&command](Io& io) {
      io.bytes() << page(command);
      return 0;
    };
  });
}

}  // namespace upsweep::cli
