// The parts of the page, as HTML. All text that comes from a database or a file is escaped.
#pragma once

#include <string>

#include "report/facts.hpp"

namespace upsweep::report {

[[nodiscard]] std::string headline(const Facts& facts);  // figures, devices, environments, failures
[[nodiscard]] std::string matrix(const Facts& facts);    // speed-up by problem, with links to the sections
[[nodiscard]] std::string problems(const Facts& facts);  // a section of charts for each
[[nodiscard]] std::string winners(const Facts& facts);   // rows of the table
[[nodiscard]] std::string data(const Facts& facts);      // the figures as JSON that is safe within <script>

}  // namespace upsweep::report
