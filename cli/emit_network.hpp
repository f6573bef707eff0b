// upsweep emit --network: a scan network as it ran on the host device.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/io.hpp"

namespace upsweep::cli {

struct NetworkArguments {
  std::string name;  // empty: not asked for
  int n = 16;
  std::string svg;  // file, or - for standard output; empty: as text
};

// Adds the options. The verb's other options do not go with them, and are not required then.
void add_network(CLI::App& verb, NetworkArguments& arguments);

int emit_network(const NetworkArguments& arguments, Io& io);

}  // namespace upsweep::cli
