#include "generator/assemble.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/chunks.hpp"
#include "generator/templates.hpp"

namespace upsweep {
namespace {

constexpr std::string_view parameters_path = "parameters.cuh";
constexpr std::string_view cuda_path = "target/cuda.cuh";
constexpr std::string_view host_path = "target/host.cuh";
constexpr std::string_view host_entry_path = "target/host_entry.cuh";

struct Placed {
  Chunk chunk;
  std::string path;
  bool first_of_file = false;
  bool kept = false;
};

std::string_view template_text(std::string_view path) {
  for (const TemplateFile& file : templates()) {
    if (file.path == path) return file.text;
  }
  throw Error(ErrorKind::internal, fmt::format("there is no template {}: please report this", path));
}

// Collects the chunks of a template and of all it includes, each file once, what is included first.
class Collector {
 public:
  Collector(const Recipe& recipe, Target target) : recipe_(recipe), target_(target) {}

  void add(const std::string& asked) {
    const std::string path = resolve(asked);
    if (std::find(seen_.begin(), seen_.end(), path) != seen_.end()) return;
    seen_.push_back(path);
    const Chunks file = cut(path == parameters_path ? std::string_view(recipe_.parameters) : template_text(path));
    for (const std::string& include : file.includes) add(include);
    bool first = true;
    for (const Chunk& chunk : file.chunks) {
      placed_.push_back({chunk, path, first, false});
      first = false;
    }
  }

  [[nodiscard]] std::vector<Placed> take() { return std::move(placed_); }

 private:
  [[nodiscard]] std::string resolve(const std::string& path) const {
    if (path == cuda_path && target_ == Target::host) return std::string(host_path);
    const std::size_t folder = path.rfind('/') + 1;
    const std::string role = path.substr(0, path.find('.', folder));
    const auto strategy = recipe_.roles.find(role);
    return strategy == recipe_.roles.end() ? path : fmt::format("{}.{}.cuh", role, strategy->second);
  }

  const Recipe& recipe_;
  Target target_;
  std::vector<std::string> seen_;
  std::vector<Placed> placed_;
};

// Keeps what the entry points use, and what that uses, and so on.
void keep_used(std::vector<Placed>& placed) {
  std::set<std::string, std::less<>> used{"upsweep_kernel", "upsweep_host_bind", "upsweep_host_call"};
  for (bool grew = true; grew;) {
    grew = false;
    for (Placed& each : placed) {
      if (each.kept || each.chunk.comment_only) continue;
      const auto& names = each.chunk.names;
      const auto is_used = [&](const std::string& name) { return used.contains(name); };
      if (!names.empty() && std::none_of(names.begin(), names.end(), is_used)) continue;
      each.kept = grew = true;
      used.merge(identifiers(each.chunk.text));
    }
  }
}

// A file's opening comment stays with what is kept of the file.
void keep_opening_comments(std::vector<Placed>& placed) {
  for (Placed& opening : placed) {
    if (!opening.first_of_file || !opening.chunk.comment_only) continue;
    opening.kept = std::any_of(placed.begin(), placed.end(),
                               [&](const Placed& other) { return other.kept && other.path == opening.path; });
  }
}

// Number of the line behind a chunk.
int line_behind(const Chunk& chunk) {
  return chunk.line + static_cast<int>(std::count(chunk.text.begin(), chunk.text.end(), '\n'));
}

// One blank line between neighbours; a #line wherever the numbering of the template's lines is interrupted.
std::string print(const std::vector<Placed>& placed) {
  std::string text;
  const Placed* before = nullptr;
  for (const Placed& each : placed) {
    if (!each.kept) continue;
    text += "\n";
    const bool follows =
        before != nullptr && before->path == each.path && line_behind(before->chunk) + 1 == each.chunk.line;
    if (!follows && each.path != parameters_path) text += fmt::format("#line {} \"{}\"\n", each.chunk.line, each.path);
    text += each.chunk.text;
    before = &each;
  }
  return text;
}

}  // namespace

std::string assemble(const Recipe& recipe, Target target) {
  Collector collector(recipe, target);
  collector.add(std::string(parameters_path));
  collector.add(recipe.kernel);
  if (target == Target::host) collector.add(std::string(host_entry_path));
  std::vector<Placed> placed = collector.take();
  keep_used(placed);
  keep_opening_comments(placed);

  return print(placed);
}

}  // namespace upsweep
