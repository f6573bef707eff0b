// A user's program: a scan on the host device, through the public header alone.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include <upsweep/upsweep.hpp>

int main() {
  try {
    if (upsweep::generator_version() != UPSWEEP_VERSION) {
      std::fprintf(stderr, "the headers are of another version than the library\n");
      return 1;
    }
    upsweep::Context context({.device = "host", .database = "none"});
    std::vector<int> in(1000);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) - 300;
    std::vector<int> out(in.size());
    const int* const from = in.data();
    context.inclusive_scan(from, out.data(), in.size(), upsweep::plus);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      total += in[i];
      if (out[i] == total) continue;
      std::fprintf(stderr, "item %zu is %d, not %lld\n", i, out[i], static_cast<long long>(total));
      return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
