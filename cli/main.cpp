// main() of the command upsweep.
#include <iostream>

#include "base/file_bytes.hpp"
#include "cli/command.hpp"
#include "tuner/worker/worker_process.hpp"

int main(int argc, char** argv) {
  upsweep::base::reserve_standard_descriptors();
  upsweep::tuner::this_is_the_command();
  return upsweep::cli::main({argv + 1, argv + argc}, std::cin, std::cout, std::cerr);
}
