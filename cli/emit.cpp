// upsweep emit: shows what would be compiled, for any architecture, without a GPU.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/config_space.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "base/file_bytes.hpp"
#include "base/size.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/emit_network.hpp"
#include "cli/named_device.hpp"
#include "generator/launch_tiles.hpp"
#include "generator/names.hpp"
#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/cuda/disassemble.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep::cli {
namespace {

struct EmitArguments {
  ProblemArguments problem;
  std::string size = "2^24";
  std::string config;
  std::string architecture;  // empty: the named device's, else sm_90
  std::string device;        // --for
  std::string database;
  std::string target = "cuda";
  std::string show = "source";
  std::string output;  // empty: standard output
  NetworkArguments network;
};

Target parse_target(const std::string& text) {
  if (text == "cuda") return Target::cuda;
  if (text == "host") return Target::host;
  throw UsageError(unknown_name("target", text, as_names(std::array{"cuda", "host"})));
}

void check(const EmitArguments& arguments, const Io& io) {
  const std::string& show = arguments.show;
  constexpr std::array shows{"source", "ptx", "sass", "resources"};
  if (std::find(shows.begin(), shows.end(), show) == shows.end()) {
    throw UsageError(unknown_name("--show", show, as_names(shows)));
  }
  if (parse_target(arguments.target) == Target::host && show != "source") {
    throw UsageError(fmt::format("--target host has no {}: remove --target host, or use --show source", show));
  }
  if (io.json && arguments.output == "-") {
    throw UsageError("--json and -o - both write to standard output: name a file with -o, or remove one of them");
  }
}

// What is shown: a config for an architecture, and how the config was come by.
struct Chosen {
  std::string architecture;
  std::optional<DeviceIdentity> device;  // of --for
  Config config;
  tuning_db::Rung rung = tuning_db::Rung::built_in;
  std::string reason;
};

// What the named device would run, or the default of an architecture; --config goes before both.
Chosen choose(const EmitArguments& arguments, const Problem& problem) {
  Chosen chosen;
  DeviceLimits limits;
  if (arguments.device.empty()) {
    chosen.architecture = arguments.architecture.empty() ? "sm_90" : architecture_named(arguments.architecture);
    limits = limits_of_architecture(chosen.architecture);
    chosen.reason = "built-in default of the architecture (--for NAME shows the config that a device would use)";
  } else {
    const NamedDevice device = find_device(arguments.device, problem, arguments.database);
    chosen.device = device.identity;
    chosen.architecture = architecture_of(device.identity);
    limits = device.limits;
    if (arguments.config.empty()) {
      tuning_db::Choice choice = cli::choose(device, problem);
      chosen.config = std::move(choice.config);
      chosen.rung = choice.rung;
      chosen.reason = std::move(choice.reason);
      return chosen;
    }
  }
  const Space space(problem, limits);
  if (arguments.config.empty()) {
    chosen.config = space.default_config();
    return chosen;
  }
  chosen.config = read_config(arguments.config, space);
  chosen.rung = tuning_db::Rung::forced;
  chosen.reason = "the config was given with --config";
  return chosen;
}

Json json_of(const runtime::AssemblerReport& report, const LaunchRule& launch) {
  return {{"registers", report.registers},
          {"stack_bytes", report.stack_bytes},
          {"spill_store_bytes", report.spill_store_bytes},
          {"spill_load_bytes", report.spill_load_bytes},
          {"static_shared_bytes", report.static_shared_bytes},
          {"dynamic_shared_bytes", launch.shared_bytes},
          {"barriers", report.barriers}};
}

std::string describe(const runtime::AssemblerReport& report, const LaunchRule& launch, std::string_view tile_unit) {
  return fmt::format(
      "registers per thread      {}\nstack bytes per thread    {}\nspilled bytes per thread  {} stored, {} "
      "loaded\nshared bytes per block    {} static, {} dynamic\nbarriers per block        {}\nthreads per block        "
      " {}\n{:<26}{}\n",
      report.registers, report.stack_bytes, report.spill_store_bytes, report.spill_load_bytes,
      report.static_shared_bytes, launch.shared_bytes, report.barriers, launch.threads_per_block,
      fmt::format("{}s per tile", tile_unit), tile_extent(launch));
}

runtime::AssemblerReport resources(const runtime::Compiled& compiled) {
  const std::optional<runtime::AssemblerReport> report = runtime::parse_assembler_report(compiled.log);
  if (report) return *report;
  throw CompilerError("cannot read the resources that NVRTC reports; please report this NVRTC version", compiled.log);
}

// The text of a step that --show asks for; its description gets what belongs to it.
std::string shown(const EmitArguments& arguments, const std::string& architecture, const Source& source,
                  std::string_view tile_unit, Json& description) {
  if (arguments.show == "source") return source.text;
  const runtime::Compiled compiled = runtime::NvrtcCompiler().compile(source, architecture);
  if (arguments.show == "ptx") return compiled.ptx;
  if (arguments.show == "sass") return runtime::disassemble(compiled.binary);
  description["resources"] = json_of(resources(compiled), source.launch);
  return describe(resources(compiled), source.launch, tile_unit);
}

// The same of all steps, one behind the other. Sources say themselves which step they are.
std::string shown(const EmitArguments& arguments, const std::string& architecture, const std::vector<Source>& steps,
                  std::string_view tile_unit, Json& document, Io& io) {
  std::optional<Ticker> ticker;
  if (arguments.show != "source") {
    ticker.emplace(io, "compiling for " + architecture);
    document["compiler"] = runtime::NvrtcCompiler().version();
  }
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > 1 && arguments.show != "source") text += fmt::format("// step: {} of {}\n", i + 1, steps.size());
    Json description = cli::json_of(steps[i]);
    description["tile_unit"] = tile_unit;
    text += shown(arguments, architecture, steps[i], tile_unit, description);
    document["steps"].push_back(std::move(description));
  }
  return text;
}

int emit(const EmitArguments& arguments, Io& io) {
  check(arguments, io);
  const Problem problem = arguments.problem.problem(base::parse_size(arguments.size));
  const Chosen chosen = choose(arguments, problem);
  const std::vector<Source> steps = generate_steps(problem, chosen.config, parse_target(arguments.target));
  if (chosen.device && !io.json) {
    io.say(fmt::format("device   {} ({})\nrung     {}: {}", chosen.device->name, chosen.architecture,
                       tuning_db::name(chosen.rung), chosen.reason));
  }
  Json document{{"problem", cli::json_of(problem)},
                {"device", chosen.device ? Json(chosen.device->name) : Json(nullptr)},
                {"architecture", chosen.architecture},
                {"target", arguments.target},
                {"rung", tuning_db::name(chosen.rung)},
                {"reason", chosen.reason},
                {"config", cli::json_of(chosen.config)},
                {"steps", Json::array()},
                {"show", arguments.show}};
  const std::string_view tile_unit = find_schedule(problem, chosen.config.schedule).tile_unit();
  const std::string text = shown(arguments, chosen.architecture, steps, tile_unit, document, io);
  const bool to_file = !arguments.output.empty() && arguments.output != "-";
  if (to_file) {
    base::write_file(arguments.output, text);
    io.say(fmt::format("written to '{}'", arguments.output));
  }
  if (io.json) {
    document[to_file ? "output" : "text"] = to_file ? arguments.output : text;
    io.print(document);
  } else if (!to_file) {
    io.out() << text;
  }
  return 0;
}

}  // namespace

void add_emit(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<EmitArguments>();
  CLI::App* const verb =
      command.add_subcommand("emit", "Show a kernel: source, PTX, SASS or resources; or a scan network; needs no GPU");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->size, "Number of items; the choice of the config depends on it")
      ->capture_default_str();
  add_config(*verb, arguments->config);
  CLI::Option* const architecture = verb->add_option("--arch", arguments->architecture,
                                                     "Architecture, such as sm_80, sm_90 or sm_100 (default: sm_90)");
  add_for(*verb, arguments->device);
  architecture->excludes(verb->get_option("--for"));
  add_database(*verb, arguments->database);
  verb->add_option("--target", arguments->target,
                   "Target of the source: cuda, or host for the source that the host device compiles")
      ->capture_default_str();
  verb->add_option("--show", arguments->show, "What to show: source, ptx, sass or resources")->capture_default_str();
  verb->add_option("-o,--output", arguments->output, "File to write, - for standard output (default)");
  add_network(*verb, arguments->network);
  verb->footer(
      "Example:\n  upsweep emit inclusive_scan --op plus --type i32 --size 2^20 --arch sm_90 --show resources\n"
      "  upsweep emit inclusive_scan --op plus --type i32 --size 2^20 --for \"NVIDIA H200\"\n"
      "  upsweep emit --network brent_kung --n 16 --svg brent_kung.svg");
  verb->callback([arguments, &action] {
    action = [arguments](Io& io) {
      return arguments->network.name.empty() ? emit(*arguments, io) : emit_network(arguments->network, io);
    };
  });
}

}  // namespace upsweep::cli
