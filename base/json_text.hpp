// Parses JSON that comes from outside: from files, exports, rows of a database and other processes.
#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>
#include <upsweep/error.hpp>

namespace upsweep::base {

// What upsweep writes nests six deep at most. Code that walks, copies or prints JSON calls itself for each level.
inline constexpr int deepest_json = 32;
inline constexpr std::size_t longest_json = std::size_t{1} << 30;  // 1 GiB; in memory it takes several times as much

// what() says in a few words what is wrong with the text; to which file that happened, the caller knows.
struct BadJson : InputError {
  using InputError::InputError;
};

// Of nlohmann::json or ordered_json. Throws BadJson for what is no JSON, nests deeper than deepest_json or is longer
// than `longest` bytes.
template <typename Json>
[[nodiscard]] Json parse_json(std::string_view text, std::size_t longest = longest_json);

}  // namespace upsweep::base
