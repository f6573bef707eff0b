// db: what is listed, shown, moved and checked.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/cli/inspect.hpp"
#include "tuning-db/exchange.hpp"

namespace upsweep::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Db : public Inspect {};

TEST_F(Db, ListsWinnersTrialsAndWhatIsShipped) {
  (void)make_database("tuning.db", 10);
  EXPECT_THAT(call({"db", "list"}).out, AllOf(HasSubstr("reduce maximum f32"), HasSubstr("2^20"), HasSubstr("10 us"),
                                              HasSubstr("Test GPU"), Not(HasSubstr("wrong"))));
  EXPECT_THAT(call({"db", "list", "--trials"}).out,
              AllOf(HasSubstr("  wrong  "), HasSubstr("  stage  "), HasSubstr("  probe  ")));
  const nlohmann::json winners = document({"db", "list"}).at("winners");
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(winners[0].at("id"), 1);
  EXPECT_EQ(winners[0].at("origin"), "user");
  EXPECT_EQ(document({"db", "list", "--trials"}).at("trials").size(), 2u);
  EXPECT_TRUE(document({"db", "list", "--shipped"}).at("winners").is_array());
}

TEST_F(Db, ListShowsConfigsByWhatDiffers) {
  (void)make_database("tuning.db", 10);
  const std::string config = trial(1).config.schedule;
  EXPECT_THAT(call({"db", "list"}).out, HasSubstr("  Test GPU  " + config + ", prefetch=none"));
  EXPECT_THAT(call({"db", "show", "1"}).out, HasSubstr("config       " + config + ", prefetch=none"));
  for (const char* verb : {"list", "show"}) {
    std::vector<std::string> arguments{"db", verb, "--configs", "full"};
    if (verb == std::string("show")) arguments.emplace_back("1");
    EXPECT_THAT(call(arguments).out, HasSubstr("  " + to_json(trial(1).config) + "\n")) << verb;
  }
  EXPECT_EQ(document({"db", "list"}).at("winners")[0].at("config").size(), trial(1).config.values.size() + 1);
}

class Filters : public Inspect {
 protected:
  // Four winners: two problems at two sizes, the sums on another device.
  Filters() {
    tuning_db::Database database(path("tuning.db"), tuning_db::Database::Mode::read_write);
    for (const std::uint64_t size : {std::uint64_t{1} << 12, std::uint64_t{1} << 20}) {
      for (const bool sum : {false, true}) {
        tuning_db::Trial made = trial(10);
        made.problem = sum ? make_problem(Algorithm::inclusive_scan, Operator::plus, Type::i32, Type::i64, size)
                           : make_problem(Algorithm::reduce, Operator::maximum, Type::f32, Type::f32, size);
        made.config = Space(made.problem, limits_of_architecture("sm_90")).default_config();
        if (sum) made.device.name = "Other GPU";
        database.set_winner(database.record(made));
      }
    }
  }
  static std::size_t count(std::vector<std::string> filter, const char* key = "winners") {
    filter.insert(filter.begin(), {"db", "list"});
    return document(filter).at(key).size();
  }
};

TEST_F(Filters, EachRestrictsTheListAndAllTogether) {
  EXPECT_EQ(count({}), 4u);
  EXPECT_EQ(count({"reduce"}), 2u);
  EXPECT_EQ(count({"reduce,inclusive_scan"}), 4u);
  EXPECT_EQ(count({"exclusive_scan"}), 0u);
  EXPECT_EQ(count({"--op", "plus"}), 2u);
  EXPECT_EQ(count({"--op", "maximum,minimum"}), 2u);
  EXPECT_EQ(count({"--type", "i32"}), 2u);
  EXPECT_EQ(count({"--type", "i64"}), 0u) << "the type of the items, not of the accumulator";
  EXPECT_EQ(count({"--size", "1M"}), 2u);
  EXPECT_EQ(count({"--size", "1000000"}), 2u) << "its size class";
  EXPECT_EQ(count({"--size", "2^10..2^14"}), 2u);
  EXPECT_EQ(count({"--size", "2^12,2^20"}), 4u);
  EXPECT_EQ(count({"--size", "2^16"}), 0u);
  EXPECT_EQ(count({"--device", "other"}), 2u) << "a part of the name, in any case";
  EXPECT_EQ(count({"--device", "GPU"}), 4u);
  EXPECT_EQ(count({"inclusive_scan", "--device", "other", "--size", "2^12", "--type", "i32", "--op", "plus"}), 1u);
  EXPECT_EQ(count({"reduce", "--device", "other"}), 0u);
  EXPECT_EQ(count({"--trials", "--op", "plus"}, "trials"), 2u);
  EXPECT_EQ(count({"--shipped", "reduce", "--op", "plus", "--type", "f32", "--size", "2^10..2^12"}), 5u)
      << "also those beside the powers of two";
  EXPECT_EQ(count({"--shipped", "--device", "other"}), 0u);
}

TEST_F(Filters, AnEmptyListSaysSoAndWhatThereIs) {
  const Called called = worked(call(words("db list reduce --size 2^16")));
  EXPECT_THAT(called.out, IsEmpty());
  EXPECT_EQ(called.err, "no winners in " + path("tuning.db") +
                            " match reduce --size 2^16; there are 4: algorithms inclusive_scan, reduce; operators "
                            "maximum, plus; types i32, f32; sizes 2^12 to 2^20; devices Other GPU, Test GPU\n");
  EXPECT_THAT(call(words("db list --shipped --size 8")).err,
              AllOf(HasSubstr(fmt::format("in the shipped results match --size 8; there are {}: ",
                                          tuning_db::shipped_winners().size())),
                    HasSubstr("NVIDIA H200")));
  { const tuning_db::Database empty(path("empty.db"), tuning_db::Database::Mode::read_write); }
  EXPECT_EQ(call({"db", "list", "--db", path("empty.db")}).err,
            "there are no winners in " + path("empty.db") + ": `upsweep tune` creates them\n");
}

TEST_F(Filters, ExportTakesThemToo) {
  const nlohmann::json all = nlohmann::json::parse(call({"db", "export"}).out);
  EXPECT_EQ(all.at("winners").size(), 4u);
  const nlohmann::json some = nlohmann::json::parse(call(words("db export --type i32 --size 4K")).out);
  ASSERT_EQ(some.at("winners").size(), 1u);
  EXPECT_EQ(some.at("winners")[0].at("device"), 0);
  EXPECT_EQ(some.at("devices")[0].at("name"), "Other GPU");
  const Called nothing = call(words("db export --type i16 -o", {path("nothing.json")}));
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("no winners in " + path("tuning.db") + " match --type i16; there are 4: "));
  EXPECT_FALSE(std::filesystem::exists(path("nothing.json")));
}

TEST_F(Db, ShowsATrial) {
  (void)make_database("other.db", 10);
  EXPECT_THAT(call({"db", "show", "1", "--db", path("other.db")}).out,
              AllOf(HasSubstr("problem      reduce maximum f32, 1048576 items"), HasSubstr("compute capability 9.0"),
                    HasSubstr("nvrtc 13.0"), HasSubstr("median 10 us; 3 samples from 9 us to 11 us")));
  EXPECT_THAT(call({"db", "show", "2", "--db", path("other.db")}).out,
              HasSubstr("failure      wrong result at item 7"));
  EXPECT_EQ(document({"db", "show", "2", "--db", path("other.db")}).at("id"), 2);
  expect_error({"db", "show", "3", "--db", path("other.db")}, usage, {"no trial 3"});
}

TEST_F(Db, MovesBetweenMachines) {
  (void)make_database("fast.db", 10);
  (void)make_database("slow.db", 20);
  ASSERT_EQ(call({"db", "export", "--db", path("fast.db"), "-o", path("fast.json")}).code, 0);
  EXPECT_EQ(call({"db", "export", "--db", path("fast.db")}).out, content("fast.json"));
  EXPECT_EQ(nlohmann::json::parse(content("fast.json")).at("winners").size(), 1u);
  EXPECT_TRUE(document({"db", "export", "--db", path("fast.db"), "--trials"}).at("trials").is_array());

  const nlohmann::json report = document({"db", "import", path("fast.json"), "--db", path("slow.db")});
  EXPECT_EQ(report.at("trials_added"), 1);
  EXPECT_EQ(report.at("winners_set"), 1);
  EXPECT_THAT(call({"db", "list", "--db", path("slow.db")}).out, HasSubstr("10 us"));
  EXPECT_THAT(call({"db", "import", path("fast.json"), "--db", path("slow.db")}).out,
              HasSubstr("added 0 trials, set 0 winners. Already in the database: 1 trial. Not faster than the stored "
                        "winner: 1 winner."));
}

TEST_F(Db, CheckReportsDamage) {
  (void)make_database("tuning.db", 10);
  EXPECT_THAT(call({"db", "check"}).out, HasSubstr("2 trials, 1 winner, 0 wanted problems; no errors found"));
  const nlohmann::json json = document({"db", "check"});
  EXPECT_EQ(json.at("trials"), 2);
  EXPECT_TRUE(json.at("problems").empty());

  // The failed trial's reason is in the last page; a byte of the text's record header makes the row unreadable.
  std::string bytes = content("tuning.db");
  const std::size_t at = bytes.find("wrong result at item 7");
  ASSERT_NE(at, std::string::npos);
  bytes.replace(bytes.rfind("Test GPU"), 4, std::string(4, '\xff'));
  (void)make("tuning.db", bytes);
  const Called damaged = call({"db", "check"});
  EXPECT_EQ(damaged.code, 6) << damaged.out;
}

}  // namespace
}  // namespace upsweep::cli
