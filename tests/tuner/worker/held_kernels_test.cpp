// What a runner keeps loaded and recorded, and what it does while the device is busy.
#include "tuner/worker/held_kernels.hpp"

#include "tests/tuner/worker/in_process_runner_fixture.hpp"

namespace upsweep::tuner {
namespace {

// Recorded once for all requests of a size, again where its memory moved. Of those that come next, one that is loaded
// is recorded meanwhile, and others are loaded.
TEST_F(InProcessRunnerTest, CallsAreRecordedOnce) {
  fake.device->records = true;
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  fake.device->clock = [](const std::string&, int calls) { return 100.0 * calls; };
  const auto recordings_of = [&](std::int64_t items) {
    return fake.device->recordings[generate(problem, config_of(items)).text];
  };
  const auto is_loaded = [&](std::int64_t items) { return fake.engine->kernels().holds(key_of(config_of(items))); };
  request.next = {config_of(4), config_of(5)};
  EXPECT_EQ(runner.run(config_of(3), request).samples_us, std::vector<double>(7, 100));
  EXPECT_EQ(recordings_of(3), 1);
  EXPECT_TRUE(is_loaded(4));
  EXPECT_TRUE(is_loaded(5));
  EXPECT_EQ(recordings_of(4), 0) << "the device had nothing to do when it was loaded";
  (void)runner.run(config_of(3), request);
  EXPECT_EQ(recordings_of(4), 1) << "made ready";
  EXPECT_EQ(recordings_of(5), 1);
  request.next = {config_of(9), config_of(10)};
  EXPECT_EQ(runner.run(config_of(4), request).verdict, Verdict::measured)
      << "that the next one fails is its own affair";
  request.next.clear();
  const std::vector<Config> both{config_of(3), config_of(4)};
  (void)runner.run_in_turn(both, request);
  EXPECT_EQ(recordings_of(3), 1);
  EXPECT_EQ(recordings_of(4), 1);
  request.replay = false;
  EXPECT_EQ(runner.run_in_turn(both, request)[1], std::vector<double>(7, 100));
  EXPECT_EQ(recordings_of(4), 1) << "launched";

  request = {.size = 10'000'000};
  (void)runner.run(config_of(3), request);
  EXPECT_EQ(recordings_of(3), 2) << "of another size";
  request.size = problem.size;
  (void)runner.run(config_of(3), request);
  EXPECT_EQ(recordings_of(3), 3) << "the memory that it was recorded with is gone";
  EXPECT_EQ(runner.run(config_of(9), request).verdict, Verdict::not_compiled);
}

// One that needs no workspace, beside itself: what it is timed with stays while it is prepared again.
TEST_F(InProcessRunnerTest, ACandidateBesideItself) {
  fake.device->records = true;
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  fake.device->clock = [](const std::string&, int calls) { return 100.0 * calls; };
  request.size = 1000;
  Problem small = problem;
  small.size = request.size;
  const Config config = Space(small, fake.device->limits()).default_config();
  ASSERT_EQ(config.schedule, "single_block");
  ASSERT_EQ(fake.engine->plan(small, config, nullptr).workspace_bytes(request.size), 0u);
  const std::vector<Config> twice{config, config};
  EXPECT_EQ(runner.run(config, request).samples_us, std::vector<double>(7, 100));
  EXPECT_EQ(runner.run_in_turn(twice, request), std::vector<std::vector<double>>(2, std::vector<double>(7, 100)));
  EXPECT_EQ(fake.device->recordings[generate(problem, config).text], 1) << "once";
}

TEST_F(InProcessRunnerTest, KeepsTheKernelsThatItIsToldTo) {
  const Plan callers = fake.engine->plan(problem, config_of(6), nullptr);
  for (const std::int64_t items : {3, 4, 5, 6, 9}) (void)runner.run(config_of(items), request);
  EXPECT_TRUE(fake.engine->kernels().holds(key_of(config_of(4))));
  const std::vector<Config> kept{config_of(3)};
  runner.keep_only(kept);
  runner.keep_only(kept);
  EXPECT_TRUE(fake.engine->kernels().holds(key_of(config_of(3))));
  EXPECT_FALSE(fake.engine->kernels().holds(key_of(config_of(4))));
  EXPECT_FALSE(fake.engine->kernels().holds(key_of(config_of(5))));
  EXPECT_TRUE(fake.engine->kernels().holds(key_of(config_of(6)))) << "it was there before";
}

TEST_F(InProcessRunnerTest, TheDeviceIsAtWhatWasStarted) {
  fake.device->records = true;
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  int replayed = 0;
  fake.device->replayed = [&] { ++replayed; };
  runner.start(config_of(3), request);
  EXPECT_EQ(std::exchange(replayed, 0), 1 + 7);
  EXPECT_EQ(runner.finish().verdict, Verdict::measured);
  EXPECT_EQ(replayed, 0);
  runner.start(config_of(4), request);  // and given up
  EXPECT_EQ(runner.run(config_of(4), request).verdict, Verdict::measured);
  const std::vector<Config> both{config_of(3), config_of(4)};
  replayed = 0;
  runner.start_in_turn(both, request);
  EXPECT_EQ(std::exchange(replayed, 0), 2 * 7);
  EXPECT_EQ(runner.finish_in_turn().size(), 2u);
  EXPECT_EQ(replayed, 0);
}

TEST_F(InProcessRunnerTest, LetsGoBesideWhatIsTimed) {
  fake.device->records = true;
  fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
  const auto is_loaded = [&](std::int64_t items) { return fake.engine->kernels().holds(key_of(config_of(items))); };
  {
    InProcessRunner own(*fake.engine, problem, 1);
    for (const std::int64_t items : {3, 4, 5}) (void)own.run(config_of(items), request);
    const std::vector<Config> kept{config_of(3)};
    own.keep_only(kept);
    (void)own.run(config_of(5), request);
    EXPECT_TRUE(is_loaded(4)) << "nothing was to be made ready";
    request.next = {config_of(6)};
    (void)own.run(config_of(3), request);
    EXPECT_FALSE(is_loaded(4));
    EXPECT_TRUE(is_loaded(5)) << "asked for after all";
    own.keep_only(kept);
    EXPECT_TRUE(is_loaded(5));
    own.kernels().drop_all();
    EXPECT_FALSE(is_loaded(3));
    for (const std::int64_t items : {3, 5}) (void)own.run(config_of(items), request);
    own.keep_only(kept);
  }
  EXPECT_FALSE(is_loaded(5)) << "at the end";
  EXPECT_TRUE(is_loaded(3));
}

}  // namespace
}  // namespace upsweep::tuner
