#include "report/page.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <upsweep/error.hpp>

#include "report/axis.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace upsweep::report {
namespace {

using Slots = std::map<std::string, std::string, std::less<>>;

// The template with each {{name}} replaced; what is put in is not looked at again.
std::string filled(std::string_view text, const Slots& slots) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find("{{");
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find("}}", begin);
    const std::string_view name = text.substr(begin + 2, end - begin - 2);
    const auto slot = slots.find(name);
    if (slot == slots.end()) throw Error(ErrorKind::internal, fmt::format("the report's page has no '{}'", name));
    out += slot->second;
    text.remove_prefix(end + 2);
  }
  return out;
}

std::string device_names(const Facts& facts) {
  std::vector<std::string> names;  // parts of a GPU have its name
  for (const DeviceIdentity& each : facts.devices) {
    if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
  }
  return fmt::to_string(fmt::join(names, ", "));
}

std::string empty_page(const Facts& facts) {
  return fmt::format(
      "<p class=\"nothing\">Nothing has been tuned yet: <code>{}</code> has no results that this report can show. "
      "Measure "
      "some with <code>upsweep tune inclusive_scan --op plus --type f32 --size 2^24</code>, then write this report "
      "again.</p>\n",
      escaped(facts.database));
}

}  // namespace

std::string page(const Facts& facts) {
  const bool empty = facts.problems.empty();
  const std::string devices = device_names(facts);
  return filled(part("page.html"), {{"style", std::string(part("style.css"))},
                                    {"script", std::string(part("script.js"))},
                                    {"title", escaped(devices.empty() ? "nothing tuned yet" : devices)},
                                    {"made", escaped(date_text(facts.made_at) + " UTC")},
                                    {"state", empty ? "empty" : "full"},
                                    {"headline", empty ? empty_page(facts) : headline(facts)},
                                    {"matrix", matrix(facts)},
                                    {"problems", problems(facts)},
                                    {"earnings", earnings_section(facts.earnings)},
                                    {"winners", winners(facts)},
                                    {"winner_count", fmt::format("{}", facts.winners.size())},
                                    {"data", data(facts)}});
}

}  // namespace upsweep::report
