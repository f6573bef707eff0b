#include <iostream>

#include "cli/command.hpp"

int main(int argc, char** argv) {
  return upsweep::cli::main({argv + 1, argv + argc}, std::cin, std::cout, std::cerr);
}
