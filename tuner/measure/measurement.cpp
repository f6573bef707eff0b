#include "tuner/measure/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/median.hpp"

namespace upsweep::tuner {
namespace {

// More would be noise, and is to be kept and shipped.
double five_digits(double us) {
  if (!(us > 0)) return us;
  const double power = std::pow(10.0, std::abs(4 - std::floor(std::log10(us))));
  return us < 1e5 ? std::round(us * power) / power : std::round(us / power) * power;
}

// Of all slots, without patterns.
std::vector<TimedArray> all_slots(std::span<const TimedArray> arrays, int slots) {
  std::vector<TimedArray> all;
  for (const TimedArray& array : arrays) all.push_back({array.direction, slot_stride(array.bytes) * slots});
  return all;
}

std::uint64_t bytes_of_blocks(const std::vector<runtime::Buffer>& blocks) {
  std::uint64_t bytes = 0;
  for (const runtime::Buffer& block : blocks) bytes += block.bytes();
  return bytes;
}

}  // namespace

double steady_microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
                         HostClock clock)
    : device_(device),
      stream_(stream),
      clock_(std::move(clock)),
      slots_(rotation_slots(device.limits(), device.target(), bytes_of_call(arrays))),
      call_bytes_(bytes_of_call(arrays)) {
  for (;; slots_ /= 2) {
    try {
      own_.emplace(device_, stream_, all_slots(arrays, slots_));
      break;
    } catch (const DeviceError&) {
      if (slots_ == 1) throw;
    }
  }
  memory_ = &*own_;
  static_cast<void>(lay_out(arrays));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    fill_slots(device_, stream_, arrays_[i].first, arrays[i], arrays_[i].stride, slots_);
  }
}

Measurement::Measurement(runtime::Device& device, runtime::Stream stream, std::span<const TimedArray> arrays,
                         RotationMemory& memory, HostClock clock)
    : device_(device), stream_(stream), clock_(std::move(clock)), call_bytes_(bytes_of_call(arrays)), memory_(&memory) {
  const std::uint64_t room = lay_out(arrays);
  if (room == 0) {
    throw DeviceError(
        fmt::format("a call needs {} bytes of input and {} bytes of output, but the memory for measuring has only {} "
                    "and {} bytes: use fewer items",
                    bytes_of_call(arrays, Direction::in), bytes_of_call(arrays, Direction::out),
                    bytes_of_blocks(memory.inputs), bytes_of_blocks(memory.outputs)));
  }
  const int wanted = rotation_slots(device.limits(), device.target(), call_bytes_);
  slots_ = static_cast<int>(std::min<std::uint64_t>(room, wanted));
}

std::uint64_t Measurement::lay_out(std::span<const TimedArray> arrays) {
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
  std::size_t inputs = 0, outputs = 0;
  for (const TimedArray& array : arrays) {
    const bool reads = array.direction == Direction::in;
    const std::vector<runtime::Buffer>& blocks = reads ? memory_->inputs : memory_->outputs;
    const std::size_t index = reads ? inputs++ : outputs++;
    if (index >= blocks.size()) return 0;
    const std::uint64_t stride = slot_stride(array.bytes);
    room = std::min(room, blocks[index].bytes() / stride);
    arrays_.push_back({static_cast<std::byte*>(blocks[index].data()), stride});
  }
  if (arrays_.size() > most_arrays) throw UsageError(fmt::format("a call has {} arrays at most", most_arrays));
  return room;
}

SlotArrays Measurement::slot(int index) const {
  SlotArrays addresses{};
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    addresses[i] = arrays_[i].first + static_cast<std::uint64_t>(index) * arrays_[i].stride;
  }
  return addresses;
}

void Measurement::step(const Call& call, const TimingOptions& options) {
  call(slot(next_slot_), stream_);
  if (options.caches == Caches::cold) next_slot_ = (next_slot_ + 1) % slots_;
}

double Measurement::synchronized_sample(const Call& call, int calls, const TimingOptions& options) {
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    device_.synchronize(stream_);
    const double begin = clock_();
    step(call, options);
    device_.synchronize(stream_);
    times.push_back(clock_() - begin);
  }
  return base::median(std::move(times));
}

double Measurement::enqueued_sample(const Call& call, int calls, const TimingOptions& options) {
  device_.synchronize(stream_);
  const double begin = clock_();
  for (int i = 0; i < calls; ++i) step(call, options);
  const double end = clock_();
  device_.synchronize(stream_);
  return (end - begin) / calls;
}

double Measurement::launched_sample(const Call& call, int calls, const TimingOptions& options) {
  const double us = device_.elapsed_us(stream_, [&] {
    for (int i = 0; i < calls; ++i) step(call, options);
  });
  busy_us_ += us;
  return five_digits(us / calls);
}

double Measurement::take_one(const Series& series, const TimingOptions& options) {
  if (options.timing == Timing::synchronized) return synchronized_sample(series.call_, series.calls_, options);
  if (options.timing == Timing::enqueued) return enqueued_sample(series.call_, series.calls_, options);
  return launched_sample(series.call_, series.calls_, options);
}

bool Measurement::finds_its_input_cached(const Series& series, const TimingOptions& options) const {
  return options.caches == Caches::cold && call_bytes_ * series.slots_ < 4 * device_.limits().l2_bytes;
}

// Writes twice what the cache holds.
void Measurement::evict() {
  if (memory_->eviction.data() == nullptr) memory_->eviction = runtime::Buffer(device_, 2 * device_.limits().l2_bytes);
  device_.fill(memory_->eviction.data(), 0, memory_->eviction.bytes(), stream_);
}

std::vector<double> Measurement::take_replayed(std::span<Series* const> series, const TimingOptions& options) {
  std::vector<std::function<void()>> works;
  std::vector<bool> is_sample;
  for (Series* each : series) {
    if (finds_its_input_cached(*each, options)) {
      works.emplace_back([this] { evict(); });
      is_sample.push_back(false);
    }
    works.emplace_back([this, each] { each->recording_->replay(stream_); });
    is_sample.push_back(true);
  }
  const std::vector<double> times = device_.elapsed_each_us(stream_, works, [&] {
    clocks_ = device_.clocks();
    clocks_are_of_now_ = true;
    if (options.meanwhile) options.meanwhile();
  });
  std::vector<double> samples;
  for (std::size_t i = 0; i < times.size(); ++i) {
    busy_us_ += times[i];
    if (is_sample[i]) samples.push_back(five_digits(times[i] / series[samples.size()]->calls_));
  }
  return samples;
}

std::vector<double> Measurement::take(std::span<Series* const> series, const TimingOptions& options) {
  clocks_are_of_now_ = false;
  const auto recorded = [](const Series* each) { return each->recording_ != nullptr; };
  if (options.timing == Timing::replayed && std::all_of(series.begin(), series.end(), recorded)) {
    return take_replayed(series, options);
  }
  std::vector<double> samples;
  if (options.timing != Timing::back_to_back && options.timing != Timing::replayed) {
    for (const Series* each : series) samples.push_back(take_one(*each, options));
    return samples;
  }
  std::vector<runtime::Stretch> stretches;
  for (const Series* each : series) {
    stretches.push_back(
        {[this, each, &options] { step(each->call_, options); }, each->calls_, each->call_us_, options.launches});
  }
  samples = device_.back_to_back_us(stream_, stretches);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    busy_us_ += samples[i];
    samples[i] = five_digits(samples[i] / series[i]->calls_);
  }
  return samples;
}

bool Measurement::record(Series& series, const TimingOptions& options) {
  const int calls = std::min(series.calls_, std::max(options.maximum_recorded, 1));
  series.recording_ = device_.record(stream_, [&] {
    for (int i = 0; i < calls; ++i) step(series.call_, options);
  });
  if (!series.recording_) return false;
  series.calls_ = calls;
  series.slots_ = options.caches == Caches::cold ? std::min(calls, slots_) : 1;
  return true;
}

void Measurement::record_ahead(Series& series, const Series& like, const TimingOptions& options) {
  if (series.timed_ || series.recording_ || !like.recording_) return;
  series.calls_ = like.calls_;
  (void)record(series, options);
}

bool Measurement::hopeless(double us, const TimingOptions& options) {
  // The first call is timed with what it loads and the latency of its launch.
  constexpr double latency_us = 1000;
  return us > 4 * options.limit_us + latency_us;
}

bool Measurement::record_if_possible(Series& series, const TimingOptions& options) {
  constexpr double hardly_us = 100;  // what may be spent on finding out how many calls to record
  constexpr int few_calls = 8;
  const double samples = series.call_us_ * series.calls_ / options.sample_us;
  if (series.recording_ && samples <= few_calls) return true;
  series.recording_.reset();
  const int calls = series.call_us_ * few_calls < hardly_us ? few_calls : 1;
  const double us = launched_sample(series.call_, calls, options);
  const int most = std::max(options.maximum_calls, 1);
  series.calls_ = us > 0 ? static_cast<int>(std::clamp<double>(std::ceil(options.sample_us / us), 1, most)) : most;
  return record(series, options);
}

bool Measurement::warm_up_replayed(Series& series, const TimingOptions& options) {
  series.call_us_ = launched_sample(series.call_, 1, options);
  if (hopeless(series.call_us_, options)) return false;
  if (!record_if_possible(series, options)) {
    TimingOptions other = options;
    other.timing = Timing::back_to_back;
    return warm_up(series, other);
  }
  Series* one = &series;
  TimingOptions alone = options;
  alone.meanwhile = {};  // that is for longer waits
  series.call_us_ = take_replayed(std::span(&one, 1), alone).front();
  series.timed_ = true;
  return true;
}

bool Measurement::warm_up(Series& series, const TimingOptions& options) {
  if (series.timed_) return true;
  if (options.timing == Timing::replayed && device_.target() != Target::host) return warm_up_replayed(series, options);
  const int most = device_.target() == Target::host ? 1 : std::max(options.maximum_calls, 1);
  series.calls_ = 1;
  for (int round = 0;; ++round) {
    Series* one = &series;
    series.call_us_ = 0;  // what the device takes is not known yet, as long as the latency of a launch is part of it
    series.call_us_ = take(std::span(&one, 1), options).front();
    if (hopeless(series.call_us_, options)) return false;
    series.timed_ = is_long(series);
    if (series.timed_) return true;
    if (round == 0) continue;
    const double fitting = series.call_us_ > 0 ? std::ceil(options.sample_us / series.call_us_) : most;
    const bool near = series.call_us_ * series.calls_ >= options.sample_us / 4;
    series.calls_ = static_cast<int>(std::clamp<double>(fitting, series.calls_, most));
    series.timed_ = near || series.calls_ == most;
    if (series.timed_) return true;
  }
}

std::vector<double> Measurement::time(const Call& call, const TimingOptions& options) {
  Series series(call);
  return time(series, options);
}

bool Measurement::is_long(const Series& series) const {
  constexpr double long_us = 100'000;  // what a call finds in caches is lost in that
  return device_.target() == Target::host && series.call_us_ > long_us;
}

std::vector<double> Measurement::time(Series& series, const TimingOptions& options) {
  const bool first = !series.timed_;
  if (!warm_up(series, options)) return {series.call_us_};
  const auto wanted = static_cast<std::size_t>(series.call_us_ > options.limit_us ? 1 : std::max(options.samples, 1));
  if (first && wanted == 1 && is_long(series)) return {series.call_us_};
  const std::vector<Series*> again(wanted, &series);
  int retries = 1;
  while (true) {
    std::vector<double> samples = take(again, options);
    if (!must_drop(static_cast<int>(wanted), retries)) return samples;
  }
}

bool Measurement::must_drop(int samples, int& retries) {
  if (!std::exchange(clocks_are_of_now_, false)) clocks_ = device_.clocks();
  if (!clocks_.throttled() || retries-- <= 0) return false;
  dropped_ += samples;
  return true;
}

std::vector<std::vector<double>> Measurement::time_in_turn(std::span<const Call> calls, const TimingOptions& options) {
  std::vector<Series> all(calls.begin(), calls.end());
  std::vector<Series*> series;
  for (Series& each : all) series.push_back(&each);
  return time_in_turn(series, options);
}

std::vector<std::vector<double>> Measurement::time_in_turn(std::span<Series* const> series,
                                                           const TimingOptions& asked) {
  const double begin = clock_();
  TimingOptions options = asked;
  options.limit_us = std::numeric_limits<double>::infinity();
  // Warming a call up takes about as long as one of its samples.
  const auto shares = static_cast<double>(series.size()) * (std::max(options.samples, 1) + 1);
  options.sample_us = std::min(options.sample_us, options.budget_us / std::max(shares, 1.0));

  for (Series* each : series) (void)warm_up(*each, options);
  std::vector<std::vector<double>> samples(series.size());
  double round_us = 0;
  const int wanted = std::max(options.samples, 1);
  // The host need not look at the clock between rounds that cost it nothing.
  const int at_once = options.timing == Timing::replayed && std::isinf(options.budget_us) ? wanted : 1;
  int retries = std::max(options.samples / at_once, 1);
  std::vector<Series*> rounds;
  for (int i = 0; i < at_once; ++i) rounds.insert(rounds.end(), series.begin(), series.end());
  for (int round = 0; round < wanted;) {
    const double now = clock_();
    if (round >= options.fewest_samples && now - begin + round_us > options.budget_us) break;
    const std::vector<double> taken = take(rounds, options);
    round_us = clock_() - now;
    if (must_drop(at_once, retries)) continue;
    for (std::size_t i = 0; i < taken.size(); ++i) samples[i % series.size()].push_back(taken[i]);
    round += at_once;
  }
  return samples;
}

}  // namespace upsweep::tuner
