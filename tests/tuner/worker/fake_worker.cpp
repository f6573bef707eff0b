// A worker that misbehaves: `fake_worker MODE`.
//   silent   never answers            garbage  answers what is no JSON      early    ends at once, with last words
//   version  is of another protocol   mute     greets, and then nothing     flood    one line without an end
//   other    answers that another config was compiled                       dies     greets, and ends when asked
#include <unistd.h>

#include <iostream>
#include <string>

#include <upsweep/source.hpp>

#include "tuner/worker/protocol.hpp"

namespace {

void greet(int protocol) {
  std::cout << R"({"did":"greet","protocol":)" << protocol << R"(,"generator":")" << upsweep::generator_version()
            << "\"}" << std::endl;
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  std::string line;
  if (mode == "early") {
    std::cerr << "the reason\nin two lines\n";
    return 3;
  }
  std::getline(std::cin, line);
  if (mode == "garbage") std::cout << "hello there" << std::endl;
  if (mode == "version") greet(999);
  if (mode == "mute") greet(upsweep::tuner::protocol_version);
  if (mode == "dies") {
    greet(upsweep::tuner::protocol_version);
    std::getline(std::cin, line);
    return 3;
  }
  if (mode == "other") {
    greet(upsweep::tuner::protocol_version);
    upsweep::tuner::CompileResult result;
    result.config.schedule = "chained";
    result.binary = std::string(32, 'a');
    while (std::getline(std::cin, line)) std::cout << upsweep::tuner::to_line(result) << std::endl;
    return 0;
  }
  if (mode == "flood") {
    for (;;) std::cout << std::string(1 << 16, 'x');
  }
  sleep_for_ever();
}
