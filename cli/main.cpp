#include <iostream>

#include "cli/command.hpp"
#include "cli/file_bytes.hpp"
#include "tuner/worker/worker_process.hpp"

int main(int argc, char** argv) {
  upsweep::cli::reserve_standard_descriptors();
  upsweep::tuner::this_is_the_command();
  return upsweep::cli::main({argv + 1, argv + argc}, std::cin, std::cout, std::cerr);
}
