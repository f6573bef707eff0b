// upsweep completion: scripts that let a shell complete upsweep's words. They ask the command itself what fits, as
// `upsweep complete WORDS...`, so that they need no change when it does.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <upsweep/error.hpp>

#include "cli/candidates.hpp"
#include "cli/command.hpp"

namespace upsweep::cli {
namespace {

// What `complete` prints where names of files belong.
constexpr std::string_view files_mark = ":files";

// Bash splits words at the characters of COMP_WORDBREAKS, such as : and =, and replaces what is behind the last one.
constexpr std::string_view bash = R"(# Completion of upsweep for bash: source it, or write it to
# ~/.local/share/bash-completion/completions/upsweep
_upsweep() {
  local words current line found
  read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
  current=${words[-1]}
  COMPREPLY=()
  while IFS= read -r line; do
    found=${line%%$'\t'*}
    if [[ $found == :files ]]; then
      compopt -o default
      return
    fi
    COMPREPLY+=("${found#"${current%"${current##*[:=]}"}"}")
  done < <("${words[0]}" complete "${words[@]}" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *, ]] && compopt -o nospace
  return 0
}
complete -F _upsweep upsweep
)";

constexpr std::string_view zsh = R"(#compdef upsweep
# Completion of upsweep for zsh: write it to a file _upsweep in a folder of $fpath, or source it after compinit.
_upsweep() {
  local -a lines described
  local line
  lines=("${(@f)$("${words[1]}" complete "${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ ${lines[1]} == ':files' ]]; then
    _files
    return
  fi
  for line in $lines; do
    if [[ $line == *$'\t'* ]]; then
      described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    else
      described+=("${line//:/\\:}")
    fi
  done
  _describe upsweep described
}
if [[ $funcstack[1] == _upsweep ]]; then
  _upsweep "$@"
else
  compdef _upsweep upsweep
fi
)";

constexpr std::string_view fish =
    R"(# Completion of upsweep for fish: write it to ~/.config/fish/completions/upsweep.fish
function __upsweep_complete
  set -l words (commandline --tokenize --cut-at-cursor --current-process) (commandline --current-token)
  set -l found ($words[1] complete $words 2>/dev/null)
  if test "$found" = ":files"
    __fish_complete_path (commandline --current-token)
  else if set -q found[1]
    printf '%s\n' $found
  end
end
complete --command upsweep --no-files --arguments '(__upsweep_complete)'
)";

int print_script(const std::string& shell, Io& io) {
  if (shell == "bash") {
    io.bytes() << bash;
  } else if (shell == "zsh") {
    io.bytes() << zsh;
  } else if (shell == "fish") {
    io.bytes() << fish;
  } else {
    throw UsageError(fmt::format("unknown shell '{}': use one of bash, zsh, fish", shell));
  }
  return 0;
}

}  // namespace

int complete(const CLI::App& command, const std::vector<std::string>& words, Io& io) {
  const Candidates found = candidates(command, words);
  if (found.files) io.out() << files_mark << '\n';
  for (const Candidate& each : found.words) {
    io.out() << each.word << (each.description.empty() ? "" : "\t" + each.description) << '\n';
  }
  io.flush();
  return 0;
}

void add_completion(CLI::App& command, Action& action) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* const verb =
      command.add_subcommand("completion", "Print a shell script that completes verbs, options and values of upsweep");
  verb->add_option("SHELL", *shell, "Shell: bash, zsh or fish")->required();
  verb->footer(
      "Example:\n  mkdir -p ~/.local/share/bash-completion/completions\n"
      "  upsweep completion bash > ~/.local/share/bash-completion/completions/upsweep");
  verb->callback([shell, &action] { action = [shell](Io& io) { return print_script(*shell, io); }; });
}

}  // namespace upsweep::cli
