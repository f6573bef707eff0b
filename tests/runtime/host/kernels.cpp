#include "tests/runtime/host/kernels.hpp"

#include <regex>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/assemble.hpp"
#include "runtime/argument_bytes.hpp"

namespace upsweep::runtime::testing {

constexpr const char* arguments_text = R"(
struct Workspace;

struct Arguments {
  const Input* in;
  Output* out;
  u64 n;
  Accumulator initial;
  Workspace* workspace;
};)";

Source host_source(const KernelText& text) {
  Recipe recipe;
  recipe.kernel = "kernel/test.cuh";
  recipe.parameters = fmt::format(
      "#include \"target/cuda.cuh\"\n#include \"target/cuda/floating.cuh\"\n\n"
      "using Input = {};\n\nusing Output = {};\n\nusing Accumulator = {};\n{}\n",
      text.input, text.output, text.accumulator, arguments_text);
  recipe.definitions = {{recipe.kernel, text.body}};
  Source source;
  // Without #line, so that errors have the place in the whole text.
  source.text = std::regex_replace(assemble(recipe, Target::host), std::regex("#line [^\n]*\n"), "");
  source.entry = "upsweep_kernel";
  source.key = "0123456789abcdef0123456789abcdef";
  return source;
}

Bench::Bench(const KernelText& text, std::shared_ptr<HostDevice> on, HostCompiler::Accesses accesses)
    : device_(std::move(on)) {
  HostCompiler compiler(accesses);
  const Source source = host_source(text);
  kernel_ = device_->load(compiler.compile(source, "host").binary, source.entry, source.launch);
}

void Bench::run(const Launch& launch) {
  const std::uint32_t* from = in.data();
  std::uint32_t* to = out.data();
  static const ArgumentsRule rule = arguments_of(make_problem(Algorithm::reduce, plus, Type::u32, Type::u32));
  ArgumentBytes bytes(rule, {.arrays = {from, to}, .n = in.size(), .scalars = {&initial}}, workspace.data());
  void* arguments[] = {bytes.data()};
  device_->launch(*kernel_, launch, arguments, nullptr);
}

std::string error_of(Bench& bench, const Launch& launch) {
  try {
    bench.run(launch);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return {};
}

}  // namespace upsweep::runtime::testing
