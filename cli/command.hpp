// The command: its verbs, each in a file of its own, and what surrounds them.
#pragma once

#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "cli/io.hpp"

namespace CLI {
class App;  // its header takes the compiler long
}

namespace upsweep::cli {

// What the parsed command line asks for; the result is the exit code.
using Action = std::function<int(Io&)>;

// Each adds a verb to the command; where the command line names it, `action` is set.
void add_run(CLI::App& command, Action& action);
void add_tune(CLI::App& command, Action& action);
void add_emit(CLI::App& command, Action& action);
void add_explain(CLI::App& command, Action& action);
void add_space(CLI::App& command, Action& action);
void add_devices(CLI::App& command, Action& action);
void add_doctor(CLI::App& command, Action& action);
void add_db(CLI::App& command, Action& action);
void add_cache(CLI::App& command, Action& action);
void add_bench(CLI::App& command, Action& action);
void add_plot(CLI::App& command, Action& action);
void add_worker(CLI::App& command, Action& action);  // hidden
void add_report(CLI::App& command, Action& action);
void add_figures(CLI::App& command, Action& action);
void add_completion(CLI::App& command, Action& action);
// Prints what may stand for the last of the words that follow the program's name; returns the exit code.
int complete(const CLI::App& command, const std::vector<std::string>& words, Io& io);
void add_man(CLI::App& command, Action& action);

// The command. Arguments do not hold the program's name. Returns the exit code: 0, an ErrorKind, or 130 after an
// interrupt; it throws nothing. Warnings of the library go to `err` while it runs.
int main(std::vector<std::string> arguments, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace upsweep::cli
