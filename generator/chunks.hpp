// Templates cut into top-level declarations, so that a source holds only those it uses.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep {

// One top-level declaration with the comment above it: what stands between two blank lines outside of braces.
struct Chunk {
  std::string text;
  std::vector<std::string> names;  // what it declares; none: always kept (static_assert, preprocessor lines)
  int line = 1;                    // in its file, from 1
  bool comment_only = false;
};

// A template file: the files it includes, in order, and its chunks.
struct Chunks {
  std::vector<std::string> includes;
  std::vector<Chunk> chunks;
};

[[nodiscard]] Chunks cut(std::string_view text);

// All words of a text that could be identifiers, those in comments and strings too.
[[nodiscard]] std::set<std::string, std::less<>> words(std::string_view text);

// The identifiers in a chunk, comments and strings left out.
[[nodiscard]] std::set<std::string, std::less<>> identifiers(std::string_view text);

}  // namespace upsweep
