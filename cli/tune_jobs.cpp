#include "cli/tune_jobs.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/size.hpp"
#include "base/text.hpp"
#include "generator/problem_family.hpp"
#include "generator/shape.hpp"
#include "runtime/context_engine.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::cli {
namespace {

// The host device's fibers are several thousand times slower than a GPU.
std::uint64_t default_size(const Context& context) {
  return std::uint64_t{1} << (context.device() == "host" ? 14 : 24);
}

std::vector<std::string> device_names(const TuneArguments& arguments) {
  if (arguments.devices.empty()) return {arguments.device};
  if (arguments.device != "auto") throw UsageError("--device and --devices were both given: give one of them");
  if (arguments.devices != std::vector<std::string>{"all"}) return arguments.devices;
  std::vector<std::string> names;
  for (int ordinal = 0; ordinal < runtime::CudaDevice::count(); ++ordinal) {
    names.push_back(fmt::format("cuda:{}", ordinal));
  }
  if (names.empty()) names.emplace_back("host");
  return names;
}

using Tuned = std::vector<tuning_db::Winner>;

bool is_tuned(const Tuned& winners, const Context& context, const Problem& problem) {
  const Environment environment = runtime::engine_of(context).environment();
  return std::any_of(winners.begin(), winners.end(), [&](const tuning_db::Winner& winner) {
    return winner.trial.device == context.device_identity() && winner.trial.environment == environment &&
           same_but_for_size(winner.trial.problem, problem) && winner.size_class == size_class(problem.size);
  });
}

// Leaves out sizes that have a winner of the present environment on all of the devices.
void leave_out_tuned(std::vector<TuneJob>& jobs, const std::vector<std::unique_ptr<Context>>& contexts,
                     const Tuned& winners) {
  for (TuneJob& job : jobs) {
    std::erase_if(job.sizes, [&](std::uint64_t size) {
      Problem problem = job.problem;
      problem.size = size;
      return std::all_of(contexts.begin(), contexts.end(),
                         [&](const auto& context) { return is_tuned(winners, *context, problem); });
    });
  }
  std::erase_if(jobs, [](const TuneJob& job) { return job.sizes.empty(); });
}

std::vector<TuneJob> wanted_jobs(const tuning_db::Database& database,
                                 const std::vector<std::unique_ptr<Context>>& contexts) {
  std::vector<TuneJob> jobs;
  for (const tuning_db::Wanted& wanted : database.wanted()) {
    const bool here = std::any_of(contexts.begin(), contexts.end(),
                                  [&](const auto& context) { return context->device_identity() == wanted.device; });
    if (!here || wanted.problem.size == 0) continue;
    auto job = std::find_if(jobs.begin(), jobs.end(),
                            [&](const TuneJob& other) { return same_but_for_size(other.problem, wanted.problem); });
    if (job == jobs.end()) job = jobs.insert(jobs.end(), TuneJob{wanted.problem, {}});
    if (std::find(job->sizes.begin(), job->sizes.end(), wanted.problem.size) == job->sizes.end()) {
      job->sizes.push_back(wanted.problem.size);
    }
  }
  return jobs;
}

void check_what(const TuneArguments& arguments) {
  const int ways = static_cast<int>(arguments.all) + static_cast<int>(arguments.wanted) +
                   static_cast<int>(!arguments.problem.empty());
  if (ways == 0) {
    throw UsageError("say what to tune: ALGORITHM --op OP --type TYPE, or --all, or --wanted");
  }
  if (!arguments.problem.row_pitch.empty()) {
    throw UsageError("rows with a pitch have the results of those without: remove --row-pitch");
  }
  if (ways > 1) throw UsageError("give only one of: a problem, --all, --wanted");
  if (arguments.wanted && !arguments.sizes.empty()) {
    throw UsageError("--wanted tunes the sizes on the list of wanted problems: remove --size");
  }
}

void restrict_sizes(std::vector<TuneJob>& jobs, const std::vector<std::uint64_t>& sizes) {
  if (sizes.empty()) return;
  for (TuneJob& job : jobs) job.sizes = sizes;
}

// What commas divide. Throws UsageError where there is nothing between two of them.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  if (parts.size() > 1 && std::ranges::count(parts, "") > 0) {
    throw UsageError(
        fmt::format("'{}' has nothing between two commas: write one comma between two values", base::clipped(list)));
  }
  return parts;
}

// Each combination of the values that the options list. Some may be no valid problems.
std::vector<Problem> combinations_of(const ProblemArguments& lists) {
  std::vector<ProblemArguments> all{lists};
  using Member = std::string ProblemArguments::*;
  for (const Member member :
       {&ProblemArguments::algorithm, &ProblemArguments::op, &ProblemArguments::type, &ProblemArguments::row_length,
        &ProblemArguments::inner, &ProblemArguments::segment_length}) {
    std::vector<ProblemArguments> combined;
    for (const ProblemArguments& each : all) {
      for (const std::string& part : parts_of(each.*member)) {
        combined.push_back(each);
        combined.back().*member = part;
      }
    }
    all = std::move(combined);
  }
  std::vector<Problem> problems;
  for (const ProblemArguments& each : all) problems.push_back(each.unvalidated(0));
  return problems;
}

// Why there is no such problem; empty if there is.
std::string obstacle(const Problem& problem) {
  try {
    validate(problem);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

// Of each problem the sizes that have a whole row. What cannot be tuned is left out, which is told. Throws UsageError
// if that is all.
std::vector<TuneJob> named_jobs(const std::vector<Problem>& problems, const std::vector<std::uint64_t>& sizes, Io& io) {
  struct LeftOut {
    std::string problem, why;
  };
  std::vector<TuneJob> jobs;
  std::vector<LeftOut> left_out;
  for (const Problem& problem : problems) {
    if (const std::string why = obstacle(problem); !why.empty()) {
      left_out.push_back({to_string(problem), why});
      continue;
    }
    TuneJob job{problem, {}};
    for (const std::uint64_t size : sizes) {
      if (size >= least_items(problem)) {
        job.sizes.push_back(whole_items(problem, size));
        continue;
      }
      left_out.push_back({to_string(problem),
                          fmt::format("{} items are less than {}: use a greater --size", size, least_part(problem))});
    }
    if (!job.sizes.empty()) jobs.push_back(std::move(job));
  }
  if (jobs.empty()) throw UsageError(left_out.front().why);
  for (const LeftOut& each : left_out) io.say(fmt::format("left out: {}: {}", each.problem, each.why));
  return jobs;
}

// Throws UsageError.
std::vector<std::uint64_t> named_sizes(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> sizes = base::parse_sizes(texts);
  if (std::ranges::count(sizes, 0u) == 0) return sizes;
  throw UsageError("cannot tune for a size of 0 items: give sizes of at least 1");
}

}  // namespace

std::vector<std::unique_ptr<Context>> open_contexts(const TuneArguments& arguments) {
  std::vector<std::unique_ptr<Context>> contexts;
  for (const std::string& name : device_names(arguments)) {
    contexts.push_back(std::make_unique<Context>(
        ContextOptions{.device = name, .database = arguments.database, .record_wanted = false}));
    for (std::size_t i = 0; i + 1 < contexts.size(); ++i) {
      if (name != "host" && contexts[i]->device() == contexts.back()->device()) {
        throw UsageError(
            fmt::format("the device {} was given twice: give each device once", contexts.back()->device()));
      }
    }
  }
  return contexts;
}

std::vector<TuneJob> choose_jobs(const TuneArguments& arguments, const std::vector<std::unique_ptr<Context>>& contexts,
                                 Io& io) {
  check_what(arguments);
  const std::vector<std::uint64_t> sizes = named_sizes(arguments.sizes);
  if (!arguments.all && !arguments.wanted) {
    return named_jobs(combinations_of(arguments.problem),
                      sizes.empty() ? std::vector<std::uint64_t>{default_size(*contexts.front())} : sizes, io);
  }
  const auto smallest = std::min_element(contexts.begin(), contexts.end(), [](const auto& a, const auto& b) {
    return a->device_limits().memory_bytes < b->device_limits().memory_bytes;
  });
  std::vector<TuneJob> jobs = arguments.all ? built_in_jobs(**smallest) : std::vector<TuneJob>{};
  restrict_sizes(jobs, sizes);
  const std::filesystem::path path = runtime::engine_of(*contexts.front()).database();
  if (path.empty() || !tuning_db::Database::is_there(path)) return jobs;
  const tuning_db::Database database(path, tuning_db::Database::Mode::read_only);
  if (arguments.wanted) jobs = wanted_jobs(database, contexts);
  if (!arguments.again && !arguments.refresh) leave_out_tuned(jobs, contexts, database.winners());
  return jobs;
}

}  // namespace upsweep::cli
