// Compilers in workers and in threads.
#include "tuner/worker/compile_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/tuner/worker/worker_fixture.hpp"

namespace upsweep::tuner {
namespace {

// One worker that is none, and what it does instead.
CompilePool::Options pretending(const std::string& mode) {
  return {.problem = runner_problem,
          .architecture = "host",
          .worker = WorkerSettings{.command = {UPSWEEP_FAKE_WORKER, mode}, .variables = {}},
          .workers = 1};
}

TEST_F(WorkerTest, CompilesForTheRunner) {
  CompilePool pool({.problem = runner_problem, .architecture = "host", .worker = settings(), .workers = 2});
  for (const int number : {0, 1}) pool.submit(config_of(number));
  EXPECT_EQ(pool.pending(), 2u);
  std::set<Config> done;
  std::set<std::string> binaries;
  while (const auto result = pool.wait(std::chrono::minutes(2))) {
    EXPECT_EQ(result->failure, "");
    EXPECT_EQ(result->binary.size(), 32u);
    done.insert(result->config);
    binaries.insert(result->binary);
  }
  EXPECT_EQ(done, (std::set<Config>{config_of(0), config_of(1)}));
  EXPECT_EQ(pool.pending(), 0u);
  WorkerRunner tried = runner();
  const Outcome outcome = tried.run(config_of(1), request);
  EXPECT_TRUE(binaries.contains(outcome.binary)) << "the runner takes what was compiled";
}

TEST_F(WorkerTest, ACompilerThatHangsOrIsNone) {
  CompilePool::Options options = pretending("mute");
  options.deadline = std::chrono::milliseconds(200);
  CompilePool pool(options);
  pool.submit(config_of(0));
  const auto hung = pool.wait(std::chrono::minutes(1));
  ASSERT_TRUE(hung.has_value());
  EXPECT_EQ(hung->verdict, Verdict::not_compiled);
  EXPECT_THAT(hung->failure, testing::HasSubstr("the compiler process was lost: no answer within 0.2 s"));
  EXPECT_TRUE(hung->may_pass);
}

// What a tune waits for is that config: given another one, it waited for ever.
TEST_F(WorkerTest, ACompilerThatAnswersWithAnotherConfigIsAFailure) {
  CompilePool pool(pretending("other"));
  CompiledOnce once(pool);
  for (const int number : {0, 1}) {
    once.submit(config_of(number));
    const CompileResult result = once.wait();
    EXPECT_EQ(result.config, config_of(number));
    EXPECT_EQ(result.verdict, Verdict::not_compiled);
    EXPECT_EQ(result.failure, "the worker sent an unexpected answer");
    EXPECT_TRUE(result.may_pass);
  }
}

TEST_F(WorkerTest, ACompilerThatDiesIsTriedAgainAndMayPass) {
  CompilePool pool(pretending("dies"));
  pool.submit(config_of(0));
  const CompileResult result = pool.wait();
  EXPECT_EQ(result.verdict, Verdict::not_compiled);
  EXPECT_THAT(result.failure, testing::HasSubstr("the compiler process was lost: ended with exit code 3"));
  EXPECT_TRUE(result.may_pass);
}

TEST_F(WorkerTest, APoolEndsAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  {
    CompilePool::Options options = pretending("mute");
    options.queue = 4;
    CompilePool pool(options);
    pool.submit(config_of(0));
    EXPECT_EQ(pool.wait(std::chrono::milliseconds(300)), std::nullopt);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// A compiler that fails for want of room, and one that refuses the source.
TEST_F(WorkerTest, OnlyARefusedSourceIsTheConfigsFault) {
  const std::filesystem::path script = scratch->path() / "compiler";
  const auto compile = [&](const std::string& text) {
    std::ofstream(script) << "#!/bin/sh\n[ \"$1\" = --version ] && echo 'g++ 1.0' && exit 0\n"
                          << "for each in \"$@\"; do case $each in */source.cpp) source=$each;; esac; done\n"
                          << text << "\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    WorkerSettings own = settings();
    own.variables.emplace_back("UPSWEEP_CXX", script.string());
    CompilePool pool({.problem = runner_problem, .architecture = "host", .worker = std::move(own), .workers = 1});
    pool.submit(config_of(0));
    return pool.wait();
  };
  const CompileResult refused = compile("echo \"$source:3:7: error: 'oops' was not declared\"; exit 1");
  EXPECT_EQ(refused.verdict, Verdict::not_compiled);
  EXPECT_FALSE(refused.may_pass) << refused.failure;
  for (const char* text :
       {"echo \"$source:3:7: fatal error: error writing to /tmp/x.s: No space left on device\"; exit 1",
        "echo 'g++: fatal error: Killed signal terminated program cc1plus'; exit 1",
        "echo \"$source:3:7: internal compiler error: Segmentation fault\"; exit 1",
        "echo 'cc1plus: out of memory allocating 65536 bytes'; exit 1", "kill -KILL $$", "exit 0"}) {
    const CompileResult passing = compile(text);
    EXPECT_EQ(passing.verdict, Verdict::not_compiled) << text;
    EXPECT_TRUE(passing.may_pass) << text << ": " << passing.failure;
  }
}

// 0: an error says what there is too little of.
int submit_without_threads() {
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_NPROC, &none) != 0) return 100;
  if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return 101;  // root has no such limit
  try {
    CompilePool pool({.problem = runner_problem, .architecture = "host", .workers = 1});
    pool.submit({});
    return 102;
  } catch (const DeviceError& error) {
    return std::string(error.what()).find("ulimit -u") != std::string::npos ? 0 : 103;
  } catch (const std::exception&) {
    return 104;
  }
}

TEST(CompilePool, WithoutAThreadIsAnErrorThatSaysWhatToDo) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(submit_without_threads());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace upsweep::tuner
