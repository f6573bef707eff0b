// What goes into the tuning database comes out as it was, and only what makes sense goes in.
#include "tuning-db/database.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <thread>
#include <upsweep/error.hpp>

#include "support.hpp"

namespace upsweep::tuning_db {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Mode = Database::Mode;

class DatabaseTest : public testing::Test {
 protected:
  test::TestFolder folder_;
  std::filesystem::path path_ = folder_ / "tuning.db";
};

TEST_F(DatabaseTest, MakesFileAndFoldersAbove) {
  const std::filesystem::path deep = folder_ / "a/b/c/tuning.db";
  const Database database(deep, Mode::read_write);
  EXPECT_TRUE(std::filesystem::is_regular_file(deep));
  EXPECT_EQ(database.path(), deep);
  EXPECT_THAT(database.trials(), IsEmpty());
  EXPECT_THAT(database.winners(), IsEmpty());
  EXPECT_TRUE(database.check().ok());
}

TEST_F(DatabaseTest, InitialisesEmptyFile) {
  write_bytes(path_, "");
  EXPECT_EQ(Database(path_, Mode::read_write).record(trial_of(scan_of(Type::i32, 1 << 20), 8.0)), 1);
  EXPECT_EQ(Database(path_, Mode::read_only).trials().size(), 1u);
}

TEST_F(DatabaseTest, MarksItsFile) {
  Database(path_, Mode::read_write);
  const std::string bytes = bytes_of(path_);
  ASSERT_GE(bytes.size(), 100u);
  EXPECT_EQ(bytes.substr(68, 4), "upsw");
  EXPECT_EQ(bytes.substr(60, 4), std::string("\0\0\0\4", 4));
  EXPECT_FALSE(std::filesystem::exists(path_.string() + "-journal"));
}

TEST_F(DatabaseTest, KeepsEveryField) {
  Trial trial;
  trial.measured_at = "2026-11-21T06:58:00.123456Z";
  trial.device = {"NVIDIA H100 PCIe", 9, 1, 114, 5120, 1593000, false};
  trial.environment = {"580.1", "nvrtc 13.1", "7"};
  trial.problem = {Algorithm::reduce, Operator::maximum, Type::f16, Type::f32, Type::f64, (std::uint64_t{1} << 33) + 7};
  trial.config = {"any",
                  {{"count", std::int64_t{-3}}, {"large", std::int64_t{1} << 62}, {"strategy", std::string("x")}}};
  trial.samples_us = {0.1, 1e-300, 12345.678901234567, 3.0, std::nextafter(5.0, 6.0)};
  trial.failure = "wrong result at item 5";
  trial.verdict = Verdict::wrong;
  trial.stage = Stage::race;
  trial.binary = "0123456789abcdef0123456789abcdef";
  trial.clock_mhz = 1980;
  trial.session = "2026-11-21T06:58:00Z 1";
  {
    Database database(path_, Mode::read_write);
    trial.id = database.record(trial);
  }
  const auto trials = Database(path_, Mode::read_only).trials();
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(trials[0], trial);
  EXPECT_EQ(trials[0].device.ecc, false);
}

TEST_F(DatabaseTest, KeepsHostileTextAsText) {
  Database database(path_, Mode::read_write);
  const std::string hostile[] = {"'; DROP TABLE trial; --",
                                 "\"quoted\" and 'quoted' and \\backslash\\",
                                 "line\nline\r\n\ttab",
                                 R"x()"; }; int main() { system("rm -rf /"); } //)x",
                                 ")upsweep\"; #include <cstdlib>",
                                 "%s%n{}{0}?1",
                                 std::string("nul\0inside", 10),
                                 "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80",
                                 "[1,2],\"}{"};
  std::vector<Trial> recorded;
  for (const std::string& text : hostile) {
    Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
    trial.device.name = text;
    trial.environment = {text, text + "2", text + "3"};
    trial.config = {text, {{text + "4", text + "5"}, {text + "6", std::int64_t{6}}}};
    trial.failure = text;
    trial.verdict = Verdict::failed;
    trial.session = text + "7";
    trial.id = database.record(trial);
    recorded.push_back(trial);
  }
  EXPECT_EQ(database.trials(), recorded);
  EXPECT_TRUE(database.check().ok());
}

TEST_F(DatabaseTest, ReplacesWhatIsNoUtf8) {
  Database database(path_, Mode::read_write);
  Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
  trial.failure = "bad \xff byte";
  trial.verdict = Verdict::failed;
  database.record(trial);
  EXPECT_EQ(database.trials().at(0).failure, "bad \xef\xbf\xbd byte");
}

TEST_F(DatabaseTest, WritesAllTrialsOrNone) {
  Database database(path_, Mode::read_write);
  std::vector<Trial> trials{trial_of(scan_of(Type::i32, 1 << 20), 8.0), trial_of(scan_of(Type::f32, 1 << 10), 2.0)};
  EXPECT_EQ(database.record(trials), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(database.trials().at(1).problem, trials[1].problem);
  trials[1].measured_at = "yesterday";
  EXPECT_THROW(database.record(trials), UsageError);
  EXPECT_EQ(database.trials().size(), 2u);
}

TEST_F(DatabaseTest, FillsInTheTime) {
  Database database(path_, Mode::read_write);
  Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
  trial.measured_at.clear();
  const std::string before = utc_now();
  database.record(trial);
  const std::string kept = database.trials().at(0).measured_at;
  EXPECT_LE(before, kept);
  EXPECT_LE(kept, utc_now());
}

TEST_F(DatabaseTest, RefusesTrialsThatMakeNoSense) {
  Database database(path_, Mode::read_write);
  const auto refusal = [&](auto change) {
    Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 8.0);
    change(trial);
    return message_of<UsageError>([&] { database.record(trial); });
  };
  for (const char* time : {"yesterday", "2026-11-21 06:58:00Z", "2026-11-21T06:58:00", "2026-11-21T06:58:00.Z", "'; --",
                           "2026-11-21T06:58:00.1x3Z"}) {
    EXPECT_THAT(refusal([&](Trial& t) { t.measured_at = time; }), HasSubstr("is not of the form")) << time;
  }
  EXPECT_THAT(refusal([](Trial& t) { t.samples_us[1] = std::nan(""); }), HasSubstr("not a valid time"));
  EXPECT_THAT(refusal([](Trial& t) { t.samples_us[1] = std::numeric_limits<double>::infinity(); }), HasSubstr("inf"));
  EXPECT_THAT(refusal([](Trial& t) { t.samples_us[1] = -1; }), HasSubstr("-1"));
  EXPECT_THAT(refusal([](Trial& t) { t.samples_us.clear(); }), HasSubstr("needs samples"));
  EXPECT_THAT(refusal([](Trial& t) { t.failure = "x"; }), HasSubstr("verdict measured must not have a failure"));
  EXPECT_THAT(refusal([](Trial& t) { t.verdict = Verdict::hung; }), HasSubstr("verdict hung needs a failure"));
  for (const char* hash : {"x", "0123456789abcdef0123456789abcdeF", "0123456789abcdef0123456789abcdef0", "'; --"}) {
    EXPECT_THAT(refusal([&](Trial& t) { t.binary = hash; }), HasSubstr("is not a hash of 32")) << hash;
  }
  EXPECT_THAT(refusal([](Trial& t) { t.clock_mhz = -1; }), HasSubstr("clock of -1 MHz"));
  EXPECT_THAT(refusal([](Trial& t) { t.device.name.clear(); }), HasSubstr("no name"));
  EXPECT_THAT(refusal([](Trial& t) { t.device.multiprocessors = -1; }), HasSubstr("negative"));
  EXPECT_THAT(refusal([](Trial& t) { t.problem.size = ~std::uint64_t{0}; }), HasSubstr("2^63"));
  EXPECT_THAT(refusal([](Trial& t) { t.problem.op = Operator::affine; }), HasSubstr("affine"));
  EXPECT_THAT(refusal([](Trial& t) { t.config.schedule.clear(); }), HasSubstr("schedule"));
  EXPECT_THAT(database.trials(), IsEmpty());
}

TEST_F(DatabaseTest, ReadOnlyCannotWrite) {
  Database(path_, Mode::read_write);
  Database database(path_, Mode::read_only);
  EXPECT_THAT(message_of<DatabaseError>([&] { database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0)); }),
              HasSubstr("check the permissions"));
}

TEST_F(DatabaseTest, FiltersTrials) {
  Database database(path_, Mode::read_write);
  DeviceIdentity other = h200();
  other.ecc = false;
  const auto id_of = [&](const Trial& trial) { return database.record(trial); };
  const std::int64_t a = id_of(trial_of(scan_of(Type::i32, 1 << 20), 8.0));
  const std::int64_t b = id_of(trial_of(scan_of(Type::i32, (1 << 20) + 5), 8.0, other));
  const std::int64_t c = id_of(trial_of(scan_of(Type::f32, 1 << 21), 8.0));
  Trial failed = trial_of(scan_of(Type::f32, 1 << 21), 8.0);
  failed.samples_us.clear();
  failed.failure = "did not compile";
  failed.verdict = Verdict::not_compiled;
  failed.environment.driver = "581";
  const std::int64_t d = id_of(failed);
  const auto ids = [&](const Filter& filter) {
    std::vector<std::int64_t> found;
    for (const Trial& trial : database.trials(filter)) found.push_back(trial.id);
    return found;
  };
  using Ids = std::vector<std::int64_t>;
  EXPECT_EQ(ids({}), (Ids{a, b, c, d}));
  EXPECT_EQ(ids({.id = c}), (Ids{c}));
  EXPECT_EQ(ids({.id = 99}), Ids{});
  EXPECT_EQ(ids({.device = other}), (Ids{b}));
  EXPECT_EQ(ids({.problem = scan_of(Type::i32, 5)}), (Ids{a, b}));
  EXPECT_EQ(ids({.size_class = 21}), (Ids{c, d}));
  EXPECT_EQ(ids({.size_class = 21, .failures = false}), (Ids{c}));
  EXPECT_EQ(ids({.environment = failed.environment}), (Ids{d}));
  EXPECT_EQ(ids({.problem = scan_of(Type::u8, 5)}), Ids{});
  EXPECT_EQ(ids({.environment = Environment{"x", "y", "z"}}), Ids{});
  EXPECT_EQ(ids({.device = h200(), .problem = scan_of(Type::f32, 5), .failures = false}), (Ids{c}));
}

TEST_F(DatabaseTest, FiltersWinners) {
  Database database(path_, Mode::read_write);
  DeviceIdentity other = h200();
  other.ecc = false;
  Trial newer = trial_of(scan_of(Type::f32, 1 << 21), 8.0);
  newer.environment.driver = "581";
  const std::int64_t a = database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0));
  const std::int64_t b = database.record(trial_of(scan_of(Type::i32, (1 << 20) + 5), 8.0, other));
  const std::int64_t c = database.record(trial_of(scan_of(Type::f32, 1 << 21), 8.0));
  const std::int64_t d = database.record(newer);
  for (const std::int64_t id : {a, b, c, d}) database.set_winner(id);
  const auto ids = [&](const Filter& filter) {
    std::set<std::int64_t> found;
    for (const Winner& winner : database.winners(filter)) found.insert(winner.trial.id);
    return found;
  };
  using Ids = std::set<std::int64_t>;
  EXPECT_EQ(ids({}), (Ids{a, b, c, d}));
  EXPECT_EQ(ids({.device = other}), Ids{b});
  EXPECT_EQ(ids({.problem = scan_of(Type::i32, 5)}), (Ids{a, b}));
  EXPECT_EQ(ids({.size_class = 21}), (Ids{c, d}));
  EXPECT_EQ(ids({.environment = newer.environment}), Ids{d});
  EXPECT_EQ(ids({.device = h200(), .problem = scan_of(Type::f32, 5), .size_class = 21}), (Ids{c, d}));
  EXPECT_EQ(ids({.problem = scan_of(Type::u8, 5)}), Ids{});
  EXPECT_EQ(ids({.environment = Environment{"x", "y", "z"}}), Ids{});
  const std::int64_t wide = database.record(trial_of(scan_of(Type::i64, 1 << 20), 8.0));
  database.set_winner(wide);
  EXPECT_EQ(ids({.serving = scan_of(Type::u32, 5)}), (Ids{a, b, c, d})) << "items of the same width";
  EXPECT_EQ(ids({.serving = scan_of(Type::f64, 5)}), Ids{wide});
  EXPECT_EQ(ids({.serving = scan_of(Type::u8, 5)}), Ids{});
  EXPECT_EQ(ids({.size_class = 21, .serving = scan_of(Type::f32, 5)}), (Ids{c, d}));
}

TEST_F(DatabaseTest, OneWinnerAKey) {
  Database database(path_, Mode::read_write);
  const auto slow = database.record(trial_of(scan_of(Type::i32, 1 << 20), 9.0));
  const auto fast = database.record(trial_of(scan_of(Type::i32, 1 << 20), 8.0));
  const auto other = database.record(trial_of(scan_of(Type::i32, 1 << 21), 16.0));
  EXPECT_THAT(database.winners(), IsEmpty());
  database.set_winner(slow);
  database.set_winner(other);
  database.set_winner(fast);
  const auto winners = Database(path_, Mode::read_only).winners();
  ASSERT_EQ(winners.size(), 2u);
  EXPECT_EQ(winners[0].trial.id, fast);
  EXPECT_EQ(winners[0].size_class, 20);
  EXPECT_EQ(winners[0].origin, "user");
  EXPECT_EQ(winners[0].trial, database.trials({.id = fast}).at(0));
  EXPECT_EQ(winners[1].trial.id, other);
  EXPECT_EQ(winners[1].size_class, 21);
  database.set_winner(slow);  // whoever tunes decides, also for the slower one
  EXPECT_EQ(database.winners()[0].trial.id, slow);
}

TEST_F(DatabaseTest, EachSideOfASizeClassHasAWinner) {
  Database database(path_, Mode::read_write);
  constexpr std::uint64_t power = 1 << 20;
  std::vector<std::int64_t> ids;
  for (const std::uint64_t size : {power - 5, power, power + 5}) {
    ids.push_back(database.record(trial_of(scan_of(Type::i32, size), 9.0)));
    database.set_winner(ids.back());
  }
  const auto won = [&] {
    std::vector<std::int64_t> found;
    for (const Winner& winner : Database(path_, Mode::read_only).winners()) found.push_back(winner.trial.id);
    return found;
  };
  EXPECT_EQ(won(), ids) << "from below to above";
  ids[2] = database.record(trial_of(scan_of(Type::i32, power + 100'000), 20.0));
  database.set_winner(ids[2]);
  EXPECT_EQ(won(), ids) << "another size of the side above";
  EXPECT_EQ(database.winners({.size_class = 20}).size(), 3u);
  EXPECT_TRUE(database.check().ok());
}

TEST_F(DatabaseTest, RefusesWinnersThatCannotRun) {
  Database database(path_, Mode::read_write);
  Trial trial = trial_of(scan_of(Type::i32, 1 << 20), 9.0);
  trial.failure = "wrong result";
  trial.verdict = Verdict::wrong;
  const auto failed = database.record(trial);
  trial.failure.clear();
  trial.verdict = Verdict::measured;
  trial.config = Space(trial.problem, h200_limits()).complete({"lookback", {{"threads_per_block", 31}}});
  const auto outside = database.record(trial);
  EXPECT_THAT(message_of<UsageError>([&] { database.set_winner(failed); }), HasSubstr("not measured"));
  EXPECT_THAT(message_of<UsageError>([&] { database.set_winner(outside); }), HasSubstr("threads_per_block=31"));
  EXPECT_THAT(message_of<UsageError>([&] { database.set_winner(77); }), HasSubstr("trial 77 is not in"));
  EXPECT_THAT(database.winners(), IsEmpty());
}

TEST_F(DatabaseTest, MedianOfSamples) {
  Trial trial;
  EXPECT_EQ(trial.median_us(), std::numeric_limits<double>::infinity());
  trial.samples_us = {5, 1, 9};
  EXPECT_EQ(trial.median_us(), 5);
  trial.samples_us = {8, 1, 2, 4};
  EXPECT_EQ(trial.median_us(), 3);
}

TEST_F(DatabaseTest, MovesAndTakesThreads) {
  Database first(path_, Mode::read_write);
  Database database = std::move(first);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&database, t] {
      for (int i = 0; i < 10; ++i) {
        const auto id = database.record(trial_of(scan_of(Type::i32, 1u << 20 | t << 8 | i), 8.0));
        if (i == 9) database.set_winner(id);
        (void)database.winners();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(database.trials().size(), 40u);
  EXPECT_EQ(database.winners().size(), 1u);
}

}  // namespace
}  // namespace upsweep::tuning_db
