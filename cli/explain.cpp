// upsweep explain: which config a call would get, and why.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/context.hpp>
#include <upsweep/source.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/size.hpp"
#include "runtime/engine.hpp"

namespace upsweep::cli {
namespace {

struct Arguments {
  ProblemArguments problem;
  std::string size;
  std::string device = "auto";
  std::string database;
  bool compile = false;
};

// What is known of a call without compiling anything.
struct Explanation {
  Problem problem;
  tuning_db::Choice choice;
  Source source;
  std::uint64_t blocks = 0;
  std::uint64_t workspace_bytes = 0;
};

Explanation explain(const Context& context, const Problem& problem) {
  Explanation told{.problem = problem, .choice = context.engine()->choose(problem), .source = {}};
  told.source = generate(problem, told.choice.config, context.engine()->device().target());
  told.blocks = told.source.launch.blocks(problem.size, context.device_limits().multiprocessors);
  told.workspace_bytes = told.source.workspace_bytes(problem.size, context.device_limits().multiprocessors);
  return told;
}

Json json_of_considered(const tuning_db::Considered& each) {
  return {{"verdict", each.verdict},
          {"rung", tuning_db::name(each.rung)},
          {"origin", each.origin},
          {"device", each.device},
          {"problem", json_of(each.problem)},
          {"median_us", each.median_us},
          {"same_environment", each.same_environment},
          {"config", json_of(each.config)}};
}

// A table, best first; nothing if nothing was tuned.
std::string table_of(const std::vector<tuning_db::Considered>& considered) {
  if (considered.empty()) return "considered    nothing: no result for this problem or one like it\n";
  std::string text = fmt::format("considered    {:<24}  {:>8}  {:>9}  {:<8}  {:<13}  {:<15}  device: verdict\n",
                                 "problem", "size", "median", "origin", "schedule", "environment");
  for (const tuning_db::Considered& each : considered) {
    text += fmt::format("              {:<24}  {:>8}  {:>9}  {:<8}  {:<13}  {:<15}  {}: {}\n", to_string(each.problem),
                        format_size(each.problem.size), format_time(each.median_us), each.origin, each.config.schedule,
                        each.same_environment ? "the same" : "another", each.device, each.verdict);
  }
  return text;
}

Json document(const Explanation& told, const Context& context) {
  const tuning_db::Choice& choice = told.choice;
  Json json{{"problem", json_of(told.problem)},
            {"device", json_of(context.device_identity(), context.device())},
            {"rung", tuning_db::name(choice.rung)},
            {"reason", choice.reason},
            {"config", json_of(choice.config)},
            {"key", told.source.key},
            {"blocks", told.blocks},
            {"launch", json_of(told.source.launch)},
            {"workspace_bytes", told.workspace_bytes},
            {"reproducible", is_reproducible(told.problem, choice.config)},
            {"tune_command", tune_command(told.problem)}};
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

std::string describe(const Explanation& told, const Context& context) {
  const tuning_db::Choice& choice = told.choice;
  std::string text = fmt::format("problem       {}, {} items\n", to_string(told.problem), told.problem.size);
  text += fmt::format("device        {} ({})\n", context.device(), context.device_identity().name);
  text += fmt::format("rung          {}: {}\n", tuning_db::name(choice.rung), choice.reason);
  if (choice.trial) {
    text += fmt::format("measured      {} for {} items of {} on {}, {}\n", format_time(choice.trial->median_us()),
                        format_size(choice.trial->problem.size), name(choice.trial->problem.input),
                        choice.trial->device.name, choice.trial->measured_at);
  }
  text += table_of(choice.considered);
  text += fmt::format("config        {}\n", to_json(choice.config));
  text += fmt::format("kernel        {}\n", told.source.key);
  text += fmt::format("launch        {} blocks of {} threads, tiles of {} items, {} bytes of workspace\n", told.blocks,
                      told.source.launch.threads_per_block, told.source.launch.items_per_tile, told.workspace_bytes);
  text += fmt::format("reproducible  {}\n", is_reproducible(told.problem, choice.config) ? "yes" : "no");
  return text + fmt::format("to tune it    {}\n", tune_command(told.problem));
}

// Registers and the like, which only the compiled kernel tells.
std::string compiled(Context& context, const Problem& problem, Io& io) {
  const Ticker ticker(io, "compiling for " + context.device());
  return context.plan(problem).explain();
}

int explain_verb(const Arguments& arguments, Io& io) {
  const Problem problem = arguments.problem.problem(parse_size(arguments.size));
  Context context({.device = arguments.device, .database = arguments.database, .record_wanted = false});
  const Explanation told = explain(context, problem);
  const std::string text = arguments.compile ? compiled(context, problem, io) : describe(told, context);
  if (!io.json) {
    io.out() << text;
    return 0;
  }
  Json json = document(told, context);
  json["text"] = text;
  io.print(json);
  return 0;
}

}  // namespace

void add_explain(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const verb = command.add_subcommand("explain", "Say which config a call would get, and why");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->size, "Number of items of the call")->required();
  verb->add_flag("--compile", arguments->compile, "Compile the kernel too, and show what it needs");
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer("Example:\n  upsweep explain inclusive_scan --op plus --type i32 --size 2^20");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return explain_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
