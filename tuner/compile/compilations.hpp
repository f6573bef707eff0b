// Compiles configs ahead, while the device measures others. Each comes out compiled, or with the reason why not.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <upsweep/config.hpp>

#include "tuning-db/trial.hpp"

namespace upsweep::tuner {

// What the assembler reports of a step, for each thread and each block; 0 on the host device.
struct StepResources {
  int registers = 0;
  int spill_bytes = 0;   // stores and loads
  int shared_bytes = 0;  // static and dynamic
  bool operator==(const StepResources&) const = default;
};

struct CompileResult {
  Config config;
  tuning_db::Verdict verdict = tuning_db::Verdict::measured;  // measured: ready to be; else not_compiled
  std::string failure;                                        // empty if and only if it compiled
  std::string binary;                                         // combined_machine_code of all steps
  std::vector<StepResources> steps;                           // in the order of their launches
  // A failure that says nothing of the config: a full disk, a compiler that was killed, that is missing or took too
  // long. It is not recorded, so that the next tune tries the config again.
  bool may_pass = false;

  [[nodiscard]] bool compiled() const noexcept { return failure.empty(); }
  bool operator==(const CompileResult&) const = default;
};

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
