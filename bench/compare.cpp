#include "bench/compare.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "bench/contestants.hpp"
#include "generator/algorithm.hpp"

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

// Bytes of slots for all modes of a problem.
Footprint wanted(const runtime::Device& device, const Footprint& call) {
  const auto slots =
      static_cast<std::uint64_t>(tuner::rotation_slots(device.limits(), device.target(), call.input + call.output));
  return {slots * tuner::slot_stride(call.input), slots * tuner::slot_stride(call.output)};
}

// What the peer, the workspaces and the driver need besides: a sixteenth.
std::uint64_t usable_bytes(const runtime::Device& device) {
  const std::uint64_t memory = device.limits().memory_bytes;
  return memory == 0 ? std::numeric_limits<std::uint64_t>::max() : memory / 16 * 15;
}

bool fits(const runtime::Device& device, const Footprint& call) {
  const std::uint64_t usable = usable_bytes(device);
  return call.input <= usable && call.output <= usable - call.input;
}

// As much as the largest asks for, or halves of it until there is room.
tuner::RotationMemory allocate(runtime::Device& device, const CompareOptions& options,
                               std::span<const Problem> problems) {
  Footprint most;
  for (const Problem& problem : problems) {
    const Footprint call = footprint(problem, options);
    if (!fits(device, call)) continue;
    const Footprint slots = wanted(device, call);
    most = {std::max(most.input, slots.input), std::max(most.output, slots.output)};
  }
  if (most.input == 0) {
    throw DeviceError(fmt::format("all sizes are too large for the {} bytes of memory of {}: use fewer items",
                                  device.limits().memory_bytes, device.label()));
  }
  for (;;) {
    try {
      return {device, nullptr, most.input, most.output, pattern()};
    } catch (const DeviceError&) {
      constexpr std::uint64_t least = 4096;
      if (most.input <= least) throw;
      most = {most.input / 2, std::max<std::uint64_t>(most.output / 2, least)};
    }
  }
}

}  // namespace

Row make_row(Who who, std::string label, std::uint64_t bytes, const std::vector<double>& samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const double median = tuner::median(sorted);
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

Footprint footprint(const Problem& problem, const CompareOptions& options) {
  // More than any memory has is cut down to where no product overflows.
  const auto bytes = [](std::uint64_t items, Type type) {
    return std::min(items, std::uint64_t{1} << 56) * size_of(type);
  };
  const std::uint64_t in = bytes(problem.size, problem.input);
  const std::uint64_t in_offset = bytes(options.offset_in, problem.input);
  const std::uint64_t out_offset = bytes(options.offset_out, problem.output);
  if (!is_dense(problem)) return {in + in_offset, size_of(problem.output) + out_offset};
  const std::uint64_t out = bytes(problem.size, problem.output);
  const std::uint64_t copied = (in + out) / 2;
  return {std::max(in + in_offset, copied), std::max(out + out_offset, copied)};
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
  const Footprint call = footprint(problem, options_);
  if (fits(engine_.device(), call) && tuner::slot_stride(call.input) <= memory_.inputs.bytes() &&
      tuner::slot_stride(call.output) <= memory_.outputs.bytes()) {
    return {};
  }
  return fmt::format("{} bytes of input and {} of output do not fit in the memory of {}", call.input, call.output,
                     engine_.device().label());
}

std::vector<Cell> Comparison::run(const Problem& problem) {
  if (const std::string why = obstacle(problem); !why.empty()) throw DeviceError(why + ": use fewer items");
  // As calls are planned whose slots begin at aligned addresses.
  const auto at = [](std::uint64_t items, Type type) { return reinterpret_cast<const void*>(items * size_of(type)); };
  Problem planned = problem;
  planned.size =
      runtime::planned_size(problem, at(options_.offset_in, problem.input), at(options_.offset_out, problem.output));
  const Plan chosen = engine_.plan(planned, nullptr);
  const std::vector<Contestant> all =
      contestants(engine_, problem, chosen, peer_, plain_ ? &*plain_ : nullptr, options_);
  std::vector<tuner::Measurement::Call> calls;
  for (const Contestant& each : all) calls.push_back(each.call);

  const Footprint call = footprint(problem, options_);
  tuner::Measurement measurement(engine_.device(), nullptr, call.input, call.output, memory_);
  std::vector<Cell> cells;
  for (const Mode& mode : options_.modes) {
    tuner::TimingOptions timing{.samples = options_.samples, .caches = mode.caches, .timing = mode.timing};
    timing.budget_us = options_.budget_us / static_cast<double>(options_.modes.size());
    const std::vector<std::vector<double>> samples = measurement.time_in_turn(calls, timing);
    Cell cell{problem, mode, chosen.rung(), chosen.config(), measurement.slots(), {}};
    for (std::size_t i = 0; i < all.size(); ++i) {
      cell.rows.push_back(make_row(all[i].who, all[i].label, all[i].bytes, samples[i]));
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace upsweep::bench
