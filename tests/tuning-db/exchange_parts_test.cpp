// The devices and environments at the head of an export, which its lines name by their indices.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "support.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuning_db {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;
using Mode = Database::Mode;

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class ExchangePartsTest : public testing::Test {
 protected:
  Database open(const std::string& name) { return Database(folder_ / name, Mode::read_write); }

  // On two devices with two environments each; the second of each has a name that looks like the end of the head.
  static std::vector<Trial> trials_of_two_each() {
    DeviceIdentity other = h200();
    other.name = "other\",\n  \"winners\": [";
    std::vector<Trial> trials;
    for (const DeviceIdentity& device : {other, h200()}) {
      for (const char* driver : {"580.159.03", "570.10 \"environments\": []"}) {
        trials.push_back(trial_of(scan_of(Type::i32, 1 << 20), 8.0 + static_cast<double>(trials.size()), device));
        trials.back().environment.driver = driver;
      }
    }
    return trials;
  }

  std::string export_of(const std::vector<Trial>& trials, const std::string& name) {
    Database database = open(name);
    for (const Trial& trial : trials) {
      database.set_winner(database.record(trial));
      Trial loser = trial;
      loser.samples_us = {100.0};
      database.record(loser);
    }
    return export_json(database, {.trials = true});
  }

  std::string refusal_of(const json& file) {
    Database database = open("refused.db");
    const std::string message = message_of<InputError>([&] { (void)import_json(database, file.dump()); });
    EXPECT_TRUE(database.trials().empty());
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }

  test::TestFolder folder_;
};

TEST_F(ExchangePartsTest, AreNamedOnceAndReadBack) {
  const std::vector<Trial> trials = trials_of_two_each();
  const std::string text = export_of(trials, "a.db");
  const json file = json::parse(text);
  EXPECT_EQ(file.at("devices").size(), 2u);
  EXPECT_EQ(file.at("environments").size(), 2u);
  for (const char* once : {"\"compute_major\"", "\"driver\""}) EXPECT_EQ(occurrences(text, once), 2) << once;
  for (const char* array : {"winners", "trials"}) {
    std::vector<std::pair<int, int>> indices;
    for (const json& line : file.at(array)) indices.emplace_back(line.at("device"), line.at("environment"));
    EXPECT_EQ(indices, (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}})) << array;
  }

  Database copy = open("copy.db");
  EXPECT_EQ(import_json(copy, text).trials_added, 8u);
  EXPECT_EQ(export_json(copy, {.trials = true}), text);
  for (const Trial& trial : trials) {
    std::vector<Trial> found;
    for (const Winner& winner : copy.winners()) {
      const bool is_there = winner.trial.device == trial.device && winner.trial.environment == trial.environment;
      if (is_there) found.push_back(winner.trial);
    }
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].samples_us, trial.samples_us);
  }
}

TEST_F(ExchangePartsTest, OrderDependsOnContentsAlone) {
  std::vector<Trial> trials = trials_of_two_each();
  const std::string text = export_of(trials, "a.db");
  std::reverse(trials.begin(), trials.end());
  EXPECT_EQ(export_of(trials, "b.db"), text);
}

TEST_F(ExchangePartsTest, AreThoseOfTheLinesOnly) {
  const std::vector<Trial> trials = trials_of_two_each();
  Database database = open("a.db");
  database.set_winner(database.record(trials[0]));
  for (const Trial& trial : trials) database.record(trial);
  const auto devices_with = [&](const ExportOptions& options) {
    const json file = json::parse(export_json(database, options));
    return std::pair(file.at("devices").size(), file.at("environments").size());
  };
  EXPECT_EQ(devices_with({}), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_EQ(devices_with({.trials = true}), std::pair(std::size_t{2}, std::size_t{2}));
  const auto of_h200 = [](const Trial& trial) { return trial.device == h200(); };
  EXPECT_EQ(devices_with({.trials = true, .keeps = of_h200}), std::pair(std::size_t{1}, std::size_t{2}));
}

TEST_F(ExchangePartsTest, AreReadFromTheHeadAlone) {
  const std::string text = export_of(trials_of_two_each(), "a.db");
  const auto parts = shared_parts_of_head(text);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts, shared_parts_from_json(json::parse(text)));
  EXPECT_EQ(parts->devices.size(), 2u);
  const std::string head = text.substr(0, text.rfind("\"winners\": ["));
  EXPECT_EQ(shared_parts_of_head(head + "\"winners\": [ what it does not read"), parts);
  EXPECT_EQ(shared_parts_of_head(R"({"format": "upsweep-tuning-results", "version": 3, "winners": [], "trials": []})"),
            std::nullopt);
}

TEST_F(ExchangePartsTest, BadIndicesAreRefused) {
  const json good = json::parse(export_of(trials_of_two_each(), "a.db"));
  for (const std::string member : {"device", "environment"}) {
    for (const char* array : {"winners", "trials"}) {
      for (const json& index :
           {json(2), json(~0ull), json(-1), json(0.0), json("0"), json(), json(true), good.at(member + "s").at(0)}) {
        json file = good;
        file[array][2][member] = index;
        EXPECT_EQ(refusal_of(file), "tuning results, entry 3 of '" + std::string(array) + "': '" + member +
                                        "' must be the index of an entry of '" + member +
                                        "s' (a whole number, 0 or more, below 2): export the results again");
      }
    }
  }
}

TEST_F(ExchangePartsTest, MissingOnesAreRefused) {
  const json good = json::parse(export_of(trials_of_two_each(), "a.db"));
  for (const char* array : {"devices", "environments"}) {
    for (const json& instead : {json(json::object()), json(5), json(), good.at(array).at(0)}) {
      json file = good;
      file[array] = instead;
      EXPECT_EQ(refusal_of(file), "the file has no array '" + std::string(array) + "': export the results again");
    }
    json file = good;
    file.erase(array);
    EXPECT_EQ(refusal_of(file), "the file has no array '" + std::string(array) + "': export the results again");
    file[array] = json::array();
    EXPECT_THAT(refusal_of(file), HasSubstr("below 0): export the results again"));
  }
}

TEST_F(ExchangePartsTest, BadMembersAreRefused) {
  struct Case {
    const char* pointer;
    json value;
    const char* says;
  };
  const Case cases[] = {
      {"/devices/1", json::array(), "entry 2 of 'devices': device is not a JSON object"},
      {"/devices/0/name", 5, "entry 1 of 'devices': device: 'name' must be a string"},
      {"/devices/1/name", "", "entry 2 of 'devices': a trial's device has no name"},
      {"/devices/0/more", 5, "entry 1 of 'devices': device has an unknown member 'more'"},
      {"/devices/0/ecc", 1, "'ecc' must be true or false"},
      {"/devices/0/multiprocessors", -1, "'multiprocessors' must be a whole number"},
      {"/devices/0/multiprocessors", 1e10, "'multiprocessors' must be a whole number"},
      {"/devices/0/multiprocessors", 1ull << 31, "below 2^31"},
      {"/environments/1", 5, "entry 2 of 'environments': environment is not a JSON object"},
      {"/environments/0/driver", nullptr, "entry 1 of 'environments': environment: 'driver' must be a string"},
  };
  const json good = json::parse(export_of(trials_of_two_each(), "a.db"));
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.pointer) + " = " + each.value.dump());
    json file = good;
    file[json::json_pointer(each.pointer)] = each.value;
    EXPECT_THAT(refusal_of(file), HasSubstr(each.says));
  }
  for (const auto& [array, member] : {std::pair("device", "ecc"), std::pair("environment", "driver")}) {
    json file = good;
    file[std::string(array) + "s"][1].erase(member);
    EXPECT_EQ(refusal_of(file),
              fmt::format("tuning results, entry 2 of '{0}s': {0} lacks the member '{1}'", array, member));
  }
}

// As the versions before 4 were written: each line has its own.
TEST_F(ExchangePartsTest, WholeOnesOfVersionsBeforeAreRead) {
  const std::string text = export_of(trials_of_two_each(), "a.db");
  json file = json::parse(text);
  for (const char* array : {"winners", "trials"}) {
    for (json& line : file[array]) {
      line["device"] = file["devices"][line["device"].get<std::size_t>()];
      line["environment"] = file["environments"][line["environment"].get<std::size_t>()];
    }
  }
  file.erase("devices");
  file.erase("environments");
  for (const int version : {2, 3}) {
    file["version"] = version;
    Database database = open(std::to_string(version) + ".db");
    EXPECT_EQ(import_json(database, file.dump()).trials_added, 8u);
    EXPECT_EQ(export_json(database, {.trials = true}), text);
  }
  file["winners"][1]["device"] = 0;
  EXPECT_THAT(refusal_of(file), StartsWith("tuning results, entry 2 of 'winners': device is not a JSON object"));
}

}  // namespace
}  // namespace upsweep::tuning_db
