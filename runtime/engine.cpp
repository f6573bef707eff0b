#include "runtime/engine.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <upsweep/config_space.hpp>
#include <upsweep/error.hpp>

#include "base/logging.hpp"
#include "generator/algorithm.hpp"
#include "generator/catalogues.hpp"
#include "generator/device_limits.hpp"
#include "generator/shape.hpp"
#include "tuning-db/candidates.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::runtime {
namespace {

// How long a plan waits for other processes that hold the tuning database.
constexpr std::chrono::milliseconds database_patience{200};

// Everything that a kept plan depends on: the size by its class and side.
PlanKey pack(const Problem& problem, int multiprocessors) {
  constexpr int algorithm_bits = 8, operator_bits = 12, type_bits = 12;  // and 8 of size class and side
  constexpr int density_bits = 8, accuracy_bits = 8;
  static_assert(most_algorithms <= 1 << algorithm_bits && most_operators <= 1 << operator_bits &&
                most_types <= 1 << type_bits);
  const int side = static_cast<int>(size_side(problem.size));
  std::uint64_t packed = static_cast<std::uint64_t>(3 * size_class(problem.size) + 1 + side);
  packed = packed << algorithm_bits | static_cast<std::uint64_t>(problem.algorithm);
  packed = packed << operator_bits | static_cast<std::uint64_t>(problem.op);
  for (const Type type : {problem.input, problem.accumulator, problem.output}) {
    packed = packed << type_bits | static_cast<std::uint64_t>(type);
  }
  std::uint64_t rest = static_cast<std::uint32_t>(multiprocessors);
  rest = rest << (type_bits + 1) | (problem.key ? static_cast<std::uint64_t>(*problem.key) + 1 : 0);
  rest = rest << density_bits | static_cast<std::uint64_t>(problem.density);
  rest = rest << accuracy_bits | static_cast<std::uint64_t>(problem.accuracy);
  // By the classes of the lengths, which are at most 64.
  const bool is_special = has_pitch(problem) || problem.unordered_segments;
  std::uint64_t shape = static_cast<std::uint64_t>(problem.shape) << 1 | (is_special ? 1 : 0);
  shape = shape << 1 | (exact_inner(problem) > 0 && has_one_array(problem) ? 1 : 0);  // may have another schedule
  shape = shape << 8 | row_alignment(problem);                                        // at most 128
  shape = shape << 8 | static_cast<std::uint64_t>(inner_class(problem.inner));
  shape = shape << 8 | static_cast<std::uint64_t>(size_class(problem.row_length));
  return {packed, rest, shape};
}

}  // namespace

std::uint64_t planned_size(const Problem& problem, const void* in, const void* out) noexcept {
  constexpr std::uint64_t least = 4;  // below, the size after a power of two is not above it
  const std::uint64_t n = problem.size;
  const void* const array = is_dense(problem) ? out : in;
  const bool misaligned = reinterpret_cast<std::uintptr_t>(array) % 16 != 0;
  return misaligned && n >= least && size_side(n) == SizeSide::at ? n + 1 : n;
}

Engine::Engine(Parts parts)
    : parts_(std::move(parts)),
      kernels_(std::make_shared<KernelStore>(parts_.device, parts_.compiler, parts_.cache)),
      workspaces_(std::make_shared<Workspaces>(parts_.device)),
      stream_sizes_(parts_.device, parts_.reproducible) {
  if (!parts_.pinned.empty()) {
    pinned_ = std::make_shared<const Winners>(tuning_db::pinned_winners(parts_.pinned));
  } else if (parts_.record_wanted && !parts_.database.empty() && !parts_.forced) {
    wanted_ = std::make_unique<WantedLog>(parts_.database);
  }
}

Environment Engine::environment() const {
  return {.driver = parts_.device->driver_version(),
          .compiler = parts_.compiler->version(),
          .generator = generator_version()};
}

// Results are a help and no need: where the database cannot be used, shipped ones and defaults serve.
bool Engine::read_database(const Problem& problem, Winners& winners) {
  try {
    if (parts_.database.empty() || !tuning_db::Database::is_there(parts_.database)) return true;
    // Who has waited in vain once does not hold up each further plan.
    const std::chrono::milliseconds patience = database_failed_ ? std::chrono::milliseconds(0) : database_patience;
    const tuning_db::Database database(parts_.database, tuning_db::Database::Mode::read_only, patience);
    winners = database.winners({.serving = problem});
    log_debug("read {} tuning results for {} from {}", winners.size(), to_string(problem), parts_.database.string());
    database_failed_ = false;
    return true;
  } catch (const DatabaseError& error) {
    database_failed_ = true;
    if (!warned_.exchange(true)) warn(fmt::format("your own tuning results are not used: {}", error.what()));
    return false;
  }
}

std::shared_ptr<const Engine::Winners> Engine::winners_for(const Problem& problem) {
  if (pinned_) return pinned_;
  const auto find = [&]() -> std::shared_ptr<const Winners> {
    const auto at = std::find_if(known_.begin(), known_.end(),
                                 [&](const Known& known) { return tuning_db::may_serve(known.problem, problem); });
    return at == known_.end() ? nullptr : at->winners;
  };
  std::uint64_t refreshes = 0;
  {
    const std::lock_guard lock(winners_mutex_);
    if (auto winners = find()) return winners;
    refreshes = refreshes_;
  }
  auto winners = std::make_shared<Winners>();
  const bool complete = read_database(problem, *winners);
  for (tuning_db::Winner& shipped : tuning_db::shipped_winners_for(problem)) winners->push_back(std::move(shipped));
  const std::lock_guard lock(winners_mutex_);
  if (auto earlier = find()) return earlier;  // another thread was faster
  if (complete && refreshes == refreshes_) known_.push_back({problem, winners});
  return winners;
}

tuning_db::ChoiceOptions Engine::choice_options(const Winners& known) const {
  tuning_db::ChoiceOptions options{.reproducible = parts_.reproducible};
  if (known.empty() || pinned_) return options;  // pinned: the same choice wherever the file is
  try {
    options.environment = environment();
  } catch (const CompilerError&) {
    // Explaining a choice needs no compiler.
  }
  return options;
}

DeviceIdentity Engine::identity_of(int multiprocessors) const {
  DeviceIdentity identity = parts_.device->identity();
  if (multiprocessors != parts_.device->limits().multiprocessors) identity.multiprocessors = multiprocessors;
  return identity;
}

tuning_db::Choice Engine::choose(const Problem& problem, std::optional<int> partition) {
  validate(problem);
  const int multiprocessors = partition.value_or(parts_.device->limits().multiprocessors);
  const DeviceLimits limits = limits_of_part(parts_.device->limits(), multiprocessors);
  if (parts_.forced) {
    const ConfigSpace space(problem, limits);
    try {
      return {space.resolve(*parts_.forced), tuning_db::Rung::forced, "UPSWEEP_FORCE_CONFIG names the config",
              std::nullopt};
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("UPSWEEP_FORCE_CONFIG: {}", error.what()));
    }
  }
  const std::shared_ptr<const Winners> known = winners_for(problem);
  return tuning_db::choose(problem, identity_of(multiprocessors), limits, *known, choice_options(*known));
}

tuning_db::RungChoice Engine::choose_on(tuning_db::Rung rung, const Problem& problem) {
  validate(problem);
  const std::shared_ptr<const Winners> known = winners_for(problem);
  return tuning_db::choose_on(rung, problem, parts_.device->identity(), parts_.device->limits(), *known,
                              choice_options(*known));
}

PlanSetting Engine::setting() const {
  return {.device = parts_.device,
          .workspaces = workspaces_,
          .kernels = kernels_,
          .dependent_launch = parts_.dependent_launch,
          .nvtx = parts_.nvtx,
          .check_always = parts_.check_always};
}

Plan Engine::plan(const Problem& problem, Stream stream) {
  const int multiprocessors = stream_sizes_.of(stream);
  const PlanKey key = pack(problem, multiprocessors);
  {
    const std::shared_lock lock(plans_mutex_);
    if (const auto at = plans_.find(key); at != plans_.end()) return at->second;
  }
  tuning_db::Choice choice = choose(problem, multiprocessors);
  const tuning_db::Rung rung = choice.rung;
  Plan plan(make_plan_state(setting(), problem, std::move(choice), multiprocessors, stream, "prepare()"));
  // A tune of rows with a pitch is one of rows without: it could not add what serves these. Likewise of segments.
  if (wanted_ && rung > tuning_db::Rung::exact && !has_pitch(problem) && !problem.unordered_segments)
    wanted_->add(problem, tuning_db::name(rung), identity_of(multiprocessors));
  const std::unique_lock lock(plans_mutex_);
  return plans_.try_emplace(key, std::move(plan)).first->second;
}

Plan Engine::plan(const Problem& problem, const Config& config, Stream stream) {
  const int multiprocessors = stream_sizes_.of(stream);
  // Defaults of what the config leaves out depend on them.
  const DeviceLimits limits = limits_of_part(parts_.device->limits(), multiprocessors);
  Config whole = ConfigSpace(problem, limits).resolve(config);
  return Plan(make_plan_state(setting(), problem,
                              {std::move(whole), tuning_db::Rung::forced, "the caller named the config", std::nullopt},
                              multiprocessors, stream, "prepare()"));
}

void Engine::release(Stream stream) {
  workspaces_->release(stream);
  stream_sizes_.forget(stream);
}

void Engine::refresh() {
  {
    const std::lock_guard lock(winners_mutex_);
    known_.clear();
    ++refreshes_;
  }
  const std::unique_lock lock(plans_mutex_);
  plans_.clear();
}

}  // namespace upsweep::runtime
