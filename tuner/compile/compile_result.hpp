// What became of a config's compilation.
#pragma once

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

}  // namespace upsweep::tuner
