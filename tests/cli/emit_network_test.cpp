// upsweep emit --network.
#include <gmock/gmock.h>

#include "base/file_bytes.hpp"
#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class EmitNetwork : public Command {
 protected:
  [[nodiscard]] static Called emit(const std::vector<std::string>& more) { return call(words("emit --network", more)); }
};

TEST_F(EmitNetwork, ShowsStepsDepthAndSize) {
  const Called called = worked(emit({"kogge_stone"}));
  EXPECT_THAT(called.out, AllOf(StartsWith("kogge_stone, 16 lanes of a warp\n"),
                                HasSubstr("        counted  closed form\n"
                                          "depth         4            4\n"
                                          "size         49           49\n"
                                          "steps         4\n"),
                                HasSubstr("source: Kogge and Stone"), HasSubstr("\nstep  calls\n   1     15   o * * *"),
                                HasSubstr("\n   4      8   o o")));
  EXPECT_THAT(called.err, IsEmpty());
}

// More places than stand in a line, and no power of two.
TEST_F(EmitNetwork, CountsTheStepsOfLargeNetworks) {
  const Called called = worked(emit({"brent_kung", "--n", "96"}));
  EXPECT_THAT(called.out, AllOf(StartsWith("brent_kung, 96 threads of a block\n"),
                                HasSubstr("\nstep  calls\n   1     48\n"), HasSubstr("\nsteps        12\n")));
}

TEST_F(EmitNetwork, DrawsTheNetwork) {
  const Called printed = worked(emit({"han_carlson", "--n", "8", "--svg", "-"}));
  EXPECT_THAT(printed.out, AllOf(StartsWith("<svg "), HasSubstr("han_carlson, 8 places: 4 steps, depth 4, size 12")));
  const std::string file = make("network.svg", "");
  const Called written = worked(emit({"han_carlson", "--n", "8", "--svg", file}));
  EXPECT_EQ(base::as_text(base::read_bytes(file)), printed.out);
  EXPECT_THAT(written.out, IsEmpty());
  EXPECT_THAT(written.err, HasSubstr("written to '"));
}

TEST_F(EmitNetwork, PrintsTheCallsAsJson) {
  const nlohmann::json document = worked(emit({"sklansky", "--n", "4", "--json"})).json();
  EXPECT_EQ(document.at("network"), "sklansky");
  EXPECT_EQ(document.at("steps"), nlohmann::json::parse("[[[0,1,1],[2,3,3]],[[1,2,2],[1,3,3]]]"));
  EXPECT_EQ(document.at("closed_form"), nlohmann::json::parse(R"({"depth":2,"size":4})"));
  EXPECT_EQ(document.at("depth"), 2);
  EXPECT_EQ(document.at("size"), 4);
  EXPECT_EQ(document.at("radix"), 2);
}

TEST_F(EmitNetwork, RefusesWhatDoesNotGoTogether) {
  expect_error(words("emit --network nix"), usage, {"unknown network 'nix'", "use one of serial, kogge_stone"});
  expect_error(words("emit --network serial --n 33"), usage, {"the network serial cannot scan 33 values"});
  EXPECT_THAT(document(words("emit --network serial --svg -"), usage).at("error").at("message"),
              HasSubstr("--json and --svg - both write to standard output"));
  expect_error(words("emit inclusive_scan --network serial"), usage, {"excludes --network"});
  expect_error(words("emit --network serial --show sass"), usage, {"--show excludes --network"});
  expect_error(words("emit inclusive_scan --op plus --type i32 --n 16"), usage, {"--n requires --network"});
  expect_error(words("emit --op plus"), usage, {"ALGORITHM is required"});
}

}  // namespace
}  // namespace upsweep::cli
