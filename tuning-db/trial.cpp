#include "tuning-db/trial.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>
#include <utility>

#include "base/median.hpp"
#include "base/text.hpp"
#include "generator/space.hpp"
#include "generator/stored_config.hpp"

namespace upsweep::tuning_db {
namespace {

// Digits where the pattern has a 0, itself elsewhere.
bool matches(std::string_view text, std::string_view pattern) {
  return text.size() == pattern.size() && std::equal(text.begin(), text.end(), pattern.begin(), [](char c, char p) {
           return p == '0' ? c >= '0' && c <= '9' : c == p;
         });
}

constexpr std::array<std::string_view, 8> verdict_names{"measured", "not_compiled", "pruned",        "wrong",
                                                        "crashed",  "hung",         "out_of_memory", "failed"};
constexpr std::array<std::string_view, 3> stage_names{"probe", "race", "final"};

template <typename Value, std::size_t count>
Value parse(std::string_view text, const std::array<std::string_view, count>& names, const char* what) {
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) {
    throw UsageError(
        fmt::format("unknown {1} '{0}': use one of {2}", base::clipped(as_utf8(text)), what, fmt::join(names, ", ")));
  }
  return static_cast<Value>(at - names.begin());
}

bool is_binary_hash(std::string_view text) {
  constexpr std::size_t digits = 32;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void validate_outcome(const Trial& trial) {
  if (trial.samples_us.empty() && trial.failure.empty()) {
    throw UsageError("a trial needs samples, or a failure that says why it has no samples");
  }
  if ((trial.verdict == Verdict::measured) != trial.failure.empty()) {
    throw UsageError(fmt::format(
        "a trial with the verdict {} {}", name(trial.verdict),
        trial.failure.empty() ? "needs a failure that says why it was not measured" : "must not have a failure"));
  }
  if (!trial.binary.empty() && !is_binary_hash(trial.binary)) {
    throw UsageError(fmt::format("a trial's binary '{}' is not a hash of 32 lower-case hexadecimal digits",
                                 base::clipped(as_utf8(trial.binary))));
  }
  if (trial.clock_mhz < 0) throw UsageError(fmt::format("a trial's clock of {} MHz is negative", trial.clock_mhz));
}

// No device exceeds these. Stored winners are held against them, so that what was tuned on a device that this version
// does not know is kept; a choice for a device is held against that device's own limits.
DeviceLimits widest_limits(const DeviceIdentity& device) {
  DeviceLimits limits;
  limits.compute_capability = 1000;
  limits.multiprocessors = std::max(device.multiprocessors, 1);
  limits.threads_per_multiprocessor = 2048;
  limits.blocks_per_multiprocessor = 32;
  limits.blocks_per_cluster = 16;
  limits.shared_bytes_per_block = 1 << 20;
  limits.shared_bytes_per_multiprocessor = 1 << 20;
  limits.l2_bytes = std::uint64_t{1} << 40;
  limits.memory_bytes = std::uint64_t{1} << 60;
  return limits;
}

}  // namespace

double Trial::median_us() const {
  return base::median(samples_us);
}

std::string_view name(Verdict verdict) noexcept {
  return verdict_names[static_cast<std::size_t>(verdict)];
}

std::string_view name(Stage stage) noexcept {
  return stage_names[static_cast<std::size_t>(stage)];
}

Verdict parse_verdict(std::string_view text) {
  return parse<Verdict>(text, verdict_names, "verdict");
}

Stage parse_stage(std::string_view text) {
  return parse<Stage>(text, stage_names, "stage");
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

bool is_utc_time(std::string_view text) noexcept {
  constexpr std::string_view seconds = "0000-00-00T00:00:00";
  if (text.size() <= seconds.size() || text.back() != 'Z') return false;
  if (!matches(text.substr(0, seconds.size()), seconds)) return false;
  const std::string_view fraction = text.substr(seconds.size(), text.size() - seconds.size() - 1);
  if (fraction.empty()) return true;
  return fraction.size() >= 2 && fraction.size() <= 10 && fraction[0] == '.' &&
         std::all_of(fraction.begin() + 1, fraction.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void validate(const DeviceIdentity& device) {
  if (device.name.empty()) throw UsageError("a trial's device has no name");
  const int smallest = std::min({device.compute_major, device.compute_minor, device.multiprocessors,
                                 device.memory_bus_bits, device.memory_clock_khz});
  if (smallest < 0) {
    throw UsageError(
        fmt::format("the device of a trial, {}, has a negative property: correct its identity", device.name));
  }
}

bool is_earlier(std::string_view a, std::string_view b) noexcept {
  // "...00.5Z" is after "...00Z", though '.' is before 'Z'.
  return a.substr(0, a.find('Z')) < b.substr(0, b.find('Z'));
}

ProblemNames names_of(const Trial& trial) {
  return trial.is_carried() ? names_of_key(trial.carried_key) : upsweep::names_of(trial.problem);
}

std::string key_of(const Trial& trial) {
  return trial.is_carried() ? trial.carried_key : upsweep::key_of(trial.problem);
}

std::string problem_text(const Trial& trial) {
  return trial.is_carried() ? trial.carried_key : to_string(trial.problem);
}

void set_problem(Trial& trial, const ProblemNames& names, std::uint64_t size) {
  try {
    trial.problem = problem_of(names);
    trial.carried_key.clear();
  } catch (const UsageError&) {
    if (!lacks_definitions(names)) throw;
    trial.problem = {};
    trial.carried_key = upsweep::key_of(names);
  }
  trial.problem.size = size;
}

Config completed(const Trial& trial, Config config) {
  return trial.is_carried() ? config : migrated(trial.problem, std::move(config));
}

ProblemPlace place_of_problem(const Trial& trial) {
  if (trial.is_carried() || has_definitions(trial.problem)) return {true, {}, key_of(trial)};
  ProblemPlace place{false, trial.problem, {}};
  place.problem.size = 0;
  return place;
}

void validate(const Trial& trial) {
  if (trial.is_carried()) {
    (void)names_of_key(trial.carried_key);
  } else {
    upsweep::validate(trial.problem);
  }
  validate(trial.device);
  if (trial.problem.size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw UsageError(
        fmt::format("a trial of {} items cannot be stored: the largest number is 2^63 - 1", trial.problem.size));
  }
  if (!is_utc_time(trial.measured_at)) {
    throw UsageError(fmt::format("a trial's time '{}' is not of the form 2026-11-21T06:58:00Z",
                                 base::clipped(as_utf8(trial.measured_at))));
  }
  for (const double sample : trial.samples_us) {
    if (!std::isfinite(sample) || sample < 0) {
      throw UsageError(fmt::format("a trial's sample of {} us is not a valid time", sample));
    }
  }
  validate_outcome(trial);
}

std::string unfit_to_win(const Trial& trial) {
  if (trial.verdict != Verdict::measured || !trial.failure.empty() || trial.samples_us.empty())
    return "it was not measured";
  if (trial.is_carried()) return {};
  try {
    const auto violations = Space(trial.problem, widest_limits(trial.device)).violations(trial.config);
    return violations.empty() ? std::string() : "its config is not valid: " + violations.front();
  } catch (const Error& error) {
    return error.what();
  }
}

std::string as_utf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return std::string(text);
  }
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

}  // namespace upsweep::tuning_db
