// Streams of green contexts of the caller, over a stand-in for libcuda: the plan of a call is that of the partition,
// and so is its grid.
#include <gmock/gmock.h>

#include "tests/runtime/cuda/planned_call.hpp"
#include "tests/support/test_folder.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::runtime {
namespace {

class StreamPartition : public PlannedCall {
 protected:
  // From now on the stream is of a green context.
  void make_green(Stream stream, unsigned multiprocessors) {
    cuda->green_multiprocessors[stream.handle()] = multiprocessors;
  }
  [[nodiscard]] static Problem problem() {
    return make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 28);
  }
  [[nodiscard]] Plan plan_of(const char* order, Stream stream) {
    return engine_->plan(
        problem(), Space(problem(), engine_->device().limits()).complete({"lookahead", {{"order", order}}}), stream);
  }
  [[nodiscard]] unsigned blocks_of(const Plan& planned, Stream stream) {
    planned.run(in_, out_, 1 << 28, stream);
    return cuda->launches.back().blocks[0];
  }
  [[nodiscard]] unsigned blocks_of(const char* order, Stream stream) {
    const Plan planned = plan_of(order, stream);
    EXPECT_EQ(planned.source().launch.cooperative, std::string(order) == "strided");
    return blocks_of(planned, stream);
  }
  [[nodiscard]] int planned_for(Stream stream) { return engine_->plan(problem(), stream).state().multiprocessors; }
};

TEST_F(StreamPartition, GridsFitIt) {
  make_green(stream_, 8);
  for (const char* order : {"strided", "ticket"}) {
    EXPECT_EQ(blocks_of(order, nullptr), 132u);
    EXPECT_EQ(blocks_of(order, stream_), 8u);
  }
}

// The plan's own number, so that a result that depends on the grid is the same wherever the plan runs, if that fits.
TEST_F(StreamPartition, GridsOfPlansThatWereMadeForAnother) {
  const Plan strided = plan_of("strided", nullptr), ticket = plan_of("ticket", nullptr);
  make_green(stream_, 8);
  EXPECT_EQ(blocks_of(strided, stream_), 8u);
  EXPECT_EQ(blocks_of(ticket, stream_), 132u) << "blocks that take tickets need not run at the same time";
  EXPECT_EQ(blocks_of(plan_of("strided", stream_), nullptr), 8u);
  EXPECT_EQ(blocks_of(plan_of("ticket", stream_), nullptr), 8u);
}

TEST_F(StreamPartition, GridsFitTheDevicesOwnContext) {
  cuda->context_multiprocessors = 16;
  reopen(true);
  EXPECT_EQ(blocks_of("strided", stream_), 16u);
  EXPECT_EQ(blocks_of("strided", nullptr), 16u);
  make_green(stream_, 24);
  engine_->release(stream_);
  EXPECT_EQ(blocks_of("strided", stream_), 16u) << "the workspace has room for no more";
}

TEST_F(StreamPartition, IsAllOfTheDeviceWhereTheDriverCannotTell) {
  make_green(stream_, 8);
  cuda->failures = {{"cuStreamGetGreenCtx", CUDA_ERROR_NOT_SUPPORTED}};
  EXPECT_EQ(blocks_of("strided", stream_), 132u);
}

TEST_F(StreamPartition, HasAPlanOfItsOwn) {
  const Stream green = engine_->device().create_stream(), other = engine_->device().create_stream();
  make_green(green, 16);
  make_green(other, 24);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(planned_for(stream_), 132);
    EXPECT_EQ(planned_for(green), 16);
    EXPECT_EQ(planned_for(other), 24);
    EXPECT_EQ(planned_for(nullptr), 132);
  }
  EXPECT_EQ(engine_->plan(problem(), green).workspace_bytes(1 << 28),
            engine_->plan(problem(), nullptr).workspace_bytes(1 << 28))
      << "a descriptor a tile";
  EXPECT_THAT(engine_->plan(problem(), green).explain(),
              testing::AllOf(testing::HasSubstr("cuda:0 (Fake GPU), 16 multiprocessors of it"),
                             testing::HasSubstr(" --device cuda:0/16")));
  EXPECT_THAT(engine_->plan(problem(), nullptr).explain(), testing::Not(testing::HasSubstr("--device")));
  engine_->device().destroy_stream(green);
  engine_->device().destroy_stream(other);
}

TEST_F(StreamPartition, HasTheDefaultsOfADeviceOfItsSize) {
  make_green(stream_, 16);
  DeviceLimits limits = engine_->device().limits();
  limits.multiprocessors = 16;
  int others = 0;
  for (std::uint64_t size = 1 << 14; size <= 1 << 21; size *= 2) {
    const Problem sized = make_problem(Algorithm::inclusive_scan, Operator::multiplies, Type::i16, Type::i64, size);
    const Config expected = Space(sized, limits).default_config();
    const Plan planned = engine_->plan(sized, stream_);
    ASSERT_EQ(planned.rung(), "built_in");
    EXPECT_EQ(planned.config(), expected) << size;
    others += expected == Space(sized, engine_->device().limits()).default_config() ? 0 : 1;
  }
  EXPECT_GT(others, 0) << "no default depends on the number of multiprocessors";
}

TEST_F(StreamPartition, CallsAskTheDriverNothingMore) {
  stack()->push_back(primary(0));
  for (const unsigned multiprocessors : {0u, 16u}) {
    const Stream stream = engine_->device().create_stream();
    if (multiprocessors > 0) make_green(stream, multiprocessors);
    const Cost found = cost_of([&] { engine_->plan(problem(), stream).run(in_, out_, 1 << 28, stream); });
    EXPECT_EQ(found.allocations, 0u);
    EXPECT_LE(found.driver_calls, 5u) << "as a planned call: the context twice, the capture, the id, and the launch";
    engine_->device().destroy_stream(stream);
  }
}

// Its stream was destroyed, and the handle now names one of a green context.
TEST_F(StreamPartition, OfAHandleThatNamesAnotherStreamIsNoticed) {
  EXPECT_EQ(planned_for(stream_), 132);
  make_green(stream_, 16);
  int calls = 0;
  while (planned_for(stream_) != 16 && calls < 2000) ++calls;
  EXPECT_GT(calls, 100) << "not asked about in every call";
  EXPECT_LT(calls, 2000);
  make_green(stream_, 24);
  engine_->release(stream_);
  EXPECT_EQ(planned_for(stream_), 24);
}

TEST_F(StreamPartition, OfAHandleIsAskedAboutInEveryCallWhereResultsMustBeReproducible) {
  reopen(true, false, true);
  EXPECT_EQ(planned_for(stream_), 132);
  make_green(stream_, 16);
  EXPECT_EQ(planned_for(stream_), 16);
}

// ---- whose results serve

class PartitionWinners : public StreamPartition {
 protected:
  // Makes the config with so many worker warps the winner of a part.
  void win(int multiprocessors, std::int64_t warps) {
    tuning_db::Trial trial;
    trial.device = engine_->device().identity();
    trial.device.multiprocessors = multiprocessors;
    trial.environment = engine_->environment();
    trial.problem = problem();
    trial.config = Space(problem(), engine_->device().limits()).complete({"lookahead", {{"worker_warps", warps}}});
    trial.samples_us = {1, 2, 3};
    tuning_db::Database database(path_, tuning_db::Database::Mode::read_write);
    database.set_winner(database.record(trial));
  }
  void SetUp() override {
    StreamPartition::SetUp();
    reopen_with(path_);
  }
  [[nodiscard]] std::pair<std::string, std::int64_t> chosen(Stream stream) {
    const Plan planned = engine_->plan(problem(), stream);
    return {planned.rung(), planned.config().integer("worker_warps")};
  }
  upsweep::test::TestFolder folder_;
  std::filesystem::path path_ = folder_.path() / "tuning.db";
};

TEST_F(PartitionWinners, AreThoseOfTheNearestPartition) {
  const Stream green = engine_->device().create_stream();
  make_green(green, 16);
  win(132, 12);
  EXPECT_EQ(chosen(nullptr), std::pair(std::string("exact"), std::int64_t{12}));
  EXPECT_EQ(chosen(green).first, "built_in") << "all multiprocessors have far less bandwidth each";
  win(24, 8);
  engine_->refresh();
  EXPECT_EQ(chosen(green), std::pair(std::string("nearest_device"), std::int64_t{8}));
  win(16, 4);
  engine_->refresh();
  EXPECT_EQ(chosen(green), std::pair(std::string("exact"), std::int64_t{4}));
  EXPECT_EQ(chosen(nullptr), std::pair(std::string("exact"), std::int64_t{12}));
  engine_->device().destroy_stream(green);
}

TEST_F(PartitionWinners, AreWantedForThePartition) {
  make_green(stream_, 16);
  (void)chosen(stream_);
  reopen(true);  // the notes are written at the end
  const std::vector<tuning_db::Wanted> wanted =
      tuning_db::Database(path_, tuning_db::Database::Mode::read_only).wanted();
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].device.multiprocessors, 16);
  EXPECT_EQ(wanted[0].device.name, "Fake GPU");
}

}  // namespace
}  // namespace upsweep::runtime
