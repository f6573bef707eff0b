#include "cli/candidates.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/types.hpp>

#include "bench/compare.hpp"
#include "generator/accuracy.hpp"
#include "generator/density.hpp"
#include "generator/networks.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "tuner/search/search.hpp"

namespace upsweep::cli {
namespace {

using Words = std::vector<std::string>;

template <typename Named>
Words names_of(const Named& values) {
  Words names;
  for (const auto value : values) names.emplace_back(name(value));
  return names;
}

Words device_names() {
  Words names{"auto", "cuda", "host"};
  for (int ordinal = 0; ordinal < runtime::CudaDevice::count(); ++ordinal) {
    names.push_back(fmt::format("cuda:{}", ordinal));
  }
  return names;
}

// An option of one name means the same in every verb.
Words operator_names() {
  Words names = names_of(all_operators());
  for (const Operator op : all_nonassociative_operators()) names.emplace_back(name(op));
  return names;
}

Words network_names() {
  Words names;
  for (const ScanNetwork& network : scan_networks()) names.emplace_back(network.name);
  return names;
}

struct Values {
  std::string_view option;
  std::function<Words()> words;
};

const std::vector<Values>& known_values() {
  const auto list = [](const std::vector<std::string>& words) { return [words] { return words; }; };
  const auto types = [] { return names_of(all_types()); };
  const auto formats = list({"auto", "npy", "raw", "text"});
  static const std::vector<Values> values{
      {"ALGORITHM", [] { return names_of(all_algorithms()); }},
      {"--op", operator_names},
      {"--type", types},
      {"--accumulate", types},
      {"--output-type", types},
      {"--key-type", types},
      {"--density", [] { return names_of(all_densities()); }},
      {"--accuracy", [] { return names_of(all_accuracies()); }},
      {"--device", device_names},
      {"--devices", device_names},
      {"--show", list({"source", "ptx", "sass", "resources"})},
      {"--target", list({"cuda", "host"})},
      {"--arch", known_architectures},
      {"--network", network_names},
      {"--configs", list({"short", "full"})},
      {"--format", formats},
      {"--key-format", formats},
      {"--output-format", formats},
      {"--isolation", list({"auto", "worker", "none"})},
      {"--strategy", [] { return Words(tuner::search_strategies().begin(), tuner::search_strategies().end()); }},
      {"--mode", [] { return names_of(bench::all_modes()); }},
      {"--length-distribution", [] { return names_of(tuner::all_length_distributions()); }},
      {"--rungs", [] { return names_of(tuning_db::chosen_rungs()); }},
      {"SHELL", list({"bash", "zsh", "fish"})},
  };
  return values;
}

constexpr std::array<std::string_view, 14> takes_files{
    "--output",     "--markdown", "--config",       "--db",          "--bench", "--svg", "--key-file",
    "--key-output", "--segments", "--segment-ends", "--other-times", "INPUT",   "FILE",  "OTHER"};

bool is_hidden(const CLI::App& verb) {
  return verb.get_group().empty();
}

// With the options of the apps around it, which may follow the verb.
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> found;
  for (const CLI::App* each = &app; each != nullptr; each = each->get_parent()) {
    const auto own = each->get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
    found.insert(found.end(), own.begin(), own.end());
  }
  return found;
}

bool has_name(const CLI::Option& option, std::string_view word) {
  const std::string name(word.substr(0, word.find('=')));
  return name.starts_with('-') && option.check_name(name);
}

// name: as the tables above have it.
bool is_called(const CLI::Option& option, std::string_view name) {
  if (name.starts_with("--")) return option.check_lname(std::string(name.substr(2)));
  return option.get_positional() && option.get_name(true) == name;
}

void add_matching(Candidates& found, const Words& words, const std::string& typed, const std::string& before = {}) {
  for (const std::string& word : words) {
    if (word.starts_with(typed)) found.words.push_back({before + word, {}});
  }
}

// Of a list that is separated by commas the last element is being typed.
void add_values(Candidates& found, const CLI::Option& option, const std::string& typed, std::string before = {}) {
  if (std::ranges::any_of(takes_files, [&](std::string_view name) { return is_called(option, name); })) {
    found.files = true;
    return;
  }
  const auto values =
      std::ranges::find_if(known_values(), [&](const Values& each) { return is_called(option, each.option); });
  if (values == known_values().end()) return;
  const std::size_t comma = option.get_delimiter() == ',' ? typed.rfind(',') : std::string::npos;
  const std::size_t start = comma == std::string::npos ? 0 : comma + 1;
  before += typed.substr(0, start);
  add_matching(found, values->words(), typed.substr(start), before);
}

void add_options(Candidates& found, const CLI::App& app, const std::string& typed) {
  if (const std::size_t equals = typed.find('='); equals != std::string::npos) {
    for (const CLI::Option* option : options_of(app)) {
      if (has_name(*option, typed)) {
        return add_values(found, *option, typed.substr(equals + 1), typed.substr(0, equals + 1));
      }
    }
    return;
  }
  for (const CLI::Option* option : options_of(app)) {
    for (const std::string& name : option->get_lnames()) {
      const std::string word = "--" + name;
      if (word.starts_with(typed) && std::ranges::find(found.words, word, &Candidate::word) == found.words.end()) {
        found.words.push_back({word, option->get_description()});
      }
    }
  }
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

// The option whose value is being typed, if the word before is its name.
const CLI::Option* option_before(const CLI::App& app, const Words& words) {
  if (words.size() < 2 || !words[words.size() - 2].starts_with('-')) return nullptr;
  const std::string& before = words[words.size() - 2];
  if (before.find('=') != std::string::npos) return nullptr;
  for (const CLI::Option* option : options_of(app)) {
    if (has_name(*option, before) && takes_value(*option)) return option;
  }
  return nullptr;
}

// The verb that the words before the last one name, and how many of these stand for positional arguments of it.
std::pair<const CLI::App*, std::size_t> place(const CLI::App& command, const Words& words) {
  const CLI::App* app = &command;
  std::size_t positionals = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const Words so_far(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    if (words[i].starts_with('-') || option_before(*app, so_far) != nullptr) continue;
    const auto verbs = app->get_subcommands([](const CLI::App*) { return true; });
    const auto verb = std::ranges::find(verbs, words[i], [](const CLI::App* each) { return each->get_name(); });
    if (verb == verbs.end()) {
      ++positionals;
    } else {
      app = *verb;
      positionals = 0;
    }
  }
  return {app, positionals};
}

void add_verbs(Candidates& found, const CLI::App& app, const std::string& typed) {
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!is_hidden(*verb) && verb->get_name().starts_with(typed)) {
      found.words.push_back({verb->get_name(), verb->get_description()});
    }
  }
}

}  // namespace

Candidates candidates(const CLI::App& command, const std::vector<std::string>& words) {
  Candidates found;
  if (words.empty()) return found;
  const std::string& typed = words.back();
  const auto [app, done] = place(command, words);
  if (const CLI::Option* option = option_before(*app, words)) {
    add_values(found, *option, typed);
    return found;
  }
  if (typed.starts_with('-')) {
    add_options(found, *app, typed);
    return found;
  }
  add_verbs(found, *app, typed);
  std::vector<const CLI::Option*> positionals =
      app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (positionals.empty()) return found;
  const CLI::Option* const last = positionals.back();
  if (done < positionals.size()) {
    add_values(found, *positionals[done], typed);
  } else if (last->get_items_expected_max() > 1) {
    add_values(found, *last, typed);
  }
  return found;
}

}  // namespace upsweep::cli
