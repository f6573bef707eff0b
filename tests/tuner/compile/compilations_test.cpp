#include "tuner/compile/compilations.hpp"

#include <gtest/gtest.h>

#include "tests/tuner/session/scripted.hpp"

namespace upsweep::tuner {
namespace {

struct CompiledOnceTest : testing::Test {
  ScriptedCompilers compilers;
  CompiledOnce once{compilers};
  std::int64_t next() { return number_of(once.wait().config); }
};

TEST_F(CompiledOnceTest, WhatWasCompiledIsKnown) {
  compilers.result = [](std::int64_t number) {
    CompileResult result;
    result.binary = "binary " + std::to_string(number);
    return result;
  };
  once.submit(config_of(1));
  EXPECT_EQ(once.pending(), 1u);
  EXPECT_EQ(once.wait().binary, "binary 1");
  once.submit(config_of(1));
  EXPECT_EQ(once.pending(), 1u);
  EXPECT_EQ(once.wait().binary, "binary 1");
  EXPECT_EQ(once.pending(), 0u);
  EXPECT_EQ(compilers.submitted, std::vector<std::int64_t>{1});
}

TEST_F(CompiledOnceTest, FailuresAreKnownToo) {
  compilers.result = [](std::int64_t) { return not_compiled("no"); };
  once.submit(config_of(1));
  (void)once.wait();
  once.submit(config_of(1));
  EXPECT_EQ(once.wait().failure, "no");
  EXPECT_EQ(compilers.submitted.size(), 1u);
}

TEST_F(CompiledOnceTest, FailuresThatMayPassAreTriedAgain) {
  bool disk_is_full = true;
  compilers.result = [&](std::int64_t) {
    CompileResult result;
    if (disk_is_full) result = not_compiled("no space left"), result.may_pass = true;
    return result;
  };
  once.submit(config_of(1));
  EXPECT_EQ(once.wait().failure, "no space left");
  once.submit(config_of(1));
  EXPECT_EQ(once.wait().failure, "no space left");
  disk_is_full = false;
  once.compile_ahead(config_of(1));
  once.submit(config_of(1));
  EXPECT_TRUE(once.wait().compiled());
  EXPECT_EQ(compilers.submitted.size(), 3u);
}

TEST_F(CompiledOnceTest, WhatIsCompiledAheadIsKnownWhenItIsAskedFor) {
  once.submit(config_of(1));
  once.compile_ahead(config_of(1));
  once.compile_ahead(config_of(2));
  once.compile_ahead(config_of(2));
  EXPECT_EQ(compilers.submitted, (std::vector<std::int64_t>{1, 2})) << "each once";
  EXPECT_EQ(once.pending(), 1u);
  EXPECT_EQ(next(), 1);
  EXPECT_FALSE(once.ready()) << "it is not given back";
  once.submit(config_of(2));
  EXPECT_TRUE(once.ready());
  EXPECT_EQ(next(), 2);
  once.compile_ahead(config_of(2));
  EXPECT_EQ(compilers.submitted.size(), 2u);
}

TEST_F(CompiledOnceTest, WhatIsForgottenDoesNotComeBack) {
  once.submit(config_of(1));
  once.submit(config_of(2));
  once.forget_pending();
  EXPECT_EQ(once.pending(), 0u);
  once.submit(config_of(3));
  EXPECT_EQ(next(), 3);
  EXPECT_EQ(once.pending(), 0u);
}

TEST_F(CompiledOnceTest, ForgottenAndSubmittedAgainItIsCompiledOnce) {
  once.submit(config_of(1));
  once.forget_pending();
  once.submit(config_of(1));
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(compilers.submitted, std::vector<std::int64_t>{1});
}

TEST_F(CompiledOnceTest, ForgottenOnesAreKnownWhenTheyAreDone) {
  once.submit(config_of(1));
  once.forget_pending();
  once.submit(config_of(2));
  EXPECT_EQ(next(), 2) << "1 was done before it";
  once.submit(config_of(1));
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(compilers.submitted, (std::vector<std::int64_t>{1, 2}));
}

// One that is forgotten is not what is waited for.
TEST_F(CompiledOnceTest, ReadyIfThereIsOneThatIsWanted) {
  EXPECT_FALSE(once.ready());
  once.submit(config_of(1));
  once.forget_pending();
  EXPECT_FALSE(once.ready());
  once.submit(config_of(1));
  EXPECT_TRUE(once.ready()) << "it was done in the meantime";
  once.submit(config_of(2));
  EXPECT_EQ(next(), 1);
  compilers.not_ready = 1;
  EXPECT_FALSE(once.ready());
  EXPECT_TRUE(once.ready());
  EXPECT_EQ(next(), 2);
  EXPECT_EQ(once.pending(), 0u);
  EXPECT_GE(once.waited_seconds(), 0);
}

}  // namespace
}  // namespace upsweep::tuner
