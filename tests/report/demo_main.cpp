// Writes the made-up report as a file, to look at: report_demo OUT.html [PROBLEMS]
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "report/page.hpp"
#include "tests/report/demo.hpp"

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: report_demo OUT.html [PROBLEMS]\n";
    return 2;
  }
  upsweep::report::DemoOptions options;
  if (count > 2) options.problems = std::atoi(arguments[2]);
  std::ofstream(arguments[1]) << upsweep::report::page(upsweep::report::collect(upsweep::report::demo(options)));
  return 0;
}
