// NVRTC compiles kernels along an axis: columns by vectors, through shared memory and one by one.
#include <gtest/gtest.h>

#include <upsweep/axis.hpp>

#include "generator/space.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"

namespace upsweep {
namespace {

struct AxisKernel {
  const char* architecture;
  Algorithm algorithm;
  Operator op;
  Type type;
  Config config;
};

TEST(AxisKernels, Compile) {
  runtime::NvrtcCompiler compiler;
  for (const AxisKernel& kernel :
       {AxisKernel{"sm_80", Algorithm::inclusive_scan, Operator::plus, Type::f16, {"axis_columns", {}}},
        AxisKernel{"sm_90", Algorithm::exclusive_scan, Operator::affine, Type::u64, {"axis_panels", {}}},
        AxisKernel{
            "sm_75", Algorithm::inclusive_scan, Operator::plus, Type::c128, {"axis_panels", {{"staged_columns", 0}}}},
        AxisKernel{"sm_90", Algorithm::reduce, Operator::affine, Type::u32, {"axis_pieces", {}}}}) {
    const Problem problem =
        along_axis(make_problem(kernel.algorithm, kernel.op, kernel.type, kernel.type), axis(10, 1000, 8));
    const Space space(problem, limits_of_architecture(kernel.architecture));
    for (const Source& step : generate_steps(problem, space.resolve(kernel.config))) {
      EXPECT_NO_THROW((void)compiler.compile(step, kernel.architecture)) << to_string(problem);
    }
  }
}

}  // namespace
}  // namespace upsweep
