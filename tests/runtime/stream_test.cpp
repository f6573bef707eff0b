// What may name a stream, and above all what may not: a number or a pointer in its place is an initial value, or does
// not compile.
#include <upsweep/stream.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/context.hpp>

#include "runtime/context_engine.hpp"

namespace upsweep {
namespace {

// As PyTorch's CUDAStream does.
struct ConvertsToStream {
  operator CUstream_st*() const { return reinterpret_cast<CUstream_st*>(std::uintptr_t{0x40}); }  // NOLINT
};
struct SomethingElse {};

static_assert(std::is_convertible_v<CUstream_st*, Stream>);
static_assert(std::is_convertible_v<std::nullptr_t, Stream>);
static_assert(std::is_convertible_v<ConvertsToStream, Stream>);
static_assert(!std::is_constructible_v<Stream, int>);
static_assert(!std::is_constructible_v<Stream, long>);
static_assert(!std::is_constructible_v<Stream, bool>);
static_assert(!std::is_constructible_v<Stream, void*>);
static_assert(!std::is_constructible_v<Stream, const void*>);
static_assert(!std::is_constructible_v<Stream, float*>);
static_assert(!std::is_constructible_v<Stream, const std::int64_t*>);
static_assert(!std::is_constructible_v<Stream, const char*>);
static_assert(!std::is_constructible_v<Stream, SomethingElse>);
static_assert(!std::is_constructible_v<Stream, std::complex<float>>);

// A call with a last argument of type T where the initial value or the stream may stand.
template <typename Out, typename T>
concept Reduces = requires(Context context, const Out* in, Out* out, T last) {
  context.reduce(in, out, 3, plus, last);
};
template <typename Out, typename T>
concept Scans = requires(Context context, const Out* in, Out* out, T last) {
  context.exclusive_scan(in, out, 3, plus, last);
};
template <typename Out, typename T>
concept InclusiveScans = requires(Context context, const Out* in, Out* out, T last) {
  context.inclusive_scan(in, out, 3, plus, last);
};
template <typename T>
concept Runs = requires(const Plan plan, const void* in, void* out, T last) {
  plan.run(in, out, 3, last);
};

static_assert(Reduces<float, CUstream_st*> && Scans<float, CUstream_st*> && InclusiveScans<float, CUstream_st*>);
static_assert(Reduces<float, std::nullptr_t> && Reduces<float, ConvertsToStream> && Reduces<float, int>);
static_assert(!Reduces<float, float*> && !Reduces<float, const float*> && !Reduces<float, void*>);
static_assert(!Reduces<std::int64_t, std::int64_t*> && !Reduces<std::uint8_t, const std::uint8_t*>);
static_assert(!Scans<double, double*> && !Scans<double, void*> && !Scans<f16, int>);
static_assert(!InclusiveScans<float, int> && !InclusiveScans<float, float*> && !InclusiveScans<float, void*>);
static_assert(Runs<CUstream_st*> && Runs<std::nullptr_t> && Runs<Scalar>);
static_assert(!Runs<int> && !Runs<void*> && !Runs<float*>);

TEST(StreamArgument, KeepsTheHandle) {
  auto* const handle = reinterpret_cast<CUstream_st*>(std::uintptr_t{0x40});
  EXPECT_EQ(Stream(handle).handle(), handle);
  EXPECT_EQ(Stream(ConvertsToStream{}).handle(), handle);
  EXPECT_EQ(Stream(nullptr).handle(), nullptr);
  EXPECT_EQ(Stream(), Stream(nullptr));
  EXPECT_NE(Stream(handle), Stream());
}

// The literal 0 is a null pointer constant too: where a stream was any pointer, it was the stream of all output types
// but int, and there was no initial value.
template <typename T>
class LiteralZero : public testing::Test {};
using Types = testing::Types<signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                             long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(LiteralZero, Types);

TYPED_TEST(LiteralZero, IsAnInitialValue) {
  Context context({.device = "host", .database = "none"});
  constexpr bool is_signed = std::is_signed_v<TypeParam>;
  const auto three = static_cast<TypeParam>(is_signed ? -3 : 3), five = static_cast<TypeParam>(is_signed ? -5 : 5);
  const std::vector<TypeParam> in{five, three, five};
  std::vector<TypeParam> out(3, TypeParam{9});
  context.reduce(in.data(), out.data(), 3, is_signed ? maximum : minimum, 0);
  EXPECT_EQ(out[0], TypeParam{0});
  context.exclusive_scan(in.data(), out.data(), 3, is_signed ? maximum : minimum, 0);
  EXPECT_EQ(out, std::vector<TypeParam>(3, TypeParam{0}));
}

TEST(LiteralZeroOfComplex, IsAnInitialValue) {
  Context context({.device = "host", .database = "none"});
  const std::vector<std::complex<float>> in{{1, 2}, {3, 4}};
  std::vector<std::complex<float>> out(1);
  context.reduce(in.data(), out.data(), 2, multiplies, 0);
  EXPECT_EQ(out[0], std::complex<float>(0, 0));
}

// The next stream gets the memory, and calls in the released one still work.
TEST(ReleasedStream, GivesItsWorkspacesToOthers) {
  Context context({.device = "host", .database = "none"});
  runtime::Engine& engine = runtime::engine_of(context);
  const Stream released = engine.device().create_stream(), next = engine.device().create_stream();
  const auto workspace_of = [&](Stream stream) {
    void* found = nullptr;
    const std::array requests{runtime::WorkspaceRequest{engine.workspaces().layout("tiles"), 100}};
    engine.workspaces().lend(requests, stream, [&](void* const* memory) { found = memory[0]; });
    return found;
  };
  void* const memory = workspace_of(released);
  context.release(released);
  EXPECT_EQ(workspace_of(next), memory);
  const std::vector<int> in{1, 2, 3};
  std::vector<int> out(3);
  context.inclusive_scan(in.data(), out.data(), 3, plus, released);
  EXPECT_EQ(out, (std::vector<int>{1, 3, 6}));
}

}  // namespace
}  // namespace upsweep
