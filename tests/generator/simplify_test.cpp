#include "generator/simplify.hpp"

#include <gtest/gtest.h>

namespace upsweep {
namespace {

// What is learned from declarations between blank lines.
Known known_from(std::string_view declarations) {
  Known known;
  for (const Chunk& chunk : cut(declarations).chunks) known.learn(chunk);
  return known;
}

const char* const declarations =
    "constexpr bool yes = true;\n\nconstexpr bool no = false;\n\nbool never(int) { return false; }\n\n"
    "void nothing(int a) {}\n\ntemplate <typename T>\nT& store() { return memory<T>(); }\n\n"
    "void pass_on(int* a, u32 b) { other(a, b); }\n\nvoid swap_them(int a, int b) { other(b, a); }\n\n"
    "void first_only(int a, int b) { other(a); }\n";

std::string simple(const std::string& statements) {
  const std::string head = "void f() {\n", text = simplified(head + statements + "}\n", known_from(declarations));
  return text.substr(head.size(), text.size() - head.size() - 2);
}

TEST(Simplify, CallsTheFunctionThatGetsTheArguments) {
  EXPECT_EQ(simple("  pass_on(p, 1);\n"), "  other(p, 1);\n");
  EXPECT_EQ(simple("  S& s = store<S>();\n"), "  S& s = memory<S>();\n");
  for (const char* same : {"  swap_them(1, 2);\n", "  first_only(1, 2);\n", "  x.pass_on(p, 1);\n",
                           "  x->pass_on(p);\n", "  int pass_on = 1;\n", "  // pass_on(p, 1)\n"}) {
    EXPECT_EQ(simple(same), same);
  }
}

TEST(Simplify, LeavesOutCallsOfEmptyFunctions) {
  EXPECT_EQ(simple("  g();\n  nothing(\n      1);  // why\n  h();\n"), "  g();\n  h();\n");
  EXPECT_EQ(simple("  if (a && b() == 0) nothing(1);\n"), "");
  for (const char* same : {"  if (g(1)) nothing(1);\n", "  int x = nothing(1);\n",
                           "  if (a) nothing(1);\n  else g();\n", "  g(); nothing(1);\n", "  for (;;) nothing(1);\n"}) {
    EXPECT_EQ(simple(same), same);
  }
}

TEST(Simplify, DecidesConditions) {
  EXPECT_EQ(simple("  if (no) {\n    g();\n  }\n  h();\n"), "  h();\n");
  EXPECT_EQ(simple("  if (no && x > 0) g();\n"), "");
  EXPECT_EQ(simple("  if (never(1)) g();  // why\n"), "");
  EXPECT_EQ(simple("  if (!yes) g();\n"), "");
  EXPECT_EQ(simple("  if (yes) g();\n"), "  g();\n");
  EXPECT_EQ(simple("  if (!no && x) g();\n"), "  if (x) g();\n");
  EXPECT_EQ(simple("  x = no || y ? 1 : 2;\n"), "  x = y ? 1 : 2;\n");
  EXPECT_EQ(simple("  x = y && yes && z;\n"), "  x = y && z;\n");
  EXPECT_EQ(simple("  g(no ? f(1, 2) : h(3), 4);\n"), "  g(h(3), 4);\n");
  EXPECT_EQ(simple("  x = yes ? f(1, 2) : 3;\n"), "  x = f(1, 2);\n");
  for (const char* same : {"  x = y && no || z;\n", "  if (no && x || y) g();\n", "  if (no) g();\n  else h();\n",
                           "  if (yes) {\n    g();\n  }\n", "  x = y ? no : 1;\n"}) {
    EXPECT_EQ(simple(same), same);
  }
}

}  // namespace
}  // namespace upsweep
