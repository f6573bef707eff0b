#include "tests/tuner/search/synthetic_space.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tuner/search/restriction.hpp"
#include "tuner/search/trees.hpp"

namespace upsweep::tuner {
namespace {

constexpr double multiprocessors = 132, registers = 65536, shared_bytes = 228 * 1024, most_threads = 2048;
constexpr double bytes_per_us = 4.2e6, launch_us = 2.7;

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 1469598103934665603u ^ (seed * 0x9e3779b97f4a7c15u);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash ^ (hash >> 29);
}

// Uniform in [-1, 1), always the same for a text.
double wobble(const std::string& text, std::uint64_t seed) {
  std::mt19937_64 random(hash_of(text, seed));
  random.discard(3);
  return 2 * uniform(random) - 1;
}

double number(const Config& config, const char* parameter, double otherwise = 1) {
  return config.values.contains(parameter) ? static_cast<double>(config.integer(parameter)) : otherwise;
}

bool is(const Config& config, const char* parameter, const char* value) {
  return config.values.contains(parameter) && config.name(parameter) == value;
}

// What a config makes of the machine.
struct Load {
  double threads = 0;
  double item_bytes_per_thread = 0;
  double registers = 0;
  double shared = 0;
  double tile_bytes = 0;
  double stages = 1;  // of tiles in flight
  double most_blocks = 32;
};

Load load_of(const Problem& problem, const Config& config) {
  const auto in = static_cast<double>(size_of(problem.input));
  Load load;
  if (config.schedule == "lookahead") {
    const double vectors = number(config, "vectors_per_thread"), ahead = number(config, "reduce_ahead");
    load.threads = (number(config, "worker_warps") + 3) * 32;
    load.tile_bytes = number(config, "worker_warps") * 512 * vectors;
    load.item_bytes_per_thread = vectors * 16;
    load.registers = 34 + 4.6 * vectors + 1.3 * ahead;
    load.stages = number(config, "stages");
    load.shared = load.stages * load.tile_bytes + 2048;
    load.most_blocks = number(config, "blocks_per_multiprocessor");
    return load;
  }
  const double items = number(config, "items_per_thread");
  load.threads = number(config, "threads_per_block");
  load.item_bytes_per_thread = items * in;
  load.tile_bytes = load.threads * load.item_bytes_per_thread;
  load.registers = 26 + items * std::max(in, 4.0) / 4 * 1.15;
  load.shared = is(config, "load", "block_transpose") || is(config, "load", "warp_transpose") ? load.tile_bytes : 512;
  load.most_blocks = number(config, "blocks_per_multiprocessor", 32);
  const double bound = registers / (load.threads * number(config, "minimum_blocks"));
  load.registers = std::max(load.registers, std::min(bound, 40.0));
  return load;
}

double blocks_of(const Load& load) {
  const double per_thread = std::ceil(std::min(load.registers, 255.0) / 8) * 8;
  const double warps = std::ceil(load.threads / 32);
  return std::max(1.0,
                  std::min({std::floor(registers / (per_thread * 32 * warps)), std::floor(most_threads / load.threads),
                            std::floor(shared_bytes / (load.shared + 1024)), load.most_blocks, 32.0}));
}

// A factor for what the strategies cost, each more or less with the shape of the tile.
double strategy_factor(const Problem& problem, const Config& config, const Load& load) {
  double factor = 1;
  const double items = number(config, "items_per_thread", 8);
  if (is(config, "load", "direct")) factor *= 1 + 0.05 * std::log2(1 + items);
  if (is(config, "load", "vectorized")) factor *= load.item_bytes_per_thread > 64 ? 1.12 : 0.985;
  if (is(config, "load", "block_transpose")) factor *= 1.03 + load.threads / 20000;
  if (is(config, "store", "direct")) factor *= 1 + 0.04 * std::log2(1 + items);
  if (is(config, "store", "vectorized")) factor *= load.item_bytes_per_thread > 48 ? 1.1 : 0.98;
  if (is(config, "store", "block_transpose")) factor *= 1.025;
  if (is(config, "store", "warp_transpose") && std::fmod(items, 2) == 0) factor *= 1.02;  // banks
  if (is(config, "warp_scan", "sklansky")) factor *= 1.01;
  if (is(config, "warp_scan", "brent_kung")) factor *= 1.03;
  if (is(config, "block_scan", "raking")) factor *= load.threads > 300 ? 0.985 : 1.04;
  if (is(config, "block_reduce", "raking")) factor *= 1.015;
  if (is(config, "accumulate", "per_tile")) factor *= 1.2;
  if (is(config, "descriptor", "split")) factor *= 1.03;
  if (is(config, "prefetch", "none")) factor *= 1 + 0.06 * std::exp(-static_cast<double>(problem.size) / 3e7);
  if (is(config, "order", "strided")) factor *= number(config, "blocks_per_multiprocessor") > 1 ? 1.03 : 0.99;
  if (is(config, "fill", "async")) factor *= 1.07;
  if (is(config, "fill", "bulk_once")) factor *= problem.size > (1u << 26) ? 0.985 : 1.02;
  if (is(config, "emit", "vectorized")) factor *= 1.04;
  if (is(config, "emit", "bulk_once")) factor *= problem.size > (1u << 26) ? 1.01 : 1.05;
  if (is(config, "dependent_launch", "no")) factor *= 1 + 0.15 * std::exp(-static_cast<double>(problem.size) / 4e6);
  return factor;
}

// Waiting of tiles for those before them.
double chain_us(const Problem& problem, const Config& config, const Load& load, double blocks) {
  const double bytes = static_cast<double>(problem.size) * static_cast<double>(size_of(problem.input));
  const double tiles = std::ceil(bytes / load.tile_bytes);
  const double delay = number(config, "delay_nanoseconds", 0) / 1000, resident = multiprocessors * blocks;
  if (config.schedule == "lookback") {
    const double window = number(config, "lookback_window");
    const double hops = std::max(1.0, std::min(tiles, resident) / window);
    const double crowding = 0.00035 * resident * window / 32 / (1 + 30 * delay);  // polling is traffic
    return 0.8 + hops * 0.012 + delay * (1 + hops * 0.05) + tiles * 0.00012 * (1 + crowding * 8);
  }
  if (config.schedule == "chained") return tiles * 0.02 + delay;
  if (config.schedule == "all_aggregates") return 1.1 + delay + tiles * tiles / load.threads * 0.0001;
  if (config.schedule == "lookahead") {
    const double ahead = number(config, "reduce_ahead"), rounds = tiles / resident;
    const double asks = resident / (32 * number(config, "states_per_lane"));
    const double hidden = 1 - std::exp(-(ahead + 0.3) * load.tile_bytes / 30000);
    return 2.2 + rounds * (1.1 + 0.25 * asks) * (1 - 0.93 * hidden);
  }
  return config.schedule == "last_block" ? 1.3 + 0.0006 * resident : 0.9 + 0.0011 * resident;
}

double time_of(const Problem& problem, const Config& config, std::uint64_t seed) {
  const Load load = load_of(problem, config);
  const double blocks = blocks_of(load);
  const bool reduce = problem.algorithm == Algorithm::reduce;
  const double in = static_cast<double>(problem.size) * static_cast<double>(size_of(problem.input));
  const double out = reduce ? 0 : static_cast<double>(problem.size) * static_cast<double>(size_of(problem.output));
  const double in_flight =
      blocks * (config.schedule == "lookahead" ? (load.stages - number(config, "reduce_ahead") * 0.7) * load.tile_bytes
                                               : load.tile_bytes * 0.55);
  double efficiency = 1 - std::exp(-in_flight / 26000);
  efficiency *= 1 - 0.12 * std::exp(-blocks * load.threads / 500);
  if (load.tile_bytes > 60000) efficiency *= 0.95;
  // What is on its way at once falls out of a cache of its own, beyond so many bytes.
  if (config.schedule == "lookahead") efficiency /= 1 + 0.16 * std::fabs(std::log2(load.shared * blocks / 90e3));
  const double tiles = std::ceil(in / load.tile_bytes), at_once = multiprocessors * blocks;
  const double waves = tiles / at_once;
  const double tail = waves > 12 ? 1 + 0.3 / waves : std::ceil(waves) / std::max(waves, 0.3);
  double spill = 1;
  const double cap = std::min(255.0, registers / (load.threads * number(config, "minimum_blocks", 1)));
  if (load.registers > cap - 2) spill += 0.15 + 0.02 * (load.registers - cap);
  double us = launch_us + (in + out) / bytes_per_us / efficiency * std::min(tail, 2.0) * std::max(spill, 1.0) *
                              strategy_factor(problem, config, load);
  us += chain_us(problem, config, load, blocks) * (spill > 1 ? 1.2 : 1.0);
  // What no model sees: pairs of parameters that get on better or worse, and each binary's own luck.
  const double own = std::fabs(wobble(to_json(config), seed));
  double rugged = 1 + 0.008 * own;
  for (auto a = config.values.begin(); a != config.values.end(); ++a) {
    for (auto b = config.values.begin(); b != a; ++b) {
      rugged +=
          0.006 * wobble(config.schedule + a->first + to_string(a->second) + b->first + to_string(b->second), seed);
    }
  }
  return us * rugged;
}

// Some of the values of each parameter, the more important ones of more: thinned until few enough configs are left.
Restriction part_of(const GeneratedSpace& space, const ScheduleParameters& schedule, std::size_t configs,
                    std::mt19937_64& random) {
  Restriction restriction{.values = {}, .schedules = {schedule.name}};
  const Config middle = space.space().complete({schedule.name, {}});
  for (const Parameter& parameter : schedule.parameters) {
    std::vector<ParameterValue>& values = restriction.values[parameter.name] = parameter.values;
    std::erase_if(values, [&](const ParameterValue& value) {  // those that searches seldom look at
      return std::find(parameter.baselines.begin(), parameter.baselines.end(), value) != parameter.baselines.end();
    });
  }
  while (true) {
    double points = 1;
    for (const auto& [name, values] : restriction.values) points *= static_cast<double>(values.size());
    if (points <= 3 * static_cast<double>(configs)) {
      const RestrictedSpace left(space, restriction);
      std::size_t valid = 0;
      for (std::uint64_t index = 0; index < left.points(); ++index) valid += left.contains(index) ? 1 : 0;
      if (valid <= configs) return restriction;
    }
    // The longest lists lose values most often.
    auto at = restriction.values.begin();
    std::advance(at, random() % restriction.values.size());
    auto other = restriction.values.begin();
    std::advance(other, random() % restriction.values.size());
    std::vector<ParameterValue>& values = (at->second.size() > other->second.size() ? at : other)->second;
    const std::string& name = (at->second.size() > other->second.size() ? at : other)->first;
    if (values.size() < 2) continue;
    const auto victim = values.begin() + static_cast<std::ptrdiff_t>(random() % values.size());
    if (*victim != middle.values.at(name)) values.erase(victim);
  }
}

}  // namespace

std::vector<tuning_db::Trial> made_up_trials(const Problem& problem, std::uint64_t seed, std::size_t configs) {
  const DeviceIdentity device{.name = "made up", .compute_major = 9, .compute_minor = 0, .multiprocessors = 132};
  const GeneratedSpace space(problem, limits_of_architecture("sm_90"));
  std::mt19937_64 random(seed);
  std::set<Config> chosen;
  for (const Config& config : space.seed_configs()) chosen.insert(config);
  std::size_t suiting = 0;
  for (const ScheduleParameters& schedule : space.schedules()) suiting += schedule.suits ? 1 : 0;
  for (const ScheduleParameters& schedule : space.schedules()) {
    if (!schedule.suits) continue;
    const RestrictedSpace part(space, part_of(space, schedule, configs / suiting, random));
    for (std::uint64_t index = 0; index < part.points(); ++index) {
      if (part.contains(index)) chosen.insert(part.point(index));
    }
  }
  std::vector<tuning_db::Trial> trials;
  for (const Config& config : chosen) {
    tuning_db::Trial& trial = trials.emplace_back();
    trial.measured_at = "2026-11-21T00:00:00Z";
    trial.device = device;
    trial.environment = {"made up", "made up", "made up"};
    trial.problem = problem;
    trial.config = config;
    trial.samples_us = {time_of(problem, config, seed)};
    if (config != space.default_config() && hash_of(to_json(config), seed + 1) % 29 == 0) {
      trial.samples_us.clear();
      trial.verdict = tuning_db::Verdict::pruned;
      trial.failure = "made up";
    }
  }
  return trials;
}

}  // namespace upsweep::tuner
