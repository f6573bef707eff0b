// The searches on recorded spaces: tests/tuner/recordings/*.json.gz, and made-up ones that no seed config is the best
// of. A table of what each reaches goes to standard output.
#include "tests/tuner/search/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "tests/tuner/search/synthetic_space.hpp"

namespace upsweep::tuner {
namespace {

Simulated table_of(const std::string& name, const RecordedSpace& space, double noise,
                   const SimulationSettings& settings,
                   std::initializer_list<const char*> strategies = {"model", "local", "random"}) {
  const double default_fraction = space.optimum_us() / space.time(space.default_config()).value();
  fmt::print("{}: {} configs, optimum {:.2f} us, the default reaches {:.1f}%; {} seeds, seed configs {}\n", name,
             space.size(), space.optimum_us(), 100 * default_fraction, settings.seeds,
             settings.seed_configs ? "given" : "withheld");
  fmt::print("  {:12}", "% after");
  for (const int checkpoint : checkpoints) fmt::print("{:7}", checkpoint);
  fmt::print("   to 97%  to 99%\n");
  Simulated model;
  for (const char* strategy : strategies) {
    const auto factory = [strategy](const SearchSpace& of, const SearchOptions& options) {
      return make_search(strategy, of, options);
    };
    const Simulated found = simulate(factory, space, noise, settings);
    fmt::print("  {:12}", strategy);
    for (const double fraction : found.mean_fraction) fmt::print("{:7.2f}", 100 * fraction);
    fmt::print("{:9.0f}{:8.0f}\n", found.mean_to_97, found.mean_to_99);
    if (std::string_view(strategy) == "model") model = found;
  }
  return model;
}

double after(int evaluations, const Simulated& simulated) {
  const auto at = std::find(checkpoints.begin(), checkpoints.end(), evaluations);
  return simulated.mean_fraction[static_cast<std::size_t>(at - checkpoints.begin())];
}

struct MadeUp {
  const char* name;
  Problem problem;
  std::uint64_t seed;
  // Of the optimum, after 60 and after 150 evaluations.
  double soon = 0.965;
  double later = 0.985;
};

class OnMadeUpSpace : public testing::TestWithParam<MadeUp> {};

TEST_P(OnMadeUpSpace, TheModelIsNearTheOptimumSoon) {
  const RecordedSpace space(made_up_trials(GetParam().problem, GetParam().seed));
  const double of_default = space.optimum_us() / space.time(space.default_config()).value();
  EXPECT_LT(of_default, 0.96) << "the made-up space is too easy";
  for (const Config& config : space.seed_configs()) {
    const std::optional<double> us = space.time(config);
    EXPECT_TRUE(!us || *us > space.optimum_us()) << "the made-up space is too easy";
  }
  constexpr int seeds = 16;
  for (const bool seed_configs : {true, false}) {
    const Simulated model =
        table_of(GetParam().name, space, 0.01, {.seeds = seeds, .seed_configs = seed_configs}, {"model"});
    EXPECT_GE(after(60, model), GetParam().soon);
    EXPECT_GE(after(150, model), GetParam().later);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Simulation, OnMadeUpSpace,
    testing::Values(
        MadeUp{"small_scan", make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1u << 16), 1},
        MadeUp{"large_scan", make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1u << 28), 1},
        MadeUp{"bytes", make_problem(Algorithm::exclusive_scan, plus, Type::i8, Type::i8, 1u << 24), 1},
        // Its optimum is made up far from the default, which is near the one of the recorded space.
        MadeUp{"reduce", make_problem(Algorithm::reduce, plus, Type::f32, Type::f32, 1u << 22), 1, 0.955, 0.965}),
    [](const auto& space) { return space.param.name; });

// The name of the file, and the noise of the samples behind each time.
class OnRecordedSpace : public testing::TestWithParam<std::pair<std::string, double>> {};

TEST_P(OnRecordedSpace, TheModelIsNearTheOptimumSoon) {
  const auto& [name, noise] = GetParam();
  const RecordedSpace space(read_trials(fmt::format("{}/tests/tuner/recordings/{}.json.gz", UPSWEEP_SOURCE_DIR, name)));
  const Simulated model = table_of(name, space, noise, {.seeds = 32});
  EXPECT_GE(after(60, model), 0.97);
  EXPECT_GE(after(150, model), 0.99);
}

INSTANTIATE_TEST_SUITE_P(Simulation, OnRecordedSpace,
                         testing::Values(std::pair("exclusive_scan_plus_i8_2e24", 0.0030),
                                         std::pair("inclusive_scan_plus_i32_2e16", 0.0036),
                                         std::pair("inclusive_scan_plus_i32_2e28", 0.0019),
                                         std::pair("reduce_plus_f32_2e22", 0.0017)),
                         [](const auto& recorded) { return recorded.param.first; });

}  // namespace
}  // namespace upsweep::tuner
