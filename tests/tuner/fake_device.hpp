// A device and a compiler that do what a test says: "kernels" are functions on host memory, clocks are scripted.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>

#include "runtime/argument_bytes.hpp"
#include "runtime/compiler.hpp"
#include "runtime/device.hpp"
#include "runtime/engine.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/test_folder.hpp"
#include "tuner/measure/rotation_memory.hpp"

namespace upsweep::tuner {

// What a kernel's launch was given.
struct FakeCall {
  std::string text;  // the kernel's source
  const void* in = nullptr;
  void* out = nullptr;
  std::uint64_t n = 0;
  Scalar initial;
  void* workspace = nullptr;
  runtime::CallValues values;  // all arrays and scalars, where FakeDevice::called is set
};

// Computes what the problem asks for.
inline void compute(const Problem& problem, const FakeCall& call) {
  const std::span in(static_cast<const std::byte*>(call.in), call.n * size_of(problem.input));
  const test::Reference reference(problem, in, call.initial);
  const std::span<const std::byte> out = reference.output(call.n);
  std::memcpy(call.out, out.data(), out.size());
}

// The same for a call that is not launched.
inline void compute(const Problem& problem, const runtime::CallValues& values) {
  FakeCall call{.text = {}, .in = values.arrays[0], .out = const_cast<void*>(values.arrays[1]), .n = values.n};
  call.initial.type = problem.accumulator;
  if (values.scalars[0] != nullptr) {
    std::memcpy(call.initial.bytes.data(), values.scalars[0], size_of(problem.accumulator));
  }
  compute(problem, call);
}

// Of a kernel's source, which begins with it; of any size.
inline Problem problem_of(const std::string& text) {
  std::vector<Problem> problems = test::all_problems();
  for (const Problem& mixed : test::mixed_problems()) problems.push_back(mixed);
  const std::string first_line = text.substr(0, text.find('\n'));
  for (const Problem& problem : problems) {
    if (first_line == "// " + to_string(problem)) return problem;
  }
  throw std::runtime_error("no problem of the tests: " + first_line);
}

class FakeKernel final : public runtime::Kernel {
 public:
  explicit FakeKernel(std::string source) : text(std::move(source)) {}
  std::string text;
};

class FakeDevice final : public runtime::Device {
 public:
  // Unless asked for, not called for launches that are being timed: their results are not looked at.
  bool execute_timed = false;
  std::function<void(const FakeCall&)> execute = [](const FakeCall&) {};
  // Called in its place for the kernels of the schedule sequential, which others are checked by.
  std::function<void(const FakeCall&)> execute_sequential = [](const FakeCall& call) {
    compute(problem_of(call.text), call);
  };
  // Microseconds of `calls` launches of the kernel that was launched last (none: empty text).
  std::function<double(const std::string& text, int calls)> clock = [](const std::string&, int calls) {
    return 10.0 * calls;
  };
  DeviceIdentity own_identity{"fake", 9, 0, 4, 128, 1000, false};
  DeviceLimits own_limits;
  Target own_target = Target::cuda;
  runtime::Stream own_default_stream;
  std::set<const CUstream_st*> launched_in;  // streams
  std::uint64_t memory_left = std::uint64_t{1} << 32;
  std::map<void*, std::size_t> blocks;  // allocated
  void* newest = nullptr;               // of the blocks
  int streams = 0;                      // alive
  Type accumulator = Type::i32;         // of the initial values
  std::optional<Problem> called;        // whose arrays and scalars calls have; none: in, out and an initial value
  std::optional<double> held_us;        // what a batch of calls in a held stream takes; none: what they take without
  bool records = false;                 // whether work can be recorded
  bool capturing = false;               // it is being recorded now: nothing runs
  std::function<void()> replayed = [] {};
  std::map<std::string, int> recordings;  // by the source of the kernel that they launch
  std::size_t filled_bytes = 0;           // in all
  std::function<runtime::ClockState()> clock_state = [] { return runtime::ClockState{}; };

  const DeviceIdentity& identity() const override { return own_identity; }
  const DeviceLimits& limits() const override { return own_limits; }
  std::string driver_version() const override { return "fake driver"; }
  std::string label() const override { return "fake:0"; }
  Target target() const override { return own_target; }
  runtime::Stream default_stream() const override { return own_default_stream; }

  std::unique_ptr<runtime::Kernel> load(std::span<const std::byte> binary, const std::string&,
                                        const LaunchRule&) override {
    return std::make_unique<FakeKernel>(std::string(reinterpret_cast<const char*>(binary.data()), binary.size()));
  }
  runtime::KernelResources resources(const runtime::Kernel&, const runtime::Launch&) const override { return {}; }
  void launch(const runtime::Kernel& kernel, const runtime::Launch&, void** arguments,
              runtime::Stream stream) override {
    launched_in.insert(stream.handle());
    FakeCall call;
    call.text = static_cast<const FakeKernel&>(kernel).text;
    if (call.text.find("upsweep_compare(") != std::string::npos) return compare(arguments);
    called ? read_ports(arguments[0], call) : read_in_and_out(arguments[0], call);
    last_text_ = call.text;
    ++launches_;
    if (timing_ && !execute_timed) return;
    const bool is_sequential = call.text.find("// schedule sequential\n") != std::string::npos;
    (is_sequential ? execute_sequential : execute)(call);
  }

  void* allocate(std::size_t bytes) override {
    if (bytes > memory_left) throw DeviceError("the fake device has no memory for " + std::to_string(bytes) + " bytes");
    memory_left -= bytes;
    void* memory = ::aligned_alloc(256, (bytes + 255) / 256 * 256 + 256);
    blocks[memory] = bytes;
    newest = memory;
    return memory;
  }
  void release(void* memory) noexcept override {
    memory_left += blocks[memory];
    blocks.erase(memory);
    ::free(memory);
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes, runtime::Stream) override {
    copy(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes, runtime::Stream) override { copy(to, from, bytes); }
  void copy_on_device(void* to, const void* from, std::size_t bytes, runtime::Stream) override {
    copy(to, from, bytes);
  }
  void fill(void* memory, std::uint8_t byte, std::size_t bytes, runtime::Stream) override {
    std::memset(memory, byte, bytes);
    filled_bytes += bytes;
  }
  void* allocate_zeroed(std::size_t bytes) override {
    void* memory = allocate(bytes);
    std::memset(memory, 0, bytes);
    return memory;
  }
  runtime::Stream create_stream() override {
    ++streams;
    return reinterpret_cast<CUstream_st*>(this);
  }
  void destroy_stream(runtime::Stream) noexcept override { --streams; }
  void synchronize(runtime::Stream) override {}
  StreamIdentity identify(runtime::Stream) override { return {.stream = 1, .capture = 0}; }
  runtime::ClockState clocks() const override { return clock_state(); }

  std::unique_ptr<runtime::Recording> record(runtime::Stream, const std::function<void()>& work) override {
    if (!records) return nullptr;
    const bool timed = std::exchange(timing_, true);
    const std::pair<std::string, int> before{last_text_, std::exchange(launches_, 0)};
    capturing = true;
    work();
    capturing = false;
    timing_ = timed;
    auto recording = std::make_unique<FakeRecording>(*this, last_text_, launches_);
    ++recordings[last_text_];
    std::tie(last_text_, launches_) = before;
    return recording;
  }

  std::vector<double> back_to_back_us(runtime::Stream stream, std::span<const runtime::Batch> batches) override {
    if (held_us) return std::vector<double>(batches.size(), *held_us);
    return runtime::Device::back_to_back_us(stream, batches);
  }

  double elapsed_us(runtime::Stream, const std::function<void()>& work) override {
    last_text_.clear();
    launches_ = 0;
    timing_ = true;
    work();
    timing_ = false;
    return clock(last_text_, launches_);
  }

 private:
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);  // an empty array may have no address
  }

  struct FakeRecording final : runtime::Recording {
    FakeRecording(FakeDevice& of, std::string kernel, int number)
        : device(of), text(std::move(kernel)), launches(number) {}
    void replay(runtime::Stream) override {
      device.last_text_ = text;
      device.launches_ += launches;
      device.replayed();
    }
    FakeDevice& device;
    std::string text;
    int launches;
  };

  void read_in_and_out(const void* arguments, FakeCall& call) const {
    const bool starts = !call.text.starts_with("// inclusive_scan");
    const ArgumentsRule rule = arguments_of(
        {.algorithm = starts ? Algorithm::exclusive_scan : Algorithm::inclusive_scan, .accumulator = accumulator});
    const auto read = [&](std::size_t index, auto& to) {
      runtime::read_argument(rule, index, arguments, static_cast<void*>(&to));
    };
    read(0, call.in);
    read(1, call.out);
    read(index_of_n(rule), call.n);
    call.initial.type = accumulator;
    if (starts) read(index_of_scalars(rule), call.initial.bytes);
    read(index_of_workspace(rule), call.workspace);
  }

  // The scalars stay in the arguments.
  void read_ports(const void* arguments, FakeCall& call) const {
    const ArgumentsRule rule = arguments_of(*called);
    const auto read = [&](std::size_t index, auto& to) {
      runtime::read_argument(rule, index, arguments, static_cast<void*>(&to));
    };
    for (std::size_t i = 0; i < rule.arrays; ++i) read(i, call.values.arrays.at(i));
    read(index_of_n(rule), call.n);
    call.values.n = call.n;
    for (std::size_t i = index_of_scalars(rule); i < index_of_workspace(rule); ++i) {
      call.values.scalars.at(i - index_of_scalars(rule)) =
          static_cast<const std::byte*>(arguments) + rule.members.at(i).offset;
    }
    read(index_of_workspace(rule), call.workspace);
  }

  // As DeviceComparison's kernel does.
  static void compare(void** arguments) {
    const void *a = *static_cast<const void**>(arguments[0]), *b = *static_cast<const void**>(arguments[1]);
    const std::uint64_t words = *static_cast<std::uint64_t*>(arguments[2]);
    if (std::memcmp(a, b, words * 16) != 0) **static_cast<unsigned**>(arguments[3]) = 1;
  }

  std::string last_text_;
  int launches_ = 0;
  bool timing_ = false;
};

// The binary is the source's text.
class FakeCompiler final : public runtime::Compiler {
 public:
  std::function<void(const Source&)> refuse = [](const Source&) {};  // may throw

  std::string version() const override { return "fake compiler 1"; }
  std::string options() const override { return {}; }
  runtime::Compiled compile(const Source& source, const std::string&) override {
    refuse(source);
    const auto* text = reinterpret_cast<const std::byte*>(source.text.data());
    return {.binary = {text, text + source.text.size()}, .log = {}, .ptx = {}};
  }
};

struct FakeEngine {
  explicit FakeEngine(const std::filesystem::path& database = {}) {
    runtime::Engine::Parts parts;
    parts.device = device;
    parts.compiler = compiler;
    parts.cache.enabled = false;
    parts.database = database;
    engine = std::make_shared<runtime::Engine>(std::move(parts));
  }
  std::shared_ptr<FakeDevice> device = std::make_shared<FakeDevice>();
  std::shared_ptr<FakeCompiler> compiler = std::make_shared<FakeCompiler>();
  std::shared_ptr<runtime::Engine> engine;
};

// Whether the kernel's source says that it has that value: "//   items_per_thread 7".
inline bool has(const std::string& text, const std::string& parameter, const std::string& value) {
  return text.find("//   " + parameter + " " + value + "\n") != std::string::npos;
}

inline DeviceLimits with_l2(std::uint64_t l2, std::uint64_t memory = 0) {
  DeviceLimits limits;
  limits.l2_bytes = l2;
  limits.memory_bytes = memory;
  return limits;
}

// The arrays of timed calls that read one array and write one.
inline std::vector<TimedArray> in_and_out(std::uint64_t input_bytes, std::uint64_t output_bytes,
                                          std::span<const std::byte> pattern = {}) {
  return {{Direction::in, input_bytes, pattern}, {Direction::out, output_bytes}};
}

using test::message_of;

}  // namespace upsweep::tuner
