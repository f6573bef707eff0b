// Prints what upsweep finds in the environment.
#include <cstdio>

#include "base/environment.hpp"
#include "tuning-db/database.hpp"

int main() {
  std::printf("%s\n", upsweep::base::environment("UPSWEEP_TEST_VARIABLE").value_or("nothing").c_str());
  try {
    std::printf("%s\n", upsweep::tuning_db::Database::path_of().c_str());
  } catch (const std::exception&) {
    std::puts("no place");
  }
}
