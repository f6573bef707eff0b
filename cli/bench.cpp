// upsweep bench: this library, CUB and memcpy, side by side in one run.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <upsweep/context.hpp>

#include "bench/compare.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/size.hpp"

namespace upsweep::cli {
namespace {

struct Arguments {
  ProblemArguments problem;
  std::vector<std::string> sizes;
  int samples = 9;
  std::string device = "auto";
  std::string database;
};

Json document(const bench::Comparison& comparison) {
  Json rows = Json::array();
  for (const bench::Row& row : comparison.rows) {
    rows.push_back({{"who", row.who},
                    {"median_us", row.median_us},
                    {"lowest_us", row.lowest_us},
                    {"highest_us", row.highest_us},
                    {"gigabytes_per_second", row.gigabytes_per_second}});
  }
  return {{"problem", json_of(comparison.problem)},
          {"rung", comparison.rung},
          {"config", Json::parse(comparison.config)},
          {"rows", rows}};
}

void print_table(const bench::Comparison& comparison, Io& io) {
  io.out() << fmt::format("{}, {} items ({}: {})\n", to_string(comparison.problem),
                          format_size(comparison.problem.size), comparison.rung, comparison.config);
  const double own = comparison.rows.front().median_us;
  for (const bench::Row& row : comparison.rows) {
    io.out() << fmt::format("  {:<18} {:>10}  [{} .. {}]  {:8.1f} GB/s  upsweep is {:.2f}x\n", row.who,
                            format_time(row.median_us), format_time(row.lowest_us), format_time(row.highest_us),
                            row.gigabytes_per_second, row.median_us / own);
  }
}

int bench_verb(const Arguments& arguments, Io& io) {
  (void)arguments.problem.problem(0);  // bad names are told before a device is opened
  Context context({.device = arguments.device, .database = arguments.database});
  const std::shared_ptr<bench::Peer> peer = context.device() == "host" ? nullptr : bench::Peer::find();
  std::vector<std::string> sizes = arguments.sizes;
  if (sizes.empty())
    sizes = context.device() == "host" ? std::vector<std::string>{"2^10", "2^14"}
                                       : std::vector<std::string>{"2^12", "2^16", "2^20", "2^24", "2^28"};
  Json documents = Json::array();
  for (const std::string& size : sizes) {
    io.status(fmt::format("measuring {} items", size));
    const Problem problem = arguments.problem.problem(parse_size(size));
    const bench::Comparison comparison = bench::compare(*context.engine(), problem, peer.get(), arguments.samples);
    if (io.json) {
      documents.push_back(document(comparison));
    } else {
      print_table(comparison, io);
    }
  }
  if (io.json) {
    io.print({{"device", json_of(context.device_identity(), context.device())},
              {"driver", context.engine()->environment().driver},
              {"compiler", context.engine()->environment().compiler},
              {"peer", peer ? Json(peer->name()) : Json(nullptr)},
              {"comparisons", documents}});
  } else if (!peer) {
    io.say("CUB is not in the table: build with -DUPSWEEP_CUB=ON (needs nvcc)");
  }
  io.flush();
  return 0;
}

}  // namespace

void add_bench(CLI::App& command, Action& action) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const verb =
      command.add_subcommand("bench", "Time a problem beside CUB and memcpy, interleaved in one run");
  arguments->problem.add_to(*verb);
  verb->add_option("--size", arguments->sizes, "Numbers of items (default: 2^12 to 2^28)")->delimiter(',');
  verb->add_option("--samples", arguments->samples, "Samples of each; medians are printed")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_device(*verb, arguments->device);
  add_database(*verb, arguments->database);
  verb->footer(
      "Calls run back to back, with cold caches.\nExample:\n"
      "  upsweep bench inclusive_scan --op plus --type i32 --size 2^20 2^28");
  verb->callback([arguments, &action] { action = [arguments](Io& io) { return bench_verb(*arguments, io); }; });
}

}  // namespace upsweep::cli
