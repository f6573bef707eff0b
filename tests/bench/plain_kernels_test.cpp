// The plain kernels, run on the host device: a yardstick that forgets its tail would be no yardstick.
#include "bench/plain_kernels.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "runtime/argument_bytes.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "tests/support/host_context.hpp"

namespace upsweep::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t tile_bytes = std::size_t{16} * plain_threads_per_block;

class PlainKernelsTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  static runtime::Engine& engine() {
    static const auto shared = test::host_engine();
    return *shared;
  }
  static const PlainKernels& kernels() {
    static const PlainKernels shared(engine());
    return shared;
  }
  // On the host device, device memory is this process's.
  runtime::Buffer buffer(std::byte value) {
    runtime::Buffer made(engine().device(), GetParam() + 64);
    std::memset(made.data(), static_cast<int>(value), made.bytes());
    return made;
  }
};

TEST_P(PlainKernelsTest, CopiesEveryByteAndNoMore) {
  const std::size_t bytes = GetParam();
  const runtime::Buffer in = buffer(std::byte{0}), out = buffer(std::byte{7});
  auto* from = static_cast<unsigned char*>(in.data());
  auto* to = static_cast<unsigned char*>(out.data());
  for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<unsigned char>(i * i + 1);
  kernels().copy(from, to, bytes, nullptr);
  EXPECT_EQ(std::memcmp(to, from, bytes), 0);
  for (std::size_t i = bytes; i < out.bytes(); ++i) ASSERT_EQ(to[i], 7) << i - bytes << " behind the end";
}

TEST_P(PlainKernelsTest, ReadsAndWritesNothing) {
  const runtime::Buffer in = buffer(std::byte{0xff}), out = buffer(std::byte{7});
  kernels().read(in.data(), out.data(), GetParam(), nullptr);
  kernels().empty(in.data(), out.data(), GetParam(), nullptr);
  EXPECT_EQ(*static_cast<unsigned char*>(out.data()), 7);
}

// About a tile, and more than fits on the host device at once.
INSTANTIATE_TEST_SUITE_P(Bytes, PlainKernelsTest,
                         ::testing::Values(0, 1, 15, 16, 17, tile_bytes - 1, tile_bytes, tile_bytes + 33,
                                           40 * tile_bytes + 5, 400 * tile_bytes + 31));

// The read kernel folds all it reads: with a `never` that is the fold of the input it writes.
TEST(PlainRead, ReadsEveryWord) {
  const auto engine = test::host_engine();
  const auto kernel = engine->kernels().get(plain_source(Plain::read, 8, Target::host));
  constexpr std::uint64_t bytes = 3 * 8 * tile_bytes + 16 + 4;
  const runtime::Buffer in(engine->device(), bytes), out(engine->device(), 1);
  for (const std::uint64_t changed : {std::uint64_t{0}, std::uint64_t{8 * tile_bytes}, bytes - 20, bytes - 1}) {
    std::memset(in.data(), 0, bytes);
    static_cast<unsigned char*>(in.data())[changed / 4 * 4] = changed == bytes - 1 ? 0 : 5;
    if (changed == bytes - 1) static_cast<unsigned char*>(in.data())[changed] = 5;
    *static_cast<unsigned char*>(out.data()) = 0;
    const std::uint64_t never = 5;
    runtime::ArgumentBytes values(kernel->source.arguments,
                                  {.arrays = {in.data(), out.data()}, .n = bytes, .scalars = {&never}}, nullptr);
    void* arguments[] = {values.data()};
    engine->device().launch(*kernel->kernel, {.blocks = 2, .threads_per_block = plain_threads_per_block}, arguments,
                            nullptr);
    EXPECT_EQ(*static_cast<unsigned char*>(out.data()), 5) << "byte " << changed;
  }
}

TEST(PlainSource, IsSelfContainedAndNamedByItsText) {
  const Source copy = plain_source(Plain::copy, 4, Target::cuda);
  EXPECT_THAT(copy.text, HasSubstr("constexpr int vectors_per_thread = 4;"));
  EXPECT_THAT(copy.text, Not(HasSubstr("#include")));
  EXPECT_THAT(plain_source(Plain::empty, 1, Target::cuda).text, Not(HasSubstr("load_tile")));
  EXPECT_EQ(copy.key.size(), 32u);
  EXPECT_NE(copy.key, plain_source(Plain::copy, 8, Target::cuda).key);
  EXPECT_NE(copy.key, plain_source(Plain::copy, 4, Target::host).key);
}

TEST(PlainSource, CompilesToVectorReadsWithoutSpills) {
  runtime::NvrtcCompiler compiler;
  for (const char* architecture : {"sm_75", "sm_90"}) {
    for (const auto& [which, vectors] : {std::pair{Plain::copy, 4}, std::pair{Plain::read, 8}}) {
      const runtime::Compiled compiled = compiler.compile(plain_source(which, vectors, Target::cuda), architecture);
      EXPECT_THAT(compiled.log, HasSubstr("0 bytes spill stores"));
      EXPECT_THAT(compiled.ptx, HasSubstr("v4.u32")) << "16 bytes an instruction";
    }
    (void)compiler.compile(plain_source(Plain::empty, 1, Target::cuda), architecture);
  }
}

}  // namespace
}  // namespace upsweep::bench
