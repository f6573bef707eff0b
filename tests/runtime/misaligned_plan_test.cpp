// Which plan a call has whose arrays do not begin at multiples of 16 bytes.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/log.hpp>
#include <upsweep/upsweep.hpp>

#include "generator/space.hpp"
#include "runtime/context_engine.hpp"
#include "tests/runtime/engine_support.hpp"
#include "tests/support/test_folder.hpp"
#include "tuning-db/database.hpp"

namespace upsweep {
namespace {

Problem misaligned_sum(Algorithm algorithm, Type type, std::uint64_t size) {
  return make_problem(algorithm, Operator::plus, type, type, size);
}

// A power of two has a winner for aligned arrays; misaligned ones are planned as the sizes above it.
TEST(Engine, MisalignedCallsArePlannedAsTheSizesAboveAPowerOfTwo) {
  constexpr std::uint64_t power = 1024;
  alignas(16) std::byte memory[64] = {};
  const auto planned = [&](Algorithm algorithm, std::uint64_t n, int in, int out) {
    return runtime::planned_size(misaligned_sum(algorithm, Type::i32, n), memory + in, memory + out);
  };
  for (const Algorithm scan : {Algorithm::inclusive_scan, Algorithm::exclusive_scan}) {
    EXPECT_EQ(planned(scan, power, 0, 16), power);
    EXPECT_EQ(planned(scan, power, 4, 16), power) << "a misaligned input costs a scan next to nothing";
    EXPECT_EQ(planned(scan, power, 0, 4), power + 1);
    EXPECT_EQ(planned(scan, power - 1, 4, 4), power - 1);
    EXPECT_EQ(planned(scan, 2, 4, 4), 2u);
  }
  EXPECT_EQ(planned(Algorithm::reduce, power, 0, 4), power) << "one item is written";
  EXPECT_EQ(planned(Algorithm::reduce, power, 8, 0), power + 1);
}

TEST(Context, MisalignedCallsHaveAPlanOfTheirOwn) {
  const test::TestFolder folder;
  const std::string database = folder.path() / "tuning.db";
  constexpr std::uint64_t power = 1024;
  std::vector<std::string> used;
  {
    const Context context({.device = "host", .database = database});
    tuning_db::Database tuned(database, tuning_db::Database::Mode::read_write);
    for (const std::uint64_t size : {power, power + 100}) {
      Problem problem = misaligned_sum(Algorithm::inclusive_scan, Type::i32, size);
      Config config = Space(problem, context.device_limits()).default_config();
      config.values["threads_per_block"] = size == power ? 64 : 128;
      make_winner(tuned, runtime::engine_of(context), problem, config);
    }
  }
  const LogSink before = set_log_sink([&](LogLevel, const std::string& text) { used.push_back(text); });
  set_log_level(LogLevel::info);
  Context context({.device = "host", .database = database});
  alignas(16) std::array<int, power + 4> in{}, out{};
  in.fill(1);
  context.inclusive_scan(in.data(), out.data(), power);
  EXPECT_EQ(out[power - 1], static_cast<int>(power));
  context.inclusive_scan(in.data(), out.data() + 1, power);
  EXPECT_EQ(out[power], static_cast<int>(power));
  set_log_level(LogLevel::warning);
  set_log_sink(before);
  std::vector<std::string> configs;
  for (const std::string& text : used) {
    for (const char* threads : {"\"threads_per_block\":64", "\"threads_per_block\":128"}) {
      if (text.find(threads) != text.npos && text.find("exact") != text.npos) configs.emplace_back(threads);
    }
  }
  EXPECT_EQ(configs, (std::vector<std::string>{"\"threads_per_block\":64", "\"threads_per_block\":128"}));
}

}  // namespace
}  // namespace upsweep
