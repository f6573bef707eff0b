// upsweep space: the configs that a problem can have on a device, and what their parameters mean. Needs no GPU.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>

#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "cli/named_device.hpp"
#include "cli/space_report.hpp"
#include "runtime/cuda/cuda_device.hpp"

namespace upsweep::cli {
namespace {

struct SpaceArguments {
  ProblemArguments problem;
  std::string size = "2^24";
  std::string schedule;
  std::string device;
  std::string architecture;
  std::string named;
  std::string database;
  bool markdown = false;
};

// Whose limits count, and what to call it.
struct Place {
  DeviceLimits limits;
  std::string label;
};

Place place_of(const SpaceArguments& arguments, const Problem& problem) {
  if (!arguments.named.empty()) {
    const NamedDevice device = find_device(arguments.named, problem, arguments.database);
    return {device.limits, fmt::format("{} ({})", device.identity.name, architecture_of(device.identity))};
  }
  if (!arguments.architecture.empty()) {
    const std::string architecture = architecture_named(arguments.architecture);
    return {limits_of_architecture(architecture), architecture};
  }
  if (arguments.device.empty() && runtime::CudaDevice::count() == 0) {
    return {limits_of_architecture("sm_90"), "sm_90 (no device was named, and this machine has no GPU)"};
  }
  const Context context({.device = arguments.device.empty() ? "auto" : arguments.device,
                         .database = arguments.database,
                         .record_wanted = false});
  return {context.device_limits(), fmt::format("{} ({})", context.device(), context.device_identity().name)};
}

int page(const SpaceArguments& arguments, Io& io) {
  if (!arguments.problem.empty() || io.json) {
    throw UsageError("--markdown prints the page of all schedules: leave out the problem and --json");
  }
  io.out() << space_page();
  return 0;
}

void check(const SpaceArguments& arguments) {
  if (arguments.problem.algorithm.empty() || arguments.problem.type.empty()) {
    throw UsageError(
        "no problem was named: give ALGORITHM --op OP --type TYPE, or --markdown for the page of all schedules and "
        "parameters");
  }
}

int space_verb(const SpaceArguments& arguments, Io& io) {
  if (arguments.markdown) return page(arguments, io);
  check(arguments);
  const Problem problem = arguments.problem.problem(base::parse_size(arguments.size));
  const Place place = place_of(arguments, problem);
  const ConfigSpace space(problem, place.limits);
  const std::vector<ScheduleReport> reports = report_space(space, arguments.schedule);
  const std::string standard = space.default_config().schedule;
  if (!io.json) {
    io.out() << fmt::format("{}, {}, on {}: the default schedule is {}\n", to_string(problem),
                            counted(problem.size, "item"), place.label, standard);
    for (const ScheduleReport& report : reports) io.out() << describe(report, report.info.name == standard);
    return 0;
  }
  Json json{
      {"problem", cli::json_of(problem)}, {"device", place.label}, {"default", cli::json_of(space.default_config())}};
  json["schedules"] = Json::array();
  for (const ScheduleReport& report : reports) json["schedules"].push_back(json_of(report));
  io.print(json);
  return 0;
}

}  // namespace

void add_space(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<SpaceArguments>();
  CLI::App* const verb =
      command.add_subcommand("space", "Explain schedules and parameters: meanings, values, defaults, constraints");
  arguments->problem.add_to(*verb, ProblemArguments::Need::nothing);
  verb->add_option("--size", arguments->size, "Number of items; the defaults depend on it")->capture_default_str();
  verb->add_option("--schedule", arguments->schedule, "Show only this schedule");
  CLI::Option* const device = verb->add_option(
      "--device", arguments->device,
      "Use the limits of this device: cuda, cuda:N, cuda:N/M or host (default: the first GPU, otherwise "
      "sm_90)");
  CLI::Option* const architecture = verb->add_option("--arch", arguments->architecture,
                                                     "Use the limits of this architecture: sm_80, sm_90, sm_100, ...");
  add_for(*verb, arguments->named);
  CLI::Option* const named = verb->get_option("--for");
  architecture->excludes(device, named);
  named->excludes(device);
  verb->add_flag("--markdown", arguments->markdown,
                 "Instead print the page of all schedules and parameters, as Markdown");
  add_database(*verb, arguments->database);
  verb->footer(
      "Example:\n  upsweep space inclusive_scan --op plus --type i32 --size 2^20 --arch sm_90 --schedule lookahead");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return space_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
