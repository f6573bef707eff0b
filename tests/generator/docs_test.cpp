// docs/kernels.md shows what the generator writes.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <upsweep/source.hpp>

#include "generator/space.hpp"

namespace upsweep {
namespace {

struct Shown {
  const char* file;
  Problem problem;
  const char* config;
};

class Docs : public testing::TestWithParam<Shown> {};

TEST_P(Docs, ShowsTheGeneratedKernel) {
  const Space space(GetParam().problem, limits_of_architecture("sm_90"));
  const Source source = generate(GetParam().problem, space.complete(config_from_json(GetParam().config)));
  std::ifstream file(std::string(UPSWEEP_SOURCE_DIR "/docs/kernels/") + GetParam().file);
  EXPECT_EQ((std::ostringstream() << file.rdbuf()).str(), source.text)
      << "write it anew with the command that docs/kernels.md names";
}

INSTANTIATE_TEST_SUITE_P(
    All, Docs,
    testing::Values(Shown{"single_block.cu",
                          make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32),
                          R"({"schedule":"single_block","threads_per_block":128,"items_per_thread":8,)"
                          R"("load":"vectorized","store":"vectorized","warp_scan":"sklansky"})"},
                    Shown{"chained.cu",
                          make_problem(Algorithm::exclusive_scan, Operator::maximum, Type::f32, Type::f32),
                          R"({"schedule":"chained","load":"block_transpose","store":"block_transpose",)"
                          R"("block_scan":"raking","warp_scan":"brent_kung"})"},
                    Shown{"lookahead.cu", make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32),
                          R"({"schedule":"lookahead"})"},
                    Shown{"last_block.cu", make_problem(Algorithm::reduce, Operator::plus, Type::f16, Type::f32),
                          R"({"schedule":"last_block"})"}),
    [](const auto& parameter) { return std::filesystem::path(parameter.param.file).stem().string(); });

}  // namespace
}  // namespace upsweep
