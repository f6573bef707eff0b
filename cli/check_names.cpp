#include "cli/check_names.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "generator/names.hpp"

namespace upsweep::cli {
namespace {

const CLI::App* find_verb(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

void add_options(std::vector<std::string>& names, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (std::ranges::find(names, "--" + name) == names.end()) names.push_back("--" + name);
    }
  }
}

// The command, its verb, and the verb's own verb, as far as the arguments name them.
std::vector<const CLI::App*> chain_of(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::vector<const CLI::App*> chain{&command};
  for (std::size_t at = 0; (at = next_verb(command, arguments, at)) < arguments.size(); ++at) {
    const CLI::App* const verb = find_verb(*chain.back(), arguments[at]);
    if (verb == nullptr) break;
    chain.push_back(verb);
  }
  return chain;
}

void check_verbs(const CLI::App& command, const std::vector<std::string>& arguments) {
  const CLI::App* app = &command;
  std::string before;
  for (std::size_t at = 0; !app->get_subcommands({}).empty(); ++at) {
    at = next_verb(command, arguments, at);
    if (at == arguments.size()) return;
    const CLI::App* const verb = find_verb(*app, arguments[at]);
    if (verb == nullptr) {
      throw UsageError(unknown_name("verb", arguments[at], verb_names(*app), before.empty() ? "" : "of " + before));
    }
    app = verb;
    before += (before.empty() ? "" : " ") + arguments[at];
  }
}

void check_options(const std::vector<const CLI::App*>& chain, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (auto app = chain.rbegin(); app != chain.rend(); ++app) add_options(known, **app);
  for (const std::string& argument : arguments) {
    if (argument == "--") return;  // what follows are no options
    if (!argument.starts_with("--")) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool has_verb = chain.size() > 1;
    throw UsageError(
        fmt::format("{}; see `{}`",
                    unknown_name("option", name, known, has_verb ? "of " + chain.back()->get_name() : std::string()),
                    help_command(*chain.front(), arguments)));
  }
}

}  // namespace

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) names.push_back(verb->get_name());
  }
  return names;
}

std::size_t next_verb(const CLI::App& command, const std::vector<std::string>& arguments, std::size_t from) {
  for (; from < arguments.size() && arguments[from].starts_with('-'); ++from) {
    const std::string& argument = arguments[from];
    const std::size_t equals = argument.find('=');
    const CLI::Option* const option = command.get_option_no_throw(argument.substr(0, equals));
    if (option == nullptr) return arguments.size();
    if (equals == std::string::npos && option->get_items_expected_max() > 0) ++from;  // over its value
  }
  return std::min(from, arguments.size());
}

void check_names(const CLI::App& command, const std::vector<std::string>& arguments) {
  check_verbs(command, arguments);
  check_options(chain_of(command, arguments), arguments);
}

std::string help_command(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::string text = "upsweep";
  const std::vector<const CLI::App*> chain = chain_of(command, arguments);
  for (auto app = chain.begin() + 1; app != chain.end(); ++app) text += " " + (*app)->get_name();
  return text + " --help";
}

}  // namespace upsweep::cli
