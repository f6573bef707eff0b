// Compiling ahead: configs go in, and come out compiled or with the reason why not, while the device measures others.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include <upsweep/config.hpp>

#include "tuner/compile_result.hpp"

namespace upsweep::tuner {

class Compilations {
 public:
  virtual ~Compilations() = default;
  // Does not wait.
  virtual void submit(const Config& config) = 0;
  // The next one that is done, in whatever order. Must not be called when none is pending.
  [[nodiscard]] virtual CompileResult wait() = 0;
  // Submitted and not yet given back.
  [[nodiscard]] virtual std::size_t pending() const = 0;
  // As many as keep all compilers busy.
  [[nodiscard]] virtual std::size_t enough() const = 0;
};

// What was compiled once is known: the sizes of a problem share their kernels.
class CompiledOnce final : public Compilations {
 public:
  // `compilations` must outlive it, and have nothing pending.
  explicit CompiledOnce(Compilations& compilations) : compilations_(compilations) {}
  void submit(const Config& config) override;
  [[nodiscard]] CompileResult wait() override;
  [[nodiscard]] std::size_t pending() const override { return known_.size() + wanted_.size(); }
  [[nodiscard]] std::size_t enough() const override { return compilations_.enough(); }
  // What is pending is still compiled, but not given back.
  void forget_pending();

 private:
  Compilations& compilations_;
  std::map<Config, CompileResult> done_;
  std::vector<Config> known_;   // submitted, compiled before
  std::set<Config> wanted_;     // submitted, being compiled
  std::set<Config> forgotten_;  // being compiled, no longer wanted
};

}  // namespace upsweep::tuner
