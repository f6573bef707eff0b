#include "bench/peer.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <upsweep/error.hpp>

#include "tests/tuner/fake_device.hpp"

namespace upsweep::bench {
namespace {

class PeerTest : public ::testing::Test {
 protected:
  PeerTest() { ::setenv("UPSWEEP_CUB_PEER", UPSWEEP_FAKE_PEER, 1); }
  ~PeerTest() override { ::unsetenv("UPSWEEP_CUB_PEER"); }
  static Problem sum(Type type) { return make_problem(Algorithm::reduce, Operator::plus, type, type, 10); }
};

TEST_F(PeerTest, IsLoadedByItsPath) {
  const auto peer = Peer::find();
  ASSERT_NE(peer, nullptr);
  EXPECT_EQ(peer->name(), "Fake 1.2.3");
  EXPECT_EQ(peer->temporary_bytes(sum(Type::i32), 10), 100u);
}

TEST_F(PeerTest, IsMissingWhereThereIsNone) {
  ::unsetenv("UPSWEEP_CUB_PEER");
  EXPECT_EQ(Peer::find(), nullptr) << "there is no bench/ beside this test";
}

TEST_F(PeerTest, ANameThatIsNoPeerIsRefused) {
  ::setenv("UPSWEEP_CUB_PEER", "/nonexistent/peer.so", 1);
  EXPECT_THAT(tuner::message_of<UsageError>([] { (void)Peer::find(); }),
              ::testing::StartsWith("UPSWEEP_CUB_PEER names '/nonexistent/peer.so', which cannot be loaded: "));
  ::setenv("UPSWEEP_CUB_PEER", "libm.so.6", 1);
  EXPECT_EQ(tuner::message_of<UsageError>([] { (void)Peer::find(); }),
            "'libm.so.6' is not a CUB library for `upsweep bench`: build it with -DUPSWEEP_CUB=ON");
}

TEST_F(PeerTest, DoesNotTakePartInWhatItWasNotBuiltFor) {
  EXPECT_EQ(Peer::find()->temporary_bytes(sum(Type::f64), 10), std::nullopt);
  Problem mixed = sum(Type::i32);
  mixed.accumulator = mixed.output = Type::i64;
  EXPECT_EQ(Peer::find()->temporary_bytes(mixed, 10), std::nullopt);
}

TEST_F(PeerTest, FailuresAreSaidNotSkipped) {
  Problem maximum = sum(Type::i32);
  maximum.op = Operator::maximum;
  const auto peer = Peer::find();
  EXPECT_EQ(tuner::message_of<DeviceError>([&] { (void)peer->temporary_bytes(maximum, 10); }),
            "Fake 1.2.3 failed with CUDA error 719");
  EXPECT_THROW(peer->run(maximum, nullptr, nullptr, 10, this, 1, nullptr), DeviceError);
}

}  // namespace
}  // namespace upsweep::bench
