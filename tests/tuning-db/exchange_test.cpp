// Tuning results as text: there and back, conflicts, and bad files that change nothing.
#include "tuning-db/exchange.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <upsweep/error.hpp>

#include "support.hpp"
#include "tuning-db/checksum.hpp"

namespace upsweep::tuning_db {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using Mode = Database::Mode;

class ExchangeTest : public testing::Test {
 protected:
  Database open(const std::string& name) { return Database(folder_ / name, Mode::read_write); }

  // Two winners, a loser, a failure, a duplicate of the loser.
  static void fill(Database& database) {
    Trial hostile = trial_of(scan_of(Type::f32, 1 << 28), 5.5);
    hostile.device.name = "a \"b\"\n'c'; DROP TABLE trial; --";
    hostile.environment.compiler = ")\"; int x; //";
    hostile.samples_us = {0.1, 1.0 / 3.0, 1e-9};
    Trial failure = hostile;
    failure.samples_us.clear();
    failure.failure = "error: expected ';'\n  12 | }";
    failure.verdict = Verdict::not_compiled;
    failure.session = hostile.device.name;
    failure.clock_mhz = 1980;
    const Trial loser = trial_of(scan_of(Type::i32, 1 << 20), 9.0);
    database.record(loser);
    database.set_winner(database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0)));
    database.record(failure);
    database.set_winner(database.record(hostile));
    database.record(loser);
  }

  static double winning_time(const Database& database) { return database.winners().at(0).trial.samples_us.at(0); }

  test::TestFolder folder_;
};

TEST_F(ExchangeTest, EmptyDatabase) {
  Database database = open("a.db");
  const std::string text = export_json(database, {.trials = true});
  EXPECT_EQ(
      text,
      "{\n  \"format\": \"upsweep-tuning-results\",\n  \"version\": 4,\n  \"devices\": [],\n  \"environments\": [],\n"
      "  \"winners\": [],\n  \"trials\": []\n}\n");
  EXPECT_EQ(import_json(database, text), MergeReport{});
}

TEST_F(ExchangeTest, OneTrialALine) {
  Database database = open("a.db");
  fill(database);
  const std::string text = export_json(database);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 17);
  EXPECT_THAT(text, HasSubstr("\n    {\"name\":\"NVIDIA H200\",\"compute_major\":9,"));
  EXPECT_THAT(text, HasSubstr("\n    {\"driver\":\"580.159.03\",\"compiler\":\"nvrtc 13.0\",\"generator\":\"1\"}\n"));
  EXPECT_THAT(text, HasSubstr("\n    {\"device\":0,\"environment\":1,\"problem\":{"));
  EXPECT_THAT(text, HasSubstr("\"problem\":{\"algorithm\":\"inclusive_scan\",\"operator\":\"plus\",\"input\":\"i32\","
                              "\"accumulator\":\"i32\",\"output\":\"i32\",\"size\":1048576}"));
  EXPECT_THAT(text, HasSubstr("\"samples_us\":[8.0,10.0,7.0]"));
  EXPECT_EQ(json::parse(text).at("winners").size(), 2u);
  EXPECT_EQ(json::parse(text).at("trials").size(), 0u);
}

TEST_F(ExchangeTest, ThereAndBackIsIdentical) {
  for (const bool trials : {false, true}) {
    Database from = open(trials ? "a.db" : "b.db");
    Database to = open(trials ? "c.db" : "d.db");
    fill(from);
    const std::string text = export_json(from, {.trials = trials});
    const ImportReport report = import_json(to, text);
    EXPECT_EQ(report.winners_set, 2u);
    EXPECT_EQ(report.trials_added, trials ? 4u : 2u);  // the same row twice is one line
    EXPECT_EQ(export_json(to, {.trials = trials}), text);
    EXPECT_TRUE(to.check().ok());
    auto winners = from.winners();
    auto copies = to.winners();
    ASSERT_EQ(copies.size(), winners.size());
    for (std::size_t i = 0; i < winners.size(); ++i) {
      copies[i].trial.id = winners[i].trial.id;
      EXPECT_EQ(copies[i], winners[i]);
    }
  }
}

TEST_F(ExchangeTest, OrderDependsOnContentsAlone) {
  std::vector<Trial> trials;
  for (const Type type : {Type::i32, Type::u8, Type::f64}) {
    for (const unsigned size : {1u << 11, 128u, 1u << 10, 1000u}) trials.push_back(trial_of(scan_of(type, size), size));
  }
  Database forwards = open("a.db");
  Database backwards = open("b.db");
  for (auto at = trials.begin(); at != trials.end(); ++at) forwards.record(*at);
  for (auto at = trials.rbegin(); at != trials.rend(); ++at) backwards.record(*at);
  EXPECT_EQ(export_json(forwards, {.trials = true}), export_json(backwards, {.trials = true}));
}

TEST_F(ExchangeTest, ImportingTwiceAddsNothing) {
  Database from = open("a.db");
  Database to = open("b.db");
  fill(from);
  const std::string text = export_json(from, {.trials = true});
  import_json(to, text);
  const ImportReport again = import_json(to, text);
  EXPECT_EQ(again, (MergeReport{.trials_added = 0, .trials_present = 4, .winners_set = 0, .winners_kept = 2}));
  EXPECT_EQ(to.trials().size(), 4u);
}

TEST_F(ExchangeTest, TheFasterWinnerStays) {
  const auto text_of = [&](double time) {
    Database database = open("from-" + std::to_string(time));
    database.set_winner(database.record(trial_of(scan_of(Type::i32, 1 << 20), time)));
    return export_json(database);
  };
  Database to = open("to.db");
  Trial own = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
  own.session = "its own";
  to.set_winner(to.record(own));
  EXPECT_EQ(import_json(to, text_of(9.0)).winners_kept, 1u);
  EXPECT_EQ(winning_time(to), 8.0);
  EXPECT_EQ(import_json(to, text_of(8.0)).winners_kept, 1u);
  EXPECT_EQ(to.winners().at(0).trial.session, own.session) << "at the same median its own stays";
  EXPECT_EQ(import_json(to, text_of(7.0)).winners_set, 1u);
  EXPECT_EQ(winning_time(to), 7.0);
  EXPECT_EQ(to.winners().size(), 1u);
  EXPECT_EQ(to.trials().size(), 4u) << "losing winners are trials all the same";
}

// Applies the change to a good file, and looks that the import refuses it and leaves no trace.
class BadFileTest : public ExchangeTest {
 protected:
  BadFileTest() : database_(open("to.db")) {
    Database from = open("from.db");
    fill(from);
    good_ = export_json(from, {.trials = true});
    database_.record(trial_of(scan_of(Type::u8, 1 << 12), 2.0));
  }

  std::string refusal_of(const std::string& text) {
    const std::string before = bytes_of(database_.path());
    const std::string message = message_of<InputError>([&] { import_json(database_, text); });
    EXPECT_TRUE(bytes_of(database_.path()) == before) << "the database was changed";
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }

  template <typename Change>
  std::string refusal_after(Change&& change) {
    json file = json::parse(good_);
    change(file);
    return refusal_of(file.dump());
  }

  std::string good_;
  Database database_;
};

TEST_F(BadFileTest, GoodOneIsTaken) {
  EXPECT_EQ(import_json(database_, good_).winners_set, 2u);
}

TEST_F(BadFileTest, NoJson) {
  for (const std::string& text :
       {std::string(), std::string("{"), good_.substr(0, good_.size() / 2), good_ + "x", std::string("\xff\xfe"),
        std::string(20, '['), "{\"format\": \"" + std::string(1, '\0') + "\"}"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("is not valid JSON (parse error at line"));
  }
}

// Deep enough to end the process where code calls itself for each level, and in each place that another reads.
TEST_F(BadFileTest, DeepJson) {
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  const std::string tail = ", \"winners\": [], \"trials\": []}";
  for (const std::string& text : {deep, "{\"format\": " + deep + ", \"version\": 1" + tail,
                                  "{\"format\": \"upsweep-tuning-results\", \"version\": " + deep + tail,
                                  std::string(300'000, '['), "{\"a\": \"[\", \"b\": " + deep + "}"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("is not valid JSON (its brackets are nested more than 32 levels deep)"));
    const std::filesystem::path file = database_.path().parent_path() / "deep.json";
    std::ofstream(file) << text;
    EXPECT_THAT(message_of<InputError>([&] { (void)pinned_winners(file); }),
                HasSubstr("nested more than 32 levels deep"));
    std::filesystem::remove(file);
  }
  std::string harmless = good_;
  EXPECT_EQ(import_json(database_, harmless + std::string(1000, ' ')).winners_set, 2u);
}

TEST_F(BadFileTest, AnotherFormat) {
  for (const char* text :
       {"[]", "{}", "null", "\"upsweep-tuning-results\"", "{\"format\": \"x\"}", "{\"format\": 1}"}) {
    EXPECT_THAT(refusal_of(text), HasSubstr("not an export of tuning results")) << text;
  }
  EXPECT_THAT(refusal_after([](json& file) { file["version"] = 5; }),
              HasSubstr("has format version 5, but this upsweep reads 2 to 4: export again"));
  EXPECT_THAT(refusal_after([](json& file) { file["version"] = 1; }),
              HasSubstr("has format version 1, but this upsweep reads 2 to 4: it is from before the first release, so "
                        "tune again"));
  EXPECT_THAT(refusal_after([](json& file) { file.erase("version"); }), HasSubstr("has format version null"));
  EXPECT_THAT(refusal_after([](json& file) { file.erase("trials"); }), HasSubstr("no array 'trials'"));
  EXPECT_THAT(refusal_after([](json& file) { file["winners"] = 3; }), HasSubstr("no array 'winners'"));
}

TEST_F(BadFileTest, BadMembers) {
  struct Case {
    const char* pointer;
    json value;
    const char* says;
  };
  const Case cases[] = {
      {"/winners/1", 5, "entry 2 of 'winners' is not a JSON object"},
      {"/trials/0/more", 5, "unknown member 'more'"},
      {"/winners/0/problem/input", "i33", "i33"},
      {"/winners/0/problem/operator", "plus; drop", "plus; drop"},
      {"/winners/0/problem/algorithm", "sort", "sort"},
      {"/winners/0/problem/operator", "affine", "affine does not take"},
      {"/winners/0/problem/size", -5, "'size' must be a whole number"},
      {"/winners/0/problem/size", ~0ull, "2^63"},
      {"/winners/0/config", "lookback", "a config is a JSON object"},
      {"/winners/0/config/schedule", 5, "schedule"},
      {"/winners/0/config/threads_per_block", 1.5, "threads_per_block must be"},
      {"/winners/0/config/dependent_launch", 33, "dependent_launch takes a name, not the number 33"},
      {"/winners/0/config/schedule", "#include <x>", "unknown schedule"},
      {"/winners/0/samples_us", 5, "must be an array of numbers"},
      {"/winners/0/samples_us/0", "5", "must be an array of numbers"},
      {"/winners/0/samples_us/0", -5, "not a valid time"},
      {"/winners/0/samples_us", json::array(), "needs samples"},
      {"/winners/0/failure", "it failed", "verdict measured must not have a failure"},
      {"/winners/0/verdict", "won", "unknown verdict 'won': use one of measured, not_compiled, "},
      {"/winners/0/verdict", "won\n", R"(unknown verdict 'won\x0a')"},
      {"/winners/0/verdict", 0, "'verdict' must be a string"},
      {"/winners/0/stage", "semifinal", "unknown stage 'semifinal': use one of probe, race, final"},
      {"/winners/0/binary", "0x12", "is not a hash of 32"},
      {"/winners/0/clock_mhz", -1, "'clock_mhz' must be a whole number"},
      {"/winners/0/session", nullptr, "'session' must be a string"},
      {"/winners/0/measured_at", "today", "is not of the form"},
      {"/trials/1/measured_at", "today", "entry 2 of 'trials'"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(std::string(each.pointer) + " = " + each.value.dump());
    EXPECT_THAT(refusal_after([&](json& file) { file[json::json_pointer(each.pointer)] = each.value; }),
                HasSubstr(each.says));
  }
}

TEST_F(BadFileTest, MissingMembers) {
  for (const char* member : {"device", "environment", "problem", "config", "samples_us", "verdict", "failure", "stage",
                             "binary", "clock_mhz", "session", "measured_at"}) {
    EXPECT_THAT(refusal_after([&](json& file) { file["trials"][1].erase(member); }),
                HasSubstr(std::string("entry 2 of 'trials' lacks the member '") + member));
  }
}

TEST_F(BadFileTest, TwoWinnersInOnePlace) {
  EXPECT_THAT(
      refusal_after([](json& file) {
        file["winners"].push_back(file["winners"][0]);
        file["winners"][2]["samples_us"] = {1.0};
      }),
      HasSubstr("entry 3 of 'winners', inclusive_scan plus i32: the file has another winner for the same device"));
}

TEST_F(ExchangeTest, WinnersOfAllSidesGoAlong) {
  Database database = open("a.db"), other = open("b.db");
  for (const std::uint64_t size : {(1u << 20) - 5, 1u << 20, (1u << 20) + 5}) {
    database.set_winner(database.record(trial_of(scan_of(Type::i32, size), 9.0)));
  }
  EXPECT_EQ(import_json(other, export_json(database)).winners_set, 3u);
  EXPECT_EQ(export_json(other), export_json(database));
  EXPECT_EQ(read_shipped(export_json(database)).size(), 3u);
}

TEST_F(ExchangeTest, AWinnerFromBeforeAParameterKeepsItsMeaning) {
  Database from = open("a.db");
  Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
  trial.config = Space(trial.problem, h200_limits()).complete({"lookback", {}});
  ASSERT_EQ(to_string(trial.config.values.at("prefetch")), "bulk");
  from.set_winner(from.record(trial));
  json document = json::parse(export_json(from));
  document["winners"][0]["config"].erase("prefetch");
  Database to = open("b.db");
  EXPECT_EQ(import_json(to, document.dump()).winners_set, 1u);
  trial.config.values["prefetch"] = "none";
  EXPECT_EQ(to.winners().at(0).trial.config, trial.config);
  document["winners"][0]["config"].erase("threads_per_block");
  EXPECT_THAT(message_of<InputError>([&] { import_json(to, document.dump()); }),
              HasSubstr("parameter threads_per_block is missing"));
}

// As above, of a row, whose checksum is that of the config without the parameter.
TEST_F(ExchangeTest, ARowFromBeforeAParameterKeepsItsMeaning) {
  Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
  trial.config = Space(trial.problem, h200_limits()).complete({"lookback", {}});
  {
    Database database = open("a.db");
    database.set_winner(database.record(trial));
    trial = database.winners().at(0).trial;
  }
  trial.config.values.erase("prefetch");
  run_sql(folder_ / "a.db", "UPDATE config SET json = '" + to_json(trial.config) +
                                "'; UPDATE trial SET checksum = " + std::to_string(checksum_of(trial)));
  trial.config.values["prefetch"] = "none";
  const Database database = open("a.db");
  EXPECT_EQ(database.winners().at(0).trial.config, trial.config);
  EXPECT_EQ(database.trials().at(0).config, trial.config);
}

TEST_F(ExchangeTest, ShippedWinners) {
  Database database = open("a.db");
  fill(database);
  const auto shipped = read_shipped(export_json(database, {.trials = true}));
  ASSERT_EQ(shipped.size(), 2u);
  EXPECT_EQ(shipped[0].origin, "shipped");
  EXPECT_EQ(shipped[0].size_class, 20);
  EXPECT_EQ(shipped[0].trial.samples_us, (std::vector<double>{8.0, 10.0, 7.0}));
  EXPECT_EQ(shipped[1].size_class, 28);
  EXPECT_THAT(message_of<InputError>([] { (void)read_shipped("{}"); }), HasSubstr("not an export of tuning results"));
}

}  // namespace
}  // namespace upsweep::tuning_db
