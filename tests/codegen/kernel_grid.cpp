// kernel_grid ARCHITECTURE FOLDER [NAME]: compiles the kernels of the grid with NVRTC for the architecture, writes
// their cubins to FOLDER, and prints a line of JSON for each: what it is, its launch, and what the assembler says of
// it. With NAME, only kernels whose name contains it. scripts/kernel-figures runs it; it needs no GPU.
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/source.hpp>

#include "generator/space.hpp"
#include "runtime/cuda/nvrtc_compiler.hpp"
#include "tests/codegen/grid.hpp"

namespace upsweep {
namespace {

using Json = nlohmann::ordered_json;

// Launches are described for a call that is large enough to fill a GPU.
constexpr std::uint64_t launch_items = std::uint64_t{1} << 24;
constexpr int launch_multiprocessors = 132;

Json describe(const test::GridKernel& kernel, const Source& source, const Json& report) {
  Json line = {{"name", kernel.name()},
               {"problem", to_string(kernel.problem)},
               {"schedule", kernel.config.schedule},
               {"file", source.key + ".cubin"}};
  line.update(report);
  line.update({{"dynamic_shared_bytes", source.launch.shared_bytes},
               {"threads", source.launch.threads_per_block},
               {"blocks", source.launch.blocks(launch_items, launch_multiprocessors)},
               {"cluster_blocks", source.launch.cluster_blocks},
               {"cooperative", source.launch.cooperative},
               {"dependent", source.launch.dependent},
               {"items_per_tile", source.launch.items_per_tile},
               {"workspace", source.workspace.layout},
               {"workspace_bytes", source.workspace_bytes(launch_items, launch_multiprocessors)}});
  return line;
}

// Whole or not at all.
void write(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const std::filesystem::path part = path.string() + ".part";
  std::ofstream out(part, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw InputError("cannot write " + part.string());
  std::filesystem::rename(part, path);
}

// Compiles sources that the folder does not have yet.
class Compilations {
 public:
  Compilations(std::string architecture, std::filesystem::path folder)
      : architecture_(std::move(architecture)), folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    const std::filesystem::path about = folder_ / "compiler.txt";
    std::string before;
    std::getline(std::ifstream(about) >> std::ws, before);
    if (before.empty()) {
      std::ofstream(about) << compiler_.identity() << "\n";
    } else if (before != compiler_.identity()) {
      throw UsageError(fmt::format("{} holds kernels of {}, and this is {}: use another folder", folder_.string(),
                                   before, compiler_.identity()));
    }
  }

  [[nodiscard]] Json report(const Source& source) {
    const std::filesystem::path known = folder_ / (source.key + ".json");
    if (std::ifstream file(known); file) return Json::parse(file);
    const runtime::Compiled compiled = compiler_.compile(source, architecture_);
    const auto assembled = runtime::parse_assembler_report(compiled.log);
    if (!assembled) throw CompilerError("the assembler's report was not understood", compiled.log);
    write(folder_ / (source.key + ".cubin"), compiled.binary);
    const Json report = {{"registers", assembled->registers},
                         {"spill_bytes", assembled->spill_store_bytes + assembled->spill_load_bytes},
                         {"stack_bytes", assembled->stack_bytes},
                         {"static_shared_bytes", assembled->static_shared_bytes}};
    const std::string text = report.dump();
    write(known, std::as_bytes(std::span(text)));  // last: it says that the cubin is whole
    return report;
  }

 private:
  std::string architecture_;
  std::filesystem::path folder_;
  runtime::NvrtcCompiler compiler_;
};

int run(const std::string& architecture, const std::filesystem::path& folder, const std::string& part_of_name) {
  const std::vector<test::GridKernel> grid = test::kernel_grid(limits_of_architecture(architecture));
  Compilations compilations(architecture, folder);
  std::vector<std::string> lines(grid.size());
  std::vector<std::exception_ptr> failures(grid.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < grid.size(); i = next++) {
      if (grid[i].name().find(part_of_name) == std::string::npos) continue;
      try {
        const std::vector<Source> steps = generate_steps(grid[i].problem, grid[i].config);
        for (const Source& step : steps) {
          Json line = describe(grid[i], step, compilations.report(step));
          if (steps.size() > 1) line["name"] = fmt::format("{} step {}", grid[i].name(), &step - steps.data() + 1);
          lines[i] += (lines[i].empty() ? "" : "\n") + line.dump();
        }
      } catch (...) {
        failures[i] = std::current_exception();
        next = grid.size();  // the others stop
      }
    }
  };
  std::vector<std::jthread> workers(std::max(1u, std::thread::hardware_concurrency()));
  for (std::jthread& worker : workers) worker = std::jthread(work);
  workers.clear();
  std::size_t compiled = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (failures[i]) {
      fmt::print(stderr, "kernel_grid: {}\n", grid[i].name());
      std::rethrow_exception(failures[i]);
    }
    if (lines[i].empty()) continue;
    fmt::print("{}\n", lines[i]);
    ++compiled;
  }
  fmt::print(stderr, "kernel_grid: {} of the {} kernels of {}\n", compiled, grid.size(), architecture);
  return 0;
}

}  // namespace
}  // namespace upsweep

int main(int count, char** arguments) {
  if (count < 3 || count > 4) {
    fmt::print(stderr, "usage: kernel_grid ARCHITECTURE FOLDER [NAME]\n");
    return 2;
  }
  try {
    return upsweep::run(arguments[1], arguments[2], count > 3 ? arguments[3] : "");
  } catch (const upsweep::CompilerError& error) {
    fmt::print(stderr, "kernel_grid: {}\n{}\n", error.what(), error.details());
  } catch (const std::exception& error) {
    fmt::print(stderr, "kernel_grid: {}\n", error.what());
  }
  return 1;
}
