#include "bench/peer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <upsweep/error.hpp>

#include "tests/support/by_key.hpp"
#include "tests/support/selection.hpp"
#include "tests/tuner/fake_device.hpp"

namespace upsweep::bench {
namespace {

class PeerTest : public ::testing::Test {
 protected:
  PeerTest() { ::setenv("UPSWEEP_CUB_PEER", UPSWEEP_FAKE_PEER, 1); }
  ~PeerTest() override { ::unsetenv("UPSWEEP_CUB_PEER"); }
  static Problem sum(Type type) { return make_problem(Algorithm::reduce, Operator::plus, type, type, 10); }
  static std::string refusal_of(const char* library) {
    ::setenv("UPSWEEP_CUB_PEER", library, 1);
    return tuner::message_of<UsageError>([] { (void)Peer::find(); });
  }
  // What the peer was given.
  static std::string given(const Problem& problem, const runtime::CallValues& values, runtime::Stream stream) {
    const auto peer = Peer::find();
    std::string text(peer->temporary_bytes(problem, values.n).value(), '\0');
    peer->run(problem, values, text.data(), text.size(), stream);
    return text.c_str();
  }
  static const void* address(std::uintptr_t at) { return reinterpret_cast<const void*>(at); }
};

TEST_F(PeerTest, IsLoadedByItsPath) {
  const auto peer = Peer::find();
  ASSERT_NE(peer, nullptr);
  EXPECT_EQ(peer->name(), "Fake 1.2.3");
  EXPECT_EQ(peer->temporary_bytes(sum(Type::i32), 10), 1000u);
}

TEST_F(PeerTest, IsMissingWhereThereIsNone) {
  ::unsetenv("UPSWEEP_CUB_PEER");
  EXPECT_EQ(Peer::find(), nullptr) << "there is no bench/ beside this test";
}

TEST_F(PeerTest, ANameThatIsNoPeerIsRefused) {
  EXPECT_THAT(refusal_of("/nonexistent/peer.so"),
              ::testing::StartsWith("UPSWEEP_CUB_PEER names '/nonexistent/peer.so', which cannot be loaded: "));
  EXPECT_EQ(refusal_of("libm.so.6"),
            "'libm.so.6' is not a CUB library for `upsweep bench`: build it with -DUPSWEEP_CUB=ON");
}

TEST_F(PeerTest, ALibraryOfAnotherInterfaceIsRefused) {
  EXPECT_EQ(refusal_of(UPSWEEP_OLDER_PEER),
            "'" UPSWEEP_OLDER_PEER "' is not a CUB library for `upsweep bench`: build it with -DUPSWEEP_CUB=ON");
}

TEST_F(PeerTest, DoesNotTakePartInWhatItWasNotBuiltFor) {
  const auto peer = Peer::find();
  EXPECT_EQ(peer->temporary_bytes(sum(Type::f64), 10), std::nullopt);
  Problem exclusive = sum(Type::i32);
  exclusive.algorithm = Algorithm::exclusive_scan;
  EXPECT_EQ(peer->temporary_bytes(exclusive, 10), std::nullopt);
  EXPECT_THAT(tuner::message_of<UsageError>([&] { peer->run(exclusive, {}, peer.get(), 1, nullptr); }),
              ::testing::StartsWith("Fake 1.2.3 was not built for exclusive_scan plus i32"));
}

TEST_F(PeerTest, IsNotAskedAboutResultsOfOtherTypes) {
  const auto peer = Peer::find();
  const Problem by_key = test::reduction_by_key(plus, Type::i32, Type::u64);
  for (const Problem& problem : {sum(Type::i32), by_key}) {
    EXPECT_TRUE(peer->temporary_bytes(problem, 10));
    Problem wider = problem;
    wider.accumulator = wider.output = Type::i64;
    EXPECT_EQ(peer->temporary_bytes(wider, 10), std::nullopt);
    wider.output = Type::i32;
    EXPECT_EQ(peer->temporary_bytes(wider, 10), std::nullopt);
    wider = problem;
    wider.output = Type::i64;
    EXPECT_EQ(peer->temporary_bytes(wider, 10), std::nullopt);
  }
  for (const Type count : {Type::u32, Type::u64}) {
    EXPECT_TRUE(peer->temporary_bytes(test::selection(less, Type::i32, count), 10));
  }
}

TEST_F(PeerTest, IsNotAskedForSumsWithAnErrorTerm) {
  Problem problem = sum(Type::i32);
  EXPECT_TRUE(Peer::find()->temporary_bytes(problem, 10));
  problem.accuracy = Accuracy::kahan;
  EXPECT_EQ(Peer::find()->temporary_bytes(problem, 10), std::nullopt);
}

// The fake peer has sums of integers only, and does not look at operators.
TEST_F(PeerTest, IsAskedForReproducibleSumsByAnOperatorOfTheirOwn) {
  Problem problem = sum(Type::i32);
  problem.accuracy = Accuracy::binned;
  const std::int32_t initial = 5;
  EXPECT_EQ(given(problem, {{address(0x10), address(0x20)}, 3, {&initial}}, runtime::Stream()),
            "reduce plus_binned i32 i32 key '' n 3 stream 0 arrays 0x10 0x20 scalars 5");
}

TEST_F(PeerTest, IsGivenArraysAndScalarsInTheOrderOfThePorts) {
  const runtime::Stream stream(reinterpret_cast<CUstream_st*>(0x70));
  const std::int32_t threshold = -7;
  const runtime::CallValues selection{{address(0x10), address(0x20), address(0x30)}, 12, {&threshold}};
  EXPECT_EQ(given(test::selection(greater_equal, Type::i32, Type::u32), selection, stream),
            "select_if greater_equal i32 u32 key '' n 12 stream 0x70 arrays 0x10 0x20 0x30 scalars -7");

  const runtime::CallValues keyed{
      {address(0x10), address(0x20), address(0x30), address(0x40), address(0x50)}, 1ull << 33, {}};
  EXPECT_EQ(given(test::reduction_by_key(minimum, Type::i32, Type::u64), keyed, stream),
            "reduce_by_key minimum i32 i32 key 'u64' n 8589934592 stream 0x70 arrays 0x10 0x20 0x30 0x40 0x50 scalars");

  const std::int32_t initial = 5;
  EXPECT_EQ(given(sum(Type::i32), {{address(0x10), address(0x20)}, 3, {&initial}}, stream),
            "reduce plus i32 i32 key '' n 3 stream 0x70 arrays 0x10 0x20 scalars 5");
}

TEST_F(PeerTest, FailuresAreSaidNotSkipped) {
  Problem maximum = sum(Type::i32);
  maximum.op = Operator::maximum;
  const auto peer = Peer::find();
  const std::string failed = "Fake 1.2.3 failed with CUDA error 719";
  EXPECT_EQ(tuner::message_of<DeviceError>([&] { (void)peer->temporary_bytes(maximum, 10); }), failed);
  EXPECT_EQ(tuner::message_of<DeviceError>([&] { peer->run(maximum, {}, this, 1, nullptr); }), failed);
}

}  // namespace
}  // namespace upsweep::bench
