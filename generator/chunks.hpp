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

// The text with blanks for comments and the contents of strings.
[[nodiscard]] std::string code_of(std::string_view text);

// The code of a text as identifiers (and numbers), and single characters.
[[nodiscard]] std::vector<std::string> tokens_of(std::string_view text);

// Whether a token is an identifier or a number.
[[nodiscard]] bool is_identifier(std::string_view token);

// All words of a text that could be identifiers, those in comments and strings too.
[[nodiscard]] std::set<std::string, std::less<>> words(std::string_view text);

// The identifiers in a chunk, comments and strings left out.
[[nodiscard]] std::set<std::string, std::less<>> identifiers(std::string_view text);

}  // namespace upsweep
