// Compiling ahead: configs go in, and come out compiled or with the reason why not, while the device measures others.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>

#include <upsweep/config.hpp>

#include "tuner/compile/compile_result.hpp"

namespace upsweep::tuner {

class Compilations {
 public:
  virtual ~Compilations() = default;
  // Does not wait.
  virtual void submit(const Config& config) = 0;
  // The next one that is done, in whatever order. Must not be called when none is pending. Throws runtime::Cancelled.
  [[nodiscard]] virtual CompileResult wait() = 0;
  // Whether `wait` would give one back at once.
  [[nodiscard]] virtual bool ready() = 0;
  // Submitted and not yet given back.
  [[nodiscard]] virtual std::size_t pending() const = 0;
  // As many as keep all compilers busy.
  [[nodiscard]] virtual std::size_t enough() const = 0;
};

// What was compiled once, or was refused, is known: the sizes of a problem share their kernels.
class CompiledOnce final : public Compilations {
 public:
  // `compilations` must outlive it, and have nothing pending.
  explicit CompiledOnce(Compilations& compilations) : compilations_(compilations) {}
  void submit(const Config& config) override;
  [[nodiscard]] CompileResult wait() override;
  [[nodiscard]] bool ready() override;
  [[nodiscard]] std::size_t pending() const override { return known_.size() + wanted_.size(); }
  [[nodiscard]] std::size_t enough() const override { return compilations_.enough(); }
  // Has it compiled, for later: it is not given back.
  void compile_ahead(const Config& config);
  // What is pending is still compiled, but not given back.
  void forget_pending();
  // For which `wait` has kept its callers waiting, in all.
  [[nodiscard]] double waited_seconds() const noexcept { return waited_seconds_; }

 private:
  [[nodiscard]] bool is_known(const Config& config) const;
  void take_one();

  Compilations& compilations_;
  std::map<Config, CompileResult> done_;
  std::deque<Config> known_;    // submitted and compiled, in whatever order
  std::set<Config> wanted_;     // submitted, being compiled
  std::set<Config> forgotten_;  // being compiled, no longer wanted
  double waited_seconds_ = 0;
};

}  // namespace upsweep::tuner
