#include "runtime/engine.hpp"

#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "runtime/cuda/cuda_device.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "runtime/environment.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"
#include "tuning-db/candidates.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::runtime {
namespace {

// Everything of a problem that a kept plan depends on, in one word: the size by its class.
std::uint64_t pack(const Problem& problem) {
  std::uint64_t packed = static_cast<std::uint64_t>(size_class(problem.size));
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(problem.algorithm), static_cast<std::uint64_t>(problem.op),
        static_cast<std::uint64_t>(problem.input), static_cast<std::uint64_t>(problem.accumulator),
        static_cast<std::uint64_t>(problem.output)}) {
    packed = packed << 8 | part;
  }
  return packed;
}

std::shared_ptr<Device> open_device(const std::string& name) {
  if (name == "host") return std::make_shared<HostDevice>();
  if (name == "auto") {
    if (CudaDevice::count() == 0) return std::make_shared<HostDevice>();
    return CudaDevice::open(CudaDevice::current().value_or(0));
  }
  if (name == "cuda") return CudaDevice::open(CudaDevice::current().value_or(0));
  if (name.starts_with("cuda:")) {
    int ordinal = -1;
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + 5, end, ordinal);
    if (error == std::errc{} && stop == end && ordinal >= 0) return CudaDevice::open(ordinal);
  }
  throw UsageError(fmt::format("unknown device '{}': use auto, cuda, cuda:N or host", name));
}

// UPSWEEP_FORCE_CONFIG: JSON, or a path of a file that holds it.
std::optional<Config> forced_config() {
  const std::optional<std::string> value = environment("UPSWEEP_FORCE_CONFIG");
  if (!value || value->empty()) return std::nullopt;
  std::string text = *value;
  if (!text.starts_with('{')) {
    std::ifstream file(text);
    if (!file) {
      throw UsageError(
          fmt::format("UPSWEEP_FORCE_CONFIG names the file {}, which cannot be read: give JSON or a path", text));
    }
    text = (std::ostringstream() << file.rdbuf()).str();
  }
  return config_from_json(text);
}

bool recording_is_off() {
  const std::optional<std::string> value = environment("UPSWEEP_RECORD");
  if (!value || *value == "on") return false;
  if (*value == "off") return true;
  throw UsageError(fmt::format("UPSWEEP_RECORD is '{}': use on or off", *value));
}

std::filesystem::path database_path(const std::string& option) {
  try {
    return tuning_db::Database::path_of(option);
  } catch (const UsageError&) {
    return {};  // no home to look in, as in some containers: the shipped results serve
  }
}

}  // namespace

Launch launch_of(const LaunchRule& rule, bool dependent_launch) {
  return {.blocks = 1,
          .threads_per_block = rule.threads_per_block,
          .shared_bytes = rule.shared_bytes,
          .cluster_blocks = rule.cluster_blocks,
          .cooperative = rule.cooperative,
          .dependent = rule.dependent && dependent_launch};
}

Engine::Engine(Parts parts)
    : parts_(std::move(parts)),
      kernels_(parts_.device, parts_.compiler, parts_.cache),
      workspaces_(std::make_shared<Workspaces>(parts_.device)) {
  if (!parts_.pinned.empty()) {
    winners_ = tuning_db::pinned_winners(parts_.pinned);
  } else if (parts_.record_wanted && !parts_.database.empty() && !parts_.forced) {
    wanted_ = std::make_unique<WantedLog>(parts_.database, parts_.device->identity());
  }
}

std::shared_ptr<Engine> Engine::open(const ContextOptions& options) {
  return std::make_shared<Engine>(parts(options));
}

Engine::Parts Engine::parts(const ContextOptions& options) {
  Parts parts;
  parts.device = open_device(options.device);
  if (parts.device->target() == Target::host) {
    parts.compiler = std::make_shared<HostCompiler>();
  } else {
    parts.compiler = std::make_shared<NvrtcCompiler>();
  }
  parts.cache = BinaryCache::from_environment();
  parts.database = database_path(options.database);
  parts.pinned = options.pinned_database.empty() ? runtime::environment("UPSWEEP_PINNED_DB").value_or("")
                                                 : options.pinned_database;
  parts.record_wanted = options.record_wanted && !recording_is_off();
  parts.reproducible = options.reproducible;
  parts.dependent_launch = options.dependent_launch;
  parts.forced = forced_config();
  return parts;
}

Environment Engine::environment() const {
  return {.driver = parts_.device->driver_version(),
          .compiler = parts_.compiler->version(),
          .generator = generator_version()};
}

const std::vector<tuning_db::Winner>& Engine::winners_for(const Problem& problem) {
  if (!parts_.pinned.empty()) return *winners_;
  if (!winners_) winners_.emplace();
  const auto serves = [&](const Problem& other) { return tuning_db::may_serve(other, problem); };
  if (std::any_of(known_for_.begin(), known_for_.end(), serves)) return *winners_;
  const auto add = [&](std::vector<tuning_db::Winner> found) {
    for (tuning_db::Winner& each : found) winners_->push_back(std::move(each));
  };
  if (!parts_.database.empty() && std::filesystem::exists(parts_.database)) {
    const tuning_db::Database database(parts_.database, tuning_db::Database::Mode::read_only);
    add(database.winners({.serving = problem}));
  }
  add(tuning_db::shipped_winners_for(problem));
  known_for_.push_back(problem);
  return *winners_;
}

std::optional<Environment> Engine::preferred_environment() const {
  if (!parts_.pinned.empty()) return std::nullopt;  // the same choice wherever the file is
  try {
    return environment();
  } catch (const CompilerError&) {
    return std::nullopt;  // explaining a choice needs no compiler
  }
}

tuning_db::Choice Engine::choose(const Problem& problem) {
  validate(problem);
  if (parts_.forced) {
    const Space space(problem, parts_.device->limits());
    try {
      Config config = space.complete_around(*parts_.forced);
      space.validate(config);
      return {std::move(config), tuning_db::Rung::forced, "UPSWEEP_FORCE_CONFIG says so", std::nullopt};
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("UPSWEEP_FORCE_CONFIG: {}", error.what()));
    }
  }
  const std::lock_guard lock(winners_mutex_);
  const std::vector<tuning_db::Winner>& known = winners_for(problem);
  return tuning_db::choose(
      problem, parts_.device->identity(), parts_.device->limits(), known,
      {.reproducible = parts_.reproducible, .environment = known.empty() ? std::nullopt : preferred_environment()});
}

Plan Engine::plan(const Problem& problem, Stream stream) {
  const std::uint64_t key = pack(problem);
  {
    const std::shared_lock lock(plans_mutex_);
    if (const auto at = plans_.find(key); at != plans_.end()) return at->second;
  }
  tuning_db::Choice choice = choose(problem);
  const tuning_db::Rung rung = choice.rung;
  Plan plan(make_plan(problem, std::move(choice), stream));
  if (wanted_ && rung > tuning_db::Rung::exact) wanted_->add(problem, tuning_db::name(rung));
  const std::unique_lock lock(plans_mutex_);
  return plans_.try_emplace(key, std::move(plan)).first->second;
}

Plan Engine::plan(const Problem& problem, const Config& config, Stream stream) {
  Space(problem, parts_.device->limits()).validate(config);
  return Plan(
      make_plan(problem, {config, tuning_db::Rung::forced, "the caller named the config", std::nullopt}, stream));
}

std::shared_ptr<const PlanState> Engine::make_plan(const Problem& problem, tuning_db::Choice choice, Stream stream) {
  Source source = generate(problem, choice.config, parts_.device->target());
  if (!kernels_.holds(source.key) && parts_.device->identify(stream).capture != 0) {
    throw DeviceError(
        fmt::format("the kernel for {} is not compiled yet and the stream is being captured: call prepare() before the "
                    "capture begins",
                    to_string(problem)));
  }
  auto state = std::make_shared<PlanState>();
  state->device = parts_.device;
  state->workspaces = workspaces_;
  state->problem = problem;
  state->choice = std::move(choice);
  state->kernel = kernels_.get(std::move(source));
  state->identity = identity(problem.op, problem.accumulator);
  state->launch = launch_of(state->kernel->source.launch, parts_.dependent_launch);
  state->layout = workspaces_->layout(state->kernel->source.workspace.layout);
  return state;
}

void Engine::refresh() {
  {
    const std::lock_guard lock(winners_mutex_);
    if (parts_.pinned.empty()) {
      winners_.reset();
      known_for_.clear();
    }
  }
  const std::unique_lock lock(plans_mutex_);
  plans_.clear();
}

}  // namespace upsweep::runtime
