// Operators see items and folds of items, and nothing else: neither what lies in registers or shared memory of threads
// without items, nor values that do not stand side by side. An operator of the user's own may not survive other values.
#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/definitions.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/defined.hpp"
#include "tests/support/host_context.hpp"
#include "tests/support/strategies.hpp"

namespace upsweep {
namespace {

// The items first to end - 1. The operator takes only a batch and the one right behind it, and ends the launch
// otherwise. Item i is {i + 1, i + 2}; what stands before all items is {0, 1}.
template <typename Number, std::uint32_t alignment = 2 * sizeof(Number)>
struct alignas(alignment) Batch {
  Number first, end;
  bool operator==(const Batch&) const = default;

  static Type type() {
    const std::string number = "u" + std::to_string(8 * sizeof(Number));
    return define_type(
        {.name = "Batch",
         .size = sizeof(Batch),
         .alignment = alignment,
         .fields = {{value_type<Number>(), 0}, {value_type<Number>(), sizeof(Number)}},
         .text = "struct alignas(" + std::to_string(alignment) + ") Batch {\n  " + number + " first, end;\n};"});
  }
  static Operator op() {
    return define_operator({.name = "append",
                            .type = type(),
                            .exact = true,
                            .text = "__device__ Batch append(Batch a, Batch b) {\n"
                                    "  if (a.first >= a.end || a.end != b.first || b.first >= b.end) abort_kernel();\n"
                                    "  return {a.first, b.end};\n}"});
  }
  static Batch item(std::uint64_t i) { return {static_cast<Number>(i + 1), static_cast<Number>(i + 2)}; }
  static Batch initial() { return {0, 1}; }
  static Batch combine(Batch a, Batch b) { return {a.first, b.end}; }
};

// A sum with a word that follows from it: what nobody has written has the wrong one. Commutes, so that reduces fold
// items that do not stand side by side.
struct Checked {
  std::uint32_t sum, check;
  bool operator==(const Checked&) const = default;

  static constexpr std::uint32_t check_of(std::uint32_t sum) { return (sum ^ 0x9e3779b9u) * 0x85ebca6bu; }
  static Type type() {
    return define_type({.name = "Checked",
                        .size = 8,
                        .alignment = 8,
                        .fields = {{Type::u32, 0}, {Type::u32, 4}},
                        .text = "struct alignas(8) Checked {\n  u32 sum, check;\n};"});
  }
  static Operator op() {
    return define_operator({.name = "add",
                            .type = type(),
                            .commutative = true,
                            .exact = true,
                            .text =
                                "__device__ u32 check_of(u32 sum) {\n  return (sum ^ 0x9e3779b9u) * 0x85ebca6bu;\n}\n\n"
                                "__device__ Checked add(Checked a, Checked b) {\n"
                                "  if (a.check != check_of(a.sum) || b.check != check_of(b.sum)) abort_kernel();\n"
                                "  return {a.sum + b.sum, check_of(a.sum + b.sum)};\n}"});
  }
  static Checked of(std::uint32_t sum) { return {sum, check_of(sum)}; }
  static Checked item(std::uint64_t i) { return of(static_cast<std::uint32_t>(i * i + 3)); }
  static Checked initial() { return of(1000); }
  static Checked combine(Checked a, Checked b) { return of(a.sum + b.sum); }
};

// Whose arrays begin `offset` items behind an aligned address.
template <typename T>
void expect_right(runtime::Device& device, const Plan& plan, std::uint64_t n, std::size_t offset) {
  SCOPED_TRACE(std::to_string(n) + " items, offset " + std::to_string(offset));
  std::vector<T> items;
  for (std::uint64_t i = 0; i < n; ++i) items.push_back(T::item(i));
  const std::vector<T> wanted = test::expected_of(plan.problem().algorithm, items, T::initial());
  runtime::Buffer in(device, (n + offset) * sizeof(T)), out(device, (n + offset) * sizeof(T));
  device.fill(in.data(), 0xa5, in.bytes(), nullptr);
  T* const from = static_cast<T*>(in.data()) + offset;
  T* const to = static_cast<T*>(out.data()) + offset;
  device.copy_to_device(from, items.data(), n * sizeof(T), nullptr);
  plan.run(from, to, n, Scalar::of(plan.problem().input, T::initial()));
  device.synchronize(nullptr);
  std::vector<T> got(wanted.size());
  device.copy_to_host(got.data(), to, got.size() * sizeof(T), nullptr);
  EXPECT_TRUE(got == wanted);
}

// By the borders of warps and tiles, where threads have no item.
template <typename T>
void expect_right_at_borders(const test::Strategy& strategy) {
  const auto engine = test::host_engine();
  const Plan plan = engine->plan(strategy.problem, strategy.config, nullptr);
  const std::uint64_t tile = plan.source().launch.items_per_tile;
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{31}, std::uint64_t{33}, tile / 2 - 1,
                                tile / 2, tile / 2 + 1, tile - 1, tile, tile + 1, 2 * tile - 1, 3 * tile + 33}) {
    for (const std::size_t offset : {0, 1}) expect_right<T>(engine->device(), plan, n, offset);
  }
}

struct Case {
  test::Strategy strategy;
  std::string name;
  void (*check)(const test::Strategy&);
};

void PrintTo(const Case& tested, std::ostream* out) {
  PrintTo(tested.strategy, out);
}

enum class Which { defaults, ways };

// The schedule's defaults, or another way to do a part of its work that calls the operator. Which threads are without
// items does not depend on how large tiles are.
bool is_taken(const test::Strategy& strategy, Which which) {
  const auto varies = [&](const char* parameter) {
    return strategy.name.find(std::string("_") + parameter + "_") != std::string::npos;
  };
  if (strategy.name.ends_with("_default")) return true;
  if (which == Which::defaults || varies("dependent_launch") || varies("prefetch") || varies("store")) return false;
  const bool is_number = std::isdigit(static_cast<unsigned char>(strategy.name.back())) != 0;
  return !is_number || varies("reduce_ahead") || varies("states_per_lane");
}

template <typename T>
void add_cases(std::vector<Case>& cases, const std::string& what, Which which, std::vector<Algorithm> algorithms) {
  std::vector<Problem> problems;
  for (const Algorithm each : algorithms) problems.push_back(make_problem(each, T::op(), T::type(), T::type()));
  const DeviceLimits limits = test::host_engine()->device().limits();
  for (test::Strategy& each : test::strategies(problems, limits, test::Tiles::small)) {
    if (!is_taken(each, which)) continue;
    const std::string way = each.name.substr(test::test_name(each.problem).size());  // the rest names a definition
    cases.push_back({each, what + "_" + std::string(name(each.problem.algorithm)) + way, expect_right_at_borders<T>});
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const std::vector<Algorithm> scans{Algorithm::inclusive_scan, Algorithm::exclusive_scan}, reduce{Algorithm::reduce};
  add_cases<Batch<std::uint32_t>>(all, "batch", Which::ways, scans);
  add_cases<Batch<std::uint32_t>>(all, "batch", Which::ways, reduce);
  add_cases<Checked>(all, "checked", Which::ways, reduce);
  // Of other sizes the descriptors and partial results are others.
  add_cases<Batch<std::uint32_t, 4>>(all, "unaligned_stretch", Which::defaults, {Algorithm::inclusive_scan});
  add_cases<Batch<std::uint16_t>>(all, "small_stretch", Which::defaults, scans);
  add_cases<Batch<std::uint64_t>>(all, "wide_stretch", Which::defaults, scans);
  add_cases<Batch<std::uint64_t>>(all, "wide_stretch", Which::defaults, reduce);
  return all;
}

class Operands : public testing::TestWithParam<Case> {};

TEST_P(Operands, AreItemsAndFoldsOfItems) {
  GetParam().check(GetParam().strategy);
}

INSTANTIATE_TEST_SUITE_P(All, Operands, testing::ValuesIn(cases()), test::by_name);

}  // namespace
}  // namespace upsweep
