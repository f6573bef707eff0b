// upsweep emit: shows what would be compiled, for any architecture, without a GPU.
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/size.hpp"
#include "runtime/cuda/disassemble.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep::cli {
namespace {

struct Arguments {
  ProblemArguments problem;
  std::string size = "2^24";
  std::string config;
  std::string architecture = "sm_90";
  std::string target = "cuda";
  std::string show = "source";
};

Target parse_target(const std::string& text) {
  if (text == "cuda") return Target::cuda;
  if (text == "host") return Target::host;
  throw UsageError(fmt::format("unknown target '{}': use one of cuda, host", text));
}

void check(const Arguments& arguments) {
  const std::string& show = arguments.show;
  if (show != "source" && show != "ptx" && show != "sass" && show != "resources") {
    throw UsageError(fmt::format("unknown --show '{}': use one of source, ptx, sass, resources", show));
  }
  if (parse_target(arguments.target) == Target::host && show != "source") {
    throw UsageError(fmt::format("the host form has no {}; drop --target host, or use --show source", show));
  }
}

Config choose_config(const Arguments& arguments, const Space& space) {
  return arguments.config.empty() ? space.default_config() : read_config(arguments.config, space);
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

std::string describe(const runtime::AssemblerReport& report, const LaunchRule& launch) {
  return fmt::format(
      "registers a thread        {}\nstack bytes a thread      {}\nspilled bytes a thread    {} stored, {} loaded\n"
      "shared bytes a block      {} static, {} dynamic\nbarriers a block          {}\nthreads a block           {}\n"
      "items a tile              {}\n",
      report.registers, report.stack_bytes, report.spill_store_bytes, report.spill_load_bytes,
      report.static_shared_bytes, launch.shared_bytes, report.barriers, launch.threads_per_block,
      launch.items_per_tile);
}

runtime::AssemblerReport resources(const runtime::Compiled& compiled) {
  const std::optional<runtime::AssemblerReport> report = runtime::parse_assembler_report(compiled.log);
  if (report) return *report;
  throw CompilerError("the assembler's report has no line that upsweep knows; please report this NVRTC version",
                      compiled.log);
}

// The text that --show asks for; the document gets what belongs to it.
std::string shown(const Arguments& arguments, const Source& source, Json& document, Io& io) {
  if (arguments.show == "source") return source.text;
  const Ticker ticker(io, "compiling for " + arguments.architecture);
  runtime::NvrtcCompiler compiler;
  const runtime::Compiled compiled = compiler.compile(source, arguments.architecture);
  document["compiler"] = compiler.version();
  if (arguments.show == "ptx") return compiled.ptx;
  if (arguments.show == "sass") return runtime::disassemble(compiled.binary);
  document["resources"] = json_of(resources(compiled), source.launch);
  return describe(resources(compiled), source.launch);
}

int emit(const Arguments& arguments, Io& io) {
  check(arguments);
  const Problem problem = arguments.problem.problem(parse_size(arguments.size));
  const Space space(problem, limits_of_architecture(arguments.architecture));
  const Config config = choose_config(arguments, space);
  const Source source = generate(problem, config, parse_target(arguments.target));
  Json document{{"problem", cli::json_of(problem)},
                {"architecture", arguments.architecture},
                {"target", arguments.target},
                {"config", cli::json_of(config)},
                {"key", source.key},
                {"entry", source.entry},
                {"launch", cli::json_of(source.launch)},
                {"workspace", cli::json_of(source.workspace)},
                {"show", arguments.show}};
  const std::string text = shown(arguments, source, document, io);
  if (!io.json) {
    io.out() << text;
    return 0;
  }
  document["text"] = text;
  io.print(document);
  return 0;
}

}  // namespace

void add_emit(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const verb = command.add_subcommand("emit", "Show a kernel: source, PTX, SASS or resources; needs no GPU");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->size, "Number of items that the config is chosen for")->capture_default_str();
  add_config(*verb, arguments->config);
  verb->add_option("--arch", arguments->architecture, "Architecture, such as sm_80, sm_90 or sm_100")
      ->capture_default_str();
  verb->add_option("--target", arguments->target, "cuda, or host for what the host device compiles")
      ->capture_default_str();
  verb->add_option("--show", arguments->show, "source, ptx, sass or resources")->capture_default_str();
  verb->footer(
      "Example:\n  upsweep emit inclusive_scan --op plus --type i32 --size 2^20 --arch sm_90 --show resources");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return emit(*arguments, io); }; });
}

}  // namespace upsweep::cli
