// Mutated database files: what is read of one is what was written or nothing; nothing crashes, nothing hangs, and no
// kernel comes out that was not meant. 10,000 of them with UPSWEEP_LONG_TESTS, as many as fit in 20 s without.
#include <unistd.h>

#include <chrono>
#include <random>
#include <set>
#include <upsweep/error.hpp>
#include <upsweep/source.hpp>

#include "choose_support.hpp"
#include "long_tests.hpp"
#include "tests/support/patience.hpp"
#include "tests/support/scans.hpp"
#include "tuning-db/database.hpp"
#include "tuning-db/exchange.hpp"
#include "tuning-db/trial_json.hpp"

namespace upsweep::tuning_db {
namespace {

using Mode = Database::Mode;

std::string mutated(std::string bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const std::size_t pages = bytes.size() / 4096;
  const auto page = [&] { return below(pages) * 4096; };
  const std::size_t at = below(4) == 0 ? below(200) : below(bytes.size());  // the header as often as it deserves
  switch (below(8)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.append(below(9000), static_cast<char>(random()));
      break;
    case 2:  // garbage
      for (std::size_t i = at; i < std::min(bytes.size(), at + 64); ++i) bytes[i] = static_cast<char>(random());
      break;
    case 3:  // a page in the place of another
      bytes.replace(page(), 4096, bytes.substr(page(), 4096));
      break;
    case 4: {  // two pages swapped
      const std::size_t a = page(), b = page();
      const std::string kept = bytes.substr(a, 4096);
      bytes.replace(a, 4096, bytes.substr(b, 4096));
      bytes.replace(b, 4096, kept);
      break;
    }
    case 5:  // the head of a b-tree page: its kind, its number of cells, where they are
      bytes[page() + below(16)] = static_cast<char>(random());
      break;
    default:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
  }
  return bytes;
}

class MutationTest : public testing::Test {
 protected:
  void SetUp() override {
    Database database(path_, Mode::read_write);
    for (const Type type : {Type::i32, Type::f32, Type::u64}) {
      for (int size = 10; size < 26; size += 3) {
        Trial trial = trial_of(scan_of(type, pow2(size)), 8.0 + size);
        trial.session = "a session";
        trial.binary = "00112233445566778899aabbccddeeff";
        database.set_winner(database.record(trial));
        trial.failure = "did not compile";
        trial.verdict = Verdict::not_compiled;
        database.record(trial);
        database.want(std::vector{Wanted{.device = h200(), .problem = scan_of(Type::i8, pow2(size)), .count = 1}});
      }
    }
    for (const Trial& trial : database.trials()) written_.insert(line_of(trial));
    whole_ = bytes_of(path_);
  }

  // Without the id: a damaged page may give a row another one.
  static std::string line_of(const Trial& trial) { return tuning_db::to_json(trial).dump(); }

  void expect_choices(const std::vector<Winner>& winners) {
    for (const int size : {10, 20, 26}) {
      const Problem asked = scan_of(Type::i32, pow2(size));
      const Choice choice = choose(asked, h200(), h200_limits(), winners, {});
      EXPECT_TRUE(Space(asked, h200_limits()).contains(choice.config));
      Config by_hand{choice.config.schedule, {}};
      for (const auto& [parameter, value] : choice.config.values) by_hand.values.emplace(parameter, value);
      EXPECT_EQ(generate(asked, choice.config, Target::cuda).text, generate(asked, by_hand, Target::cuda).text);
      if (choice.trial) {
        EXPECT_TRUE(written_.contains(line_of(*choice.trial)));
      }
    }
  }

  // Uses everything there is to use. False: the database was refused somewhere.
  bool survives(Mode mode) {
    try {
      Database database(path_, mode);
      (void)database.check();
      for (const Trial& trial : database.trials()) EXPECT_TRUE(written_.contains(line_of(trial))) << line_of(trial);
      const std::vector<Winner> winners = database.winners();
      for (const Winner& winner : winners) EXPECT_EQ(unfit_to_win(winner.trial), "");
      expect_choices(winners);
      (void)database.wanted();
      (void)export_json(database, {.trials = true});
      if (mode == Mode::read_only) return true;
      database.set_winner(database.record(trial_of(scan_of(Type::i8, 4096), 3.0)));
      (void)database.prune({.losers = true, .failed = true});
      (void)database.compact();
      return true;
    } catch (const DatabaseError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
      EXPECT_NE(std::string_view(error.what()).find(path_.string()), std::string_view::npos) << error.what();
      return false;
    }
  }

  test::TestFolder folder_;
  std::filesystem::path path_ = folder_ / "tuning.db";
  std::set<std::string> written_;
  std::string whole_;
};

TEST_F(MutationTest, NothingComesOutThatDidNotGoIn) {
  constexpr std::uint64_t first_seed = 20261121;
  constexpr int all = 10'000;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5) * test::patience;
  int done = 0, survived = 0;
  for (; done < all && (long_tests() || std::chrono::steady_clock::now() < end); ++done) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(done);
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    write_bytes(path_, mutated(whole_, random));
    std::filesystem::remove(path_.string() + "-journal");
    ::alarm(60);  // a hang ends the test
    if (survives(done % 4 == 0 ? Mode::read_write : Mode::read_only)) ++survived;
    ::alarm(0);
    if (HasFailure()) return;
  }
  std::printf("%d mutated files, %d of them refused somewhere\n", done, done - survived);
  EXPECT_GT(survived, 0);
  EXPECT_LT(survived, done);
  EXPECT_GE(done, 100);
}

// ---- hostile texts

const std::string hostile_texts[] = {"\n#include <cstdlib>\nint x = system(\"true\"); //",
                                     "*/ } __global__ void f() { asm(\"trap;\"); } /*",
                                     ")upsweep\"; #error",
                                     "\\\n#define int double",
                                     "'; DROP TABLE trial; --",
                                     "\"}],\"trials\":[{",
                                     "%s%n{}{0}",
                                     std::string("nul\0inside", 10),
                                     std::string(100'000, 'A')};

std::vector<Trial> sound_trials() {
  std::vector<Trial> trials;
  for (const Algorithm algorithm : test::scans_and_reduces) {
    for (const int size : {10, 20, 28}) {
      trials.push_back(trial_of(make_problem(algorithm, plus, Type::i32, Type::i32, pow2(size)), 8.0));
    }
  }
  return trials;
}

// All that is generated for the problems of these trials with what a database of these rows chooses.
std::string generated(const std::vector<Winner>& winners) {
  std::string all;
  for (const Trial& trial : sound_trials()) {
    const Choice choice = choose(trial.problem, h200(), h200_limits(), winners, {});
    all += generate(trial.problem, choice.config, Target::cuda).text;
  }
  return all;
}

// Every text that a row or an export holds.
std::vector<Trial> with_hostile(std::vector<Trial> trials, const std::string& text) {
  for (Trial& trial : trials) {
    trial.device.name = text;
    trial.environment = {text, text, text};
    trial.session = text;
  }
  return trials;
}

TEST(HostileTexts, NotOneByteOfTheSourceChanges) {
  std::vector<Winner> plain;
  for (const Trial& trial : sound_trials()) plain.push_back({trial, size_class(trial.problem.size), "user"});
  const std::string expected = generated(plain);
  for (const std::string& text : hostile_texts) {
    SCOPED_TRACE(text.substr(0, 40));
    test::TestFolder folder;
    Database database(folder / "a.db", Mode::read_write), imported(folder / "b.db", Mode::read_write);
    for (const Trial& trial : with_hostile(sound_trials(), text)) {
      Trial failed = trial;
      failed.failure = text;
      failed.verdict = Verdict::failed;
      failed.config = {text, {{text, text}}};
      database.record(failed);
      database.set_winner(database.record(trial));
    }
    EXPECT_EQ(generated(database.winners()), expected);
    (void)import_json(imported, export_json(database, {.trials = true}));
    EXPECT_EQ(generated(imported.winners()), expected);
    EXPECT_EQ(imported.winners().size(), sound_trials().size());
    EXPECT_TRUE(imported.check().ok());
  }
}

// Texts where a config's names and an enumeration's values stand are no config and no value.
TEST(HostileTexts, AreNoConfig) {
  const std::string expected = generated({});
  for (const std::string& text : hostile_texts) {
    std::vector<Winner> winners;
    for (const Trial& trial : sound_trials()) {
      const int at = size_class(trial.problem.size);
      Trial changed = trial;
      changed.config.schedule = text;
      winners.push_back({changed, at, "user"});
      changed = trial;
      changed.config.values[text] = text;
      winners.push_back({changed, at, "user"});
      for (const auto& value : trial.config.values) {
        changed = trial;
        changed.config.values[value.first] = text;
        winners.push_back({changed, at, "user"});
      }
    }
    EXPECT_EQ(generated(winners), expected) << text.substr(0, 40);
  }
}

}  // namespace
}  // namespace upsweep::tuning_db
