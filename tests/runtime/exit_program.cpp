// A program whose context is destroyed at exit, after the static objects that the library made for its calls.
// Arguments: whether the context is held by a static pointer ("pointer") or is a static object itself ("object").
#include <cstdio>
#include <memory>
#include <string>

#include <upsweep/error.hpp>
#include <upsweep/upsweep.hpp>

namespace {

std::unique_ptr<upsweep::Context> kept;

upsweep::Context& context(const std::string& how) {
  const upsweep::ContextOptions options{.device = "host"};
  if (how == "pointer") {
    kept = std::make_unique<upsweep::Context>(options);
    return *kept;
  }
  static upsweep::Context object(options);
  return object;
}

}  // namespace

int main(int argc, char** argv) try {
  const int in[3] = {1, 2, 3};
  long total = 0;
  context(argc > 1 ? argv[1] : "").reduce(in, &total, 3);
  std::printf("%ld\n", total);
  return 0;
} catch (const upsweep::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
