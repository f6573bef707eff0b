// NVRTC compiles kernels of rows, along an axis and of segments.
#include <gtest/gtest.h>

#include <upsweep/axis.hpp>

#include "generator/space.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep {
namespace {

struct ShapedKernel {
  const char* architecture;
  Algorithm algorithm;
  Operator op;
  Type type;
  Config config;
};

// Each kernel of the problem that `shaped` makes of a flat one.
template <typename Shaped>
void expect_kernels_compile(const std::vector<ShapedKernel>& kernels, const Shaped& shaped,
                            const SourceOptions& options = {}) {
  runtime::NvrtcCompiler compiler;
  for (const ShapedKernel& kernel : kernels) {
    const Problem problem = shaped(make_problem(kernel.algorithm, kernel.op, kernel.type, kernel.type));
    const Space space(problem, limits_of_architecture(kernel.architecture));
    for (const Source& step : generate_steps(problem, space.resolve(kernel.config), Target::cuda, options)) {
      EXPECT_NO_THROW((void)compiler.compile(step, kernel.architecture)) << to_string(problem);
    }
  }
}

// Row begins of items in one word and in several, and folds of rows by parts of a warp and by whole blocks.
TEST(RowKernels, Compile) {
  expect_kernels_compile(
      {{"sm_90", Algorithm::inclusive_scan, Operator::plus, Type::f16, {"lookahead", {{"vectors_per_thread", 1}}}},
       {"sm_80", Algorithm::exclusive_scan, Operator::affine, Type::u64, {"row_blocks", {{"items_per_thread", 2}}}},
       {"sm_80",
        Algorithm::reduce,
        Operator::affine,
        Type::u32,
        {"row_groups", {{"threads_per_block", 128}, {"threads_per_row", 128}}}},
       {"sm_90", Algorithm::reduce, Operator::plus, Type::f32, {"row_groups", {{"loads_per_thread", 1}}}},
       {"sm_90", Algorithm::reduce, Operator::plus, Type::i8, {"row_pieces", {}}}},
      [](const Problem& problem) { return in_rows(problem, 1000, 100); });
}

// With gaps between rows: by lanes and by blocks, in tiles of several rows item by item and by vectors, and folds.
TEST(RowKernels, CompileWithAPitch) {
  expect_kernels_compile(
      {{"sm_75", Algorithm::exclusive_scan, Operator::affine, Type::u64, {"row_groups", {{"threads_per_row", 8}}}},
       {"sm_90",
        Algorithm::inclusive_scan,
        Operator::plus,
        Type::f16,
        {"row_groups", {{"threads_per_block", 128}, {"threads_per_row", 128}}}},
       {"sm_90", Algorithm::inclusive_scan, Operator::plus, Type::u8, {"row_blocks", {}}},
       {"sm_90", Algorithm::reduce, Operator::plus, Type::f32, {"row_groups", {}}}},
      [](const Problem& problem) { return in_rows(problem, rows(1000, 100).pitch(128)); });
}

// Columns by vectors and one by one.
TEST(AxisKernels, Compile) {
  expect_kernels_compile(
      {{"sm_80", Algorithm::inclusive_scan, Operator::plus, Type::f16, {"axis_columns", {}}},
       {"sm_75", Algorithm::reduce, Operator::affine, Type::u64, {"axis_columns", {}}},
       {"sm_75", Algorithm::exclusive_scan, Operator::maximum, Type::f16, {"axis_columns", {}}},
       {"sm_120", Algorithm::inclusive_scan, Operator::affine, Type::u64, {"axis_columns", {}}},
       {"sm_90", Algorithm::exclusive_scan, Operator::affine, Type::u64, {"axis_panels", {}}},
       {"sm_75", Algorithm::inclusive_scan, Operator::plus, Type::c128, {"axis_panels", {{"contiguous_columns", 0}}}},
       {"sm_90", Algorithm::inclusive_scan, Operator::plus, Type::f16, {"axis_lookahead", {}}},
       {"sm_120",
        Algorithm::exclusive_scan,
        Operator::affine,
        Type::u64,
        {"axis_lookahead", {{"worker_warps", 4}, {"vectors_per_thread", 4}, {"tiles_per_span", 1}}}},
       {"sm_90", Algorithm::inclusive_scan, Operator::plus, Type::i8, {"axis_pipeline", {}}},
       {"sm_120", Algorithm::exclusive_scan, Operator::affine, Type::u64, {"axis_pipeline", {{"stages", 2}}}},
       {"sm_90", Algorithm::inclusive_scan, Operator::affine, Type::u32, {"axis_blocks", {}}},
       {"sm_90", Algorithm::reduce, Operator::affine, Type::u32, {"axis_blocks", {}}},
       {"sm_90", Algorithm::reduce, Operator::affine, Type::u32, {"axis_pieces", {}}},
       {"sm_90", Algorithm::reduce, Operator::plus, Type::f32, {"axis_shares", {}}},
       {"sm_80", Algorithm::reduce, Operator::affine, Type::u64, {"axis_shares", {}}}},
      [](const Problem& problem) { return along_axis(problem, axis(10, 1000, 8)); });
}

// A few columns as one sequence of rows.
TEST(NarrowAxisKernels, Compile) {
  const auto narrow = [](std::uint64_t inner) {
    return [inner](const Problem& problem) { return along_axis(problem, axis(1, 1 << 20, inner)); };
  };
  expect_kernels_compile({{"sm_80", Algorithm::inclusive_scan, Operator::plus, Type::f16, {"lookahead", {}}},
                          {"sm_90", Algorithm::exclusive_scan, Operator::maximum, Type::bf16, {"lookahead", {}}},
                          {"sm_100", Algorithm::inclusive_scan, Operator::plus, Type::i8, {"lookahead", {}}}},
                         narrow(3));
  expect_kernels_compile({{"sm_86", Algorithm::exclusive_scan, Operator::affine, Type::u64, {"lookahead", {}}},
                          {"sm_90", Algorithm::inclusive_scan, Operator::plus, Type::c64, {"lookahead", {}}},
                          {"sm_120", Algorithm::inclusive_scan, Operator::plus, Type::f32, {"lookahead", {}}}},
                         narrow(2));
}

// Offsets in one array, and pairs: those that are searched, read in turn, and looked for by warps that fill stages.
TEST(SegmentKernels, Compile) {
  const std::vector<ShapedKernel> kernels{
      {"sm_75", Algorithm::inclusive_scan, Operator::plus, Type::i8, {"lookback", {{"items_per_thread", 5}}}},
      {"sm_80",
       Algorithm::exclusive_scan,
       Operator::affine,
       Type::u64,
       {"lookahead", {{"stages", 4}, {"reduce_ahead", 1}}}},
      {"sm_75", Algorithm::exclusive_scan, Operator::plus, Type::f32, {"sequential", {}}},
      {"sm_90", Algorithm::reduce, Operator::plus, Type::f32, {"merge_path", {}}},
      {"sm_75", Algorithm::inclusive_scan, Operator::plus, Type::i8, {"segment_groups", {}}},
      {"sm_90", Algorithm::reduce, Operator::affine, Type::u64, {"segment_groups", {}}},
      {"sm_90",
       Algorithm::exclusive_scan,
       Operator::plus,
       Type::f32,
       {"segment_groups", {{"threads_per_block", 256}, {"threads_per_segment", 256}}}},
      {"sm_75", Algorithm::reduce, Operator::plus, Type::i8, {"segment_groups", {{"blocks_per_helper", 16}}}},
      {"sm_80",
       Algorithm::reduce,
       Operator::affine,
       Type::u64,
       {"segment_groups", {{"threads_per_block", 256}, {"threads_per_segment", 256}, {"blocks_per_helper", 4}}}},
      {"sm_90", Algorithm::reduce, Operator::plus, Type::f32, {"segment_pieces", {}}}};
  const auto shaped = [](const Problem& problem) { return in_segments(problem, 1000, 100'000); };
  expect_kernels_compile(kernels, shaped);
  expect_kernels_compile(kernels, shaped, {.segment_ends = true});
}

}  // namespace
}  // namespace upsweep
