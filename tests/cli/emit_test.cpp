#include <gmock/gmock.h>
#include <upsweep/config_space.hpp>

#include "generator/problem_family.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/two_steps.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Emit : public Command {
 protected:
  [[nodiscard]] static std::vector<std::string> emit_of(const std::vector<std::string>& more) {
    return words("emit inclusive_scan --op plus --type i32 --size 2^20", more);
  }
  [[nodiscard]] static Called emit(const std::vector<std::string>& more) { return call(emit_of(more)); }
};

TEST_F(Emit, ShowsTheSourceForAnyArchitecture) {
  for (const std::string& architecture : known_architectures()) {
    const Called called = worked(emit({"--arch", architecture}));
    EXPECT_THAT(called.out, StartsWith("// inclusive_scan plus i32\n")) << architecture;
    EXPECT_THAT(called.out, AllOf(HasSubstr("__global__"), HasSubstr("upsweep_kernel"))) << architecture;
    EXPECT_EQ(called.out, emit({"--arch", architecture}).out) << "the same bytes every time";
    EXPECT_THAT(called.err, IsEmpty());
  }
}

TEST_F(Emit, ShowsTheHostForm) {
  const Called called = worked(emit({"--target", "host"}));
  EXPECT_THAT(called.out, AllOf(StartsWith("// inclusive_scan plus i32\n"), HasSubstr("upsweep_host_bind")));
  EXPECT_NE(called.out, emit({}).out);
}

TEST_F(Emit, CompletesAConfigFromJsonOrAFile) {
  const std::string json = R"({"schedule":"lookback","items_per_thread":4})";
  const Called named = worked(emit({"--config", json}));
  EXPECT_THAT(named.out, HasSubstr("//   items_per_thread 4\n"));
  EXPECT_EQ(emit({"--config", make("config.json", json)}).out, named.out);
}

TEST_F(Emit, CompilesToPtxWithoutAGpu) {
  for (const char* architecture : {"sm_80", "sm_90"}) {
    const Called called = worked(emit({"--arch", architecture, "--show", "ptx"}));
    EXPECT_THAT(called.out, AllOf(HasSubstr(std::string(".target ") + architecture), HasSubstr("upsweep_kernel")));
  }
}

TEST_F(Emit, ShowsSassByTheDisassemblerOnThePath) {
  const std::string tool = make("nvdisasm", "#!/bin/sh\necho '/*0000*/ EXIT ;'\n");
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  const char* const before = std::getenv("PATH");
  const Variable search("PATH", path("") + ":" + (before != nullptr ? before : ""));
  EXPECT_EQ(worked(emit({"--show", "sass"})).out, "/*0000*/ EXIT ;\n");
}

TEST_F(Emit, ShowsResources) {
  const Called called = worked(emit({"--show", "resources"}));
  EXPECT_THAT(called.out, HasSubstr("registers per thread"));
  std::istringstream lines(called.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.find_first_not_of(' ', line.find("  ")), 26u) << line;
  }
  const nlohmann::json json = emit({"--show", "resources", "--json"}).json();
  EXPECT_GT(json.at("steps")[0].at("resources").at("registers").get<int>(), 8);
  EXPECT_LE(json.at("steps")[0].at("resources").at("registers").get<int>(), 255);
  EXPECT_TRUE(json.at("steps")[0].at("resources").contains("static_shared_bytes"));
  EXPECT_THAT(json.at("compiler").get<std::string>(), StartsWith("nvrtc "));
}

TEST_F(Emit, DocumentHasTextAndLaunch) {
  const nlohmann::json json = emit({"--json"}).json();
  EXPECT_EQ(json.at("text"), emit({}).out);
  EXPECT_EQ(json.at("architecture"), "sm_90");
  EXPECT_EQ(json.at("target"), "cuda");
  EXPECT_EQ(json.at("show"), "source");
  ASSERT_EQ(json.at("steps").size(), 1u);
  const nlohmann::json step = json.at("steps")[0];
  EXPECT_EQ(step.at("entry"), "upsweep_kernel");
  EXPECT_TRUE(step.at("scratch").empty());
  EXPECT_EQ(step.at("key").get<std::string>().size(), 32u);
  EXPECT_EQ(json.at("problem").at("size"), 1 << 20);
  EXPECT_GT(step.at("launch").at("threads_per_block").get<int>(), 0);
  EXPECT_EQ(step.at("tile_unit"), "item");
  for (const char* part : {"layout", "slot_bytes", "slot_per_tile"}) EXPECT_TRUE(step.at("workspace").contains(part));
  EXPECT_TRUE(json.at("config").contains("schedule"));
}

TEST_F(Emit, ShowsEachOfSeveralSteps) {
  const test::TwoStepsForBuiltInScans known;
  const auto with = [&](const char* more, const char* value = "source") {
    return call(words("emit exclusive_scan --op plus --type i32 --config two_steps", {more, "--show", value}));
  };
  const nlohmann::json json = with("--json").json();
  ASSERT_EQ(json.at("steps").size(), 2u);
  EXPECT_EQ(json.at("steps")[0].at("scratch")[0].at("name"), "tile_folds");
  EXPECT_EQ(json.at("steps")[0].at("workspace").at("layout"), "");
  EXPECT_EQ(json.at("steps")[1].at("workspace").at("layout"), "tiles_of_the_test");
  EXPECT_THAT(json.at("text").get<std::string>(),
              AllOf(HasSubstr("// step: 1 of 2\n"), HasSubstr("// step: 2 of 2\n")));
  const nlohmann::json compiled = with("--json", "resources").json();
  EXPECT_THAT(compiled.at("text").get<std::string>(), AllOf(StartsWith("// step: 1 of 2\nregisters per thread"),
                                                            HasSubstr("\n// step: 2 of 2\nregisters per thread")));
  for (const nlohmann::json& step : compiled.at("steps")) EXPECT_GT(step.at("resources").at("registers").get<int>(), 0);
}

TEST_F(Emit, WritesToAFile) {
  const Called written = worked(emit({"-o", path("k.cu")}));
  EXPECT_THAT(written.out, IsEmpty());
  EXPECT_THAT(written.err, HasSubstr("written to '" + path("k.cu") + "'"));
  EXPECT_EQ(content("k.cu"), emit({}).out);
  EXPECT_EQ(emit({"-o", "-"}).out, content("k.cu"));
  const nlohmann::json json = emit({"--output", path("k.cu"), "--json"}).json();
  EXPECT_EQ(json.at("output"), path("k.cu"));
  EXPECT_FALSE(json.contains("text"));
  EXPECT_EQ(emit({"--output", "-", "--json"}).code, 2);
}

TEST_F(Emit, TakesAnArchitectureByItsNumber) {
  const std::string text = emit({"--arch", "sm_80"}).out;
  for (const char* number : {"80", "8.0"}) EXPECT_EQ(emit({"--arch", number}).out, text) << number;
  EXPECT_EQ(emit({"--arch", "90a"}).out, emit({"--arch", "sm_90a"}).out);
  EXPECT_THAT(emit({"--arch", "91"}).err, HasSubstr("unknown architecture 'sm_91'"));
}

TEST_F(Emit, DocumentHasAllOfTheLaunch) {
  const auto launch_of = [](const char* config) {
    return emit({"--json", "--config", config}).json().at("steps")[0].at("launch");
  };
  const nlohmann::json cluster = launch_of(R"({"schedule":"cluster","cluster_blocks":4,"dependent_launch":"yes"})");
  EXPECT_EQ(cluster.at("grid"), "one_cluster");
  EXPECT_EQ(cluster.at("cluster_blocks"), 4);
  EXPECT_EQ(cluster.at("cooperative"), false);
  EXPECT_EQ(cluster.at("dependent"), true);
  const nlohmann::json strided = launch_of(R"({"schedule":"lookahead","order":"strided","dependent_launch":"no"})");
  EXPECT_EQ(strided.at("grid"), "persistent");
  EXPECT_EQ(strided.at("cluster_blocks"), 1);
  EXPECT_EQ(strided.at("cooperative"), true);
  EXPECT_EQ(strided.at("dependent"), false);
  EXPECT_EQ(launch_of(R"({"schedule":"single_block"})").at("grid"), "one_block");
  EXPECT_EQ(launch_of(R"({"schedule":"lookback"})").at("grid"), "block_per_tile");
}

TEST_F(Emit, RefusesWhatItDoesNotKnow) {
  expect_error(emit_of({"--arch", "sm_12"}), usage, {"unknown architecture 'sm_12'"});
  expect_error(emit_of({"--show", "hex"}), usage, {"unknown --show 'hex'"});
  expect_error(emit_of({"--show", "resource"}), usage, {"did you mean 'resources'?"});
  expect_error(emit_of({"--target", "metal"}), usage, {"unknown target 'metal'"});
  expect_error(emit_of({"--target", "host", "--show", "ptx"}), usage, {"remove --target host"});
  expect_error(emit_of({"--config", R"({"schedule":"lookback","items_per_thread":999})"}), usage,
               {"items_per_thread=999"});
}

// Every architecture from Turing on that this NVRTC compiles for has limits here, and compiles.
TEST_F(Emit, KnowsTheArchitecturesOfNvrtc) {
  int met = 0;
  for (const std::string& architecture : runtime::NvrtcCompiler().architectures()) {
    if (std::stoi(architecture.substr(3)) < 75) continue;
    const Called called = worked(emit({"--arch", architecture, "--show", "ptx"}));
    EXPECT_THAT(called.out, HasSubstr(".target " + architecture)) << architecture;
    ++met;
  }
  EXPECT_GE(met, 7);
}

// The config that has won on the device, from the shipped results: what a call there would take.
TEST_F(Emit, ShowsWhatANamedDeviceWouldRun) {
  const nlohmann::json json = emit({"--for", "NVIDIA H200", "--json"}).json();
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
  const tuning_db::Winner* winner = nullptr;
  const std::vector<tuning_db::Winner> shipped = tuning_db::shipped_winners_for(problem);
  for (const tuning_db::Winner& each : shipped) {
    if (same_but_for_size(each.trial.problem, problem) && each.trial.problem.size == problem.size) {
      winner = &each;
    }
  }
  ASSERT_NE(winner, nullptr);
  EXPECT_EQ(json.at("device"), "NVIDIA H200");
  EXPECT_EQ(json.at("architecture"), "sm_90");
  EXPECT_EQ(json.at("rung"), "exact");
  EXPECT_EQ(json.at("reason"), "shipped with upsweep: tuned on this device for 2^20 items");
  EXPECT_EQ(json.at("config").dump(), nlohmann::json::parse(to_json(winner->trial.config)).dump());
  const Called text = emit({"--for", "nvidia h200"});
  EXPECT_EQ(text.out, json.at("text").get<std::string>());
  EXPECT_THAT(text.err, AllOf(HasSubstr("device   NVIDIA H200 (sm_90)"), HasSubstr("rung     exact: shipped with")));
  EXPECT_EQ(emit({"--json"}).json().at("rung"), "built_in") << "an architecture alone has no results";
}

TEST_F(Emit, ConfigGoesBeforeTheNamedDevices) {
  const nlohmann::json json = emit({"--for", "NVIDIA H200", "--config", R"({"schedule":"chained"})", "--json"}).json();
  EXPECT_EQ(json.at("rung"), "forced");
  EXPECT_EQ(json.at("config").at("schedule"), "chained");
}

// The user's results lie over the shipped ones.
TEST_F(Emit, NamedDevicesAreThoseOfTheUsersDatabaseToo) {
  const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
  tuning_db::Trial trial = tuning_db::shipped_winners_for(problem).front().trial;
  trial.device.name = "Another GPU";
  trial.problem = problem;
  trial.config = ConfigSpace(problem, limits_of_architecture("sm_90")).resolve({.schedule = "chained", .values = {}});
  tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
  database.set_winner(database.record(trial));
  EXPECT_EQ(emit({"--for", "Another GPU", "--json"}).json().at("config").at("schedule"), "chained");
  EXPECT_THAT(emit({"--for", "Another GPU", "--db", "none"}).err, HasSubstr("unknown device 'Another GPU'"));
}

TEST_F(Emit, ADeviceThatIsNotInThePinnedFileHasDefaults) {
  const Variable pinned(
      "UPSWEEP_PINNED_DB",
      make("pinned.json", R"({"format": "upsweep-tuning-results", "version": 3, "winners": [], "trials": []})"));
  EXPECT_EQ(worked(emit({"--for", "NVIDIA H200", "--json"})).json().at("rung"), "built_in");
}

TEST_F(Emit, UnknownDevicesAreToldWithTheKnownOnes) {
  const Called called = emit({"--for", "H200"});
  EXPECT_EQ(called.code, 2);
  EXPECT_EQ(called.err,
            "upsweep: unknown device 'H200' (it has no tuning results): did you mean 'NVIDIA H200'? use one of NVIDIA "
            "H100 80GB HBM3, NVIDIA H200\n");
  EXPECT_EQ(emit({"--for", "NVIDIA H200", "--arch", "sm_80"}).code, 2);
}

// In a process of its own: NVRTC is loaded once a process.
TEST_F(Emit, SaysWhereNvrtcWasLookedFor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Variable nvrtc("UPSWEEP_NVRTC", "/nonexistent/libnvrtc.so");
  EXPECT_EXIT(
      {
        const Called called = emit({"--show", "ptx"});
        std::cerr << called.err;
        remove();
        std::exit(called.error_lines() == 1 ? called.code : -1);
      },
      ::testing::ExitedWithCode(5),
      "upsweep: .*cannot be loaded from '/nonexistent/libnvrtc.so', the value of UPSWEEP_NVRTC");
  EXPECT_EQ(emit({}).code, 0) << "a source needs no compiler";
}

}  // namespace
}  // namespace upsweep::cli
