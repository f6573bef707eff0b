// A peer that knows i32 sums and fails for maxima.
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" const char* upsweep_peer_name() {
  return "Fake 1.2.3";
}

extern "C" int upsweep_peer_run(const char*, const char* op, const char* type, const void*, void* out, std::uint64_t,
                                void* temporary, std::size_t* bytes, void*) {
  constexpr int not_built = 1, failure = 719;
  if (std::strcmp(type, "i32") != 0) return not_built;
  if (std::strcmp(op, "maximum") == 0) return failure;
  if (temporary == nullptr) {
    *bytes = 100;
  } else {
    std::memset(out, 1, 1);
  }
  return 0;
}
