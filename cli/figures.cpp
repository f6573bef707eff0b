// upsweep figures: the literature's figures, drawn for the device at hand.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "base/cancellation.hpp"
#include "base/file_bytes.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/interrupt.hpp"
#include "figures/page.hpp"
#include "runtime/context_engine.hpp"
#include "tuning-db/trial.hpp"

namespace upsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;
using figures::Figure;
using figures::Outcome;

struct FiguresArguments {
  std::string output = "figures.html";
  std::string markdown;
  std::string svg_folder;
  std::vector<std::string> only;
  std::string other_times;
  std::string budget = "150s";
  std::string device = "auto";
  std::string database;
};

// Each once, in the order of the page; all without names.
std::vector<const Figure*> chosen_figures(const std::vector<std::string>& names) {
  std::vector<const Figure*> asked;
  for (const std::string& name : names) asked.push_back(&figures::figure_named(name));
  std::vector<const Figure*> chosen;
  for (const Figure& each : figures::all_figures()) {
    if (asked.empty() || std::ranges::find(asked, &each) != asked.end()) chosen.push_back(&each);
  }
  return chosen;
}

// "2 of 5: ladder, 2^20 items, 40 s so far"
class FiguresProgress {
 public:
  FiguresProgress(Io& io, std::size_t count) : count_(count), ticker_(io, [this] { return line(); }) {}

  void begin(const Figure& figure) {
    const std::lock_guard lock(mutex_);
    ++number_;
    name_ = figure.name;
    what_.clear();
  }
  void set(const std::string& what) {
    const std::lock_guard lock(mutex_);
    what_ = what;
  }

 private:
  [[nodiscard]] std::string line() {
    const std::lock_guard lock(mutex_);
    return fmt::format("{} of {}: {}{}{}, {} so far", number_, count_, name_, what_.empty() ? "" : ", ", what_,
                       format_duration(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_)));
  }

  std::size_t count_;
  std::mutex mutex_;  // of what follows
  Clock::time_point begin_ = Clock::now();
  std::size_t number_ = 0;
  std::string name_, what_;
  Ticker ticker_;  // last: its thread uses the others
};

constexpr const char* stopped_text = "the run was stopped before it was done.";

struct Drawn {
  std::vector<Outcome> outcomes;
  int code = 0;  // of the first figure that failed
  bool stopped = false;
};

// A figure that fails does not end the others.
void draw_one(const Figure& figure, const figures::Setting& setting, Drawn& drawn, Io& io) {
  Outcome outcome{.figure = &figure};
  const Clock::time_point begin = Clock::now();
  const auto failed = [&](ErrorKind kind, const char* what) {
    outcome.failure = what;
    if (drawn.code == 0) drawn.code = static_cast<int>(kind);
    io.say(fmt::format("upsweep: figure '{}' failed: {}", figure.name, what), Io::Tone::error);
  };
  try {
    outcome.drawing = figure.draw(setting);
  } catch (const Error& error) {
    failed(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    failed(ErrorKind::device, "not enough memory");
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    failed(ErrorKind::internal, error.what());
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (outcome.failure.empty()) io.say(fmt::format("{}: {:.1f} s", figure.name, outcome.seconds));
  drawn.outcomes.push_back(std::move(outcome));
}

Drawn draw(const std::vector<const Figure*>& chosen, const Context& context, const FiguresArguments& arguments,
           const std::optional<figures::OtherTimes>& other, Io& io) {
  Drawn drawn;
  runtime::Engine& engine = runtime::engine_of(context);
  const bool is_gpu = engine.device().target() == Target::cuda;
  const Interrupt interrupt(
      [&io] { io.say("stopping; all figures so far are kept (a second Ctrl-C ends the process at once)"); });
  const base::CancellationScope scope(interrupt.token());
  FiguresProgress progress(io, chosen.size());
  figures::Setting setting{.engine = engine, .progress = [&](const std::string& what) { progress.set(what); }};
  if (is_gpu) setting.peer = bench::Peer::find();
  setting.other = other;
  int shares = 0;
  for (const Figure* each : chosen) shares += is_gpu || !each->needs_gpu ? each->share : 0;
  const double budget_us = 1e3 * static_cast<double>(parse_budget(arguments.budget).count());
  for (const Figure* each : chosen) {
    if (drawn.stopped) {
      drawn.outcomes.push_back({.figure = each, .left_out = stopped_text});
      continue;
    }
    progress.begin(*each);
    if (each->needs_gpu && !is_gpu) {
      drawn.outcomes.push_back({.figure = each, .left_out = "it is measured on a GPU, and this is the host device."});
      io.say(fmt::format("left out: {}: it needs a GPU", each->name));
      continue;
    }
    setting.budget_us = budget_us * each->share / std::max(shares, 1);
    try {
      draw_one(*each, setting, drawn, io);
    } catch (const base::Cancelled&) {
      drawn.stopped = true;
      drawn.outcomes.push_back({.figure = each, .left_out = stopped_text});
    }
  }
  return drawn;
}

// ---- what comes of it

figures::Origin origin_of(const Context& context) {
  const Environment environment = runtime::engine_of(context).environment();
  figures::Origin origin{context.device_identity().name, {}};
  if (!environment.driver.empty()) origin.details.push_back("driver " + environment.driver);
  for (const std::string& each : {environment.compiler, tuning_db::utc_now()}) {
    if (!each.empty()) origin.details.push_back(each);
  }
  return origin;
}

// Made before anything is measured, so that minutes are not lost.
struct Outputs {
  std::optional<base::OutputFile> page, markdown;

  explicit Outputs(const FiguresArguments& arguments) {
    page.emplace(arguments.output);
    if (!arguments.markdown.empty()) markdown.emplace(arguments.markdown);
    if (arguments.svg_folder.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(arguments.svg_folder, error);
    if (error) throw InputError(fmt::format("cannot make the folder '{}': {}", arguments.svg_folder, error.message()));
  }
};

void write(base::OutputFile& file, std::string_view text) {
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

void write_all(Outputs& outputs, const figures::Origin& origin, const std::vector<Outcome>& outcomes,
               const FiguresArguments& arguments) {
  write(*outputs.page, figures::page(origin, outcomes));
  if (outputs.markdown) write(*outputs.markdown, figures::markdown(origin, outcomes));
  if (arguments.svg_folder.empty()) return;
  for (const Outcome& each : outcomes) {
    const std::string text = figures::svg(origin, each);
    const std::filesystem::path file =
        std::filesystem::path(arguments.svg_folder) / fmt::format("{}.svg", each.figure->name);
    if (!text.empty()) base::write_file(file.string(), text);
  }
}

Json json_of(const Outcome& outcome) {
  const char* const state = !outcome.failure.empty() ? "failed" : outcome.left_out.empty() ? "drawn" : "left_out";
  return {{"name", outcome.figure->name},
          {"state", state},
          {"reason", outcome.failure + outcome.left_out},
          {"seconds", outcome.seconds},
          {"charts", outcome.drawing.charts.size()},
          {"tables", outcome.drawing.tables.size()},
          {"notes", outcome.drawing.notes}};
}

void refuse_what_needs_a_gpu(const std::vector<std::string>& names, const Context& context) {
  if (runtime::engine_of(context).device().target() == Target::cuda) return;
  for (const std::string& name : names) {
    if (figures::figure_named(name).needs_gpu) {
      throw UsageError(fmt::format("figure '{}' is measured on a GPU: leave it out of --only, or choose a GPU", name));
    }
  }
}

// Each output has a file or standard output of its own.
void check_outputs(const FiguresArguments& arguments, const Io& io) {
  const bool page = arguments.output == "-", markdown = arguments.markdown == "-";
  if (page && markdown) {
    throw UsageError("--output - and --markdown - both write to standard output: name a file for one of them");
  }
  if (io.json && (page || markdown)) {
    throw UsageError(fmt::format("--json and {} - both write to standard output: name a file, or remove --json",
                                 page ? "--output" : "--markdown"));
  }
}

std::optional<figures::OtherTimes> read_times(const FiguresArguments& arguments,
                                              const std::vector<const Figure*>& chosen) {
  if (arguments.other_times.empty()) return std::nullopt;
  const Figure& rows = figures::figure_named("rows");
  if (std::ranges::find(chosen, &rows) == chosen.end()) {
    throw UsageError("--other-times is for the figure 'rows': remove it, or add rows to --only");
  }
  return figures::read_other_times(arguments.other_times);
}

int figures_verb(const FiguresArguments& arguments, Io& io) {
  check_outputs(arguments, io);
  const std::vector<const Figure*> chosen = chosen_figures(arguments.only);
  (void)parse_budget(arguments.budget);  // a bad one is refused before a device is opened
  const std::optional<figures::OtherTimes> other = read_times(arguments, chosen);
  const Context context({.device = arguments.device, .database = arguments.database, .record_wanted = false});
  refuse_what_needs_a_gpu(arguments.only, context);
  Outputs outputs(arguments);
  const Drawn drawn = draw(chosen, context, arguments, other, io);
  const figures::Origin origin = origin_of(context);
  write_all(outputs, origin, drawn.outcomes, arguments);
  if (io.json) {
    Json json{{"output", arguments.output}, {"device", origin.device}, {"stopped", drawn.stopped}};
    json["figures"] = Json::array();
    for (const Outcome& each : drawn.outcomes) json["figures"].push_back(json_of(each));
    io.print(json);
  }
  const auto count = std::ranges::count_if(
      drawn.outcomes, [](const Outcome& each) { return each.failure.empty() && each.left_out.empty(); });
  io.say(fmt::format("{} drawn; open '{}' in a browser", counted(static_cast<std::uint64_t>(count), "figure"),
                     arguments.output));
  return drawn.stopped ? interrupted : drawn.code;
}

std::string figure_list() {
  std::string text;
  for (const Figure& each : figures::all_figures()) {
    text += fmt::format("  {:<14}{}{}\n", each.name, each.title, each.needs_gpu ? " (needs a GPU)" : "");
  }
  return text;
}

}  // namespace

void add_figures(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<FiguresArguments>();
  CLI::App* const verb =
      command.add_subcommand("figures", "Draw the figures of the literature for this device as one HTML page");
  verb->add_option("-o,--output", arguments->output, "HTML file to write, - for standard output")
      ->capture_default_str();
  verb->add_option("--markdown", arguments->markdown, "Also write the tables to this file, as Markdown");
  verb->add_option("--svg", arguments->svg_folder, "Also write each figure to this folder, as NAME.svg");
  verb->add_option("--only", arguments->only, "Only these figures, separated by commas (default: all)")->delimiter(',');
  verb->add_option("--other-times", arguments->other_times,
                   "File with times of another library, for the figure rows: what scripts/torch-times prints");
  verb->add_option("--budget", arguments->budget,
                   "Time for what is measured, for example 60s; compiling the kernels comes on top")
      ->capture_default_str();
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer("Figures:\n" + figure_list() + "\nExample:\n  upsweep figures -o figures.html --svg figures");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return figures_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
