// upsweep report: what the tuning database knows, as one HTML page.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "cli/arguments.hpp"
#include "cli/bench_document.hpp"
#include "cli/command.hpp"
#include "cli/file_bytes.hpp"
#include "report/page.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Database;
using tuning_db::Trial;
using tuning_db::Winner;

struct Arguments {
  std::string output = "report.html";
  std::string database;
  std::string device;
  std::vector<std::string> problems;
  std::vector<std::string> documents;
  std::string mode = "cold";
  bool shipped = false;
};

report::BenchDocument read_bench(const std::string& path, const std::string& mode) {
  const bench::Mode wanted = bench::parse_mode(mode);
  const Json json = read_document(path);
  const std::string label = input_label(path);
  std::vector<bench::Cell> cells = read_cells(json, label);
  std::erase_if(cells, [&](const bench::Cell& cell) { return cell.mode != wanted; });
  if (cells.empty()) {
    throw InputError(fmt::format(
        "{} has no comparison of mode {}: measure some with `upsweep bench --mode {} --output`", label, mode, mode));
  }
  const auto text = [&](const Json& from, const char* key) {
    return from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>() : "";
  };
  const std::string device = text(json.value("device", Json::object()), "name");
  if (device.empty())
    throw InputError(label + " does not say which device it was measured on: write it again with `upsweep bench`");
  return {device, text(json, "driver"), text(json, "date"), std::move(cells)};
}

// The user's own database may not be there yet: then there is nothing of it to tell. One that was named must be.
void read_database(const Arguments& arguments, report::Sources& sources) {
  const std::filesystem::path path = Database::path_of(arguments.database);
  sources.database = path.string();
  if (path.empty() || (arguments.database.empty() && !std::filesystem::exists(path))) return;
  const Database database(path, Database::Mode::read_only);
  sources.trials = database.trials();
  sources.winners = database.winners();
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return text;
}

// Keeps what `keeps` says of (device's name, problem) and returns which of either there were.
template <typename Keeps>
void restrict(report::Sources& sources, Keeps&& keeps) {
  std::erase_if(sources.trials, [&](const Trial& each) { return !keeps(each.device.name, each.problem); });
  for (std::vector<Winner>* winners : {&sources.winners, &sources.shipped}) {
    std::erase_if(*winners, [&](const Winner& each) { return !keeps(each.trial.device.name, each.trial.problem); });
  }
  for (report::BenchDocument& document : sources.documents) {
    std::erase_if(document.cells, [&](const bench::Cell& cell) { return !keeps(document.device, cell.problem); });
  }
  std::erase_if(sources.documents, [](const report::BenchDocument& document) { return document.cells.empty(); });
}

// What there is to restrict to.
struct Known {
  std::set<std::string> devices, problems;
};

Known known(report::Sources& sources) {
  Known found;
  restrict(sources, [&](const std::string& device, const Problem& problem) {
    found.devices.insert(device);
    found.problems.insert(to_string(problem));
    return true;
  });
  return found;
}

void keep_asked(report::Sources& sources, const Arguments& arguments) {
  const Known all = known(sources);
  const std::string part = lower(arguments.device);
  const auto is_device = [&](const std::string& device) { return lower(device).find(part) != std::string::npos; };
  if (!part.empty() && std::ranges::none_of(all.devices, is_device)) {
    throw UsageError(fmt::format("nothing is known of a device '{}'; there are: {}", arguments.device,
                                 all.devices.empty() ? "none" : fmt::to_string(fmt::join(all.devices, ", "))));
  }
  for (const std::string& each : arguments.problems) {
    if (!all.problems.contains(each)) {
      throw UsageError(fmt::format("nothing is known of a problem '{}'; there are: {}", each,
                                   all.problems.empty() ? "none" : fmt::to_string(fmt::join(all.problems, ", "))));
    }
  }
  restrict(sources, [&](const std::string& device, const Problem& problem) {
    return is_device(device) && (arguments.problems.empty() ||
                                 std::ranges::find(arguments.problems, to_string(problem)) != arguments.problems.end());
  });
}

int report_verb(const Arguments& arguments, Io& io) {
  report::Sources sources;
  sources.made_at = utc_now();
  for (const std::string& each : arguments.documents) sources.documents.push_back(read_bench(each, arguments.mode));
  read_database(arguments, sources);
  if (arguments.shipped) sources.shipped = tuning_db::shipped_winners();
  keep_asked(sources, arguments);
  const report::Facts facts = report::collect(sources);
  const std::string text = report::page(facts);
  if (arguments.output == "-") {
    io.out() << text;
    return 0;
  }
  OutputFile file(arguments.output);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
  if (io.json) {
    io.print({{"output", arguments.output},
              {"database", sources.database},
              {"bytes", text.size()},
              {"problems", facts.problems.size()},
              {"winners", facts.winners.size()},
              {"trials", facts.trials}});
  }
  io.say(fmt::format("{} problems, {} winners and {} trials: open '{}' in a browser", facts.problems.size(),
                     facts.winners.size(), facts.trials, arguments.output));
  return 0;
}

}  // namespace

void add_report(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const verb =
      command.add_subcommand("report", "Write what the tuning database knows as a page for the browser");
  verb->add_option("-o,--output", arguments->output, "HTML file to write, - for standard output")
      ->capture_default_str();
  add_database(*verb, arguments->database);
  verb->add_flag("--shipped", arguments->shipped, "Also tell of the results that come with the library");
  verb->add_option("--device", arguments->device, "Part of the name of the devices to tell of (default: all)");
  verb->add_option("--problem", arguments->problems,
                   "Problems to tell of, as \"inclusive_scan plus i32\" (default: all)");
  verb->add_option("--bench", arguments->documents,
                   "What `upsweep bench --output` wrote: adds CUB and memcpy (several files may be given)");
  verb->add_option("--mode", arguments->mode, "Mode of the bench documents")->capture_default_str();
  verb->footer("Example:\n  upsweep report -o report.html --bench bench.json");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return report_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
