// Defects of kernels over types that tests define are found: with the test data that goes with the operator, a lost, a
// swapped and a changed item shows in the results.
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "runtime/engine.hpp"
#include "tests/support/defined.hpp"
#include "tests/support/scans.hpp"
#include "tuner/verify/sequential_kernel.hpp"
#include "tuner/verify/verification.hpp"

namespace upsweep::tuner {
namespace {

constexpr std::uint64_t size = 3000, tile_items = 640;

// A built-in type with few values.
struct Byte {
  unsigned char value;
  static Type type() { return Type::u8; }
  static Operator op() { return Operator::maximum; }
  static Byte combine(Byte a, Byte b) { return a.value < b.value ? b : a; }
};

template <typename T>
class DefinedDefects : public testing::Test {
 protected:
  using Change = std::function<void(std::vector<T>& items)>;

  // What the verifier says of a kernel that sees changed items.
  std::string verdict(Algorithm algorithm, const Change& change) {
    const auto engine = runtime::Engine::open({.device = "host", .database = "none", .record_wanted = false});
    const Problem problem = test::problem_of<T>(algorithm, size);
    SequentialKernel sequential(*engine, problem, nullptr);
    Verifier verifier(engine->device(), nullptr, problem, 1, sequential.calls());
    const auto run = [&](const runtime::CallValues& call, runtime::Stream) {
      std::vector<T> items(call.n);
      std::memcpy(static_cast<void*>(items.data()), call.arrays[0], call.n * sizeof(T));
      change(items);
      T start{};
      if (call.scalars[0] != nullptr) std::memcpy(static_cast<void*>(&start), call.scalars[0], sizeof(T));
      const std::vector<T> results = test::expected_of(algorithm, items, start);
      std::memcpy(const_cast<void*>(call.arrays[1]), static_cast<const void*>(results.data()),
                  results.size() * sizeof(T));
    };
    return verifier.check(run, {tile_items}, size);
  }
};

using Defined = testing::Types<test::Map, test::Vector3, test::Color, test::Wide, test::Padded, Byte>;
TYPED_TEST_SUITE(DefinedDefects, Defined);

TYPED_TEST(DefinedDefects, RightResultsAreRight) {
  for (const Algorithm algorithm : test::scans_and_reduces) EXPECT_EQ(this->verdict(algorithm, [](auto&) {}), "");
}

TYPED_TEST(DefinedDefects, ATileThatIsTakenTwiceInsteadOfTheNextShows) {
  const auto repeat = [](std::vector<TypeParam>& items) {
    for (std::size_t i = 2 * tile_items; i < std::min<std::size_t>(items.size(), 3 * tile_items); ++i) {
      items[i] = items[i - tile_items];
    }
  };
  EXPECT_NE(this->verdict(Algorithm::inclusive_scan, repeat), "");
  EXPECT_NE(this->verdict(Algorithm::exclusive_scan, repeat), "");
}

TYPED_TEST(DefinedDefects, ItemsThatAreNotFoldedShow) {
  const auto forget = [](std::vector<TypeParam>& items) {
    for (std::size_t i = 1; i < items.size(); ++i) items[i] = items[0];
  };
  for (const Algorithm algorithm : test::scans_and_reduces) EXPECT_NE(this->verdict(algorithm, forget), "");
}

TEST(DefinedOrder, ItemsThatChangePlacesShowWhereTheOperatorDoesNotCommute) {
  struct Maps : DefinedDefects<test::Map> {
    void TestBody() override {}
    std::string swapped(Algorithm algorithm) {
      return verdict(algorithm, [](std::vector<test::Map>& items) {
        if (items.size() > 1) std::swap(items[items.size() / 2], items[items.size() / 2 - 1]);
      });
    }
  } maps;
  for (const Algorithm algorithm : test::scans_and_reduces) EXPECT_NE(maps.swapped(algorithm), "");
}

}  // namespace
}  // namespace upsweep::tuner
