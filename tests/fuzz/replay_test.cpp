// Every input that is kept in corpus/ goes through its target: what fuzzing has found stays mended, without a fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

// Each target's LLVMFuzzerTestOneInput, under a name of its own (CMakeLists.txt).
#define UPSWEEP_FUZZ_TARGET(name) extern "C" int upsweep_fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "targets.inc"
#undef UPSWEEP_FUZZ_TARGET

namespace upsweep::fuzz {
namespace {

using Target = int (*)(const std::uint8_t* data, std::size_t size);

struct Kept {
  const char* name;
  Target target;
};

void PrintTo(const Kept& kept, std::ostream* out) {
  *out << kept.name;
}

const std::vector<Kept> targets = {
#define UPSWEEP_FUZZ_TARGET(name) {#name, upsweep_fuzz_##name},
#include "targets.inc"
#undef UPSWEEP_FUZZ_TARGET
};

const std::filesystem::path corpora = std::filesystem::path(UPSWEEP_SOURCE_DIR) / "tests/fuzz/corpus";

class ReplayTest : public testing::TestWithParam<Kept> {};

TEST_P(ReplayTest, WhatIsKeptHoldsItsProperties) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpora / GetParam().name)) files.push_back(entry);
  std::ranges::sort(files);
  ASSERT_GE(files.size(), 3u) << "the corpus of " << GetParam().name << " is gone";
  for (const std::filesystem::path& file : files) {
    const std::string bytes = bytes_of(file);
    // A block of its own, so that a sanitizer sees reads past the end.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    try {
      GetParam().target(input.data(), input.size());
    } catch (const std::exception& error) {
      ADD_FAILURE() << file.filename() << ": " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ReplayTest, testing::ValuesIn(targets),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(ReplayTest, EveryCorpusHasATarget) {
  for (const auto& entry : std::filesystem::directory_iterator(corpora)) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(std::ranges::any_of(targets, [&](const Kept& kept) { return kept.name == name; })) << name;
  }
}

}  // namespace
}  // namespace upsweep::fuzz
