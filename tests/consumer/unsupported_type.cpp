// Must not compile, with a message that says which types there are: see tests/CMakeLists.txt.
#include <upsweep/upsweep.hpp>

void scan(upsweep::Context& context, const bool* in, int* out) {
  context.inclusive_scan(in, out, 3);
}
