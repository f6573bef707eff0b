// devices, doctor, cache and explain: what they print for people and for programs.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include <gmock/gmock.h>

#include "tests/cli/child.hpp"
#include "tests/cli/inspect.hpp"
#include "tests/support/two_steps.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<std::string> explain = words("explain reduce --op maximum --type f32 --device host --size 2^12");

// ---- devices and doctor

TEST_F(Inspect, DoctorKnowsThatThereIsToBeNoDatabase) {
  const Variable none("UPSWEEP_DB", "none");
  EXPECT_THAT(call({"doctor"}).out, HasSubstr("only shipped results are used"));
}

TEST_F(Inspect, DevicesHaveTheHostDevice) {
  EXPECT_THAT(call({"devices"}).out, HasSubstr("host "));
  const nlohmann::json json = document({"devices"});
  ASSERT_FALSE(json.at("devices").empty());
  EXPECT_EQ(json.at("devices").back().at("device"), "host");
}

// In a process of its own, which loads the stand-in for the driver.
TEST_F(Inspect, DevicesTellTheirParts) {
  const Variable driver("UPSWEEP_LIBCUDA", UPSWEEP_FAKE_LIBCUDA);
  Child child({"devices"});
  EXPECT_EQ(child.end(), 0);
  EXPECT_THAT(child.text(), AllOf(HasSubstr("cuda:0    Fake GPU, compute capability 9.0, 1016 multiprocessors"),
                                  HasSubstr("          parts: cuda:0/8 to cuda:0/128 multiprocessors, in steps of 8\n"),
                                  HasSubstr("host ")));
  Child documents({"devices", "--json"});
  EXPECT_EQ(documents.end(), 0);
  const nlohmann::json devices = nlohmann::json::parse(documents.text()).at("devices");
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[1].at("parts"), nlohmann::json({{"least", 8}, {"most", 128}, {"step", 8}}));
  Child refused({"explain", "reduce", "--op", "plus", "--type", "i32", "--size", "1K", "--device", "cuda:0/20"});
  EXPECT_EQ(refused.end(), 2);
  EXPECT_THAT(refused.text(), HasSubstr("use cuda:0/16 or cuda:0/24"));
  Child explained({"explain", "reduce", "--op", "plus", "--type", "i32", "--size", "1K", "--device", "cuda:0/16"});
  EXPECT_EQ(explained.end(), 0);
  EXPECT_THAT(explained.text(),
              AllOf(HasSubstr("device        cuda:0/16 (Fake GPU)"), HasSubstr("--size 1024 --device cuda:0/16")));
}

TEST_F(Inspect, DoctorSaysWhatIsMissingAndWhatToDo) {
  EXPECT_THAT(worked(call({"doctor"})).out, AllOf(HasSubstr("MISSING  cuda:0"), HasSubstr("/nonexistent/libcuda.so.1"),
                                                  HasSubstr("found    C++ compiler"), HasSubstr("found    cache"),
                                                  HasSubstr("tuning.db: does not exist yet")));
  const nlohmann::json json = document({"doctor"});
  EXPECT_EQ(json.at("gpu"), false);
  EXPECT_EQ(json.at("host"), true);
  EXPECT_THAT(json.at("verdict").get<std::string>(), HasSubstr("host device only"));
  for (const nlohmann::json& finding : json.at("findings")) {
    EXPECT_FALSE(finding.at("what").get<std::string>().empty());
    EXPECT_FALSE(finding.at("text").get<std::string>().empty()) << finding;
    EXPECT_TRUE(finding.at("ok").is_boolean());
  }
}

TEST_F(Inspect, DoctorFailsWhereNothingCanRun) {
  const Variable cxx("UPSWEEP_CXX", "/nonexistent/g++");
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 4);
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  C++ compiler"), HasSubstr("kernels cannot run")));
  EXPECT_EQ(document({"doctor"}, 4).at("host"), false);
}

// A compiler that is there, and refuses the arguments that it is called with.
TEST_F(Inspect, DoctorCompilesAKernel) {
  const Variable cxx("UPSWEEP_CXX", "g++ --no-such-option");
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 4);
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  C++ compiler"), HasSubstr("--no-such-option"),
                                HasSubstr("check UPSWEEP_CXX"), HasSubstr("kernels cannot run")));
}

TEST_F(Inspect, DoctorNamesThePinnedDatabase) {
  (void)make_database("pinned.db", 10);
  {
    const Variable pinned("UPSWEEP_PINNED_DB", path("pinned.db"));
    EXPECT_THAT(
        call({"doctor"}).out,
        HasSubstr(path("pinned.db") + ": UPSWEEP_PINNED_DB names it, and only its results are used (1 winner)"));
    const std::string told = call(words("explain reduce --op plus --type f32 --size 2^12 --device host")).out;
    EXPECT_THAT(told,
                HasSubstr("to tune it    remove UPSWEEP_PINNED_DB first: only the results in " + path("pinned.db")));
  }
  const Variable missing("UPSWEEP_PINNED_DB", path("none.db"));
  EXPECT_THAT(call({"doctor"}).out, HasSubstr("MISSING  tuning database"));
}

TEST_F(Inspect, DoctorLooksAtCacheAndDatabase) {
  const Variable cache("XDG_CACHE_HOME", make("file", "no folder") + "/cache");
  (void)make("tuning.db", std::string(200, 'x'));
  const Called called = call({"doctor"});
  EXPECT_EQ(called.code, 0) << "neither stops kernels from running";
  EXPECT_THAT(called.out, AllOf(HasSubstr("MISSING  cache"), HasSubstr("MISSING  tuning database")));
}

// In a process of its own: what was loaded once stays.
TEST_F(Inspect, DoctorNamesThePathsThatVariablesGive) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Variable nvrtc("UPSWEEP_NVRTC", "/nonexistent");
  const Variable driver("UPSWEEP_LIBCUDA", "/nowhere");
  EXPECT_EXIT(
      {
        const Called called = call({"doctor"});
        std::cerr << called.out;
        remove();
        std::exit(called.out.find("looked for") == std::string::npos ? called.code : -1);
      },
      ::testing::ExitedWithCode(0),
      "cannot be loaded from '/nowhere', the value of UPSWEEP_LIBCUDA: set UPSWEEP_LIBCUDA .*\n"
      "MISSING  NVRTC  .*cannot be loaded from '/nonexistent', the value of UPSWEEP_NVRTC: set UPSWEEP_NVRTC");
}

// ---- explain

TEST_F(Inspect, ExplainNeedsNoCompiler) {
  const Variable cxx("UPSWEEP_CXX", "/nonexistent/g++");
  const Called called = worked(call(explain));
  EXPECT_THAT(called.out, AllOf(HasSubstr("problem       reduce maximum f32, 4096 items"), HasSubstr("rung          "),
                                HasSubstr("config        default (single_block)\n"), HasSubstr("reproducible  "),
                                HasSubstr("to tune it    upsweep tune reduce --op maximum --type f32")));
  const nlohmann::json json = document(explain);
  EXPECT_EQ(json.at("rung"), "built_in");
  EXPECT_EQ(json.at("problem").at("size"), 4096);
  EXPECT_EQ(json.at("device").at("device"), "host");
  ASSERT_EQ(json.at("steps").size(), 1u);
  EXPECT_GE(json.at("steps")[0].at("blocks").get<int>(), 1);
  for (const char* key : {"reason", "config", "workspace_bytes", "reproducible", "tune_command"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
}

TEST_F(Inspect, ExplainShowsEachOfSeveralSteps) {
  const test::TwoStepsForBuiltInScans known;
  const Variable force("UPSWEEP_FORCE_CONFIG", "two_steps");
  const std::vector<std::string> arguments =
      words("explain exclusive_scan --op plus --type i32 --size 1000 --device host");
  EXPECT_THAT(call(arguments).out, AllOf(HasSubstr("step          1 of 2\nkernel        "),
                                         HasSubstr("step          2 of 2\nkernel        "),
                                         HasSubstr("launch        16 blocks of 32 threads, tiles of 64 items\n"),
                                         HasSubstr("workspace     256 bytes\n")));
  const nlohmann::json json = document(arguments);
  ASSERT_EQ(json.at("steps").size(), 2u);
  EXPECT_EQ(json.at("steps")[1].at("blocks"), 16);
  EXPECT_EQ(json.at("workspace_bytes"), 256);
}

// A slot a tile, however few blocks there are.
TEST_F(Inspect, ExplainCountsTheWorkspaceByTiles) {
  const nlohmann::json json = document(words("explain inclusive_scan --op plus --type i32 --size 2^24 --device host"));
  EXPECT_EQ(json.at("config").at("schedule"), "lookahead");
  EXPECT_GT(json.at("workspace_bytes").get<std::uint64_t>(), 8u * ((1u << 24) / 7680));
}

TEST_F(Inspect, ExplainCompilesIfAsked) {
  std::vector<std::string> arguments = explain;
  arguments.emplace_back("--compile");
  EXPECT_THAT(call(arguments).out, AllOf(HasSubstr("resources     not known on the host device"),
                                         HasSubstr("considered    "), Not(HasSubstr("0 registers"))));
  EXPECT_THAT(document(arguments).at("resources").get<std::string>(), HasSubstr("not known on the host device"));
  EXPECT_FALSE(document(explain).contains("resources"));
}

// ---- cache

TEST_F(Inspect, CacheIsListedAndCleared) {
  const Variable cache("XDG_CACHE_HOME", path("cache"));
  EXPECT_TRUE(document({"cache", "list"}).at("entries").empty());
  ASSERT_EQ(call(words("run reduce --op plus --type i32 --device host", {make("n.txt", "1\n2\n")})).code, 0);
  const nlohmann::json json = document({"cache", "list"});
  ASSERT_EQ(json.at("entries").size(), 1u);
  EXPECT_GT(json.at("bytes").get<std::uint64_t>(), 1000u);
  EXPECT_THAT(json.at("directory").get<std::string>(), HasSubstr(path("cache")));
  EXPECT_THAT(call({"cache", "list"}).out, HasSubstr("1 kernel, "));
  EXPECT_EQ(document({"cache", "clear"}).at("removed"), 1);
  EXPECT_TRUE(document({"cache", "list"}).at("entries").empty());
}

}  // namespace
}  // namespace upsweep::cli
