// Prints what upsweep finds in the environment.
#include <cstdio>

#include "base/environment.hpp"
#include "tuning-db/database.hpp"

#ifdef __SANITIZE_ADDRESS__
// LeakSanitizer traces the program, which the system refuses where the program has more rights.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0";
}
#endif

int main() {
  std::printf("%s\n", upsweep::base::environment("UPSWEEP_TEST_VARIABLE").value_or("nothing").c_str());
  try {
    std::printf("%s\n", upsweep::tuning_db::Database::path_of().c_str());
  } catch (const std::exception&) {
    std::puts("no place");
  }
}
