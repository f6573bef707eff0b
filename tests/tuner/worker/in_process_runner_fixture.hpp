// A runner over a fake device, on which some configs are wrong, slow or refused.
#pragma once

#include <gmock/gmock.h>

#include <upsweep/error.hpp>

#include "generator/space.hpp"
#include "tests/tuner/fake_device.hpp"
#include "tuner/worker/in_process_runner.hpp"

namespace upsweep::tuner {

class InProcessRunnerTest : public testing::Test {
 protected:
  InProcessRunnerTest() {
    fake.device->execute = [this](const FakeCall& call) {
      if (has(call.text, "items_per_thread", "7")) throw DeviceError("illegal address");
      compute(problem, call);
      if (has(call.text, "items_per_thread", "5") && call.n > 1) static_cast<int*>(call.out)[call.n - 1] += 1;
    };
    fake.device->clock = [](const std::string& text, int calls) {
      return calls * (has(text, "items_per_thread", "3") ? 500.0 : 1000.0);
    };
    fake.compiler->refuse = [](const Source& source) {
      if (has(source.text, "items_per_thread", "9")) throw runtime::SourceRefused("key 123 does not compile", "a log");
      if (has(source.text, "items_per_thread", "11")) throw CompilerError("no space left");
    };
  }
  [[nodiscard]] Config config_of(std::int64_t items) const {
    Config config = Space(problem, fake.device->limits()).default_config();
    config.values["items_per_thread"] = items;
    return config;
  }
  [[nodiscard]] std::string key_of(const Config& config) const { return generate(problem, config).key; }

  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32, 10'000);
  RunRequest request{.size = problem.size};
  FakeEngine fake;
  InProcessRunner runner{*fake.engine, problem, 1};
};

}  // namespace upsweep::tuner
