// What tests of engines share: an engine whose compilations are counted.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include <upsweep/error.hpp>
#include <upsweep/problem.hpp>

#include "runtime/engine.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/host/host_device.hpp"
#include "tuning-db/database.hpp"

namespace upsweep {

inline Problem plain_sum(Algorithm algorithm = Algorithm::inclusive_scan, Type type = Type::i32,
                         std::uint64_t size = 1000) {
  return make_problem(algorithm, Operator::plus, type, type, size);
}

// Counts compilations; fails as often as it is told to.
class CountingCompiler : public runtime::Compiler {
 public:
  [[nodiscard]] std::string version() const override { return inner_.version(); }
  [[nodiscard]] std::string options() const override { return inner_.options(); }
  [[nodiscard]] runtime::Compiled compile(const Source& source, const std::string& architecture) override {
    ++compilations;
    if (failures > 0) {
      --failures;
      throw CompilerError("told to fail");
    }
    return inner_.compile(source, architecture);
  }
  std::atomic<int> compilations{0};
  std::atomic<int> failures{0};

 private:
  runtime::HostCompiler inner_;
};

// As a tune on the engine's device would make it.
inline void make_winner(tuning_db::Database& database, const runtime::Engine& engine, const Problem& problem,
                        const Config& config) {
  database.set_winner(database.record({.device = engine.device().identity(),
                                       .environment = engine.environment(),
                                       .problem = problem,
                                       .config = config,
                                       .samples_us = {1, 2, 3}}));
}

struct Counted {
  std::shared_ptr<CountingCompiler> compiler = std::make_shared<CountingCompiler>();
  runtime::Engine::Parts parts;
  explicit Counted(runtime::BinaryCache::Options cache = {.directory = {}, .max_bytes = 0, .enabled = false}) {
    parts.device = std::make_shared<runtime::HostDevice>();
    parts.compiler = compiler;
    parts.cache = std::move(cache);
  }
};

}  // namespace upsweep
