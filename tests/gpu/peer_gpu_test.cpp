// What `upsweep bench` has CUB compute is what upsweep computes: a wrong call would be no comparison.
#include <filesystem>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "bench/peer.hpp"
#include "generator/algorithm.hpp"
#include "generator/shape.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/support/by_key.hpp"
#include "tests/support/guarded_memory.hpp"
#include "tests/support/rows.hpp"
#include "tests/support/runs.hpp"
#include "tests/support/segments.hpp"
#include "tests/support/selection.hpp"
#include "tuner/verify/data.hpp"
#include "tuner/verify/port_call.hpp"

namespace upsweep {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t peer_sizes[] = {0, 1, 1000, 1 << 20};

// Of each array that is read its items, and of each that is written its results, in the order of the ports.
struct Case {
  std::vector<Bytes> arrays;
  std::vector<Scalar> scalars;
};

Case dense_case(const Problem& problem, std::uint64_t n) {
  const Bytes items = test::make_data(problem, n, test::Data::random, n);
  const std::vector<Scalar> scalars = tuner::make_timed_scalars(problem, 1);
  const Scalar initial = scalars.empty() ? identity(problem.op, problem.accumulator) : scalars.front();
  return {{items, test::expected(problem, items, n, initial)}, scalars};
}

Case selection_case(const Problem& problem, std::uint64_t n) {
  const test::Selection selection = test::make_selection(problem, n, 0.4, n);
  const Bytes kept = test::selected(problem, selection);
  const std::uint64_t number = kept.size() / size_of(problem.input);
  Bytes count(size_of(problem.accumulator));
  std::memcpy(count.data(), &number, count.size());
  if (problem.key) return {{selection.items, selection.flags, kept, count}, {selection.threshold}};
  return {{selection.items, kept, count}, {selection.threshold}};
}

Case by_key_case(const Problem& problem, std::uint64_t n) {
  const test::KeyedItems items = test::make_keyed_items(problem, n, 8, n);
  const test::Runs runs = test::runs_of(problem, items, n);
  Bytes count(sizeof runs.count);
  std::memcpy(count.data(), &runs.count, count.size());
  return {{items.keys, items.values, runs.unique, runs.aggregates, count}, {}};
}

Case runs_case(const Problem& problem, std::uint64_t n) {
  const auto made = [&] {
    if (problem.shape == Shape::rows) {
      return test::make_rows_case(problem, rows(n / problem.row_length, problem.row_length), n);
    }
    if (problem.shape == Shape::flat) return test::make_runs_case(problem, n, 3, n);
    std::vector<std::uint64_t> lengths(rows_of(problem, n), problem.row_length);
    if (!lengths.empty()) lengths.back() = n - (lengths.size() - 1) * problem.row_length;
    return test::make_segments_case(problem, test::offsets_of(lengths), n, n);
  };
  const test::PortCase call = made();
  Case data;
  for (const Port& port : ports(problem)) {
    data.arrays.push_back((port.direction == Direction::in ? call.inputs : call.results).at(port.name));
  }
  for (const ScalarPort& scalar : scalars(problem)) data.scalars.push_back(call.scalars.at(scalar.name));
  return data;
}

Case case_of(const Problem& problem, std::uint64_t n) {
  if (problem.algorithm == Algorithm::select_if || problem.algorithm == Algorithm::select_flagged) {
    return selection_case(problem, n);
  }
  if (problem.algorithm == Algorithm::reduce_by_key) return by_key_case(problem, n);
  if (problem.shape != Shape::flat || !has_plain_items(problem)) return runs_case(problem, n);
  return dense_case(problem, n);
}

// What differs, in the arrays that are written or around them; empty: nothing.
std::string differences(const bench::Peer& peer, const Problem& problem, std::uint64_t n) {
  runtime::Device& device = test::gpu_engine()->device();
  const Case data = case_of(problem, n);
  const std::vector<Port> all = ports(problem);
  std::vector<test::GuardedMemory> memory;
  std::vector<Bytes> expected;
  tuner::SlotArrays arrays{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    memory.emplace_back(device, port_items(problem, all[i], n) * size_of(all[i].type), 0, nullptr);
    arrays.at(i) = memory[i].data();
    if (all[i].direction == Direction::in) {
      device.copy_to_device(memory[i].data(), data.arrays[i].data(), data.arrays[i].size(), nullptr);
    }
    expected.push_back(memory[i].fetch(nullptr));
    std::copy(data.arrays[i].begin(), data.arrays[i].end(),
              expected[i].begin() + static_cast<std::ptrdiff_t>(memory[i].offset()));
  }
  const std::optional<std::size_t> bytes = peer.temporary_bytes(problem, n);
  if (!bytes) return "not built";
  const runtime::Buffer temporary(device, *bytes);
  peer.run(problem, tuner::call_of(problem, arrays, n, data.scalars), temporary.data(), *bytes,
           device.default_stream());
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == "rest_count") continue;  // CUB does not write it
    const auto wrong =
        test::first_difference(expected[i], memory[i].fetch(nullptr), all[i].name.c_str(), size_of(all[i].type));
    if (wrong) text += *wrong + "\n";
  }
  return text;
}

// The library that was built beside these tests, unless the environment names another.
class GpuPeer : public testing::TestWithParam<Problem> {
 protected:
  void SetUp() override {
    if (std::filesystem::exists(UPSWEEP_CUB_LIBRARY)) ::setenv("UPSWEEP_CUB_PEER", UPSWEEP_CUB_LIBRARY, 0);
    peer_ = bench::Peer::find();
    if (!peer_) GTEST_SKIP() << "there is no " UPSWEEP_CUB_LIBRARY ": build it with -DUPSWEEP_CUB=ON";
  }
  std::shared_ptr<const bench::Peer> peer_;
};

TEST_P(GpuPeer, ComputesWhatAPlainLoopComputes) {
  for (const std::uint64_t n : peer_sizes) {
    if (GetParam().row_length > 0 && n % GetParam().row_length != 0) continue;
    EXPECT_EQ(differences(*peer_, GetParam(), n), "") << n << " items";
  }
}

void add_selections(std::vector<Problem>& all) {
  using test::selection;
  for (const Operator predicate : all_predicates()) {
    for (const Type type : {Type::i32, Type::f32}) all.push_back(selection(predicate, type));
  }
  for (const Type type :
       {Type::i8, Type::u8, Type::i16, Type::u16, Type::u32, Type::i64, Type::u64, Type::f16, Type::bf16, Type::f64}) {
    all.push_back(selection(less, type));
  }
  for (const Type type : {Type::i8, Type::bf16, Type::f32, Type::c64}) {
    for (const Operator predicate : {less, greater, not_equal_to}) {
      all.push_back(test::flagged_selection(predicate, type, Type::u8));
    }
  }
}

// Short rows, and long ones, of which CUB has other scans, and segments.
void add_rows(std::vector<Problem>& all) {
  for (const Algorithm algorithm : {Algorithm::inclusive_scan, Algorithm::exclusive_scan, Algorithm::reduce}) {
    all.push_back(test::rows_of_type(algorithm, plus, Type::i32, 8));
    all.push_back(test::rows_of_type(algorithm, plus, Type::f64, 4096));
    all.push_back(test::rows_of_type(algorithm, maximum, Type::f32, 1000));
    all.push_back(test::segments_of_type(algorithm, plus, Type::i32));
    all.push_back(test::segments_of_type(algorithm, maximum, Type::f32, Type::u64));
  }
}

// Predicates of every kind of type, and operators whose results do not depend on the association.
std::vector<Problem> problems() {
  using test::reduction_by_key;
  using test::selection;
  std::vector<Problem> all{
      make_problem(Algorithm::exclusive_scan, plus, Type::i32, Type::i32),
      make_problem(Algorithm::exclusive_scan, affine, Type::u32, Type::u32),
      make_problem(Algorithm::inclusive_scan, plus, Type::f64, Type::f64),
      make_problem(Algorithm::reduce, minimum, Type::i64, Type::i64),
      make_problem(Algorithm::reduce, plus, Type::c64, Type::c64),
      selection(less, Type::i32, Type::u32),
      reduction_by_key(plus, Type::f64, Type::u32),
      reduction_by_key(plus, Type::f32, Type::u64),
      reduction_by_key(plus, Type::i64, Type::i32),
      reduction_by_key(minimum, Type::i32, Type::i32),
      reduction_by_key(maximum, Type::u64, Type::u32),
  };
  for (const Type type : {Type::u8, Type::u32, Type::f32}) {
    for (const Algorithm algorithm : {Algorithm::unique, Algorithm::run_length_encode, Algorithm::nontrivial_runs}) {
      all.push_back(test::runs_of_type(algorithm, equal_to, type));
    }
    all.push_back(test::runs_of_type(Algorithm::nonzero, not_equal_to, type));
  }
  all.push_back(test::runs_of_type(Algorithm::unique_by_key, equal_to, Type::f64, Type::u32));
  for (const Type type : {Type::i8, Type::u16, Type::i32, Type::u64, Type::f32, Type::f64}) {
    all.push_back(test::runs_of_type(Algorithm::adjacent_difference, minus, type));
  }
  for (const Type type : {Type::i8, Type::i16, Type::i32, Type::i64, Type::f32}) {
    all.push_back(test::runs_of_type(Algorithm::partition, less, type));
    all.push_back(test::runs_of_type(Algorithm::three_way_partition, less, type));
  }
  for (const Type type : {Type::i32, Type::i64, Type::f32}) {
    for (const Algorithm algorithm : {Algorithm::reverse_inclusive_scan, Algorithm::reverse_exclusive_scan}) {
      all.push_back(make_problem(algorithm, plus, type, type));
    }
  }
  for (const Type type : {Type::i32, Type::f32, Type::u64, Type::f64}) {
    for (const Algorithm algorithm : {Algorithm::inclusive_scan_by_key, Algorithm::exclusive_scan_by_key}) {
      all.push_back(test::runs_of_type(algorithm, plus, type, Type::u32));
    }
  }
  add_rows(all);
  add_selections(all);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GpuPeer, testing::ValuesIn(problems()),
                         [](const auto& given) { return test::test_name(given.param); });

}  // namespace
}  // namespace upsweep
