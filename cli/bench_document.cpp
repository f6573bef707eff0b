#include "cli/bench_document.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/file_bytes.hpp"
#include "base/json_text.hpp"
#include "generator/config_json.hpp"
#include "generator/problem_json.hpp"
#include "generator/shape.hpp"
#include "generator/stored_config.hpp"

namespace upsweep::cli {
namespace {

// A time in microseconds or a throughput: finite sums and axes can be made of up to so much.
double read_number(const Json& json, const char* key) {
  constexpr double most = 1e15;
  const Json& value = json.at(key);
  if (value.is_number() && value.get<double>() >= 0 && value.get<double>() <= most) return value.get<double>();
  throw InputError(fmt::format("the value of '{}' must be a number from 0 to {:g}", key, most));
}

std::uint64_t read_count(const Json& json, const char* key, std::uint64_t most) {
  const Json& value = json.at(key);
  const bool negative = value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  if (value.is_number_integer() && !negative && value.get<std::uint64_t>() <= most) return value.get<std::uint64_t>();
  throw InputError(fmt::format("the value of '{}' must be a whole number from 0 to {}", key, most));
}

constexpr std::uint64_t most_items = std::uint64_t{1} << 62;
constexpr std::uint64_t most_samples = std::numeric_limits<int>::max();

bench::Row read_row(const Json& json) {
  return {.who = bench::parse_who(json.at("who").get<std::string>()),
          .label = json.at("label"),
          .median_us = read_number(json, "median_us"),
          .lowest_us = read_number(json, "lowest_us"),
          .lower_quartile_us = read_number(json, "lower_quartile_us"),
          .upper_quartile_us = read_number(json, "upper_quartile_us"),
          .highest_us = read_number(json, "highest_us"),
          .samples = static_cast<int>(read_count(json, "samples", most_samples)),
          .bytes = read_count(json, "bytes", std::numeric_limits<std::uint64_t>::max()),
          .gigabytes_per_second = read_number(json, "gigabytes_per_second")};
}

// The earliest documents have names of their own for what a problem is.
Json with_present_names(const Json& problem) {
  if (!problem.contains("output_type")) return problem;
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"op", "operator"}, {"type", "input"}, {"accumulate", "accumulator"}, {"output_type", "output"}};
  Json renamed = Json::object();
  for (const auto& [member, value] : problem.items()) {
    const auto at = std::ranges::find(names, member, &std::pair<std::string_view, std::string_view>::first);
    renamed[at == std::end(names) ? member : std::string(at->second)] = value;
  }
  return renamed;
}

Config read_config(const Json& json) {
  return with_present_names(stored_config_from_json(json.dump()));
}

bench::RungCell read_rung(const Json& json) {
  bench::RungCell cell{{.rung = tuning_db::parse_rung(json.at("rung").get<std::string>()), .reason = json.at("reason")},
                       {}};
  const Json &config = json.at("config"), &row = json.at("row");
  if (config.is_null() != row.is_null()) {
    throw InputError(
        fmt::format("the rung '{}' has a config or a row, but not both", tuning_db::name(cell.choice.rung)));
  }
  if (config.is_null()) return cell;
  cell.choice.config = read_config(config);
  cell.row = read_row(row);
  return cell;
}

void read_rungs(const Json& json, bench::Cell& cell) {
  for (const Json& each : json) {
    bench::RungCell rung = read_rung(each);
    if (cell.rung_cell(rung.choice.rung) != nullptr) {
      throw InputError(fmt::format("the rung '{}' is there twice", tuning_db::name(rung.choice.rung)));
    }
    cell.rungs.push_back(std::move(rung));
  }
}

// The rows of a problem that has a pitch. Its shape names the class of their length. Earlier documents do not have the
// length itself, which is at most the pitch.
void read_pitch(const Json& json, Problem& problem) {
  const std::string shape = shape_name(problem);
  problem.row_pitch = read_count(json, "row_pitch", most_items);
  problem.row_length = json.contains("row_length") ? read_count(json, "row_length", most_items)
                                                   : std::min(problem.row_length, problem.row_pitch);
  if (json.contains("row_length") && shape_name(problem) != shape) {
    throw InputError(fmt::format("a row length of {} is not of the shape '{}'", problem.row_length, shape));
  }
  validate_shape(problem);
}

bench::Cell read_cell(const Json& json) {
  const Json& problem = json.at("problem");
  const std::uint64_t size = read_count(problem, "size", most_items);
  bench::Cell cell;
  cell.problem = problem_of(names_of_json(with_present_names(problem), "a problem", {"size"}));
  cell.problem.size = size;
  if (json.contains("row_pitch")) read_pitch(json, cell.problem);
  cell.mode = bench::parse_mode(json.at("mode").get<std::string>());
  cell.rung = json.at("rung");
  cell.config = read_config(json.at("config"));
  cell.slots = static_cast<int>(read_count(json, "slots", most_samples));
  for (const Json& row : json.at("rows")) cell.rows.push_back(read_row(row));
  if (json.contains("rungs")) read_rungs(json.at("rungs"), cell);
  return cell;
}

Json standing_json(const std::optional<bench::Standing>& standing) {
  if (!standing) return nullptr;
  return {{"cells", standing->cells},
          {"geometric_mean", standing->geometric_mean},
          {"below_one", standing->below_one},
          {"worst", standing->worst},
          {"worst_problem", json_of(standing->worst_problem)}};
}

}  // namespace

Json json_of(const bench::Row& row) {
  return {{"who", bench::name(row.who)},
          {"label", row.label},
          {"median_us", row.median_us},
          {"lowest_us", row.lowest_us},
          {"lower_quartile_us", row.lower_quartile_us},
          {"upper_quartile_us", row.upper_quartile_us},
          {"highest_us", row.highest_us},
          {"samples", row.samples},
          {"bytes", row.bytes},
          {"gigabytes_per_second", row.gigabytes_per_second}};
}

Json json_of(const bench::RungCell& cell) {
  return {{"rung", tuning_db::name(cell.choice.rung)},
          {"reason", cell.choice.reason},
          {"config", cell.choice.config ? json_of(*cell.choice.config) : Json(nullptr)},
          {"row", cell.row ? json_of(*cell.row) : Json(nullptr)}};
}

Json json_of(const bench::Cell& cell) {
  Json rows = Json::array();
  for (const bench::Row& row : cell.rows) rows.push_back(json_of(row));
  Json json{{"problem", json_of(cell.problem)},
            {"mode", bench::name(cell.mode)},
            {"rung", cell.rung},
            {"config", json_of(cell.config)},
            {"slots", cell.slots},
            {"rows", rows}};
  if (has_pitch(cell.problem)) {
    json["row_length"] = cell.problem.row_length;
    json["row_pitch"] = cell.problem.row_pitch;
  }
  for (const bench::RungCell& rung : cell.rungs) json["rungs"].push_back(json_of(rung));
  return json;
}

Json json_of(const bench::Summary& summary) {
  return {{"mode", bench::name(summary.mode)},
          {"scans", standing_json(summary.scans)},
          {"reduces", standing_json(summary.reduces)},
          {"compact", standing_json(summary.compact)},
          {"differences", standing_json(summary.differences)}};
}

Json read_document(const std::string& path) {
  const std::vector<std::byte> bytes = base::read_bytes(path);
  try {
    return base::parse_json<Json>(base::as_text(bytes));
  } catch (const base::BadJson& error) {
    throw InputError(fmt::format("{} is not valid JSON ({}): give a file that `upsweep bench --output` wrote",
                                 base::input_label(path), error.what()));
  }
}

std::vector<bench::Cell> read_cells(const Json& document, const std::string& label) {
  try {
    std::vector<bench::Cell> cells;
    for (const Json& cell : document.at("comparisons")) cells.push_back(read_cell(cell));
    return cells;
  } catch (const Json::exception& error) {
    // Without the library's own "[json.exception.out_of_range.403] ".
    const std::string_view text = error.what();
    const std::size_t prefix = text.find("] ");
    throw InputError(fmt::format("{} was not written by `upsweep bench --output`: {}", label,
                                 prefix == text.npos ? text : text.substr(prefix + 2)));
  } catch (const Error& error) {
    throw InputError(
        fmt::format("{} was not written by this version of `upsweep bench --output`: {}", label, error.what()));
  }
}

std::vector<bench::Cell> read_cells(const Json& document, const std::string& label, const bench::Mode& mode) {
  std::vector<bench::Cell> cells = read_cells(document, label);
  std::erase_if(cells, [&](const bench::Cell& cell) { return cell.mode != mode; });
  if (!cells.empty()) return cells;
  throw InputError(fmt::format("{0} has no results of mode {1}: measure them with `upsweep bench --mode {1} --output`",
                               label, bench::name(mode)));
}

}  // namespace upsweep::cli
