// upsweep explain: which config a call would get, and why.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "base/environment.hpp"
#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/columns.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/named_device.hpp"
#include "generator/launch_tiles.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/context_engine.hpp"
#include "runtime/cuda/cuda_device.hpp"

namespace upsweep::cli {
namespace {

struct ExplainArguments {
  ProblemArguments problem;
  std::string size;
  std::string device = "auto";
  std::string named;  // --for
  std::string database;
  bool compile = false;
};

// What is known of a call without compiling anything.
struct Explanation {
  Problem problem;
  DeviceIdentity device;
  std::string label;  // "cuda:0", or the name of a device that is not here
  DeviceLimits limits;
  tuning_db::Choice choice;
  std::vector<Source> steps;
  std::uint64_t workspace_bytes = 0;
  std::string tune_command;  // empty: the device is not in this machine
  std::string pinned = {};   // path of the pinned database; empty: no database is pinned
};

void add_steps(Explanation& told, Target target) {
  const int multiprocessors = told.limits.multiprocessors;
  told.steps = generate_steps(told.problem, told.choice.config, target);
  told.workspace_bytes = workspace_bytes(told.steps, told.problem.size, multiprocessors);
}

// Where it must be named: on the host device, and for a part of a GPU.
std::string device_option(const std::string& device) {
  const bool must_be_named = device == "host" || device.find('/') != device.npos;
  return must_be_named ? " --device " + device.substr(0, device.find('#')) : "";
}

Explanation explain(const Context& context, const Problem& problem) {
  Explanation told{.problem = problem,
                   .device = context.device_identity(),
                   .label = context.device(),
                   .limits = context.device_limits(),
                   .choice = runtime::engine_of(context).choose(problem),
                   .steps = {},
                   .tune_command = tune_command(problem) + device_option(context.device()),
                   .pinned = base::environment("UPSWEEP_PINNED_DB").value_or("")};
  add_steps(told, runtime::engine_of(context).device().target());
  return told;
}

// The command that tunes the problem on that device; empty if it is not in this machine.
std::string tune_command_on(const DeviceIdentity& device, const Problem& problem) {
  for (int ordinal = 0; ordinal < runtime::CudaDevice::count(); ++ordinal) {
    try {
      DeviceIdentity here = runtime::CudaDevice::open(ordinal)->identity();
      const bool is_part = here.multiprocessors > device.multiprocessors;
      if (is_part) here.multiprocessors = device.multiprocessors;
      if (here != device) continue;
      const std::string part = is_part ? fmt::format("/{}", device.multiprocessors) : "";
      return tune_command(problem) +
             (ordinal == 0 && !is_part ? "" : fmt::format(" --device cuda:{}{}", ordinal, part));
    } catch (const DeviceError&) {
      continue;  // it cannot be used, so nothing can be tuned on it
    }
  }
  return "";
}

Explanation explain(const NamedDevice& device, const Problem& problem) {
  Explanation told{.problem = problem,
                   .device = device.identity,
                   .label = device.identity.name,
                   .limits = device.limits,
                   .choice = choose(device, problem),
                   .steps = {},
                   .tune_command = tune_command_on(device.identity, problem)};
  add_steps(told, Target::cuda);
  return told;
}

Json json_of_considered(const tuning_db::Considered& each) {
  return {{"verdict", each.verdict},
          {"rung", tuning_db::name(each.rung)},
          {"origin", each.origin},
          {"device", each.device},
          {"problem", cli::json_of(each.problem)},
          {"median_us", each.median_us},
          {"same_environment", each.same_environment},
          {"config", cli::json_of(each.config)}};
}

// A table, best first; nothing if nothing was tuned. Configs are shown beside the defaults of the problem that is asked
// for: any of them can be given to --config.
std::string table_of(const Explanation& told, const Io& io) {
  if (told.choice.considered.empty())
    return "considered    no results: neither this problem nor a similar one was tuned\n";
  using enum Columns::Align;
  Columns table(
      {{"problem"}, {"size", right}, {"median", right}, {"origin"}, {"environment"}, {"device: verdict"}, {"config"}});
  for (const tuning_db::Considered& each : told.choice.considered) {
    table.add({to_string(each.problem), base::format_size(each.problem.size), format_time(each.median_us), each.origin,
               each.same_environment ? "the same" : "another", each.device + ": " + each.verdict,
               config_text(io, each.config, told.problem, told.limits)});
  }
  return table.text(io.width, "considered    ");
}

std::uint64_t blocks_of(const Explanation& told, const Source& step) {
  return expected_blocks(step.launch, told.problem, told.problem.size, told.limits.multiprocessors);
}

Json json_of_steps(const Explanation& told) {
  Json steps = Json::array();
  const std::string_view unit = find_schedule(told.problem, told.choice.config.schedule).tile_unit();
  for (const Source& step : told.steps) {
    Json json = cli::json_of(step);
    json["blocks"] = blocks_of(told, step);
    json["tile_unit"] = unit;
    steps.push_back(std::move(json));
  }
  return steps;
}

// Kernel and launch of each step.
std::string text_of_steps(const Explanation& told) {
  std::string text;
  const std::size_t count = told.steps.size();
  const std::string_view unit = find_schedule(told.problem, told.choice.config.schedule).tile_unit();
  for (std::size_t i = 0; i < count; ++i) {
    const Source& step = told.steps[i];
    if (count > 1) text += fmt::format("step          {} of {}\n", i + 1, count);
    text += fmt::format("kernel        {}\n", step.key);
    text += fmt::format("launch        {} of {} threads, tiles of {}{}{}\n", counted(blocks_of(told, step), "block"),
                        step.launch.threads_per_block, unit == "item" ? "" : "about ",
                        counted(tile_extent(step.launch), unit),
                        count > 1 ? "" : fmt::format(", {} of workspace", counted(told.workspace_bytes, "byte")));
  }
  if (count > 1) text += fmt::format("workspace     {}\n", counted(told.workspace_bytes, "byte"));
  return text;
}

Json document(const Explanation& told) {
  const tuning_db::Choice& choice = told.choice;
  Json json{{"problem", cli::json_of(told.problem)},
            {"device", cli::json_of(told.device, told.label)},
            {"rung", tuning_db::name(choice.rung)},
            {"reason", choice.reason},
            {"config", cli::json_of(choice.config)},
            {"steps", json_of_steps(told)},
            {"workspace_bytes", told.workspace_bytes},
            {"reproducible", is_reproducible(told.problem, choice.config)},
            {"tune_command", told.tune_command.empty() ? Json(nullptr) : Json(told.tune_command)}};
  json["considered"] = Json::array();
  for (const tuning_db::Considered& each : choice.considered) json["considered"].push_back(json_of_considered(each));
  if (choice.trial) {
    json["trial"] = {{"median_us", choice.trial->median_us()},
                     {"size", choice.trial->problem.size},
                     {"device", choice.trial->device.name},
                     {"measured_at", choice.trial->measured_at}};
  }
  return json;
}

// `resources`: what only the compiled kernel tells; empty if it was not compiled.
std::string describe(const Explanation& told, const std::string& resources, const Io& io) {
  const tuning_db::Choice& choice = told.choice;
  std::string text = fmt::format("problem       {}, {}\n", to_string(told.problem), counted(told.problem.size, "item"));
  text += fmt::format("device        {} ({})\n", told.label,
                      told.device.compute_major > 0 && told.label == told.device.name ? architecture_of(told.device)
                                                                                      : told.device.name);
  text += fmt::format("rung          {}: {}\n", tuning_db::name(choice.rung), choice.reason);
  if (choice.trial) {
    text += fmt::format("measured      {} for {} of {} on {}, {}\n", format_time(choice.trial->median_us()),
                        base::format_items(choice.trial->problem.size), name(choice.trial->problem.input),
                        choice.trial->device.name, choice.trial->measured_at);
  }
  text += table_of(told, io);
  text += fmt::format("config        {}\n", config_line(io, choice.config, told.problem, told.limits));
  text += text_of_steps(told);
  if (!resources.empty()) text += fmt::format("resources     {}\n", resources);
  text += fmt::format("reproducible  {}\n", is_reproducible(told.problem, choice.config) ? "yes" : "no");
  if (!told.pinned.empty()) {
    text += fmt::format("to tune it    remove UPSWEEP_PINNED_DB first: only the results in {} are used\n", told.pinned);
  } else if (!told.tune_command.empty()) {
    text += fmt::format("to tune it    {}\n", told.tune_command);
  }
  return text;
}

std::string resources_of(Context& context, const Problem& problem, Io& io) {
  const Ticker ticker(io, "compiling for " + context.device());
  return context.plan(problem).resources();
}

int print(const Explanation& told, const std::string& resources, Io& io) {
  const std::string text = describe(told, resources, io);
  if (!io.json) {
    io.out() << text;
    return 0;
  }
  Json json = document(told);
  if (!resources.empty()) json["resources"] = resources;
  json["text"] = text;
  io.print(json);
  return 0;
}

int explain_verb(const ExplainArguments& arguments, Io& io) {
  const Problem problem = arguments.problem.problem(base::parse_size(arguments.size));
  if (!arguments.named.empty()) {
    const Explanation told = explain(find_device(arguments.named, problem, arguments.database), problem);
    return print(told, "", io);
  }
  Context context({.device = arguments.device, .database = arguments.database, .record_wanted = false});
  const Explanation told = explain(context, problem);
  return print(told, arguments.compile ? resources_of(context, problem, io) : "", io);
}

}  // namespace

void add_explain(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<ExplainArguments>();
  CLI::App* const verb = command.add_subcommand("explain", "Show which config a call uses, and why");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->size, "Number of items")->required();
  verb->add_flag("--compile", arguments->compile,
                 "Also compile the kernel, and show its registers, local memory and blocks per multiprocessor");
  add_device(*verb, arguments->device);
  add_for(*verb, arguments->named);
  verb->get_option("--for")->excludes(verb->get_option("--device"), verb->get_option("--compile"));
  add_database(*verb, arguments->database);
  verb->footer("Example:\n  upsweep explain inclusive_scan --op plus --type i32 --size 2^20");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return explain_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
