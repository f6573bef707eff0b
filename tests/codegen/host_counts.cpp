// host_counts [NAME]: runs kernels on the host device, one launch each, and prints a line of JSON for each: how often
// it calls the operator for single items, loads, stores and synchronises. With NAME, only kernels whose name contains
// it. scripts/kernel-figures runs it.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "generator/space.hpp"
#include "runtime/host/interface.hpp"
#include "tests/codegen/grid.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/editing_compiler.hpp"
#include "tests/support/host_context.hpp"

using upsweep::runtime::HostInterface;

namespace {

constexpr std::array names{"operator_calls", "global_loads",  "global_stores", "shared_loads",   "shared_stores",
                           "block_barriers", "warp_barriers", "shuffles",      "ballots",        "ordered_loads",
                           "ordered_stores", "atomics",       "fences",        "phase_arrivals", "phase_waits",
                           "async_copies",   "bulk_loads",    "bulk_stores",   "bulk_fences",    "cluster_barriers"};

constexpr std::size_t index_of(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  throw "there is no such count";
}

// Of the launch that runs; only one does.
std::array<std::uint64_t, names.size()> counts{};
HostInterface original{};

// Where memory begins, and where it ends.
using Ranges = std::map<const std::byte*, const std::byte*>;
Ranges global_memory, shared_memory;

void add(Ranges& ranges, const void* begin, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(begin);
  const std::byte*& end = ranges[first];
  end = std::max(end, first + bytes);
}

bool holds(const Ranges& ranges, const void* at) {
  const auto behind = ranges.upper_bound(static_cast<const std::byte*>(at));
  return behind != ranges.begin() && at < std::prev(behind)->second;
}

template <auto member, std::size_t index>
struct Counted;
template <typename Result, typename... Arguments, Result (*HostInterface::*member)(Arguments...), std::size_t index>
struct Counted<member, index> {
  static Result call(Arguments... arguments) {
    ++counts[index];
    return (original.*member)(arguments...);
  }
};

// Local memory is not counted: what of it is in registers is up to the compiler.
void count_access(const void* at, std::uint64_t, std::uint32_t writes) {
  if (holds(global_memory, at)) {
    ++counts[writes != 0 ? index_of("global_stores") : index_of("global_loads")];
  } else if (holds(shared_memory, at)) {
    ++counts[writes != 0 ? index_of("shared_stores") : index_of("shared_loads")];
  }
}

void* static_shared(std::uint64_t bytes) {
  void* const memory = original.static_shared(bytes);
  add(shared_memory, memory, bytes);
  return memory;
}

void* dynamic_shared(std::uint64_t bytes) {
  void* const memory = original.dynamic_shared(bytes);
  add(shared_memory, memory, bytes);
  return memory;
}

#define COUNTED(member, name) table.member = Counted<&HostInterface::member, index_of(name)>::call

const HostInterface& counting_interface() {
  static const HostInterface counting = [] {
    HostInterface table = original;
    COUNTED(block_barrier, "block_barriers");
    COUNTED(warp_barrier, "warp_barriers");
    COUNTED(shuffle, "shuffles");
    COUNTED(ballot, "ballots");
    COUNTED(load, "ordered_loads");
    COUNTED(store, "ordered_stores");
    COUNTED(add, "atomics");
    COUNTED(add_wide, "atomics");
    COUNTED(fence, "fences");
    COUNTED(phase_arrive, "phase_arrivals");
    COUNTED(async_arrive, "phase_arrivals");
    COUNTED(phase_wait, "phase_waits");
    COUNTED(async_copy, "async_copies");
    COUNTED(bulk_in, "bulk_loads");
    COUNTED(bulk_out, "bulk_stores");
    COUNTED(bulk_fence, "bulk_fences");
    COUNTED(arrive_at_cluster, "cluster_barriers");
    table.static_shared = static_shared;
    table.dynamic_shared = dynamic_shared;
    table.access = count_access;
    return table;
  }();
  return counting;
}

}  // namespace

// The compiled kernels are shared libraries. They call these two functions.
extern "C" __attribute__((visibility("default"))) const void* upsweep_test_counting(const void* host) {
  original = *static_cast<const HostInterface*>(host);
  return &counting_interface();
}

extern "C" __attribute__((visibility("default"))) void upsweep_test_operator_call() {
  ++counts[index_of("operator_calls")];
}

namespace upsweep {
namespace {

using Json = nlohmann::ordered_json;

void let_count(std::string& text) {
  test::replace_once(text, "bound_host = host;", "bound_host = (const HostInterface*)upsweep_test_counting(host);");
  const std::string combine = "Value combine(Value a, Value b) {";
  test::replace_once(text, combine, combine + "\n  upsweep_test_operator_call();");
  text.insert(0,
              "extern \"C\" const void* upsweep_test_counting(const void*);\n"
              "extern \"C\" void upsweep_test_operator_call();\n");
}

std::shared_ptr<runtime::Engine> counting_engine() {
  runtime::Engine::Parts parts;
  parts.device = std::make_shared<runtime::HostDevice>();
  parts.compiler = std::make_shared<test::EditingCompiler>(
      std::make_shared<runtime::HostCompiler>(runtime::HostCompiler::Accesses::watched), "counting", let_count);
  parts.cache = {.directory = {}, .max_bytes = 0, .enabled = false};
  return std::make_shared<runtime::Engine>(std::move(parts));
}

// One launch of several tiles, the last one in part, at addresses that are aligned or not.
Json count(runtime::Engine& engine, const test::GridKernel& kernel, bool aligned) {
  const Plan plan = engine.plan(kernel.problem, kernel.config, nullptr);
  const std::uint64_t n = 6 * plan.source().launch.items_per_tile + 5;
  const std::size_t in_item = size_of(kernel.problem.input), out_item = size_of(kernel.problem.output);
  runtime::Device& device = engine.device();
  runtime::Buffer in(device, (n + 1) * in_item), out(device, (n + 1) * out_item),
      memory(device, std::max<std::size_t>(plan.workspace_bytes(n), 1));
  const BorrowedWorkspace workspace = plan.borrow_workspace(memory.data(), memory.bytes());
  const auto items = test::make_data(kernel.problem, n, test::Data::random, 1);
  auto* const from = static_cast<std::byte*>(in.data()) + (aligned ? 0 : in_item);
  auto* const to = static_cast<std::byte*>(out.data()) + (aligned ? 0 : out_item);
  std::memcpy(from, items.data(), items.size());
  shared_memory.clear();
  global_memory.clear();
  for (const runtime::Buffer* buffer : {&in, &out, &memory}) add(global_memory, buffer->data(), buffer->bytes());
  counts = {};
  const Scalar none = identity(kernel.problem.op, kernel.problem.accumulator);
  plan.run(from, to, n, none, nullptr, workspace);
  const std::uint64_t outputs = kernel.problem.algorithm == Algorithm::reduce ? 1 : n;
  const auto wrong = test::difference(kernel.problem.output, test::expected(kernel.problem, items, n, none),
                                      {to, outputs * out_item}, test::zeros_of(kernel.problem));
  if (wrong) throw DeviceError(kernel.name() + ": " + *wrong);
  Json line = {{"name", kernel.name() + (aligned ? "" : " misaligned")}, {"n", n}};
  for (std::size_t i = 0; i < names.size(); ++i) line[names[i]] = counts[i];
  return line;
}

int run(const std::string& part_of_name) {
  const auto engine = counting_engine();
  for (const test::GridKernel& kernel : test::host_grid(engine->device().limits())) {
    if (kernel.name().find(part_of_name) == std::string::npos) continue;
    for (const bool aligned : {true, false}) fmt::print("{}\n", count(*engine, kernel, aligned).dump());
  }
  return 0;
}

}  // namespace
}  // namespace upsweep

int main(int argument_count, char** arguments) {
  if (argument_count > 2) {
    fmt::print(stderr, "usage: host_counts [NAME]\n");
    return 2;
  }
  try {
    return upsweep::run(argument_count > 1 ? arguments[1] : "");
  } catch (const upsweep::CompilerError& error) {
    fmt::print(stderr, "host_counts: {}\n{}\n", error.what(), error.details());
  } catch (const std::exception& error) {
    fmt::print(stderr, "host_counts: {}\n", error.what());
  }
  return 1;
}
