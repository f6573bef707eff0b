#include "tuner/session/known.hpp"

#include <gtest/gtest.h>

namespace upsweep::tuner {
namespace {

using tuning_db::Winner;

const DeviceIdentity own{"own", 9, 0, 132, 6144, 3201000, true};
const DeviceIdentity other{"other", 9, 0, 132, 5120, 2619000, true};

// A winner whose config tells which one it is.
Winner winner(std::int64_t number, const DeviceIdentity& device, Algorithm algorithm, Operator op, Type type,
              int size) {
  Winner made;
  made.trial.device = device;
  made.trial.problem = make_problem(algorithm, op, type, type, std::uint64_t{1} << size);
  made.trial.config = {.schedule = "s", .values = {{"number", number}}};
  made.size_class = size;
  return made;
}

std::vector<std::int64_t> numbers(const std::vector<Winner>& winners, std::size_t most = 10) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 1 << 20);
  std::vector<std::int64_t> found;
  for (const Config& config : known_configs(winners, own, problem, most)) found.push_back(config.integer("number"));
  return found;
}

TEST(Known, NearestSizesFirst) {
  EXPECT_EQ(numbers({winner(1, own, Algorithm::inclusive_scan, plus, Type::i32, 28),
                     winner(2, own, Algorithm::inclusive_scan, plus, Type::i32, 19),
                     winner(3, own, Algorithm::inclusive_scan, plus, Type::i32, 22)}),
            (std::vector<std::int64_t>{2, 3, 1}));
}

TEST(Known, ThenRelatedProblemsThenOtherDevices) {
  EXPECT_EQ(numbers({winner(1, other, Algorithm::inclusive_scan, plus, Type::i32, 20),
                     winner(2, own, Algorithm::exclusive_scan, maximum, Type::f32, 20),
                     winner(3, own, Algorithm::exclusive_scan, plus, Type::i32, 20),
                     winner(4, own, Algorithm::inclusive_scan, plus, Type::i32, 20)}),
            (std::vector<std::int64_t>{4, 3, 2, 1}));
}

TEST(Known, TheFastestOfTheSameWidthsAndSizeComeInTurn) {
  const auto timed = [](Winner made, double us) {
    made.trial.samples_us = {us};
    return made;
  };
  EXPECT_EQ(numbers({timed(winner(1, own, Algorithm::inclusive_scan, plus, Type::i32, 20), 5),
                     timed(winner(2, own, Algorithm::inclusive_scan, plus, Type::i32, 19), 1),
                     timed(winner(3, own, Algorithm::exclusive_scan, maximum, Type::f32, 20), 4),
                     timed(winner(4, own, Algorithm::exclusive_scan, maximum, Type::u32, 20), 3),
                     timed(winner(5, other, Algorithm::exclusive_scan, maximum, Type::u32, 20), 2)}),
            (std::vector<std::int64_t>{1, 4, 2, 3, 5}));
}

TEST(Known, NothingOfOtherWidthsOrOfReduces) {
  EXPECT_TRUE(numbers({winner(1, own, Algorithm::inclusive_scan, plus, Type::i64, 20),
                       winner(2, own, Algorithm::reduce, plus, Type::i32, 20)})
                  .empty());
}

TEST(Known, NoRepetitionsAndNoMoreThanAskedFor) {
  EXPECT_EQ(numbers({winner(1, own, Algorithm::inclusive_scan, plus, Type::i32, 20),
                     winner(1, own, Algorithm::inclusive_scan, plus, Type::i32, 21),
                     winner(2, own, Algorithm::inclusive_scan, plus, Type::i32, 22),
                     winner(3, own, Algorithm::inclusive_scan, plus, Type::i32, 23)},
                    2),
            (std::vector<std::int64_t>{1, 2}));
}

}  // namespace
}  // namespace upsweep::tuner
