// The space that a search proposes from: the config space of a problem, or a restriction of it.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <upsweep/config.hpp>

#include "generator/space.hpp"

namespace upsweep::tuner {

// A schedule and the values that its parameters may take in a space.
struct ScheduleParameters {
  std::string name;
  std::vector<Parameter> parameters;
  bool suits = true;         // can be any good at the size: the others are in the space, and no search proposes them
  bool is_baseline = false;  // others have replaced it: a model proposes it once in many times
};

// Counts and sizes have an order, strategies have none.
[[nodiscard]] bool is_ordered(const Parameter& parameter);

// Where a point stands: its schedule, and for each of its parameters which of the values.
struct Coordinates {
  std::size_t schedule = 0;
  std::vector<std::size_t> values;
  bool operator==(const Coordinates&) const = default;
};

// Points are numbered schedule after schedule, in mixed radix over the values, the
// first parameter's value changing fastest. A point is a config, valid or not. Spaces do not change once made.
class SearchSpace {
 public:
  virtual ~SearchSpace() = default;
  SearchSpace(const SearchSpace&) = delete;
  SearchSpace& operator=(const SearchSpace&) = delete;

  [[nodiscard]] const std::vector<ScheduleParameters>& schedules() const noexcept { return schedules_; }
  [[nodiscard]] std::uint64_t points() const noexcept { return starts_.back(); }

  // Throw UsageError beyond the last point.
  [[nodiscard]] Coordinates coordinates(std::uint64_t index) const;
  [[nodiscard]] Config point(std::uint64_t index) const;

  [[nodiscard]] std::uint64_t index_of(const Coordinates& coordinates) const;
  // None: its schedule, a parameter or a value is none of the space's.
  [[nodiscard]] std::optional<std::uint64_t> index_of(const Config& config) const;

  // Whether the point is valid.
  [[nodiscard]] virtual bool contains(std::uint64_t index) const = 0;
  [[nodiscard]] bool contains(const Config& config) const;
  // Whether it is valid, be it left out by a restriction.
  [[nodiscard]] virtual bool is_valid(const Config& config) const { return contains(config); }
  // Whether the schedule can be any good at the size.
  [[nodiscard]] bool suits(std::uint64_t index) const { return schedules_[schedule_of(index)].suits; }
  [[nodiscard]] bool suits(const Config& config) const;
  // Whether a parameter has a value that others have replaced (Parameter::baselines).
  [[nodiscard]] bool has_baseline(std::uint64_t index) const;

  // What is used where nothing was measured; is_valid but on odd devices, and a restricted space need not contain it.
  [[nodiscard]] virtual Config default_config() const = 0;
  // Valid configs worth trying before others, best guesses first.
  [[nodiscard]] virtual std::vector<Config> seed_configs() const = 0;

  // A valid point of the schedules that suit, each with the same chance, or of one schedule; points that have_baseline
  // with a 32nd of the chance. None where many attempts found none: there are next to none.
  [[nodiscard]] virtual std::optional<std::uint64_t> sample(std::mt19937_64& random) const;
  [[nodiscard]] virtual std::optional<std::uint64_t> sample(std::mt19937_64& random, std::size_t schedule) const;

  // The valid points that differ in one parameter by one step (any other value for strategies that no other has
  // replaced).
  [[nodiscard]] virtual std::vector<std::uint64_t> neighbours(std::uint64_t index) const;

 protected:
  explicit SearchSpace(std::vector<ScheduleParameters> schedules);

  [[nodiscard]] std::size_t schedule_of(std::uint64_t index) const;
  [[nodiscard]] std::uint64_t first_point(std::size_t schedule) const { return starts_[schedule]; }
  [[nodiscard]] std::uint64_t end_point(std::size_t schedule) const { return starts_[schedule + 1]; }

 private:
  std::vector<ScheduleParameters> schedules_;
  std::vector<std::uint64_t> starts_;  // of each schedule, and the end
};

// All configs that the generator can make for a problem on a device.
class GeneratedSpace final : public SearchSpace {
 public:
  GeneratedSpace(const Problem& problem, const DeviceLimits& limits);

  [[nodiscard]] const Space& space() const noexcept { return space_; }

  using SearchSpace::contains;
  [[nodiscard]] bool contains(std::uint64_t index) const override;
  [[nodiscard]] Config default_config() const override { return space_.default_config(); }
  [[nodiscard]] std::vector<Config> seed_configs() const override { return space_.seed_configs(); }

 private:
  Space space_;
  DeviceLimits limits_;
};

}  // namespace upsweep::tuner
