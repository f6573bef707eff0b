// What the shells' completion offers, and that the shells take the scripts.
#include <gmock/gmock.h>

#include "base/find_program.hpp"
#include "base/process.hpp"
#include "cli/variables.hpp"
#include "tests/cli/support.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Completion : public Command {
 protected:
  // The words that are offered for the last one, without their descriptions.
  static std::vector<std::string> offered(std::vector<std::string> words) {
    words.insert(words.begin(), {"complete", "upsweep"});
    std::istringstream lines(worked(call(words)).out);
    std::vector<std::string> found;
    for (std::string line; std::getline(lines, line);) found.push_back(line.substr(0, line.find('\t')));
    return found;
  }

  [[nodiscard]] static std::string run(const std::string& shell, const std::vector<std::string>& arguments) {
    const std::string path = base::find_program(shell);
    if (path.empty()) return shell + " is not installed: run scripts/setup --tests";
    std::vector<std::string> command{path};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return base::run_process(command).output;
  }
};

TEST_F(Completion, OffersVerbs) {
  EXPECT_THAT(offered({"e"}), ElementsAre("emit", "explain"));
  EXPECT_THAT(offered({""}),
              AllOf(Contains("run"), Contains("completion"), Not(Contains("worker")), Not(Contains("complete"))));
  EXPECT_THAT(offered({"db", "i"}), ElementsAre("import"));
  EXPECT_THAT(offered({"--json", "dev"}), ElementsAre("devices"));
  EXPECT_THAT(call({"complete", "upsweep", "doc"}).out, HasSubstr("doctor\tCheck driver, NVRTC"));
}

TEST_F(Completion, OffersOptionsOfTheVerbAndOfTheCommand) {
  EXPECT_THAT(offered({"emit", "--s"}), ElementsAre("--segment-length", "--size", "--show", "--svg"));
  EXPECT_THAT(offered(words("emit inclusive_scan --op plus --js")), ElementsAre("--json"));
  EXPECT_THAT(offered({"db", "export", "--tr"}), ElementsAre("--trials"));
  EXPECT_THAT(offered({"run", "--seg"}), ElementsAre("--segments", "--segment-ends")) << "not what --help hides";
}

TEST_F(Completion, OffersValues) {
  EXPECT_THAT(offered({"run", "in"}), ElementsAre("inclusive_scan", "inclusive_scan_by_key"));
  EXPECT_THAT(offered(words("bench --length-distribution p")), ElementsAre("power_law"));
  EXPECT_THAT(offered(words("run reduce --op m")), ElementsAre("multiplies", "minimum", "maximum", "minus"));
  EXPECT_THAT(offered({"run", "reduce", "--op=m"}),
              ElementsAre("--op=multiplies", "--op=minimum", "--op=maximum", "--op=minus"));
  EXPECT_THAT(offered(words("run reduce --op plus --type f")), ElementsAre("f16", "f32", "f64"));
  EXPECT_THAT(offered(words("bench --grid --type i32,f6")), ElementsAre("i32,f64"));
  EXPECT_THAT(offered({"bench", "r"}), ElementsAre("reduce", "reduce_by_key", "run_length_encode",
                                                   "reverse_inclusive_scan", "reverse_exclusive_scan"));
  EXPECT_THAT(offered({"tune", "--density", "0"}), ElementsAre("0", "0.01", "0.125", "0.5", "0.99"));
  EXPECT_THAT(offered({"bench", "--density", "0.01,1"}), ElementsAre("0.01,1"));
  EXPECT_THAT(offered({"emit", "--accuracy", ""}),
              ElementsAre("plain", "kahan", "neumaier", "double_double", "binned"));
  EXPECT_THAT(offered({"tune", "--strategy", "r"}), ElementsAre("random"));
  EXPECT_THAT(offered({"emit", "--network", "k"}), ElementsAre("kogge_stone", "kogge_stone_radix_4"));
  EXPECT_THAT(offered({"explain", "reduce", "--device", ""}), ElementsAre("auto", "cuda", "host"));
  EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(Completion, LeavesFilesToTheShell) {
  EXPECT_THAT(offered({"run", "reduce", "--op", "plus", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered({"run", "reduce", "-o", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered({"emit", "--svg", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered({"run", "reduce_by_key", "--flags-file", ""}), ElementsAre(":files"));
  EXPECT_THAT(offered(words("run reduce_by_key --key-output s")), ElementsAre(":files"));
  EXPECT_THAT(offered(words("db merge a.db b")), ElementsAre(":files"));
}

TEST_F(Completion, OffersNothingWhereNothingFits) {
  EXPECT_THAT(offered({"frobnicate"}), IsEmpty());
  EXPECT_THAT(offered({"run", "reduce", "--n", ""}), IsEmpty());
  EXPECT_THAT(offered({"devices", "x"}), IsEmpty());
  EXPECT_THAT(offered({"run", "--frob=", ""}), Not(Contains("--frob")));
}

TEST_F(Completion, UnknownShellsAreRefused) {
  expect_error({"completion", "tcsh"}, usage, {"unknown shell 'tcsh': use one of bash, zsh, fish"});
}

// The script's function, as bash calls it with the cursor at the line's end.
TEST_F(Completion, OfBash) {
  const auto completed = [&](const std::string& line) {
    const std::string script = make("upsweep.bash", call({"completion", "bash"}).out);
    return run("bash", {"--norc", "-c",
                        "compopt() { echo \"compopt $*\"; }; upsweep() { :; }; source \"$1\"; COMP_LINE=\"$2\"; "
                        "COMP_POINT=${#2}; _upsweep; printf '%s\\n' \"${COMPREPLY[@]}\"",
                        "bash", script, line});
  };
  const std::string command = UPSWEEP_COMMAND;
  EXPECT_EQ(completed(command + " ex"), "explain\n");
  EXPECT_EQ(completed(command + " run reduce --op m"), "multiplies\nminimum\nmaximum\nminus\n");
  EXPECT_EQ(completed(command + " run reduce --op=mi"), "minimum\nminus\n") << "bash replaces what is behind the =";
  EXPECT_EQ(completed(command + " run reduce --op "),
            "plus\nmultiplies\nminimum\nmaximum\nbit_and\nbit_or\nbit_xor\n"
            "last_nonzero\naffine\nminus\n");
  EXPECT_EQ(completed(command + " run reduce -o "), "compopt -o default\n\n");
}

// In a pseudo-terminal: zsh completes nowhere else.
TEST_F(Completion, OfZsh) {
  const std::string folder = path("functions");
  std::filesystem::create_directory(folder);
  EXPECT_EQ(make("functions/_upsweep", call({"completion", "zsh"}).out), folder + "/_upsweep");
  const std::string output =
      run("zsh", {"-f", "-c",
                  "zmodload zsh/zpty; zpty -b z zsh -f -i; "
                  "zpty -w z \"PS1=; PATH=$2:\\$PATH; fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D; "
                  "bindkey '^I' complete-word; unsetopt beep; echo ready\"; "
                  "zpty -r -m z line '*ready*ready*'; zpty -w -n z $'upsweep run nonz\\t--op affi\\t'; "
                  "zpty -r -m z line '*affine*' && print -r -- \"${line//[^a-z_ -]/}\"; zpty -d z",
                  "zsh", folder, std::filesystem::path(UPSWEEP_COMMAND).parent_path().string()});
  EXPECT_THAT(output, AllOf(HasSubstr("nonzero"), HasSubstr("affine")));
}

TEST_F(Completion, OfFish) {
  const std::string script = make("upsweep.fish", call({"completion", "fish"}).out);
  const auto completed = [&](const std::string& line) {
    return run("fish", {"--no-config", "-c", "set PATH $argv[2] $PATH; source $argv[1]; complete -C $argv[3]", script,
                        std::filesystem::path(UPSWEEP_COMMAND).parent_path().string(), line});
  };
  EXPECT_THAT(completed("upsweep expl"), HasSubstr("explain\tShow which config a call uses, and why"));
  EXPECT_EQ(completed("upsweep run reduce --op mi"), "minimum\nminus\n");
}

TEST_F(Completion, HelpMakesTheFolderFirst) {
  EXPECT_THAT(call({"completion", "--help"}).out, HasSubstr("mkdir -p ~/.local/share/bash-completion/completions\n"));
}

TEST_F(Completion, ManualPageHasVerbsOptionsAndVariables) {
  const std::string page = call({"man"}).out;
  EXPECT_THAT(
      page,
      AllOf(HasSubstr(".SS db export\n"), HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIoutput\\fR\n"),
            HasSubstr("\\fBUPSWEEP_FORCE_CONFIG\\fR\n"), HasSubstr("130 interrupted"), Not(HasSubstr(".SS worker"))));
  const std::string file = make("upsweep.1", page);
  EXPECT_THAT(run("mandoc", {"-T", "lint", "-W", "error", file}), IsEmpty());
  EXPECT_THAT(run("mandoc", {"-T", "html", file}), HasSubstr("<b>upsweep run</b> <i>ALGORITHM</i> <i>INPUT</i>"));
}

TEST(EnvironmentVariables, OfTheManualPageAreThoseOfTheDocumentation) {
  std::ifstream file(UPSWEEP_SOURCE_DIR "/docs/environment.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const VariableText& variable : environment_variables()) {
    EXPECT_THAT(page, HasSubstr("| `" + std::string(variable.name) + "` |"));
  }
  const std::string used_by_all = page.substr(0, page.find("## For working on upsweep"));
  for (std::size_t at = 0; (at = used_by_all.find("| `", at)) != std::string::npos; at += 3) {
    const std::string name = used_by_all.substr(at + 3, used_by_all.find('`', at + 3) - at - 3);
    if (!name.starts_with("UPSWEEP_") && name != "NO_COLOR") continue;
    EXPECT_TRUE(std::ranges::count(environment_variables(), name, &VariableText::name) == 1) << name;
  }
}

}  // namespace
}  // namespace upsweep::cli
