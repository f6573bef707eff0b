// A tune on a fake device, in this process.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <upsweep/tune.hpp>

#include "tests/tuner/fake_device.hpp"
#include "tests/tuner/rows.hpp"
#include "tuner/tune_engine.hpp"

namespace upsweep::tuner {

class TuneTest : public testing::Test {
 protected:
  TuneTest() {
    fake.device->execute = [this](const FakeCall& call) { compute(problem, call); };
    // The more items a thread holds, the faster.
    fake.device->clock = [](const std::string& text, int calls) {
      double us = 100;
      for (int items = 1; items <= 32; ++items) {
        if (has(text, "items_per_thread", std::to_string(items))) us = 200.0 - items;
      }
      return us * calls;
    };
    options.sizes = {100'000};
    options.maximum_trials = 12;
    options.isolation = Isolation::in_process;
    options.compile_jobs = 1;
  }
  [[nodiscard]] Problem sized(std::uint64_t size) const {
    Problem same = problem;
    same.size = size;
    return same;
  }
  TuneReport run() { return tune(*fake.engine, problem, options); }

  test::TestFolder folder;
  std::filesystem::path path = folder / "tuning.db";
  Problem problem = make_problem(Algorithm::inclusive_scan, plus, Type::i32, Type::i32);
  FakeEngine fake{path};
  TuneOptions options;
};

}  // namespace upsweep::tuner
