// Real workers on the host device, with faults, and fake ones that break the protocol.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <upsweep/error.hpp>

#include "tests/tuner/worker/worker_fixture.hpp"
#include "tuner/worker/faults.hpp"

namespace upsweep::tuner {
namespace {

using std::chrono::milliseconds;

TEST_F(WorkerTest, EachFaultHasItsVerdictAndReason) {
  const std::vector<std::tuple<std::string, Verdict, std::string>> cases{
      {"crash", Verdict::crashed, "killed by signal 11 (Segmentation fault)"},
      {"hang", Verdict::hung, "no answer within"},
      {"lie", Verdict::wrong, "wrong at index"},
      {"oom", Verdict::out_of_memory, "this fault was asked for"},
      {"outside", Verdict::crashed, "killed by signal 11 (Segmentation fault)"},
      {"wrong", Verdict::wrong, "wrong at index 0: expected"},
      {"loop", Verdict::hung, "no answer within"}};
  std::string faults;
  for (std::size_t i = 0; i < cases.size(); ++i)
    faults += (i ? "," : "") + std::get<0>(cases[i]) + "@" + std::to_string(2 * i + 2);
  WorkerRunner tried = runner(faults);
  EXPECT_EQ(tried.run(config_of(0), request).verdict, Verdict::measured);
  int next = 2;
  for (const auto& [fault, verdict, reason] : cases) {
    const Outcome bad = tried.run(config_of(next++), request);  // one that was not found right before
    EXPECT_EQ(bad.verdict, verdict) << fault << ": " << bad.failure;
    EXPECT_THAT(bad.failure, testing::HasSubstr(reason)) << fault << ": " << bad.failure;
    EXPECT_TRUE(bad.samples_us.empty()) << fault;
    const Outcome good = tried.run(config_of(1), request);
    EXPECT_EQ(good.verdict, Verdict::measured) << "after " << fault << ": " << good.failure;
    EXPECT_EQ(good.samples_us.size(), 3u) << fault;
    EXPECT_EQ(good.binary.size(), 32u);
  }
  EXPECT_EQ(tried.workers(), 1 + 4) << "a crash, a hang, a write outside and a loop each end one";
  EXPECT_GT(tried.busy_seconds(), 0);
}

// A fault is the candidate's alone: what is computed to check its total is right.
TEST_F(WorkerTest, ALieAboutATotalIsFoundOut) {
  const Space space(make_problem(Algorithm::reduce, plus, Type::i32, Type::i32, 300), device.limits());
  WorkerRunner tried(device, {.worker = settings("lie@1,wrong@2"), .problem = space.problem(), .deadlines = {}});
  const auto others = test::neighbours(space, space.default_config());
  for (const std::size_t other : {0u, 1u}) {
    const std::string failure = tried.run(others.at(other), request).failure;
    EXPECT_TRUE(failure.starts_with("wrong at index 0: expected ")) << failure;
  }
  EXPECT_EQ(tried.run(others.at(0), request).verdict, Verdict::measured);
}

// Run 1 crashes in every worker.
TEST_F(WorkerTest, ADefaultConfigThatDoesNotRunIsTheDevicesFault) {
  WorkerRunner always = runner("crash@1");
  const std::string message = message_of<DeviceError>([&] { (void)always.run(config_of(0), request); });
  EXPECT_THAT(message, testing::HasSubstr("the default config failed on host in two new workers: "));
  EXPECT_EQ(always.workers(), 2);
  EXPECT_EQ(always.run(config_of(0), request).verdict, Verdict::measured) << "the runner can be used on";
}

// What is made ready beside a candidate may be what ended the worker: it is left out of a second attempt.
TEST_F(WorkerTest, WhoEndsAWorkerWithAnotherBesideIsTriedAgainAlone) {
  WorkerRunner tried = runner("crash@2");
  request.next = {config_of(2)};
  EXPECT_EQ(tried.run(config_of(0), request).verdict, Verdict::measured);
  EXPECT_EQ(tried.run(config_of(1), request).verdict, Verdict::crashed);
  EXPECT_EQ(tried.workers(), 2) << "the second attempt's worker is lost too, and not replaced before it is needed";
  EXPECT_EQ(tried.run(config_of(2), request).verdict, Verdict::measured);
  EXPECT_EQ(tried.workers(), 3);
  const std::vector<Config> configs{config_of(0), config_of(1)};
  EXPECT_EQ(tried.run_in_turn(configs, request)[1].size(), 3u);
  EXPECT_EQ(tried.workers(), 3);
}

// The answer to what is given up belongs to nobody: the worker that owes it goes.
TEST_F(WorkerTest, WhatIsStartedIsFinishedOrGivenUp) {
  WorkerRunner tried = runner();
  tried.start(config_of(0), request);
  EXPECT_EQ(tried.finish().verdict, Verdict::measured);
  tried.start_in_turn(std::vector<Config>{config_of(0)}, request);
  EXPECT_EQ(tried.finish_in_turn().size(), 1u);
  EXPECT_EQ(tried.workers(), 1);
  tried.start(config_of(0), request);
  EXPECT_EQ(tried.run(config_of(0), {.size = 50, .samples = 2}).samples_us.size(), 2u);
  EXPECT_EQ(tried.workers(), 2);
}

TEST_F(WorkerTest, ThoseNearTheBestAreTimedMoreAtOnce) {
  WorkerRunner tried = runner();
  request.more_samples = 4;
  EXPECT_EQ(tried.run(config_of(0), request).more_us.size(), 4u);
  request.near_us = 1e-3;
  const Outcome outcome = tried.run(config_of(0), request);
  EXPECT_EQ(outcome.samples_us.size(), 3u);
  EXPECT_TRUE(outcome.more_us.empty());
}

TEST_F(WorkerTest, InTurnAndKept) {
  WorkerRunner tried = runner();
  const std::vector<Config> configs{config_of(0), config_of(1)};
  const auto samples = tried.run_in_turn(configs, request);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].size(), 3u);
  EXPECT_EQ(samples[1].size(), 3u);
  tried.keep_only(std::span(configs).first(1));
  EXPECT_EQ(tried.run(config_of(1), {.size = 50, .samples = 2}).samples_us.size(), 2u);
  EXPECT_EQ(tried.workers(), 1);
}

// So may be letting go of kernels, which is not waited for; and that was done once another run has begun.
TEST_F(WorkerTest, WhoEndsAWorkerThatHasJustLetGoOfKernelsIsTriedAgain) {
  WorkerRunner tried = runner("crash@2,crash@3");
  const std::vector<Config> kept{config_of(0)};
  EXPECT_EQ(tried.run(config_of(0), request).verdict, Verdict::measured);
  tried.keep_only(kept);
  request.next = {config_of(3)};
  EXPECT_EQ(tried.run(config_of(1), request).verdict, Verdict::crashed);
  EXPECT_EQ(tried.workers(), 2) << "twice";
  request.next = {};
  EXPECT_EQ(tried.run(config_of(2), request).verdict, Verdict::crashed);
  EXPECT_EQ(tried.workers(), 3) << "once";
}

// Which has no answer of its own.
TEST_F(WorkerTest, WhatGoesWrongWhileKernelsAreLetGoOfIsSaidAtTheNextRequest) {
  WorkerProcess process(settings());
  const auto answer = [&](const Request& asked) {
    return std::get<Answer>(process.ask(asked, std::chrono::seconds(20)));
  };
  ASSERT_TRUE(process.tell(Keep{}));  // of no runner
  EXPECT_TRUE(std::holds_alternative<Opened>(answer(Open{.device = "host", .problem = runner_problem, .seed = 1})));
  const Answer said = answer(Turn{.configs = {config_of(0)}, .request = request});
  ASSERT_TRUE(std::holds_alternative<Failed>(said));
  EXPECT_EQ(std::get<Failed>(said).kind, ErrorKind::device) << "so that another worker is asked";
  EXPECT_TRUE(std::get<Failed>(said).leaving);
}

TEST_F(WorkerTest, AConfigOutsideTheSpaceIsTheCallersMistake) {
  WorkerRunner tried = runner();
  Config config = config_of(0);
  config.values["threads"] = 12345;
  EXPECT_THROW((void)tried.run(config, request), UsageError);
}

TEST_F(WorkerTest, ThoseWhoAreNoWorkers) {
  const auto refusal = [&](const std::string& mode) {
    return message_of<DeviceError>([&] {
      const WorkerProcess process({.command = {UPSWEEP_FAKE_WORKER, mode}, .variables = {}}, milliseconds(300));
    });
  };
  EXPECT_THAT(refusal("silent"), testing::HasSubstr("is not an upsweep worker: no answer within 0.3 s"));
  EXPECT_THAT(refusal("garbage"), testing::HasSubstr("not a message of this protocol"));
  EXPECT_THAT(refusal("garbage"), testing::HasSubstr("hello there"));
  EXPECT_THAT(refusal("early"), testing::HasSubstr("ended with exit code 3; its last output: the reason in two lines"));
  EXPECT_THAT(refusal("version"), testing::HasSubstr("has protocol 999"));
  EXPECT_THAT(message_of<DeviceError>([] {
                const WorkerProcess process({.command = {"/nowhere/upsweep", "worker"}, .variables = {}});
              }),
              testing::HasSubstr("cannot be started (/nowhere/upsweep): No such file"));
}

TEST_F(WorkerTest, OneThatGreetsAndFallsSilent) {
  WorkerRunner::Options options{.worker = {.command = {UPSWEEP_FAKE_WORKER, "mute"}, .variables = {}},
                                .problem = runner_problem,
                                .deadlines = {.open = milliseconds(200)}};
  EXPECT_THAT(message_of<DeviceError>([&] { const WorkerRunner none(device, options); }),
              testing::HasSubstr("could not open host"));
}

// Then nobody is told how a child ended, but that it did.
TEST_F(WorkerTest, WorksWhereTheCallerIgnoresItsChildren) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  {
    WorkerRunner tried = runner("crash@2");
    EXPECT_EQ(tried.run(config_of(0), request).verdict, Verdict::measured);
    const Outcome crashed = tried.run(config_of(2), request);
    EXPECT_EQ(crashed.verdict, Verdict::crashed);
    EXPECT_THAT(crashed.failure, testing::HasSubstr("the worker was lost"));
    EXPECT_EQ(tried.run(config_of(1), request).verdict, Verdict::measured);
  }
  ::signal(SIGCHLD, before);
}

TEST(Faults, AreRead) {
  const Faults faults = Faults::parse("crash@3,smem@12");
  EXPECT_EQ(faults.at(3), Fault::crash);
  EXPECT_EQ(faults.at(12), Fault::smem);
  EXPECT_EQ(faults.at(4), Fault::none);
  EXPECT_TRUE(Faults::parse("").empty());
  for (const char* text : {"crash", "crash@", "crash@0", "crash@x", "burn@3", "crash@3,,"}) {
    EXPECT_THAT(message_of<UsageError>([&] { (void)Faults::parse(text); }), testing::HasSubstr("names are crash, hang"))
        << text;
  }
}

TEST(ScratchFolder, IsPrivateAndGoesAway) {
  std::filesystem::path path;
  {
    const ScratchFolder folder;
    path = folder.path();
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
    const ScratchFolder another;
    EXPECT_TRUE(std::filesystem::exists(path)) << "a folder in use is not stale";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace upsweep::tuner
