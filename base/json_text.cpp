#include "base/json_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace upsweep::base {
namespace {

// How deep the brackets outside of strings nest; right for a text that is JSON, which the parser decides.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      deepest = std::max(deepest, ++depth);
      if (deepest > deepest_json) break;
    } else if (!in_string && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return deepest;
}

// "[json.exception.parse_error.101] parse error at line 1, column 2: ..." without the code.
std::string reason_of(std::string_view what) {
  const std::size_t end_of_code = what.find("] ");
  return clipped(end_of_code == std::string_view::npos ? what : what.substr(end_of_code + 2));
}

}  // namespace

template <typename Json>
Json parse_json(std::string_view text, std::size_t longest) {
  if (text.size() > longest)
    throw BadJson(fmt::format("the text has {} bytes, but at most {} are allowed", text.size(), longest));
  if (depth_of(text) > deepest_json)
    throw BadJson(fmt::format("its brackets are nested more than {} levels deep", deepest_json));
  try {
    return Json::parse(text);
  } catch (const typename Json::exception& error) {
    throw BadJson(reason_of(error.what()));
  }
}

template nlohmann::json parse_json(std::string_view, std::size_t);
template nlohmann::ordered_json parse_json(std::string_view, std::size_t);

}  // namespace upsweep::base
