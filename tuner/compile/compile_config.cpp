#include "tuner/compile/compile_config.hpp"

#include <vector>

#include <upsweep/error.hpp>

#include "runtime/cuda/nvrtc_compiler.hpp"
#include "runtime/host/host_compiler.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/machine_code.hpp"

namespace upsweep::tuner {
namespace {

constexpr const char* host_architecture = "host";

StepResources resources_of(const runtime::Compiled& compiled, const LaunchRule& launch) {
  StepResources resources{.shared_bytes = launch.shared_bytes};
  if (const auto report = runtime::parse_assembler_report(compiled.log)) {
    resources.registers = report->registers;
    resources.spill_bytes = report->spill_store_bytes + report->spill_load_bytes;
    resources.shared_bytes += report->static_shared_bytes;
  }
  return resources;
}

}  // namespace

std::shared_ptr<runtime::Compiler> compiler_for(const std::string& architecture) {
  if (architecture == host_architecture) return std::make_shared<runtime::HostCompiler>();
  return std::make_shared<runtime::NvrtcCompiler>();
}

CompileResult compile_config(runtime::Compiler& compiler, runtime::BinaryCache& cache, const Problem& problem,
                             const Config& config, const std::string& architecture) {
  CompileResult result{.config = config};
  const auto fail = [&](const Error& error, bool may_pass) {
    result.verdict = tuning_db::Verdict::not_compiled;
    result.failure = error.what();
    result.may_pass = may_pass;
  };
  try {
    const Target target = architecture == host_architecture ? Target::host : Target::cuda;
    std::vector<std::string> machine_code;
    for (const Source& source : generate_steps(problem, config, target)) {
      const runtime::Compiled compiled = compiler.compile(source, architecture);
      cache.store(runtime::binary_identity(source, architecture, compiler), compiled.binary);
      machine_code.push_back(runtime::hash_machine_code(compiled.binary));
      result.steps.push_back(resources_of(compiled, source.launch));
    }
    result.binary = runtime::combined_machine_code(machine_code);
  } catch (const UsageError& error) {  // there is no source for the config
    fail(error, false);
  } catch (const runtime::SourceRefused& error) {
    fail(error, false);
  } catch (const Error& error) {
    fail(error, true);
  }
  return result;
}

}  // namespace upsweep::tuner
