// The report: one HTML page that needs nothing beside itself.
#pragma once

#include <string>
#include <string_view>

#include "report/facts.hpp"

namespace upsweep::report {

// Works from file://: styles, scripts, figures and data are in it.
[[nodiscard]] std::string page(const Facts& facts);

// A file of report/parts, compiled in (made by embed.cmake): "page.html", "style.css", "script.js". Throws Error
// (internal) for another name.
[[nodiscard]] std::string_view part(std::string_view name);

}  // namespace upsweep::report
