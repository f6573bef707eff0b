#include "figures/other_times.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>
#include <upsweep/types.hpp>

#include "base/file_bytes.hpp"
#include "base/json_text.hpp"

namespace upsweep::figures {
namespace {

using Json = nlohmann::json;

OtherTimes::Time time_of(const Json& json) {
  const OtherTimes::Time time{.algorithm = parse_algorithm(json.at("algorithm").get<std::string>()),
                              .items = json.at("items").get<std::uint64_t>(),
                              .row_length = json.at("row_length").get<std::uint64_t>(),
                              .us = json.at("median_us").get<double>()};
  if (!(time.us > 0)) throw InputError(fmt::format("median_us is {}, and should be above 0", time.us));
  return time;
}

}  // namespace

std::optional<double> OtherTimes::of(const Problem& problem) const {
  if (problem.op != Operator::plus || problem.input != Type::f32) return std::nullopt;
  const auto found = std::ranges::find_if(times, [&](const Time& time) {
    return time.algorithm == problem.algorithm && time.items == problem.size && time.row_length == problem.row_length;
  });
  return found == times.end() ? std::nullopt : std::optional(found->us);
}

OtherTimes read_other_times(const std::string& path) {
  const std::vector<std::byte> bytes = base::read_bytes(path);
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{} has no times ({}): give a file that `scripts/torch-times` wrote",
                                 base::input_label(path), why));
  };
  OtherTimes read;
  try {
    const Json json = base::parse_json<Json>(base::as_text(bytes));
    read.label = json.at("label").get<std::string>();
    read.device = json.at("device").get<std::string>();
    for (const Json& time : json.at("times")) read.times.push_back(time_of(time));
  } catch (const Json::exception& error) {
    // Without the library's own "[json.exception.out_of_range.403] ".
    const std::string text = error.what();
    const std::size_t prefix = text.find("] ");
    refuse(prefix == text.npos ? text : text.substr(prefix + 2));
  } catch (const Error& error) {
    refuse(error.what());
  }
  return read;
}

}  // namespace upsweep::figures
