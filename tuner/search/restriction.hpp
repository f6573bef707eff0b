// A restriction of a space (`--only`): some parameters may take only some of their values.
#pragma once

#include <string_view>
#include <vector>

#include <upsweep/restriction.hpp>

#include "tuner/search/space.hpp"

namespace upsweep::tuner {

// Its points are those of the allowed values alone, so that it can be walked through where the whole space cannot.
// A schedule that is named may be proposed even where it does not suit the size; one that has not all the restricted
// parameters is left out unless it is named.
class RestrictedSpace final : public SearchSpace {
 public:
  // Throws UsageError for schedules, parameters and values that `whole` does not have, and where no valid config is
  // left. `whole` must outlive it; messages name its algorithm, if it is given.
  RestrictedSpace(const SearchSpace& whole, const Restriction& restriction, std::string_view algorithm = {});

  using SearchSpace::contains;
  [[nodiscard]] bool contains(std::uint64_t index) const override { return whole_.contains(in_whole(index)); }
  [[nodiscard]] bool is_valid(const Config& config) const override { return whole_.is_valid(config); }
  // Of the whole space.
  [[nodiscard]] Config default_config() const override { return whole_.default_config(); }
  // Of the whole space, the restricted parameters set to the allowed values next to their own.
  [[nodiscard]] std::vector<Config> seed_configs() const override;

 private:
  // A schedule's place in the whole space, and that of each value that is left.
  struct Origin {
    std::size_t schedule = 0;
    std::vector<std::vector<std::size_t>> values;
  };
  struct Part {
    std::vector<ScheduleParameters> schedules;
    std::vector<Origin> origins;
  };

  RestrictedSpace(const SearchSpace& whole, Part part);
  [[nodiscard]] static Part part_of(const SearchSpace& whole, const Restriction& restriction,
                                    std::string_view algorithm);
  [[nodiscard]] std::uint64_t in_whole(std::uint64_t index) const;

  const SearchSpace& whole_;
  std::vector<Origin> origins_;
};

}  // namespace upsweep::tuner
