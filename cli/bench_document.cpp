#include "cli/bench_document.hpp"

#include <array>
#include <ctime>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "cli/file_bytes.hpp"

namespace upsweep::cli {
namespace {

using bench::Who;

constexpr std::array all_who{Who::upsweep,    Who::upsweep_default, Who::peer,        Who::memcpy,
                             Who::plain_copy, Who::plain_read,      Who::empty_kernel};

Who parse_who(const std::string& text) {
  for (const Who who : all_who) {
    if (bench::name(who) == text) return who;
  }
  throw UsageError(fmt::format("unknown contestant '{}'", text));
}

bench::Row read_row(const Json& json) {
  return {.who = parse_who(json.at("who")),
          .label = json.at("label"),
          .median_us = json.at("median_us"),
          .lowest_us = json.at("lowest_us"),
          .lower_quartile_us = json.at("lower_quartile_us"),
          .upper_quartile_us = json.at("upper_quartile_us"),
          .highest_us = json.at("highest_us"),
          .samples = json.at("samples"),
          .bytes = json.at("bytes"),
          .gigabytes_per_second = json.at("gigabytes_per_second")};
}

bench::Cell read_cell(const Json& json) {
  const Json& problem = json.at("problem");
  bench::Cell cell;
  cell.problem = make_problem(parse_algorithm(problem.at("algorithm").get<std::string>()),
                              parse_operator(problem.at("op").get<std::string>()),
                              parse_type(problem.at("type").get<std::string>()),
                              parse_type(problem.at("accumulate").get<std::string>()), problem.at("size"));
  cell.problem.output = parse_type(problem.at("output_type").get<std::string>());
  cell.mode = bench::parse_mode(json.at("mode").get<std::string>());
  cell.rung = json.at("rung");
  cell.config = config_from_json(json.at("config").dump());
  cell.slots = json.at("slots");
  for (const Json& row : json.at("rows")) cell.rows.push_back(read_row(row));
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

Json json_of(const bench::Cell& cell) {
  Json rows = Json::array();
  for (const bench::Row& row : cell.rows) rows.push_back(json_of(row));
  return {{"problem", json_of(cell.problem)},
          {"mode", bench::name(cell.mode)},
          {"rung", cell.rung},
          {"config", json_of(cell.config)},
          {"slots", cell.slots},
          {"rows", rows}};
}

Json json_of(const bench::Summary& summary) {
  return {{"mode", bench::name(summary.mode)},
          {"scans", standing_json(summary.scans)},
          {"reduces", standing_json(summary.reduces)}};
}

Json read_document(const std::string& path) {
  const std::vector<std::byte> bytes = read_bytes(path);
  const auto* const text = reinterpret_cast<const char*>(bytes.data());
  Json json = Json::parse(text, text + bytes.size(), nullptr, false);
  if (json.is_discarded()) {
    throw InputError(input_label(path) + " is no JSON: give what `upsweep bench --output` wrote");
  }
  return json;
}

std::vector<bench::Cell> read_cells(const Json& document, const std::string& label) {
  try {
    std::vector<bench::Cell> cells;
    for (const Json& cell : document.at("comparisons")) cells.push_back(read_cell(cell));
    return cells;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{} is no document of `upsweep bench --output`: {}", label, error.what()));
  } catch (const Error& error) {
    throw InputError(
        fmt::format("{} is no document of this version's `upsweep bench --output`: {}", label, error.what()));
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace upsweep::cli
