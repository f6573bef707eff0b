#include "generator/assemble.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "generator/chunks.hpp"
#include "generator/simplify.hpp"
#include "generator/templates.hpp"

namespace upsweep {
namespace {

constexpr std::string_view parameters_path = "parameters.cuh";
// A file of each name for CUDA, and its twin for the host device.
constexpr std::string_view cuda_prefix = "target/cuda";
constexpr std::string_view host_prefix = "target/host";
constexpr std::string_view host_entry_path = "target/host_entry.cuh";

using Names = std::set<std::string, std::less<>>;

struct CutFile {
  explicit CutFile(std::string_view text) : file(cut(text)) {
    for (const Chunk& chunk : file.chunks) used.push_back(identifiers(chunk.text));
  }
  // Of text that somebody else wrote: all words are kept for names, those in comments and strings too.
  static CutFile of_definition(std::string_view text) {
    CutFile whole(text);
    whole.is_ours = false;
    for (std::size_t i = 0; i < whole.used.size(); ++i) whole.used[i] = words(whole.file.chunks[i].text);
    return whole;
  }
  Chunks file;
  std::vector<Names> used;  // by each chunk
  bool is_ours = true;
};

struct Placed {
  const Chunk* chunk = nullptr;
  std::string text;  // of the chunk, simplified
  Names uses;
  bool is_ours = true;  // a template, and no definition
  std::string_view path;
  bool first_of_file = false;
  bool kept = false;
};

// Cutting takes milliseconds, so each template is cut once.
const CutFile& cut_template(std::string_view path) {
  static std::mutex mutex;
  static auto& known = *new std::map<std::string_view, CutFile>;  // never destroyed: static objects plan at exit
  const std::lock_guard lock(mutex);
  const auto at = known.find(path);
  if (at != known.end()) return at->second;
  for (const TemplateFile& file : templates()) {
    if (file.path == path) return known.try_emplace(file.path, file.text).first->second;
  }
  throw Error(ErrorKind::internal, fmt::format("there is no template {}: please report this", path));
}

// Collects the chunks of a template and of all it includes, each file once, what is included first.
class Collector {
 public:
  // The recipe and `parameters`, which is cut from its own, must outlive what is collected.
  Collector(const Recipe& recipe, const CutFile& parameters, Target target)
      : recipe_(recipe), parameters_(parameters), target_(target) {
    for (const auto& [path, text] : recipe.definitions) definitions_.try_emplace(path, CutFile::of_definition(text));
  }

  void add(const std::string& asked) {
    const std::string path = resolve(asked);
    if (!seen_.insert(path).second) return;
    const CutFile& own = file(path);
    for (const std::string& include : own.file.includes) add(include);
    for (std::size_t i = 0; i < own.file.chunks.size(); ++i) {
      const Chunk& chunk = own.file.chunks[i];
      placed_.push_back({&chunk, chunk.text, own.used[i], own.is_ours, *seen_.find(path), i == 0, false});
    }
  }

  // Their paths are valid as long as this.
  [[nodiscard]] std::vector<Placed> take() { return std::move(placed_); }

 private:
  [[nodiscard]] std::string resolve(const std::string& path) const {
    if (path.starts_with(cuda_prefix) && target_ == Target::host) {
      return fmt::format("{}{}", host_prefix, path.substr(cuda_prefix.size()));
    }
    const std::size_t folder = path.rfind('/') + 1;
    const std::string role = path.substr(0, path.find('.', folder));
    const auto strategy = recipe_.roles.find(role);
    return strategy == recipe_.roles.end() ? path : fmt::format("{}.{}.cuh", role, strategy->second);
  }

  [[nodiscard]] const CutFile& file(const std::string& path) const {
    if (path == parameters_path) return parameters_;
    const auto defined = definitions_.find(path);
    return defined == definitions_.end() ? cut_template(path) : defined->second;
  }

  const Recipe& recipe_;
  const CutFile& parameters_;
  Target target_;
  std::map<std::string, CutFile> definitions_;
  std::set<std::string> seen_;
  std::vector<Placed> placed_;
};

// Leaves out what does nothing, except in definitions: those may give other meanings to a name.
void simplify(std::vector<Placed>& placed) {
  std::map<std::string_view, int> declarations;
  for (const Placed& each : placed) {
    for (const std::string& name : each.chunk->names) ++declarations[name];
  }
  Known known;
  for (const Placed& each : placed) {
    const auto& names = each.chunk->names;
    if (each.is_ours && names.size() == 1 && declarations[names[0]] == 1) known.learn(*each.chunk);
  }
  std::erase_if(known.passed_on, [&](const auto& passing) { return declarations[passing.second] > 1; });
  for (Placed& each : placed) {
    const auto is_known = [&](const std::string& name) { return known.has(name); };
    // A function that passes its arguments to another may itself be what another passes its arguments to.
    const bool is_itself = std::any_of(each.chunk->names.begin(), each.chunk->names.end(), is_known);
    while (each.is_ours && !is_itself && std::any_of(each.uses.begin(), each.uses.end(), is_known)) {
      std::string text = simplified(each.text, known);
      if (text == each.text) break;
      each.text = std::move(text);
      each.uses = identifiers(each.text);
    }
  }
}

// Keeps what the entry points use, and what that uses, and so on.
void keep_used(std::vector<Placed>& placed) {
  std::unordered_set<std::string_view> used{"upsweep_kernel", "upsweep_host_bind", "upsweep_host_argument_bytes",
                                            "upsweep_host_call"};
  for (bool grew = true; grew;) {
    grew = false;
    for (Placed& each : placed) {
      if (each.kept || each.chunk->comment_only) continue;
      const auto& names = each.chunk->names;
      const auto is_used = [&](const std::string& name) { return used.contains(name); };
      if (!names.empty() && std::none_of(names.begin(), names.end(), is_used)) continue;
      each.kept = grew = true;
      used.insert(each.uses.begin(), each.uses.end());
    }
  }
}

// A file's opening comment stays with what is kept of the file. The primitives of a target have comments of their own.
void keep_opening_comments(std::vector<Placed>& placed) {
  for (Placed& opening : placed) {
    if (!opening.first_of_file || !opening.chunk->comment_only || opening.path.starts_with("target/")) continue;
    opening.kept = std::any_of(placed.begin(), placed.end(),
                               [&](const Placed& other) { return other.kept && other.path == opening.path; });
  }
}

// Number of the line behind a chunk.
int line_behind(const Chunk& chunk) {
  return chunk.line + static_cast<int>(std::count(chunk.text.begin(), chunk.text.end(), '\n'));
}

// One blank line between neighbours, but for parameters of one line each; a #line wherever the numbering of the
// template's lines is interrupted. A comment needs none, and stands right above the code that it opens.
std::string print(const std::vector<Placed>& placed) {
  std::string text;
  const Placed* before = nullptr;
  for (const Placed& each : placed) {
    if (!each.kept) continue;
    const bool same_file = before != nullptr && before->path == each.path;
    const bool opened = same_file && before->chunk->comment_only;
    const bool follows = same_file && !opened && line_behind(*before->chunk) + 1 == each.chunk->line;
    const bool is_line = each.path == parameters_path && line_behind(*each.chunk) == each.chunk->line + 1;
    const bool joins = is_line && same_file && line_behind(*before->chunk) == before->chunk->line + 1;
    if (!opened && !joins) text += "\n";
    if (!follows && !each.chunk->comment_only && each.path != parameters_path)
      text += fmt::format("#line {} \"{}\"\n", each.chunk->line, each.path);
    text += each.text;
    before = &each;
  }
  return text;
}

}  // namespace

std::string assemble(const Recipe& recipe, Target target) {
  const CutFile parameters(recipe.parameters);
  Collector collector(recipe, parameters, target);
  collector.add(std::string(parameters_path));
  collector.add(recipe.kernel);
  if (target == Target::host) collector.add(std::string(host_entry_path));
  std::vector<Placed> placed = collector.take();
  simplify(placed);
  keep_used(placed);
  keep_opening_comments(placed);

  return print(placed);
}

}  // namespace upsweep
