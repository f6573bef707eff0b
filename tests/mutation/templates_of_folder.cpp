// In the mutation tests, in the place of the embedded templates: those of the folder that UPSWEEP_MUTATION_TEMPLATES
// names. So one program runs every mutant, and the library knows nothing of it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "generator/templates.hpp"

namespace upsweep {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "mutation_tests: %s\n", what.c_str());
  std::exit(3);
}

struct Folder {
  std::vector<std::string> paths, texts;
  std::vector<TemplateFile> files;
};

Folder read_folder() {
  const char* const name = std::getenv("UPSWEEP_MUTATION_TEMPLATES");
  if (name == nullptr) give_up("UPSWEEP_MUTATION_TEMPLATES is not set: start it by scripts/mutate");
  const fs::path root(name);
  Folder folder;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(root, error)) {
    if (entry.path().extension() == ".cuh") folder.paths.push_back(entry.path().lexically_relative(root).string());
  }
  if (folder.paths.empty()) give_up("there are no templates in UPSWEEP_MUTATION_TEMPLATES=" + root.string());
  std::sort(folder.paths.begin(), folder.paths.end());
  for (const std::string& path : folder.paths) {
    std::ifstream file(root / path, std::ios::binary);
    folder.texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (!file || folder.texts.back().empty()) give_up("cannot read the template " + (root / path).string());
  }
  for (std::size_t i = 0; i < folder.paths.size(); ++i) folder.files.push_back({folder.paths[i], folder.texts[i]});
  return folder;
}

}  // namespace

std::span<const TemplateFile> templates() noexcept {
  static const Folder folder = read_folder();
  return folder.files;
}

}  // namespace upsweep
