// The words that a shell's completion offers at the cursor.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace upsweep::cli {

struct Candidate {
  std::string word;
  std::string description;  // may be empty
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Candidates {
  std::vector<Candidate> words;
  bool files = false;  // names of files belong here, which the shell knows best
};

// words: those of the command line after the program's name; the last one is being typed, and may be empty.
[[nodiscard]] Candidates candidates(const CLI::App& command, const std::vector<std::string>& words);

}  // namespace upsweep::cli
