// Calls whose arrays and scalars are named, and initial values that are in device memory, on the host device.
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/context.hpp>
#include <upsweep/error.hpp>
#include <upsweep/port.hpp>

#include "generator/schedule.hpp"
#include "generator/space.hpp"
#include "runtime/context_engine.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

using Items = std::vector<std::int32_t>;

Problem sum(Algorithm algorithm) {
  return make_problem(algorithm, Operator::plus, Type::i32, Type::i32, 1000);
}

class ArgumentsTest : public testing::Test {
 protected:
  [[nodiscard]] std::string message_of(const Plan& plan, const Arguments& arguments) const {
    return test::error_of<UsageError>([&] { plan.run(arguments); });
  }

  Context context{{.device = "host", .database = "none"}};
  Items in{3, 1, 2, 5};
  Items out = Items(4, -1);
};

TEST_F(ArgumentsTest, ArePortsAndScalarsOfTheProblem) {
  const Problem mixed{
      .algorithm = Algorithm::reduce, .op = plus, .input = Type::f16, .accumulator = Type::f32, .output = Type::f64};
  EXPECT_EQ(ports(mixed), (std::vector<Port>{{"in", Type::f16, Direction::in, Extent::n},
                                             {"out", Type::f64, Direction::out, Extent::one}}));
  EXPECT_EQ(scalars(mixed), (std::vector<ScalarPort>{{"initial", Type::f32}}));
  EXPECT_EQ(ports(sum(Algorithm::exclusive_scan)).back().items(7), 7u);
  EXPECT_EQ(ports(mixed).back().items(7), 1u);
  EXPECT_TRUE(scalars(sum(Algorithm::inclusive_scan)).empty());
}

TEST_F(ArgumentsTest, ReachTheKernel) {
  const Items& read = in;
  context.plan(sum(Algorithm::inclusive_scan)).run(Arguments(4).array("in", read.data()).array("out", out.data()));
  EXPECT_EQ(out, (Items{3, 4, 6, 11}));
  const Plan exclusive = context.plan(sum(Algorithm::exclusive_scan));
  exclusive.run(Arguments(4).array("out", out.data()).array("in", read.data()));
  EXPECT_EQ(out, (Items{0, 3, 4, 6})) << "without an initial value, from the identity";
  exclusive.run(Arguments(3)
                    .array("out", nullptr)
                    .array("out", out.data())
                    .array("in", read.data())
                    .scalar("initial", Scalar::of(std::int32_t{10})));
  EXPECT_EQ(out, (Items{10, 13, 14, 6})) << "the last address of a name counts, and n items are written";
}

TEST_F(ArgumentsTest, ThatAreWrongAreErrorsThatSayWhatToDo) {
  const Plan inclusive = context.plan(sum(Algorithm::inclusive_scan)), reduce = context.plan(sum(Algorithm::reduce));
  const Items& read = in;
  const Arguments right = Arguments(4).array("in", read.data()).array("out", out.data());
  EXPECT_THAT(message_of(inclusive, Arguments(4).array("in", read.data())),
              testing::HasSubstr("the array 'out' is missing: add array(\"out\", address)"));
  EXPECT_THAT(message_of(inclusive, Arguments(4).array("in", read.data()).array("out", read.data())),
              testing::HasSubstr("'out' is written: pass an address that is not const"));
  EXPECT_THAT(message_of(inclusive, Arguments(right).array("output", out.data())),
              testing::HasSubstr("unknown array 'output'"));
  EXPECT_THAT(message_of(inclusive, Arguments(right).scalar("initial", Scalar::of(1))),
              testing::HasSubstr("the algorithm inclusive_scan has no scalar: remove 'initial'"));
  EXPECT_THAT(message_of(reduce, Arguments(right).scalar("start", Scalar::of(1))),
              testing::HasSubstr("unknown scalar 'start'"));
  EXPECT_THAT(message_of(reduce, Arguments(right).scalar("initial", Scalar::of(1.0f))),
              testing::HasSubstr("the initial value has type f32, but the accumulator has type i32"));
  EXPECT_THAT(message_of(reduce, Arguments(4).array("in", static_cast<const void*>(nullptr)).array("out", out.data())),
              testing::HasSubstr("'in' is null"));
  EXPECT_EQ(out, Items(4, -1)) << "nothing was computed";
}

TEST_F(ArgumentsTest, HaveAWorkspaceOfTheCaller) {
  const Problem problem = sum(Algorithm::exclusive_scan);
  const Plan plan = context.plan(problem, {.schedule = "lookback", .values = {}});
  std::vector<std::byte> memory(plan.workspace_bytes(4) + 256);
  void* const aligned = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 127) / 128 * 128);
  const BorrowedWorkspace workspace = plan.borrow_workspace(aligned, plan.workspace_bytes(4));
  const std::int32_t initial = 7;
  const Arguments arguments = Arguments(4).array("in", in.data()).array("out", out.data());
  plan.run(Arguments(arguments).scalar("initial", Scalar::of(initial)), nullptr, workspace);
  EXPECT_EQ(out, (Items{7, 10, 11, 13}));
  const std::int32_t in_memory = -7;
  plan.run(Arguments(arguments).scalar_in_memory("initial", &in_memory), nullptr, workspace);
  EXPECT_EQ(out, (Items{-7, -4, -3, -1}));
  EXPECT_THROW(plan.run(arguments, nullptr, BorrowedWorkspace()), UsageError) << "of another layout";
}

TEST_F(ArgumentsTest, InitialValueInMemoryOfTypedCalls) {
  std::int32_t initial = 100;
  context.exclusive_scan(in.data(), out.data(), 4, plus, in_memory(&initial));
  EXPECT_EQ(out, (Items{100, 103, 104, 106}));
  initial = -1;
  context.exclusive_scan(in.data(), out.data(), 4, plus, in_memory(&initial));
  EXPECT_EQ(out, (Items{-1, 2, 3, 5})) << "it is read when the kernel runs";
  context.reduce(in.data(), out.data(), 0, plus, in_memory(&initial));
  EXPECT_EQ(out[0], -1);
}

TEST_F(ArgumentsTest, AReduceOntoItsInitialValueAddsUp) {
  std::int32_t total = 0;
  for (int chunk = 0; chunk < 3; ++chunk) context.reduce(in.data(), &total, 4, plus, in_memory(&total));
  EXPECT_EQ(total, 33);
}

TEST_F(ArgumentsTest, WrongAddressesOfInitialValues) {
  const Plan scan = context.plan(sum(Algorithm::exclusive_scan)), reduce = context.plan(sum(Algorithm::reduce));
  const Arguments arrays = Arguments(4).array("in", in.data()).array("out", out.data());
  const auto with = [&](const void* address) { return Arguments(arrays).scalar_in_memory("initial", address); };
  EXPECT_THAT(message_of(scan, with(nullptr)), testing::HasSubstr("'initial' is null"));
  EXPECT_THAT(message_of(scan, with(reinterpret_cast<const std::byte*>(in.data()) + 1)),
              testing::HasSubstr("is not aligned for i32"));
  for (const int at : {0, 3}) {
    EXPECT_THAT(message_of(scan, with(out.data() + at)), testing::HasSubstr("lies within 'out'")) << at;
  }
  EXPECT_THAT(message_of(scan, with(in.data())), "");
  EXPECT_THAT(message_of(scan, with(out.data() + 3)), "") << "only the first call of a plan looks";
  const Problem wide{
      .algorithm = Algorithm::reduce, .op = plus, .input = Type::i32, .accumulator = Type::i32, .output = Type::i64};
  alignas(8) std::int32_t result[2] = {0, 0};
  EXPECT_THAT(
      message_of(context.plan(wide),
                 Arguments(4).array("in", in.data()).array("out", result).scalar_in_memory("initial", result + 1)),
      testing::HasSubstr("lies within 'out'"));
}

TEST_F(ArgumentsTest, InitialValuesNextToTheOutput) {
  const Problem narrowing{.algorithm = Algorithm::exclusive_scan,
                          .op = plus,
                          .input = Type::i32,
                          .accumulator = Type::i64,
                          .output = Type::i32};
  alignas(8) std::int32_t memory[8] = {};
  const auto message = [&](int initial, int results) {
    return message_of(context.plan(narrowing, context.plan(narrowing).config()),
                      Arguments(2)
                          .array("in", in.data())
                          .array("out", memory + results)
                          .scalar_in_memory("initial", memory + initial));
  };
  EXPECT_EQ(message(2, 0), "") << "right behind the output";
  EXPECT_EQ(message(0, 2), "") << "right before it";
  EXPECT_THAT(message(0, 1), testing::HasSubstr("lies within 'out'"))
      << "it begins before the output and reaches into it";
  EXPECT_THAT(message(2, 1), testing::HasSubstr("lies within 'out'"));
}

TEST_F(ArgumentsTest, ARefusedCallDoesNotCountAsTheFirst) {
  const Plan scan = context.plan(sum(Algorithm::exclusive_scan), context.plan(sum(Algorithm::exclusive_scan)).config());
  const Arguments refused =
      Arguments(4).array("in", in.data()).array("out", nullptr).scalar_in_memory("initial", in.data());
  EXPECT_THAT(message_of(scan, refused), testing::HasSubstr("'out' is null"));
  EXPECT_THAT(message_of(scan, Arguments(refused).array("out", out.data()).scalar_in_memory("initial", out.data())),
              testing::HasSubstr("lies within 'out'"));
}

TEST_F(ArgumentsTest, PrepareCompilesTheKernelThatReadsTheValue) {
  const auto engine = test::host_engine();
  const Problem problem = sum(Algorithm::reduce);
  const Plan plan = engine->plan(problem, nullptr);
  const std::string key = generate(problem, plan.config(), Target::host, {.scalars_in_memory = true}).key;
  const Arguments arguments = Arguments(4).array("in", nullptr).array("out", nullptr);
  plan.prepare(Arguments(arguments).scalar("initial", Scalar::of(1)));
  EXPECT_FALSE(engine->kernels().holds(key));
  plan.prepare(Arguments(arguments).scalar_in_memory("initial", nullptr));
  EXPECT_TRUE(engine->kernels().holds(key));
}

TEST_F(ArgumentsTest, APlanCompilesItWhenItsContextIsGone) {
  std::optional<Context> gone(std::in_place, ContextOptions{.device = "host", .database = "none"});
  const Plan plan = gone->plan(sum(Algorithm::reduce));
  gone.reset();
  const std::int32_t initial = 5;
  plan.run(Arguments(4).array("in", in.data()).array("out", out.data()).scalar_in_memory("initial", &initial));
  EXPECT_EQ(out[0], 16);
}

TEST_F(ArgumentsTest, ThreadsShareTheKernelThatReadsTheValue) {
  const Plan plan = context.plan(sum(Algorithm::reduce));
  const std::int32_t initial = 7;
  std::vector<std::int32_t> results(8);
  std::vector<std::thread> threads;
  for (std::int32_t& result : results) {
    threads.emplace_back([&] {
      plan.run(Arguments(4).array("in", in.data()).array("out", &result).scalar_in_memory("initial", &initial));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(results, std::vector<std::int32_t>(8, 18));
}

TEST_F(ArgumentsTest, ContextsPrepareForThem) {
  const Problem problem = make_problem(Algorithm::exclusive_scan, plus, Type::i32, Type::i32, 4);
  context.prepare(problem,
                  Arguments(4).array("in", nullptr).array("out", nullptr).scalar_in_memory("initial", nullptr));
  const Plan plan = context.plan(problem);
  EXPECT_TRUE(runtime::engine_of(context).kernels().holds(
      generate(problem, plan.config(), Target::host, {.scalars_in_memory = true}).key));
}

TEST_F(ArgumentsTest, AnInclusiveScanHasNoInitialValueToRead) {
  const Problem problem = sum(Algorithm::inclusive_scan);
  const Config config = context.plan(problem).config();
  EXPECT_THROW((void)generate(problem, config, Target::host, {.scalars_in_memory = true}), UsageError);
}

class InitialInMemory : public testing::TestWithParam<Problem> {};

TEST_P(InitialInMemory, IsRightInEverySchedule) {
  const Problem& problem = GetParam();
  const auto engine = test::host_engine();
  const Space space(problem, engine->device().limits());
  for (const Schedule* schedule : space.schedules()) {
    const Config config = test::with_small_tiles(space, space.complete({std::string(schedule->name()), {}}));
    const Plan plan = engine->plan(problem, config, nullptr);
    const std::uint64_t tile = plan.source().launch.items_per_tile;
    plan.prepare(Arguments(tile).array("in", nullptr).array("out", nullptr).scalar_in_memory("initial", nullptr));
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile, 3 * tile + 5}) {
      EXPECT_EQ(test::run_and_compare(engine->device(), plan, n, test::Data::random, n, {.initial_in_memory = true}),
                std::nullopt);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, InitialInMemory,
                         testing::Values(make_problem(Algorithm::exclusive_scan, Operator::plus, Type::i32, Type::i32),
                                         make_problem(Algorithm::exclusive_scan, Operator::maximum, Type::u8, Type::u8),
                                         make_problem(Algorithm::exclusive_scan, Operator::affine, Type::u64,
                                                      Type::u64),
                                         make_problem(Algorithm::reduce, Operator::plus, Type::f32, Type::c128),
                                         make_problem(Algorithm::reduce, Operator::plus, Type::i8, Type::i8),
                                         make_problem(Algorithm::reduce, Operator::last_nonzero, Type::i16, Type::i16)),
                         [](const auto& of) { return test::test_name(of.param); });

}  // namespace
}  // namespace upsweep
