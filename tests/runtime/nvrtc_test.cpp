// NVRTC compiles what the generator writes: sampled (problem, config) pairs over the architectures, and every template
// on its own.
#include <random>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "generator/templates.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "tests/support/cases.hpp"

namespace upsweep {
namespace {

class Architecture : public testing::TestWithParam<const char*> {};

// Every problem once over all architectures, and then some with configs of their own: 34 pairs an architecture.
TEST_P(Architecture, CompilesSampledConfigs) {
  runtime::NvrtcCompiler compiler;
  const std::string architecture = GetParam();
  std::vector<Problem> problems = test::all_problems();
  for (const Problem& mixed : test::mixed_problems()) problems.push_back(mixed);
  const std::uint64_t seed = std::hash<std::string>{}(architecture) % 100000;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 34; ++i) {
    const Problem& problem = problems[random() % problems.size()];
    const Config config = Space(problem, limits_of_architecture(architecture)).sample(random);
    try {
      const runtime::Compiled compiled = compiler.compile(generate(problem, config), architecture);
      ASSERT_GT(compiled.binary.size(), 500u);
      EXPECT_EQ(compiled.log.find("error"), std::string::npos) << compiled.log;
    } catch (const CompilerError& error) {
      ADD_FAILURE() << "seed " << seed << ": " << to_string(problem) << " " << to_json(config) << "\n"
                    << error.details();
    }
  }
}

// Values of 16 bytes take paths of their own.
TEST_P(Architecture, CompilesWideValues) {
  runtime::NvrtcCompiler compiler;
  const std::string architecture = GetParam();
  for (const auto& [algorithm, partial] :
       {std::pair{Algorithm::inclusive_scan, Config{"lookback", {{"descriptor", "packed"}}}},
        {Algorithm::exclusive_scan, Config{"chained", {{"descriptor", "split"}}}},
        {Algorithm::reduce, Config{"last_block", {}}}}) {
    const Problem problem = make_problem(algorithm, Operator::multiplies, Type::c128, Type::c128);
    const Config config = Space(problem, limits_of_architecture(architecture)).complete(partial);
    const runtime::Compiled compiled = compiler.compile(generate(problem, config), architecture);
    const auto report = runtime::parse_assembler_report(compiled.log);
    ASSERT_TRUE(report.has_value()) << compiled.log;
    EXPECT_EQ(report->stack_bytes, 0) << "values are to stay in registers: " << compiled.log;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Architecture,
                         testing::Values("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"),
                         [](const auto& parameter) { return std::string(parameter.param); });

// A template file and all it includes, each once, as the preprocessor would see them.
void inline_includes(std::string_view path, std::vector<std::string>& seen, std::string& text) {
  if (std::find(seen.begin(), seen.end(), path) != seen.end()) return;
  seen.emplace_back(path);
  for (const TemplateFile& file : templates()) {
    if (file.path != path) continue;
    std::string_view rest = file.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      constexpr std::string_view include = "#include \"";
      if (line.starts_with(include)) {
        inline_includes(line.substr(include.size(), line.size() - include.size() - 1), seen, text);
      } else if (line != "#pragma once") {
        text += std::string(line) + "\n";
      }
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return;
  }
  FAIL() << "no template " << path;
}

TEST(Templates, EachCompilesAloneWithItsDefaults) {
  runtime::NvrtcCompiler compiler;
  int compiled = 0;
  for (const TemplateFile& file : templates()) {
    if (file.path.starts_with("target/host")) continue;
    Source source{.text = "", .entry = "", .key = std::string(file.path), .launch = {}, .workspace = {}};
    std::vector<std::string> seen;
    inline_includes(file.path, seen, source.text);
    try {
      (void)compiler.compile(source, "sm_75");
      ++compiled;
    } catch (const CompilerError& error) {
      ADD_FAILURE() << file.path << "\n" << error.details().substr(0, 2000);
    }
  }
  EXPECT_GT(compiled, 40);
}

}  // namespace
}  // namespace upsweep
