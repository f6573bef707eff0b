/// @file
/// The config space: which configs a problem can have on a device, and what their parameters mean.
#pragma once

#include <upsweep/export.hpp>

#include <optional>
#include <string>
#include <vector>

#include <upsweep/config.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/problem.hpp>

namespace UPSWEEP_API upsweep {

class Schedule;

/// A tuning parameter of a schedule.
struct Parameter {
  std::string name{};                            ///< Name, as written in configs.
  std::string meaning{};                         ///< What the value is or does, with its unit.
  std::vector<ParameterValue> values{};          ///< All values; numbers are in ascending order.
  std::vector<std::string> value_meanings = {};  ///< What each value does, if the values are names; otherwise empty.

  /// The value that a stored config without the parameter stands for: what kernels did before the parameter existed. No
  /// value: a config without the parameter is not valid.
  std::optional<ParameterValue> absent = {};

  /// Those of the values that are kept to be read, measured and compared with, because others have replaced them. A
  /// search seldom proposes them.
  std::vector<ParameterValue> baselines = {};
};

/// A rule that a config must obey. If a config breaks the rule, ConfigSpace::violations() has a line that begins with
/// the name of the rule.
struct Constraint {
  std::string name{};     ///< Short name, for messages.
  std::string meaning{};  ///< The rule in words.
};

/// A schedule: the structure of a kernel. The schedule decides how blocks claim tiles, exchange partial results and
/// store results.
struct ScheduleInfo {
  std::string name{};                     ///< Name, as written in configs.
  std::string meaning{};                  ///< How the schedule works, in a few sentences.
  std::string source{};                   ///< The publication that describes the schedule, or "upsweep".
  std::vector<Parameter> parameters{};    ///< The parameters of a config with this schedule.
  std::vector<Constraint> constraints{};  ///< The rules that such a config must obey.
  Config default_config{};                ///< The schedule's own default for the problem's size. If no config of the
                                          ///< schedule is valid on the device, this one is not valid either.
};

/// The configs that are valid for a problem on a device.
class ConfigSpace {
 public:
  /// @param problem what to compute; defaults are chosen for problem.size items.
  /// @param limits of a device (Context::device_limits()) or of an architecture (limits_of_architecture()).
  /// @throws UsageError for an invalid problem.
  ConfigSpace(const Problem& problem, const DeviceLimits& limits);

  /// The problem.
  [[nodiscard]] const Problem& problem() const noexcept { return problem_; }
  /// The limits of the device.
  [[nodiscard]] const DeviceLimits& limits() const noexcept { return limits_; }

  /// The schedules of the problem's algorithm, each with its parameters and their values.
  [[nodiscard]] std::vector<ScheduleInfo> describe() const;

  /// The config that a call with problem().size items uses if there are no tuning results for it.
  [[nodiscard]] Config default_config() const;

  /// Completes a config that leaves parameters out. Parameters that are left out get the schedule's defaults. If these
  /// are not valid together with the given values, the result is the nearest valid config: as few and as small changes
  /// of the defaults as possible, counted in doublings. Without a schedule, the config gets the schedule of
  /// default_config().
  /// @throws UsageError with the reason, if the result is not in the space.
  [[nodiscard]] Config resolve(const Config& partial) const;

  /// Why a complete config is not in the space: one line for each rule that it breaks. The result is empty if the
  /// config is in the space.
  [[nodiscard]] std::vector<std::string> violations(const Config& config) const;
  /// Whether a complete config is in the space.
  [[nodiscard]] bool contains(const Config& config) const { return violations(config).empty(); }
  /// @throws UsageError with the first violation.
  void validate(const Config& config) const;

 protected:
  /// @cond internal
  // As resolve, without looking at what comes of it: with the schedule's defaults as they are, or mended. Throw
  // UsageError for an unknown schedule.
  [[nodiscard]] Config complete(const Config& partial) const;
  [[nodiscard]] Config complete_around(const Config& partial) const;
  [[nodiscard]] const std::vector<const Schedule*>& supporting() const noexcept { return schedules_; }
  /// @endcond

 private:
  [[nodiscard]] const char* default_scan(std::uint64_t bytes) const;

  Problem problem_;
  DeviceLimits limits_;
  std::vector<const Schedule*> schedules_;
};

}  // namespace upsweep
