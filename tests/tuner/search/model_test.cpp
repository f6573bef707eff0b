#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tuner/search/features.hpp"
#include "tuner/search/restriction.hpp"
#include "tuner/search/strategies.hpp"
#include "tuner/search/trees.hpp"

namespace upsweep::tuner {
namespace {

Problem model_scan() {
  return make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 24);
}

// Microseconds: best with lookahead, 10 warps of 7 vectors and 6 stages, far from every seed config.
double model_cost(const Config& config) {
  if (config.schedule != "lookahead") return 200;
  const auto off = [&](const char* name, double best) {
    return std::fabs(std::log2((static_cast<double>(config.integer(name)) + 1) / (best + 1)));
  };
  return 50 + 20 * off("worker_warps", 10) + 20 * off("vectors_per_thread", 7) + 15 * off("stages", 6) +
         (config.name("fill") == "bulk" ? 0 : 5);
}

struct ModelSearch : testing::Test {
  const GeneratedSpace space{model_scan(), limits_of_architecture("sm_90")};
};

double best_of(Search& search, int trials) {
  double best = 1e9;
  for (int i = 0; i < trials; ++i) {
    const Config config = search.next().value();
    best = std::min(best, model_cost(config));
    search.report(config, model_cost(config));
  }
  return best;
}

TEST(Tree, TellsGroupsApart) {
  const std::vector<std::vector<float>> rows{{0, 5}, {0, 7}, {1, 5}, {1, 7}};
  std::vector<const std::vector<float>*> pointers;
  for (const auto& row : rows) pointers.push_back(&row);
  const std::vector<double> targets{1, 1, 3, 3};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    const Tree tree(Table(2, pointers), targets, random, {.columns_tried = 2, .least_rows = 2});
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(tree.predict(rows[i]), targets[i]) << "seed " << seed;
    EXPECT_EQ(tree.predict(std::vector<float>{-4, 6}), 1);
    EXPECT_EQ(tree.predict(std::vector<float>{4, 6}), 3);
  }
}

TEST(Tree, OfEqualRowsIsTheirMean) {
  const std::vector<float> row{2, 2};
  const std::vector<const std::vector<float>*> rows(4, &row);
  std::mt19937_64 random(1);
  EXPECT_EQ(Tree(Table(2, rows), std::vector<double>{1, 2, 3, 6}, random).predict(row), 3);
}

TEST_F(ModelSearch, FeaturesSaySameOfSameAndTellApartTheRest) {
  const Features features(space);
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t index = space.sample(random).value();
    const std::vector<float> row = features.of(index);
    ASSERT_EQ(row.size(), features.columns());
    EXPECT_EQ(row, features.of(index));
    for (const std::uint64_t neighbour : space.neighbours(index)) EXPECT_NE(row, features.of(neighbour));
  }
}

// 128 threads are best, and all steps from 256 to there are bad.
TEST_F(ModelSearch, StepsOverWhatIsBadInBetween) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 16);
  const GeneratedSpace small(problem, limits_of_architecture("sm_90"));
  const auto cost_of = [](const Config& config) {
    const std::int64_t threads = config.schedule == "lookback" ? config.integer("threads_per_block") : 0;
    const double steps =
        std::abs(static_cast<double>(config.schedule == "lookback" ? config.integer("items_per_thread") - 8 : 0));
    return (threads == 128 ? 50 : threads == 256 ? 60 : 100) + steps;
  };
  const auto found = [&](double long_step_fraction) {
    int seeds = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto search =
          model_search(small, {.seed = seed, .seed_configs = false}, {.long_step_fraction = long_step_fraction});
      double best = 1e9;
      for (int i = 0; i < 60; ++i) {
        const Config config = search->next().value();
        best = std::min(best, cost_of(config));
        search->report(config, cost_of(config));
      }
      seeds += best < 60 ? 1 : 0;
    }
    return seeds;
  };
  const int with = found(ModelSettings{}.long_step_fraction), without = found(0);
  EXPECT_GE(with, 9);
  EXPECT_LT(without, with);
}

TEST_F(ModelSearch, FindsAnOptimumFarFromTheSeedConfigsSoonerThanLocalSteps) {
  double model = 0, local = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const double own = best_of(*model_search(space, {.seed = seed}), 150);
    EXPECT_LT(own, 60) << "seed " << seed;
    model += own;
    local += best_of(*local_search(space, {.seed = seed}), 150);
  }
  EXPECT_LT(model, local);
}

TEST_F(ModelSearch, TriesKnownConfigsBeforeSeedConfigs) {
  const Config known = space.space().complete({"lookback", {{"items_per_thread", std::int64_t{7}}}});
  Config outside = known;
  outside.values["items_per_thread"] = std::int64_t{7777};
  const auto search = model_search(space, {.known = {outside, known}});
  EXPECT_EQ(search->next(), space.default_config());
  EXPECT_EQ(search->next(), known);
  const std::vector<Config> seed_configs = space.seed_configs();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(std::find(seed_configs.begin(), seed_configs.end(), search->next().value()), seed_configs.end());
  }
}

TEST_F(ModelSearch, AvoidsWhatFails) {
  const GeneratedSpace whole(model_scan(), limits_of_architecture("sm_90"));
  Restriction restriction;
  restriction.schedules = {"lookahead"};
  const RestrictedSpace space(whole, restriction);
  const auto search = model_search(space, {.seed = 4});
  int failed_late = 0;
  for (int i = 0; i < 160; ++i) {
    const Config config = search->next().value();
    const bool fails = config.name("fill") == "async";  // a third of the space
    if (i >= 60) failed_late += fails ? 1 : 0;
    search->report(config, fails ? std::nullopt : std::optional(model_cost(config)));
  }
  EXPECT_LT(failed_late, 15);
}

TEST_F(ModelSearch, LearnsFromEarlierTrials) {
  const auto first = model_search(space, {.seed = 1});
  const auto resumed = model_search(space, {.seed = 2});
  double best = 1e9;
  for (int i = 0; i < 150; ++i) {
    const Config config = first->next().value();
    best = std::min(best, model_cost(config));
    first->report(config, model_cost(config));
    resumed->report(config, model_cost(config));
  }
  int near = 0;
  for (int i = 0; i < 40; ++i) {
    const Config config = resumed->next().value();
    near += model_cost(config) < 1.2 * best ? 1 : 0;
    resumed->report(config, model_cost(config));
  }
  EXPECT_GT(near, 8) << "a seed config or a random config hardly ever is";
}

TEST_F(ModelSearch, OutstandingReportsDoNotMakeItRepeatItself) {
  const auto search = model_search(space, {.seed = 6});
  double best = 1e9;
  for (int batch = 0; batch < 15; ++batch) {
    std::vector<Config> configs;
    for (int i = 0; i < 10; ++i) configs.push_back(search->next().value());
    for (const Config& config : configs) {
      best = std::min(best, model_cost(config));
      search->report(config, model_cost(config));
    }
  }
  EXPECT_LT(best, 65);
}

TEST_F(ModelSearch, ProposalsAreCheap) {
  const auto search = model_search(space, {.seed = 6});
  for (int i = 0; i < 300; ++i) {
    const Config config = search->next().value();
    search->report(config, model_cost(config));
  }
  // Of the processor, not of the clock on the wall: tests run side by side. 2 ms are wanted of an optimised build; a
  // sanitizer's takes ten times as long.
  const std::clock_t start = std::clock();
  for (int i = 0; i < 20; ++i) search->report(search->next().value(), 100.0);
  const double ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / 20;
  RecordProperty("milliseconds_per_proposal", std::to_string(ms));
  EXPECT_LT(ms, 40) << "milliseconds a proposal";
}

// Schedules that others have replaced are proposed, and seldom: trials are for those that may win.
TEST(BaselineSearch, ProposesBaselinesSeldom) {
  const GeneratedSpace space(make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1 << 24),
                             limits_of_architecture("sm_90"));
  int baselines = 0, proposals = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto search = make_search("model", space, {.seed = seed});
    for (int i = 0; i < 100; ++i, ++proposals) {
      const Config config = search->next().value();
      baselines += config.schedule == "ladder" ? 1 : 0;
      search->report(config, std::nullopt);  // nothing is learned: all proposals but the first are samples
    }
  }
  EXPECT_GT(baselines, 0);
  EXPECT_LT(baselines, proposals / 16);
}

TEST(BaselineSearch, ProposesBaselinesThatAreAskedFor) {
  const GeneratedSpace whole(make_problem(Algorithm::reduce, Operator::plus, Type::i32, Type::i32, 1 << 24),
                             limits_of_architecture("sm_90"));
  const RestrictedSpace space(whole, restriction_from_text({"schedule=ladder", "step=unrolled"}), "reduce");
  const auto search = make_search("model", space, {});
  int found = 0;
  while (const auto config = search->next()) {
    search->report(*config, 5.0);
    found += config->schedule == "ladder" && config->name("step") == "unrolled" ? 1 : 0;
  }
  EXPECT_EQ(found, 6 * 2) << "each number of threads, with and without dependent launch";
}

}  // namespace
}  // namespace upsweep::tuner
