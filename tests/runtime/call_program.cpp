// Calls reduce twice on the host device, so that a test sees what the library logs and tells profilers.
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include <upsweep/upsweep.hpp>

int main(int count, char** arguments) {
  if (count > 1 && std::string_view(arguments[1]) == "debug") upsweep::set_log_level(upsweep::LogLevel::debug);
  try {
    upsweep::ContextOptions options;
    options.device = "host";
    options.database = "none";
    upsweep::Context context(options);
    const std::vector<int> in{3, 1, 4, 1, 5};
    for (int call = 0; call < 2; ++call) {
      int sum = 0;
      context.reduce(in.data(), &sum, in.size());
      std::printf("sum %d\n", sum);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::printf("error %s\n", error.what());
  }
}
