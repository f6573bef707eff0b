// upsweep report: what the tuning database knows, as one HTML page.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/logging.hpp"
#include "cli/arguments.hpp"
#include "cli/bench_document.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/plain_text.hpp"
#include "report/page.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::cli {
namespace {

using tuning_db::Database;
using tuning_db::Trial;
using tuning_db::Winner;

struct ReportArguments {
  std::string output = "report.html";
  std::string database;
  std::string device;
  std::vector<std::string> problems;
  std::vector<std::string> documents;
  std::string mode = "cold";
  std::string markdown;
  bool shipped = false;
};

// 0 if the document does not tell: of the host device, and as earlier versions wrote it.
int multiprocessors_of(const Json& device) {
  const auto at = device.find("multiprocessors");
  if (at == device.end() || !at->is_number_unsigned()) return 0;
  constexpr std::uint64_t most = 1'000'000;
  return static_cast<int>(std::min(at->get<std::uint64_t>(), most));
}

report::BenchDocument read_bench(const std::string& path, const std::string& mode) {
  const bench::Mode wanted = bench::parse_mode(mode);
  const Json json = read_document(path);
  const std::string label = base::input_label(path);
  std::vector<bench::Cell> cells = read_cells(json, label, wanted);
  const auto text = [&](const Json& from, const char* key) {
    return from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>() : "";
  };
  const std::string device = text(json.value("device", Json::object()), "name");
  if (device.empty()) throw InputError(label + " does not name its device: measure again with `upsweep bench`");
  return {device, text(json, "driver"), text(json, "date"), std::move(cells), multiprocessors_of(json["device"])};
}

// The user's own database may not be there yet: then there is nothing of it to tell. One that was named must be.
void read_database(const ReportArguments& arguments, report::Sources& sources) {
  const std::filesystem::path path = Database::path_of(arguments.database);
  sources.database = path.string();
  if (path.empty() || (arguments.database.empty() && !Database::is_there(path))) return;
  const Database database(path, Database::Mode::read_only);
  sources.trials = database.trials();
  sources.winners = database.winners();
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

void keep_asked(report::Sources& sources, const ReportArguments& arguments) {
  const Known all = known(sources);
  const std::string part = lower(arguments.device);
  const auto is_device = [&](const std::string& device) { return lower(device).find(part) != std::string::npos; };
  if (!part.empty() && std::ranges::none_of(all.devices, is_device)) {
    throw UsageError(fmt::format("there are no results for a device '{}'; there are results for: {}", arguments.device,
                                 all.devices.empty() ? "none" : fmt::to_string(fmt::join(all.devices, ", "))));
  }
  for (const std::string& each : arguments.problems) {
    if (!all.problems.contains(each)) {
      throw UsageError(fmt::format("there are no results for the problem '{}'; there are results for: {}", each,
                                   all.problems.empty() ? "none" : fmt::to_string(fmt::join(all.problems, ", "))));
    }
  }
  restrict(sources, [&](const std::string& device, const Problem& problem) {
    return is_device(device) && (arguments.problems.empty() ||
                                 std::ranges::find(arguments.problems, to_string(problem)) != arguments.problems.end());
  });
}

report::Facts collect(const report::Sources& sources, Io& io) {
  using Clock = std::chrono::steady_clock;
  std::atomic<std::size_t> at = 0, all = 0;
  const Ticker ticker(io, [&at, &all, begin = Clock::now()] {
    const std::size_t number = at, count = all;
    std::string text = fmt::format("2 of 3: problem {} of {}", number + 1, count);
    if (number == 0) return text;
    const auto left = (Clock::now() - begin) * (count - number) / number;
    return text +
           fmt::format(", {} left", format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(left)));
  });
  return report::collect(sources, [&](std::size_t number, std::size_t count) {
    all = count;
    at = number;
  });
}

Json json_of(const report::RelativeSpeed& speed) {
  if (speed.cells == 0) return nullptr;
  return {{"cells", speed.cells}, {"geometric_mean", speed.mean}, {"lowest", speed.lowest}};
}

// Speeds relative to the winner; null without a bench document that has them.
Json json_of(const report::Earnings& earnings) {
  if (earnings.cells.empty()) return nullptr;
  return {{"cells", earnings.cells.size()},
          {"untuned", earnings.untuned},
          {"default", json_of(report::speed_of_default(earnings.cells))},
          {"nearest_device", json_of(report::speed_of_nearest(earnings.cells))}};
}

void write_markdown(const report::Earnings& earnings, const std::string& path, Io& io) {
  if (path.empty()) return;
  if (earnings.cells.empty()) {
    throw UsageError(
        "there is nothing for --markdown: no file of --bench has times of a winner and of the default; tune, then "
        "measure with `upsweep bench --rungs exact,nearest_device,built_in --output`");
  }
  base::write_file(path, report::earnings_markdown(earnings));
  io.say(fmt::format("what tuning earns was written to '{}'", path));
}

int report_verb(const ReportArguments& arguments, Io& io) {
  report::Sources sources;
  sources.made_at = tuning_db::utc_now();
  for (const std::string& each : arguments.documents) sources.documents.push_back(read_bench(each, arguments.mode));
  try {
    const Ticker ticker(io, "1 of 3: reading the database");
    read_database(arguments, sources);
  } catch (const DatabaseError& error) {
    const bool has_more_to_tell = arguments.shipped || !arguments.documents.empty();
    if (!arguments.database.empty() || !has_more_to_tell) throw;
    warn(fmt::format("the report does not contain your own tuning results: {}", error.what()));
  }
  if (arguments.shipped) sources.shipped = tuning_db::shipped_winners();
  keep_asked(sources, arguments);
  const report::Facts facts = collect(sources, io);
  write_markdown(facts.earnings, arguments.markdown, io);
  const std::string text = [&] {
    const Ticker ticker(io, "3 of 3: drawing the page");
    return report::page(facts);
  }();
  if (arguments.output == "-") {
    io.bytes() << text;
    return 0;
  }
  base::write_file(arguments.output, text);
  if (io.json) {
    io.print({{"output", arguments.output},
              {"database", sources.database},
              {"bytes", text.size()},
              {"problems", facts.problems.size()},
              {"winners", facts.winners.size()},
              {"trials", facts.trials},
              {"earnings", json_of(facts.earnings)}});
  }
  io.say(fmt::format("the report shows {}, {} and {}; open '{}' in a browser",
                     counted(facts.problems.size(), "problem"), counted(facts.winners.size(), "winner"),
                     counted(static_cast<std::uint64_t>(facts.trials), "trial"), arguments.output));
  return 0;
}

}  // namespace

void add_report(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* const verb = command.add_subcommand("report", "Write the contents of the tuning database as one HTML page");
  verb->add_option("-o,--output", arguments->output, "HTML file to write, - for standard output")
      ->capture_default_str();
  add_database(*verb, arguments->database);
  verb->add_flag("--shipped", arguments->shipped, "Include the shipped results");
  verb->add_option("--device", arguments->device, "Only devices whose name contains this text (default: all)");
  verb->add_option("--problem", arguments->problems,
                   "Only these problems, for example \"inclusive_scan plus i32\" (default: all)");
  verb->add_option("--bench", arguments->documents,
                   "File that `upsweep bench --output` wrote. The report then also shows CUB and memcpy (may be given "
                   "several times)");
  verb->add_option("--mode", arguments->mode, "Mode of the results to show from the files of --bench")
      ->capture_default_str();
  verb->add_option("--markdown", arguments->markdown,
                   "Also write the table \"What tuning earns\" to this file, as Markdown. It needs files of `upsweep "
                   "bench --rungs exact,nearest_device,built_in`");
  verb->footer("Example:\n  upsweep report -o report.html --bench bench.json");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return report_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
