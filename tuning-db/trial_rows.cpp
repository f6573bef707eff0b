#include "tuning-db/trial_rows.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "base/json_text.hpp"
#include "generator/config_json.hpp"
#include "generator/problem_names.hpp"
#include "tuning-db/checksum.hpp"
#include "tuning-db/device_members.hpp"

namespace upsweep::tuning_db {
namespace {

constexpr int at(TrialColumn column) {
  return static_cast<int>(column);
}

void read(const Statement& row, int column, std::string& value) {
  value = row.text(column);
}
void read(const Statement& row, int column, int& value) {
  value = row.small_integer(column);
}
void read(const Statement& row, int column, bool& value) {
  value = row.integer(column) != 0;
}

void read_problem_of(Trial& trial, const Statement& row) {
  if (row.integer(at(TrialColumn::size)) < 0) throw RowError("its size is negative");
  set_problem(trial, names_of_key(row.text(at(TrialColumn::problem_key))),
              static_cast<std::uint64_t>(row.integer(at(TrialColumn::size))));
}

nlohmann::json parsed(const std::string& text) {
  try {
    return base::parse_json<nlohmann::json>(text);
  } catch (const base::BadJson& error) {
    throw RowError(fmt::format("its samples are not valid JSON ({})", error.what()));
  }
}

}  // namespace

Trial parse_trial(const Statement& row) {
  try {
    Trial trial;
    trial.id = row.integer(at(TrialColumn::id));
    trial.device = read_device(row, at(TrialColumn::device));
    trial.environment = {row.text(at(TrialColumn::driver)), row.text(at(TrialColumn::compiler)),
                         row.text(at(TrialColumn::generator))};
    read_problem_of(trial, row);
    trial.config = stored_config_from_json(row.text(at(TrialColumn::config)));
    if (row.small_integer(at(TrialColumn::size_class)) != size_class(trial.problem.size))
      throw RowError("its size class does not match its size");
    trial.samples_us = samples_from_json(row.text(at(TrialColumn::samples)));
    if (!row.is_null(at(TrialColumn::failure))) trial.failure = row.text(at(TrialColumn::failure));
    trial.measured_at = row.text(at(TrialColumn::measured_at));
    trial.verdict = parse_verdict(row.text(at(TrialColumn::verdict)));
    trial.stage = parse_stage(row.text(at(TrialColumn::stage)));
    trial.binary = row.text(at(TrialColumn::binary));
    trial.clock_mhz = row.small_integer(at(TrialColumn::clock_mhz));
    trial.session = row.text(at(TrialColumn::session));
    validate(trial);
    return trial;
  } catch (const UsageError& error) {
    throw RowError(error.what());
  }
}

Trial read_trial(const Statement& row) {
  Trial trial = parse_trial(row);
  if (row.integer(at(TrialColumn::checksum)) != checksum_of(trial)) {
    throw RowError("its checksum does not match: the row was damaged or changed");
  }
  trial.config = completed(trial, std::move(trial.config));
  return trial;
}

DeviceIdentity read_device(const Statement& row, int column) {
  DeviceIdentity device;
  each_member(device, [&](const char*, auto& member) { read(row, column++, member); });
  return device;
}

std::string samples_to_json(std::span<const double> samples) {
  return nlohmann::json(std::vector<double>(samples.begin(), samples.end())).dump();
}

std::vector<double> samples_from_json(const std::string& text) {
  const auto json = parsed(text);
  if (!json.is_array()) throw RowError("its samples are not a JSON array");
  std::vector<double> samples;
  samples.reserve(json.size());
  for (const auto& sample : json) {
    if (!sample.is_number()) throw RowError("one of its samples is not a number");
    samples.push_back(sample.get<double>());
  }
  return samples;
}

}  // namespace upsweep::tuning_db
