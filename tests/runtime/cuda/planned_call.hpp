// What the tests of planned calls share: an engine over the stand-in for libcuda, whose kernels compute nothing.
#pragma once

#include <filesystem>
#include <memory>

#include <gtest/gtest.h>

#include "generator/space.hpp"
#include "runtime/engine.hpp"
#include "tests/runtime/cuda/allocations.hpp"
#include "tests/runtime/cuda/fake_device.hpp"

namespace upsweep::runtime {

// Every source becomes an image that the stand-in takes.
class FakeCompiler : public Compiler {
 public:
  [[nodiscard]] std::string version() const override { return "fake 1"; }
  [[nodiscard]] std::string options() const override { return {}; }
  [[nodiscard]] Compiled compile(const Source& source, const std::string& /*architecture*/) override {
    const std::string text = "good " + source.entry;
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.c_str());
    return {.binary = {bytes, bytes + text.size() + 1}, .log = {}};
  }
};

struct Cost {
  std::uint64_t driver_calls = 0;
  std::uint64_t allocations = 0;
};

class PlannedCall : public test::FakeDevice {
 protected:
  PlannedCall() {
    cuda->attributes = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
                        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
                        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
                        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
                        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 * 1024},
                        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 228 * 1024},
                        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132}};
  }
  void SetUp() override { open(); }
  void open(bool dependent_launch = true, bool check_always = false, bool reproducible = false) {
    engine_ = std::make_shared<Engine>(Engine::Parts{.device = CudaDevice::open(0),
                                                     .compiler = std::make_shared<FakeCompiler>(),
                                                     .cache = {.directory = {}, .max_bytes = 0, .enabled = false},
                                                     .database = database_,
                                                     .record_wanted = !database_.empty(),
                                                     .reproducible = reproducible,
                                                     .dependent_launch = dependent_launch,
                                                     .check_always = check_always,
                                                     .forced = std::nullopt});
    stream_ = engine_->device().create_stream();
    for (void* array : {in_, out_}) cuda->memory[array] = array_bytes;
  }
  void close() {
    for (void* array : {in_, out_}) cuda->memory.erase(array);
    engine_->device().destroy_stream(stream_);
    engine_.reset();
  }
  void reopen(bool dependent_launch, bool check_always = false, bool reproducible = false) {
    close();
    open(dependent_launch, check_always, reproducible);
  }
  void reopen_with(const std::filesystem::path& database) {
    database_ = database;
    reopen(true);
  }
  [[nodiscard]] Plan plan(const char* schedule) {
    const Problem problem = make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i32, 1 << 20);
    return engine_->plan(problem, Space(problem, engine_->device().limits()).complete({schedule, {}}), stream_);
  }
  // Of a call that is not the first.
  template <typename Call>
  [[nodiscard]] Cost cost_of(const Call& call) {
    call();
    cuda->recording = false;
    const Cost before{cuda->entered, test::allocations()};
    call();
    const Cost after{cuda->entered, test::allocations()};
    cuda->recording = true;
    return {after.driver_calls - before.driver_calls, after.allocations - before.allocations};
  }
  [[nodiscard]] Cost cost(const Plan& plan, Stream stream) {
    return cost_of([&] { plan.run(in_, out_, 1000, stream); });
  }
  void TearDown() override {
    close();
    test::FakeDevice::TearDown();
  }

  std::filesystem::path database_;  // empty: none
  std::shared_ptr<Engine> engine_;
  Stream stream_ = nullptr;
  // Room for many items, which nobody touches.
  static constexpr std::size_t array_bytes = std::size_t{1} << 36;
  void* in_ = reinterpret_cast<void*>(std::uintptr_t{1} << 44);
  void* out_ = reinterpret_cast<void*>(std::uintptr_t{2} << 44);
};

}  // namespace upsweep::runtime
