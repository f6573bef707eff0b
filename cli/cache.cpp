// upsweep cache: the compiled kernels on disk.
#include <chrono>
#include <numeric>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/count.hpp"
#include "runtime/cache/binary_cache.hpp"

namespace upsweep::cli {
namespace {

using runtime::BinaryCache;

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (bytes < (1u << 20)) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

std::string format_time_of_day(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

Json document(const BinaryCache::Options& options, const std::vector<BinaryCache::Entry>& entries,
              std::uint64_t bytes) {
  Json list = Json::array();
  for (const BinaryCache::Entry& each : entries) {
    list.push_back({{"name", each.name},
                    {"identity", each.identity},
                    {"bytes", each.bytes},
                    {"last_use", format_time_of_day(each.last_use)}});
  }
  return {{"directory", options.directory.string()},
          {"enabled", options.enabled},
          {"max_bytes", options.max_bytes},
          {"bytes", bytes},
          {"entries", list}};
}

int list(Io& io) {
  BinaryCache cache(BinaryCache::from_environment());
  const BinaryCache::Options& options = cache.options();
  const std::vector<BinaryCache::Entry> entries = cache.list();
  const std::uint64_t bytes =
      std::accumulate(entries.begin(), entries.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const BinaryCache::Entry& each) { return sum + each.bytes; });
  if (io.json) {
    io.print(document(options, entries, bytes));
    return 0;
  }
  for (const BinaryCache::Entry& each : entries) {
    io.out() << fmt::format("{}  {:>10}  {}\n", format_time_of_day(each.last_use), format_bytes(each.bytes),
                            each.identity.empty() ? each.name + " (damaged)" : each.identity);
  }
  io.out() << fmt::format("{}: {}, {} (limit: {}){}\n", options.directory.string(), counted(entries.size(), "kernel"),
                          format_bytes(bytes), format_bytes(options.max_bytes),
                          options.enabled ? "" : ", switched off by UPSWEEP_CACHE");
  return 0;
}

int clear(Io& io) {
  BinaryCache cache(BinaryCache::from_environment());
  const std::size_t removed = cache.clear();
  const std::string directory = cache.options().directory.string();
  if (io.json) {
    io.print({{"directory", directory}, {"removed", removed}});
  } else {
    io.out() << fmt::format("{}: {} removed\n", directory, counted(removed, "kernel"));
  }
  return 0;
}

void add(CLI::App& cache, const char* name, const char* what, int (*run)(Io&), Action& action) {
  CLI::App* const verb = cache.add_subcommand(name, what);
  verb->footer(fmt::format("Example:\n  upsweep cache {}", name));
  verb->callback([run, &action] { action = run; });
}

}  // namespace

void add_cache(CLI::App& command, Action& action) {
  CLI::App* const cache = command.add_subcommand("cache", "List or remove the compiled kernels on disk");
  cache->require_subcommand(0, 1);
  cache->footer("Example:\n  upsweep cache list");
  add(*cache, "list", "List the kernels, most recently used first", list, action);
  add(*cache, "clear", "Remove all kernels; they are compiled again when needed", clear, action);
}

}  // namespace upsweep::cli
