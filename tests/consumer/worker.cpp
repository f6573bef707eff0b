// Tunes in worker processes, for which the upsweep command must be found. Argument: a path for the database.
#include <cstdio>
#include <exception>

#include <upsweep/upsweep.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  upsweep::Context context({.device = "host", .database = argv[1]});
  const upsweep::Problem problem =
      upsweep::make_problem(upsweep::Algorithm::reduce, upsweep::plus, upsweep::Type::i32, upsweep::Type::i32);
  upsweep::TuneOptions options;
  options.sizes = {300};
  options.maximum_trials = 1;
  options.isolation = upsweep::Isolation::worker;
  return upsweep::tune(context, problem, options).sizes.at(0).trials > 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
