// Sums with an error term are verified to the bit: by data of which a plain sum rounds and they do not.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "generator/accuracy.hpp"
#include "generator/algorithm.hpp"
#include "generator/space.hpp"
#include "tests/support/accurate_sums.hpp"
#include "tests/support/host_context.hpp"
#include "tuner/measure/candidate.hpp"
#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {
namespace {

Problem sum_of(Algorithm algorithm, Type type, Accuracy accuracy) {
  Problem problem = make_problem(algorithm, plus, type, type, 20'000);
  problem.accuracy = accuracy;
  return problem;
}

// Sums of parts of the type `Part`, by the methods as the literature has them.
template <typename Part>
struct Pair {
  Part sum = 0, error = 0;
  [[nodiscard]] Part rounded() const { return sum + error; }
};

template <typename Part>
Pair<Part> two_sum(Part a, Part b) {
  const Part sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

template <typename Part>
Pair<Part> added(const Pair<Part>& a, const Pair<Part>& b) {
  const Pair<Part> both = two_sum(a.sum, b.sum);
  return {both.sum, a.error + b.error + both.error};
}

template <typename Part>
Pair<Part> kahan_step(const Pair<Part>& a, Part item) {
  const Part corrected = item + a.error, sum = a.sum + corrected;
  return {sum, corrected - (sum - a.sum)};
}

// Neighbours, or not, in a random order.
template <typename Part>
Part in_any_order(std::vector<Pair<Part>> pairs, std::mt19937_64& random, bool neighbours) {
  if (!neighbours) std::shuffle(pairs.begin(), pairs.end(), random);
  while (pairs.size() > 1) {
    const std::size_t at = random() % (pairs.size() - 1);
    pairs[at] = added(pairs[at], pairs[at + 1]);
    pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  return pairs.front().rounded();
}

template <typename Part>
void expect_nothing_rounds(const Problem& problem, std::uint64_t n, bool may_be_exact) {
  const Bytes data = make_data(problem, n, 3);
  std::mt19937_64 random(n);
  test::ExactSum exact;
  std::vector<Pair<Part>> pairs;
  Pair<Part> kahan, neumaier;
  Part plain = 0, of_pairs = 0;
  bool plain_rounds = false;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double number = load_number(problem.input, data.data() + i * size_of(problem.input)).floating;
    if (number == 0 && i + 1 < n) continue;
    const auto item = static_cast<Part>(number);
    exact.add(number);
    if (pairs.size() < 2000) {
      pairs.push_back({item, 0});
      of_pairs = static_cast<Part>(exact.value());
    }
    kahan = kahan_step(kahan, item);
    neumaier = added(neumaier, {item, 0});
    plain = plain + item;
    const auto wanted = static_cast<Part>(exact.value());
    ASSERT_EQ(kahan.rounded(), wanted) << i;
    ASSERT_EQ(neumaier.rounded(), wanted) << i;
    plain_rounds = plain_rounds || plain != wanted;
  }
  EXPECT_EQ(in_any_order(pairs, random, true), of_pairs);
  if (!is_dense(problem)) {
    EXPECT_EQ(in_any_order(pairs, random, false), of_pairs);
  }
  EXPECT_TRUE(plain_rounds || may_be_exact);
  EXPECT_TRUE(std::isfinite(exact.value()));
}

TEST(AccurateSumsData, RoundInPlainSumsOnly) {
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::reduce}) {
      const Problem problem = sum_of(algorithm, type, Accuracy::neumaier);
      for (const std::uint64_t n : {1u, 17u, 300'000u}) {
        SCOPED_TRACE(testing::Message() << to_string(problem) << ", " << n << " items");
        if (type == Type::f64) {
          expect_nothing_rounds<double>(problem, n, n < 100);
        } else {
          expect_nothing_rounds<float>(problem, n, n < 100);
        }
      }
      const Scalar initial = make_initial(problem, 3);
      EXPECT_EQ(initial.type, type);
      EXPECT_NE(initial, identity(plus, type));
    }
  }
}

class AccurateSumsVerifier : public testing::TestWithParam<Algorithm> {
 protected:
  RunKernel kernel(const Problem& problem, const char* schedule) {
    runtime::Device& device = engine_->device();
    const Config config = Space(problem, device.limits()).complete({schedule, {}});
    const auto candidate = std::make_shared<Candidate>(device, engine_->plan(problem, config, nullptr), nullptr);
    return [candidate](const runtime::CallValues& values, runtime::Stream) {
      (void)candidate->reserve(values.n);
      candidate->run(values);
    };
  }
  // What is said of a kernel of one accuracy that is asked for the sums of another one.
  std::string verdict(Accuracy asked, Accuracy given) {
    const Problem problem = sum_of(GetParam(), Type::f32, asked);
    Verifier verifier(engine_->device(), nullptr, problem, 1, kernel(problem, "sequential"));
    return verifier.check(kernel(sum_of(GetParam(), Type::f32, given), "single_block"), {1000}, 20'000);
  }

 private:
  std::shared_ptr<runtime::Engine> engine_ = test::host_engine();
};

TEST_P(AccurateSumsVerifier, TellsPlainSumsFromOthers) {
  for (const Accuracy accuracy : all_accuracies()) {
    if (accuracy == Accuracy::plain || (accuracy == Accuracy::binned && GetParam() != Algorithm::reduce)) continue;
    EXPECT_EQ(verdict(accuracy, accuracy), "") << name(accuracy);
    EXPECT_THAT(verdict(accuracy, Accuracy::plain), testing::HasSubstr("wrong at index ")) << name(accuracy);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AccurateSumsVerifier,
                         testing::Values(Algorithm::reduce, Algorithm::exclusive_scan,
                                         Algorithm::reverse_inclusive_scan),
                         [](const auto& given) { return std::string(name(given.param)); });

}  // namespace
}  // namespace upsweep::tuner
