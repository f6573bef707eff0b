// The struct that a kernel takes lies in memory as a C++ compiler lays it out.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <upsweep/source.hpp>

#include "generator/arguments.hpp"

namespace upsweep {
namespace {

using Layout = std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>>;  // name, offset, bytes

// An accumulator of that many bytes, aligned to them.
template <std::size_t bytes>
struct alignas(bytes) Value {
  std::byte of[bytes];
};

template <typename Accumulator>
struct Arguments {
  const void* in;
  void* out;
  std::uint64_t n;
  Accumulator initial;
  void* workspace;
};

template <std::size_t bytes>
void expect_as_compiled(Type accumulator) {
  using Compiled = Arguments<Value<bytes>>;
  const ArgumentsRule rule =
      arguments_of({.algorithm = Algorithm::exclusive_scan, .accumulator = accumulator, .output = accumulator});
  Layout layout;
  for (const ArgumentMember& member : rule.members) layout.emplace_back(member.name, member.offset, member.bytes);
  const Layout expected = {{"in", offsetof(Compiled, in), sizeof(void*)},
                           {"out", offsetof(Compiled, out), sizeof(void*)},
                           {"n", offsetof(Compiled, n), sizeof(std::uint64_t)},
                           {"initial", offsetof(Compiled, initial), bytes},
                           {"workspace", offsetof(Compiled, workspace), sizeof(void*)}};
  EXPECT_EQ(layout, expected) << name(accumulator);
  EXPECT_EQ(rule.bytes, sizeof(Compiled)) << name(accumulator);
}

TEST(Arguments, LieAsACompilerPlacesThem) {
  expect_as_compiled<1>(Type::i8);
  expect_as_compiled<2>(Type::bf16);
  expect_as_compiled<4>(Type::f32);
  expect_as_compiled<8>(Type::c64);
  expect_as_compiled<16>(Type::c128);
}

TEST(Arguments, OfAnAlgorithmWithoutScalarsHaveNone) {
  const ArgumentsRule rule = arguments_of({.algorithm = Algorithm::inclusive_scan});
  ASSERT_EQ(rule.members.size(), 4u);
  EXPECT_EQ(rule.arrays, 2u);
  EXPECT_EQ(rule.members[index_of_n(rule)].name, "n");
  EXPECT_EQ(rule.members[index_of_workspace(rule)], (ArgumentMember{"workspace", 24, 8}));
}

TEST(Arguments, HoldTheAddressOfAnInitialValueInMemory) {
  const Problem problem{.algorithm = Algorithm::reduce, .accumulator = Type::c128, .output = Type::c128};
  const ArgumentsRule rule = arguments_of(problem, {.scalars_in_memory = true});
  const ArgumentMember& initial = rule.members[index_of_scalars(rule)];
  EXPECT_EQ(initial, (ArgumentMember{"initial", 24, 8}));
  EXPECT_EQ(rule.bytes, 40u);
  EXPECT_NE(arguments_definition(problem, {.scalars_in_memory = true}).find("const Accumulator* initial;"),
            std::string::npos);
}

TEST(Arguments, HoldLimitsBehindTheWorkspace) {
  const Problem problem = make_problem(Algorithm::select_if, less, Type::i32, Type::u64);
  const ArgumentsRule rule = arguments_of(problem, {.limits = true});
  EXPECT_EQ(rule.limits, limit_members);
  EXPECT_EQ(rule.members[index_of_workspace(rule)], (ArgumentMember{"workspace", 40, 8}));
  EXPECT_EQ(rule.members[6], (ArgumentMember{"items", 48, 8}));
  EXPECT_EQ(rule.members[7], (ArgumentMember{"items_bytes", 56, 8}));
  EXPECT_EQ(rule.members[8], (ArgumentMember{"capacity", 64, 8}));
  EXPECT_EQ(rule.bytes, 72u);
  EXPECT_EQ(arguments_of(problem).limits, 0u);
}

TEST(Arguments, SourcesAssertTheSizesOfTheMembersAndOfTheWhole) {
  const std::string text =
      arguments_definition({.algorithm = Algorithm::reduce, .accumulator = Type::c128, .output = Type::c128});
  EXPECT_NE(text.find("sizeof(Arguments::initial) == 16 && alignof(decltype(Arguments::initial)) == 16"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("sizeof(Arguments) == 64"), std::string::npos) << text;
}

}  // namespace
}  // namespace upsweep
