// Classes of how many results a call has for each of its items.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <upsweep/problem.hpp>

namespace upsweep {

// All but `unknown`, from few results to many.
[[nodiscard]] std::span<const Density> all_densities() noexcept;

// "0", "0.01", "0.125", "0.5", "0.99" or "1"; empty for `unknown`.
[[nodiscard]] std::string_view name(Density density) noexcept;
// The inverse, for these six texts only. Throws UsageError for others.
[[nodiscard]] Density parse_density(const std::string& text);

// The number that a class other than `unknown` stands for.
[[nodiscard]] double results_per_item(Density density) noexcept;
// Items of a run, where the results are the runs.
[[nodiscard]] double mean_run_length(Density density) noexcept;

// Whether the number of results depends on the data, or, of scans by key, the number of runs does.
[[nodiscard]] bool takes_density(const Problem& problem);

// How far the density of what was measured is from the asked one: 0 if they are equal, and 1 for no density.
[[nodiscard]] int density_distance(Density measured, Density asked) noexcept;

}  // namespace upsweep
