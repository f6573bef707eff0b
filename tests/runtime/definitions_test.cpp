// Types, operators and algorithms that tests define, by every schedule on the host device, against plain loops.
#include <upsweep/plan.hpp>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "runtime/engine.hpp"
#include "tests/support/defined_runs.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/selection.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using testing::HasSubstr;

constexpr std::array algorithms{Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce};

runtime::Engine& engine() {
  static const auto& made = *new std::shared_ptr<runtime::Engine>(
      runtime::Engine::open({.device = "host", .database = "none", .record_wanted = false}));
  return *made;
}

template <typename T>
void expect_right_by_every_schedule() {
  for (const Algorithm algorithm : algorithms) {
    const Problem problem = test::problem_of<T>(algorithm, 1000);
    const Space space(problem, engine().device().limits());
    EXPECT_GE(space.schedules().size(), 3u);
    for (const Schedule* const schedule : space.schedules()) {
      const Config config = test::with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
      const Plan plan = engine().plan(problem, config, nullptr);
      const std::uint64_t tile = plan.source().launch.items_per_tile;
      for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile + 1, 5 * tile - 1}) {
        test::expect_right<T>(engine().device(), plan, n, n % 2, false);
        if (algorithm != Algorithm::reduce) test::expect_right<T>(engine().device(), plan, n, 1, true);
      }
    }
  }
}

TEST(Definitions, AnOperatorThatDoesNotCommuteByEverySchedule) {
  expect_right_by_every_schedule<test::Map>();
}

TEST(Definitions, ValuesOfTwelveBytesByEverySchedule) {
  expect_right_by_every_schedule<test::Vector3>();
}

TEST(Definitions, ValuesOfThreeBytesByEverySchedule) {
  expect_right_by_every_schedule<test::Color>();
}

TEST(Definitions, ValuesThatFillVectorsByEverySchedule) {
  expect_right_by_every_schedule<test::Wide>();
}

TEST(Definitions, ValuesWithPaddingByEverySchedule) {
  expect_right_by_every_schedule<test::Padded>();
}

template <typename T>
void expect_negated_scans() {
  const Type type = value_type<T>();
  const Problem problem = make_problem(test::negated_scan(), plus, type, type, 1000);
  const Space space(problem, engine().device().limits());
  EXPECT_GE(space.schedules().size(), 6u);
  for (const Schedule* const schedule : space.schedules()) {
    const Config config = test::with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
    const Plan plan = engine().plan(problem, config, nullptr);
    std::vector<T> in(3 * plan.source().launch.items_per_tile + 7), out(in.size()), expected(in.size());
    T running = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<T>(i % 17 - 5);
      running = static_cast<T>(running + in[i]);
      expected[i] = static_cast<T>(-running);
    }
    plan.run(in.data(), out.data(), in.size());
    engine().device().synchronize(nullptr);
    EXPECT_EQ(out, expected) << to_json(plan.config());
  }
}

TEST(Definitions, AnAlgorithmByEverySchedule) {
  expect_negated_scans<int>();
  expect_negated_scans<signed char>();
}

TEST(Definitions, ValuesOfTwelveBytesAreSelectedByFlags) {
  const Problem problem = test::flagged_selection(not_equal_to, test::Vector3::type(), Type::u8);
  const Space space(problem, engine().device().limits());
  EXPECT_GE(space.schedules().size(), 5u);
  for (const Schedule* const schedule : space.schedules()) {
    const Config config = test::with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
    const Plan plan = engine().plan(problem, config, nullptr);
    for (const test::Layout& layout : {test::Layout{}, {.in_place = true}, {.in_offset = 1, .out_offset = 3}}) {
      EXPECT_EQ(test::select_and_compare(engine().device(), plan, 1000, 0.5, 1, layout), std::nullopt)
          << to_json(config) << (layout.in_place ? ", in place" : "");
    }
  }
}

TEST(Definitions, SchedulesCompileForGpus) {
  runtime::NvrtcCompiler compiler;
  for (const char* const architecture : {"sm_75", "sm_90"}) {
    const DeviceLimits limits = limits_of_architecture(architecture);
    for (const Problem& problem : {test::problem_of<test::Map>(Algorithm::exclusive_scan, 1 << 20),
                                   test::problem_of<test::Vector3>(Algorithm::inclusive_scan, 1 << 20),
                                   test::problem_of<test::Color>(Algorithm::reduce, 1 << 20),
                                   test::problem_of<test::Wide>(Algorithm::inclusive_scan, 1 << 20)}) {
      const Space space(problem, limits);
      for (const Schedule* const schedule : space.schedules()) {
        const Config config = schedule->defaults(problem, limits);
        const bool is_left_to_one = schedule->is_baseline() && limits.compute_capability < 90;
        if (is_left_to_one || !space.contains(config)) continue;
        for (const Source& source : generate_steps(problem, test::with_small_tiles(space, config), Target::cuda)) {
          EXPECT_FALSE(compiler.compile(source, architecture).binary.empty()) << source.key;
        }
      }
    }
  }
}

// Rows of structs that a test defines: 3 and 12 bytes, and 8 and 16 bytes that are aligned to fewer. `before`: bytes
// before the first row, as few as the alignment allows.
template <typename T>
void expect_right_rows_of_structs() {
  const Config config{
      "row_groups",
      {{"threads_per_block", 32}, {"threads_per_row", 4}, {"rows_per_group", 2}, {"loads_per_thread", 1}}};
  const Plan plan = engine().plan(in_rows(test::problem_of<T>(Algorithm::reduce, 1000), 100, 10), config, nullptr);
  std::uint64_t seed = 0;
  for (const std::uint64_t length : {1, 3, 16, 37, 500}) {
    const std::uint64_t count = 1500 / length, before = ++seed % 3 * alignof(T);
    const std::vector<T> items = test::items_of<T>(plan.problem(), count * length, seed);
    const T initial = items.back();
    std::vector<std::byte> memory(before + items.size() * sizeof(T) + 16);
    std::byte* const from = memory.data() + (16 - reinterpret_cast<std::uintptr_t>(memory.data()) % 16) % 16 + before;
    std::memcpy(from, items.data(), items.size() * sizeof(T));
    std::vector<T> out(count);
    plan.run(Arguments(rows(count, length))
                 .array("in", static_cast<const void*>(from))
                 .array("out", out.data())
                 .scalar("initial", T::scalar(initial)));
    engine().device().synchronize(nullptr);
    for (std::uint64_t row = 0; row < count; ++row) {
      const auto begin = items.begin() + static_cast<std::ptrdiff_t>(row * length);
      const std::vector<T> own(begin, begin + static_cast<std::ptrdiff_t>(length));
      ASSERT_TRUE(out[row] == test::expected_of(Algorithm::reduce, own, initial).front())
          << to_string(plan.problem()) << ", row " << row << " of " << length << ", seed " << seed;
    }
  }
}

TEST(Definitions, RowsOfStructsThatFillNoVectors) {
  expect_right_rows_of_structs<test::Color>();
  expect_right_rows_of_structs<test::Vector3>();
  expect_right_rows_of_structs<test::Map>();
  expect_right_rows_of_structs<test::Padded>();
}

// Scans of such rows, with gaps between them: no vectors are stored.
template <typename T>
void expect_right_scans_of_rows_of_structs() {
  const Config config{
      "row_groups",
      {{"threads_per_block", 32}, {"threads_per_row", 4}, {"rows_per_group", 2}, {"loads_per_thread", 2}}};
  const Plan plan = engine().plan(
      in_rows(test::problem_of<T>(Algorithm::inclusive_scan, 1000), rows(100, 10).pitch(11)), config, nullptr);
  constexpr std::uint64_t count = 9, length = 37, pitch = 40;
  const std::vector<T> items = test::items_of<T>(plan.problem(), count * pitch, 3);
  std::vector<T> out = items;
  plan.run(Arguments(rows(count, length).pitch(pitch)).array("in", items.data()).array("out", out.data()));
  engine().device().synchronize(nullptr);
  for (std::uint64_t row = 0; row < count; ++row) {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(row * pitch);
    const std::vector<T> own(begin, begin + static_cast<std::ptrdiff_t>(length));
    std::vector<T> expected = test::expected_of(Algorithm::inclusive_scan, own, items.front());
    expected.insert(expected.end(), begin + length, begin + pitch);  // the gap
    for (std::uint64_t i = 0; i < pitch; ++i) {
      ASSERT_TRUE(out[row * pitch + i] == expected[i])
          << to_string(plan.problem()) << ", row " << row << ", item " << i;
    }
  }
}

TEST(Definitions, ScansOfRowsOfStructsThatFillNoVectors) {
  expect_right_scans_of_rows_of_structs<test::Vector3>();
  expect_right_scans_of_rows_of_structs<test::Color>();
}

TEST(Definitions, AnOperatorWithoutIdentityNeedsAnInitialValue) {
  const Plan reduce = engine().plan(test::problem_of<test::Color>(Algorithm::reduce, 10), nullptr);
  std::array<test::Color, 4> items{};
  test::Color out{};
  EXPECT_THAT(test::message_of<UsageError>([&] { reduce.run(items.data(), &out, items.size()); }),
              HasSubstr("has no identity: pass an initial value"));
  const Plan scan = engine().plan(test::problem_of<test::Color>(Algorithm::inclusive_scan, 10), nullptr);
  EXPECT_NO_THROW(scan.run(items.data(), items.data(), items.size()));
  engine().device().synchronize(nullptr);
}

TEST(Definitions, AStructThatIsNotAsDefinedIsRefusedByTheCompiler) {
  const auto message = [](const char* text, std::uint32_t size) {
    const Type type =
        define_type({.name = "Wrong", .size = size, .alignment = 4, .fields = {{Type::i32, 0}}, .text = text});
    const Operator op = define_operator(
        {.name = "either", .type = type, .text = "__device__ Wrong either(Wrong a, Wrong) { return a; }"});
    return test::message_of<Error>(
        [&] { (void)engine().plan(make_problem(Algorithm::inclusive_scan, op, type, type, 10), nullptr); });
  };
  EXPECT_THAT(message("struct Wrong { int a; };", 8), HasSubstr("the size in the definition of Wrong is not sizeof"));
  EXPECT_THAT(message("struct Wrong { int a = 0; };", 4), HasSubstr("Wrong must have no constructors"));
  EXPECT_THAT(message("struct Wrong { short a, b; };", 4), HasSubstr("the alignment in the definition of Wrong"));
}

TEST(Definitions, ErrorsOfACompilerNameTheLinesOfTheText) {
  const Operator op = define_operator({.name = "broken",
                                       .type = Type::i32,
                                       .identity = Scalar::of(0),
                                       .text = "__device__ int broken(int a, int b) {\n  return a +;\n}"});
  EXPECT_THAT(test::message_of<Error>(
                  [&] { (void)engine().plan(make_problem(Algorithm::reduce, op, Type::i32, Type::i32, 10), nullptr); }),
              HasSubstr("operator broken:2"));
}

}  // namespace
}  // namespace upsweep
