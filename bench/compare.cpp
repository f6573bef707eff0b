#include "bench/compare.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/median.hpp"
#include "bench/contestants.hpp"
#include "generator/algorithm.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/verify/density_data.hpp"

namespace upsweep::bench {
namespace {

// Bytes of 0x20 to 0x3f: whatever a floating type's items are cut from them, they are finite and positive.
std::vector<std::byte> pattern() {
  std::mt19937_64 random(1);
  std::vector<std::byte> bytes(std::size_t{1} << 20);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(0x20 | (random() & 0x1f));
  return bytes;
}

// Value at a fraction of the way through sorted samples, between neighbours in proportion.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double at = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

// Whether the data decide how many items a call writes.
bool keeps_some(const Problem& problem) {
  const std::vector<Port> all = ports(problem);
  return std::any_of(all.begin(), all.end(), [](const Port& port) { return port.extent == Extent::at_most_n; });
}

// What the peer, the workspaces and the driver need besides: a sixteenth.
std::uint64_t usable_bytes(const runtime::Device& device) {
  const std::uint64_t memory = device.limits().memory_bytes;
  return memory == 0 ? std::numeric_limits<std::uint64_t>::max() : memory / 16 * 15;
}

bool fits(const runtime::Device& device, std::span<const tuner::TimedArray> call) {
  const std::uint64_t usable = usable_bytes(device);
  std::uint64_t bytes = 0;
  return std::all_of(call.begin(), call.end(), [&](const tuner::TimedArray& array) {
    return !__builtin_add_overflow(bytes, array.bytes, &bytes) && bytes <= usable;
  });
}

// Blocks for the inputs, and for the outputs, of all problems.
class Blocks {
 public:
  // Slots for all modes of a problem.
  void add(const runtime::Device& device, std::span<const tuner::TimedArray> call) {
    const int slots = tuner::rotation_slots(device.limits(), device.target(), tuner::bytes_of_call(call));
    std::size_t inputs = 0, outputs = 0;
    for (const tuner::TimedArray& array : call) {
      const bool reads = array.direction == Direction::in;
      std::vector<std::uint64_t>& blocks = reads ? inputs_ : outputs_;
      const std::size_t index = reads ? inputs++ : outputs++;
      if (blocks.size() <= index) blocks.resize(index + 1);
      blocks[index] = std::max(blocks[index], slots * tuner::slot_stride(array.bytes));
    }
  }
  [[nodiscard]] bool empty() const { return inputs_.empty(); }
  // False if they are small already.
  [[nodiscard]] bool halve() {
    constexpr std::uint64_t least = 4096;
    if (*std::max_element(inputs_.begin(), inputs_.end()) <= least) return false;
    for (std::uint64_t& block : inputs_) block = std::max(block / 2, std::min(block, least));
    for (std::uint64_t& block : outputs_) block = std::max(block / 2, std::min(block, least));
    return true;
  }
  [[nodiscard]] std::vector<tuner::TimedArray> arrays(std::span<const std::byte> pattern) const {
    std::vector<tuner::TimedArray> all;
    for (const std::uint64_t block : inputs_) all.push_back({Direction::in, block, pattern});
    for (const std::uint64_t block : outputs_) all.push_back({Direction::out, block});
    return all;
  }

 private:
  std::vector<std::uint64_t> inputs_;
  std::vector<std::uint64_t> outputs_;
};

// As much as the largest asks for, or halves of it until there is room.
tuner::RotationMemory allocate(runtime::Device& device, const CompareOptions& options,
                               std::span<const Problem> problems) {
  Blocks most;
  for (const Problem& problem : problems) {
    const std::vector<tuner::TimedArray> call = footprint(problem, options);
    if (fits(device, call)) most.add(device, call);
  }
  if (most.empty()) {
    throw DeviceError(fmt::format("all sizes are too large for the {} bytes of memory of {}: use fewer items",
                                  device.limits().memory_bytes, device.label()));
  }
  const std::vector<std::byte> bytes = pattern();
  for (;;) {
    try {
      return {device, device.default_stream(), most.arrays(bytes)};
    } catch (const DeviceError&) {
      if (!most.halve()) throw;
    }
  }
}

}  // namespace

Row make_row(Who who, std::string label, std::uint64_t bytes, const std::vector<double>& samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const double median = base::median(sorted);
  return {.who = who,
          .label = std::move(label),
          .median_us = median,
          .lowest_us = sorted.front(),
          .lower_quartile_us = quantile(sorted, 0.25),
          .upper_quartile_us = quantile(sorted, 0.75),
          .highest_us = sorted.back(),
          .samples = static_cast<int>(sorted.size()),
          .bytes = bytes,
          .gigabytes_per_second = median > 0 ? static_cast<double>(bytes) / median / 1e3 : 0};
}

std::vector<tuner::TimedArray> footprint(const Problem& problem, const CompareOptions& options) {
  // More than any memory has is cut down to where no sum overflows.
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  std::vector<tuner::TimedArray> arrays =
      tuner::timed_arrays(problem, problem.size, tuner::shifts_of(problem, options.offset_in, options.offset_out), {});
  for (tuner::TimedArray& array : arrays) array.bytes = std::min(array.bytes, most);
  const std::uint64_t read = std::min(input_bytes(problem, problem.size), most);
  const std::uint64_t copied = (read + std::min(output_bytes(problem, problem.size), most)) / 2;
  const bool reduces = entry_of(problem).emission == Emission::at_end;
  bool is_first_input = true, is_first_output = true;
  for (tuner::TimedArray& array : arrays) {
    const bool reads = array.direction == Direction::in;
    if (!std::exchange(reads ? is_first_input : is_first_output, false)) continue;
    if (reads || !reduces) array.bytes = std::max(array.bytes, reduces ? read : copied);
  }
  return arrays;
}

// The same, with what slots must begin with.
static std::vector<tuner::TimedArray> footprint_of(const Problem& problem, const CompareOptions& options,
                                                   const std::vector<tuner::Bytes>& patterns) {
  std::vector<tuner::TimedArray> arrays = footprint(problem, options);
  std::size_t input = 0;
  for (tuner::TimedArray& array : arrays) {
    if (array.direction != Direction::in) continue;
    if (array.begins_slots) array.pattern = patterns.at(input);
    ++input;
  }
  return arrays;
}

Comparison::Comparison(runtime::Engine& engine, std::shared_ptr<const Peer> peer, CompareOptions options,
                       std::span<const Problem> problems)
    : engine_(engine),
      peer_(std::move(peer)),
      options_(std::move(options)),
      memory_(allocate(engine.device(), options_, problems)) {
  if (engine.device().target() == Target::cuda) plain_.emplace(engine);
}

std::string Comparison::obstacle(const Problem& problem) const {
  const std::vector<tuner::TimedArray> call = footprint(problem, options_);
  if (fits(engine_.device(), call) && memory_.have_room(call, 1)) return {};
  return fmt::format("{} bytes of input and {} of output do not fit in the memory of {}",
                     tuner::bytes_of_call(call, Direction::in), tuner::bytes_of_call(call, Direction::out),
                     engine_.device().label());
}

// How many items are selected, or have equal keys, and so what a call writes, is the data's.
std::vector<tuner::Bytes> Comparison::fill(const Problem& problem) {
  const bool counts = keeps_some(problem) || problem.density != Density::unknown || problem.shape == Shape::segments;
  if (!counts && has_pattern_) return {};
  const std::uint64_t items = std::min(problem.size, tuner::pattern_items(problem).most);
  const std::vector<tuner::Bytes> patterns =
      counts ? tuner::make_patterns(problem, items, 1, options_.lengths) : std::vector<tuner::Bytes>{pattern()};
  std::vector<tuner::TimedArray> arrays = tuner::timed_arrays(problem, problem.size, {}, patterns);
  if (!counts) arrays.assign(memory_.inputs.size(), {.direction = Direction::in, .pattern = patterns.front()});
  memory_.fill(engine_.device(), stream(), arrays);
  has_pattern_ = !counts;
  return patterns;
}

// Room for n items is not what a call writes: the first call says how many it keeps.
std::uint64_t Comparison::written_bytes(const Problem& problem, const Plan& plan, const tuner::SlotArrays& slot) {
  if (!keeps_some(problem)) return output_bytes(problem, problem.size);
  const std::vector<Port> outputs = tuner::outputs_of(problem);
  run_plan(plan, problem, options_)(slot, stream());
  const tuner::SlotArrays arrays =
      tuner::shifted(slot, tuner::shifts_of(problem, options_.offset_in, options_.offset_out));
  const std::vector<Port> all = ports(problem);
  const auto kept = [&](const Port& port) -> std::uint64_t {
    if (port.extent != Extent::at_most_n) return port_items(problem, port, problem.size);
    const Port& count = outputs[tuner::count_of(outputs, port)];
    const auto index = static_cast<std::size_t>(std::find(all.begin(), all.end(), count) - all.begin());
    std::array<std::byte, sizeof(std::uint64_t)> value{};
    engine_.device().copy_to_host(value.data(), arrays[index], size_of(count.type), stream());
    return static_cast<std::uint64_t>(tuner::load_number(count.type, value.data()).integer);
  };
  std::uint64_t bytes = 0;
  for (const Port& port : outputs) bytes += kept(port) * size_of(port.type);
  return bytes;
}

std::vector<Cell> Comparison::run(const Problem& problem) {
  if (const std::string why = obstacle(problem); !why.empty()) throw DeviceError(why + ": use fewer items");
  // As calls are planned whose slots begin at aligned addresses.
  const auto at = [](std::uint64_t items, Type type) { return reinterpret_cast<const void*>(items * size_of(type)); };
  Problem planned = problem;
  planned.size =
      runtime::planned_size(problem, at(options_.offset_in, problem.input), at(options_.offset_out, problem.output));
  const Plan chosen = engine_.plan(planned, stream());
  const std::vector<tuner::Bytes> patterns = fill(problem);
  tuner::Measurement measurement(engine_.device(), stream(), footprint_of(problem, options_, patterns), memory_);
  const std::uint64_t written = written_bytes(problem, chosen, measurement.slots().at(0));
  std::vector<Contestant> all =
      contestants(engine_, problem, chosen, written, peer_, plain_ ? &*plain_ : nullptr, options_);
  const std::size_t own_rows = all.size();
  std::vector<tuning_db::RungChoice> rungs;
  for (const tuning_db::Rung rung : options_.rungs) rungs.push_back(engine_.choose_on(rung, planned));
  const std::vector<std::optional<std::size_t>> of_rungs = add_rungs(all, engine_, problem, rungs, options_);
  const std::vector<AddedConfig> configs = add_configs(all, engine_, problem, options_);
  std::vector<tuner::TimedCall> calls;
  for (const Contestant& each : all) calls.push_back(each.call);

  std::vector<Cell> cells;
  for (const Mode& mode : options_.modes) {
    tuner::TimingOptions timing{.samples = options_.samples, .caches = mode.caches, .timing = mode.timing};
    timing.budget_us = options_.budget_us / static_cast<double>(options_.modes.size());
    const std::vector<std::vector<double>> samples = measurement.time_in_turn(calls, timing);
    Cell cell{problem, mode, chosen.rung(), chosen.config(), measurement.slots().count(), {}};
    for (std::size_t i = 0; i < own_rows; ++i) {
      cell.rows.push_back(make_row(all[i].who, all[i].label, all[i].bytes, samples[i]));
    }
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const std::string label(tuning_db::name(rungs[i].rung));
      cell.rungs.push_back({rungs[i], {}});
      if (const auto which = of_rungs[i])
        cell.rungs.back().row = make_row(Who::upsweep, label, all[*which].bytes, samples[*which]);
    }
    for (const AddedConfig& each : configs) {
      cell.configs.push_back(each.cell);
      if (const auto which = each.contestant)
        cell.configs.back().row = make_row(Who::upsweep, each.cell.label, all[*which].bytes, samples[*which]);
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace upsweep::bench
