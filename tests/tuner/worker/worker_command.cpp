// A command that serves as a worker: what `upsweep worker` does, without the rest of upsweep.
#include <cstring>
#include <exception>
#include <iostream>

#include "tuner/worker/worker_main.hpp"

int main(int argc, char** argv) try {
  if (argc == 2 && std::strcmp(argv[1], "worker") == 0) return upsweep::tuner::worker_main();
  return 2;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
