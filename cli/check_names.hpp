// The verbs and options of a command line, looked at before they are parsed: CLI11 calls a mistyped one an unexpected
// argument, or misses another one instead.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace upsweep::cli {

// Verbs that --help lists.
[[nodiscard]] std::vector<std::string> verb_names(const CLI::App& app);

// Where the next name of a verb stands from `from` on, after the command's own options. The number of arguments: none
// does, or an option of a verb comes first.
[[nodiscard]] std::size_t next_verb(const CLI::App& command, const std::vector<std::string>& arguments,
                                    std::size_t from);

// Throws UsageError for a verb or a long option that is not known, with the ones that may have been meant.
void check_names(const CLI::App& command, const std::vector<std::string>& arguments);

// "upsweep db export --help": the help of the verb that the arguments name.
[[nodiscard]] std::string help_command(const CLI::App& command, const std::vector<std::string>& arguments);

}  // namespace upsweep::cli
