#include "generator/chunks.hpp"

#include <gtest/gtest.h>

#include "generator/templates.hpp"

namespace upsweep {
namespace {

std::vector<std::string> names_in(std::string_view text) {
  const Chunks chunks = cut(text);
  return chunks.chunks.empty() ? std::vector<std::string>{"no chunk"} : chunks.chunks.front().names;
}

TEST(Chunks, FindsWhatADeclarationDeclares) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_in("using A = int;\nusing B = A;\n"), (Names{"A", "B"}));
  EXPECT_EQ(names_in("constexpr int a = 1, b = 2;\n"), Names{"a"});
  EXPECT_EQ(names_in("template <typename T, int (&x)[3]>\n__device__ T f(T value) {\n\n  return g(value);\n}\n"),
            Names{"f"});
  EXPECT_EQ(names_in("struct alignas(16) S {\n  int x;\n};\n"), Names{"S"});
  EXPECT_EQ(names_in("template <>\nstruct S<4> {\n  int x;\n};\n"), Names{"S"});
  EXPECT_EQ(names_in("enum Status : u32 { nothing = 0 };\n"), Names{"Status"});
  EXPECT_EQ(names_in("extern \"C\" __global__ void __launch_bounds__(128, 2)\nkernel(int* p) { *p = 1; }\n"),
            Names{"kernel"});
  EXPECT_EQ(names_in("static_assert(sizeof(int) == 4, \"x\");\n"), Names{});
  EXPECT_EQ(names_in("#define A(x) x\n"), Names{});
  EXPECT_EQ(names_in("// int decoy();\n/* int other(); */ int real();\n"), Names{"real"});
}

TEST(Chunks, CutsAtBlankLinesOutsideOfBraces) {
  const Chunks chunks =
      cut("// A file.\n#pragma once\n\n#include \"a/b.cuh\"\n\nint f() {\n\n  return 1;\n}\n\nint x;\n");
  ASSERT_EQ(chunks.includes, std::vector<std::string>{"a/b.cuh"});
  ASSERT_EQ(chunks.chunks.size(), 3u);
  EXPECT_TRUE(chunks.chunks[0].comment_only);
  EXPECT_EQ(chunks.chunks[1].text, "int f() {\n\n  return 1;\n}\n");
  EXPECT_EQ(chunks.chunks[1].line, 6);
  EXPECT_EQ(chunks.chunks[2].line, 11);
}

TEST(Chunks, IdentifiersLeaveOutCommentsAndStrings) {
  const auto found = identifiers("f(x) /* y */; // z\n\"w\";");
  EXPECT_TRUE(found.contains("f") && found.contains("x"));
  EXPECT_FALSE(found.contains("y") || found.contains("z") || found.contains("w"));
}

// A declaration whose name is not found would be kept everywhere, or nowhere.
TEST(Chunks, EveryDeclarationOfTheTemplatesHasItsName) {
  for (const TemplateFile& file : templates()) {
    for (const Chunk& chunk : cut(file.text).chunks) {
      if (chunk.comment_only || chunk.text.find("static_assert") != std::string::npos) continue;
      if (chunk.text.find('#') == 0) continue;
      EXPECT_FALSE(chunk.names.empty()) << file.path << ":" << chunk.line;
      for (const std::string& name : chunk.names) EXPECT_NE(name, "") << file.path << ":" << chunk.line;
    }
  }
}

}  // namespace
}  // namespace upsweep
