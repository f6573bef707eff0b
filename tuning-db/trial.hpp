// A trial: one config's outcome on one device. A winner: the trial chosen for (device, problem, size class, its side).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

#include "generator/problem_family.hpp"
#include "generator/problem_names.hpp"

namespace upsweep::tuning_db {

// What became of a config.
enum class Verdict : std::uint8_t {
  measured,       // it was right and was timed
  not_compiled,   // the compiler refused it, crashed or took too long
  pruned,         // compiled and not run: spills, too little occupancy, or its binary equals one measured before
  wrong,          // a result was wrong: failure says at which index first
  crashed,        // illegal address, trap, or the worker died
  hung,           // ran past its deadline
  out_of_memory,  // of the device or the host
  failed          // anything else
};

// How well a trial was measured.
enum class Stage : std::uint8_t { probe, race, final };

[[nodiscard]] std::string_view name(Verdict verdict) noexcept;
[[nodiscard]] std::string_view name(Stage stage) noexcept;
// The value of that name. Throws UsageError naming the known ones.
[[nodiscard]] Verdict parse_verdict(std::string_view text);
[[nodiscard]] Stage parse_stage(std::string_view text);

struct Trial {
  std::int64_t id = 0;      // the database's; 0 before it was recorded and in exchanged files
  std::string measured_at;  // UTC, "2026-11-21T06:58:00Z", fractions of a second allowed
  DeviceIdentity device;
  Environment environment;
  Problem problem;  // its size is the number of items measured
  Config config;
  std::vector<double> samples_us;  // microseconds a call
  std::string failure;             // empty if it was measured
  Verdict verdict = Verdict::measured;
  Stage stage = Stage::probe;
  std::string binary;   // hash of the machine code, 32 lower-case hex digits; empty: not known
  int clock_mhz = 0;    // of the multiprocessors while it was measured; 0: not known
  std::string session;  // all trials of one tune of one problem and size share it; may be empty

  // The problem's key if this process lacks a definition that it names, otherwise empty. Of `problem` only the size
  // counts then. Such a trial is carried: kept, exported, imported and merged as it stands, and never chosen.
  std::string carried_key;
  [[nodiscard]] bool is_carried() const noexcept { return !carried_key.empty(); }

  // Infinity if there are no samples: such a trial is never the faster one.
  [[nodiscard]] double median_us() const;

  bool operator==(const Trial&) const = default;
};

struct Winner {
  Trial trial;
  int size_class = 0;
  std::string origin;  // "user" or "shipped"

  bool operator==(const Winner&) const = default;
};

// Now, in the form of Trial::measured_at.
[[nodiscard]] std::string utc_now();

[[nodiscard]] bool is_utc_time(std::string_view text) noexcept;

// Throws UsageError for one without a name or with a negative property.
void validate(const DeviceIdentity& device);

// Whether a time of that form is before another.
[[nodiscard]] bool is_earlier(std::string_view a, std::string_view b) noexcept;

// What the trial's problem is called, whether or not it is carried.
[[nodiscard]] ProblemNames names_of(const Trial& trial);
[[nodiscard]] std::string key_of(const Trial& trial);
[[nodiscard]] std::string problem_text(const Trial& trial);  // for messages

// Makes it the trial's problem; the trial is carried if the names lack definitions. Throws UsageError for other names
// that are not known.
void set_problem(Trial& trial, const ProblemNames& names, std::uint64_t size);

// The config with what it lacks (generator/stored_config.hpp), which needs the problem: as it is if that is carried.
[[nodiscard]] Config completed(const Trial& trial, Config config);

// Where a trial's problem stands among others, whatever the sizes: built-in ones in the order of Problem, then those
// with definitions by their keys, because their numbers are other ones in each process.
struct ProblemPlace {
  bool has_definitions = false;
  Problem problem;
  std::string key;
  auto operator<=>(const ProblemPlace&) const = default;
};
[[nodiscard]] ProblemPlace place_of_problem(const Trial& trial);

// Throws UsageError where a trial cannot be kept: an invalid problem, a time that is none, samples that are not finite
// or negative, neither samples nor a failure, a failure that was measured or none that was not. Whether the config lies
// in the problem's space is not asked, and of a carried trial not whether the problem is valid.
void validate(const Trial& trial);

// Why a trial cannot be a winner: it failed, or its config lies outside the problem's space on every device there is
// (of a carried trial that is not asked). Empty if it can.
[[nodiscard]] std::string unfit_to_win(const Trial& trial);

// The text with bytes that are no UTF-8 replaced by U+FFFD: compilers' logs may hold anything, JSON may not.
[[nodiscard]] std::string as_utf8(std::string_view text);

}  // namespace upsweep::tuning_db
