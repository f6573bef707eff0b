// Sixteen processes that write all the time, and others that read: no error, no row lost. For 60 s with
// UPSWEEP_LONG_TESTS, for 3 s without; and a writer that is killed at every step of its work.
#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <upsweep/error.hpp>

#include "killing_vfs.hpp"
#include "long_tests.hpp"
#include "processes.hpp"
#include "support.hpp"
#include "tuning-db/database.hpp"

namespace upsweep::tuning_db {
namespace {

using Clock = std::chrono::steady_clock;
using Mode = Database::Mode;

constexpr int writers = 16;
constexpr int readers = 2;

// Records until the time is up; tells through the pipe how many rows it was told are written.
void write_rows(const std::filesystem::path& path, int writer, Clock::time_point end, int pipe) {
  Database database(path, Mode::read_write);
  int rows = 0;
  // At least one, however late it gets its turn.
  do {
    Trial trial = trial_of(scan_of(Type::i32, 1u << (10 + rows % 10)), 1.0 + rows);
    trial.session = "writer " + std::to_string(writer);
    const std::int64_t id = database.record(trial);
    ++rows;
    if (rows % 8 == 0) database.set_winner(id);
    if (rows % 8 == 4)
      database.want(std::vector{Wanted{.device = h200(), .problem = scan_of(Type::u8, 64), .count = 1}});
  } while (Clock::now() < end);
  const int told[] = {writer, rows};
  if (::write(pipe, told, sizeof told) != sizeof told) throw std::runtime_error("the pipe is closed");
}

void read_rows(const std::filesystem::path& path, Clock::time_point end) {
  std::size_t seen = 0;
  while (Clock::now() < end) {
    const Database database(path, Mode::read_only);
    const std::size_t now = database.trials().size();
    if (now < seen) throw std::runtime_error("rows went away");
    seen = now;
    for (const Winner& winner : database.winners()) {
      if (!unfit_to_win(winner.trial).empty()) throw std::runtime_error("a winner is none");
    }
    ::usleep(20'000);
  }
}

TEST(Writers, SixteenAtOnceLoseNothing) {
  test::TestFolder folder;
  const auto path = folder / "tuning.db";
  int pipe[2] = {};
  ASSERT_EQ(::pipe(pipe), 0);
  { const Database made(path, Mode::read_write); }
  const auto end = Clock::now() + std::chrono::seconds(long_tests() ? 60 : 3);
  std::vector<pid_t> children;
  for (int w = 0; w < writers; ++w) children.push_back(start([&, w] { write_rows(path, w, end, pipe[1]); }));
  for (int r = 0; r < readers; ++r) children.push_back(start([&] { read_rows(path, end); }));
  for (const pid_t child : children) EXPECT_EQ(status_of(child), 0) << "an error surfaced";
  ::close(pipe[1]);
  std::map<std::string, int> told;
  int message[2] = {};
  while (::read(pipe[0], message, sizeof message) == sizeof message) {
    told["writer " + std::to_string(message[0])] = message[1];
  }
  ::close(pipe[0]);
  ASSERT_EQ(told.size(), std::size_t{writers});
  const Database database(path, Mode::read_only);
  std::map<std::string, int> found;
  for (const Trial& trial : database.trials()) ++found[trial.session];
  EXPECT_EQ(found, told);
  std::uint64_t wanted = 0;
  for (const auto& each : told) wanted += static_cast<std::uint64_t>(each.second + 4) / 8;
  EXPECT_EQ(database.wanted().empty() ? 0 : database.wanted()[0].count, wanted) << "counts add up as well";
  EXPECT_TRUE(database.check().ok());
  int rows = 0;
  for (const auto& each : told) rows += each.second;
  std::printf("%d rows of %d writers\n", rows, writers);
}

// At every write, sync, truncation and deletion of recording a trial and making it the winner.
TEST(Writers, KilledAnywhereLosesAtMostTheTrialInFlight) {
  test::TestFolder folder;
  const auto path = folder / "tuning.db";
  { Database(path, Mode::read_write).record(trial_of(scan_of(Type::i32, 1 << 20), 1.0)); }
  std::size_t before = 1;
  int kills = 0;
  for (int operation = 1;; ++operation) {
    SCOPED_TRACE("killed at operation " + std::to_string(operation));
    int pipe[2] = {};
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = start([&] {
      KillingVfs::kill_at(operation);
      Database database(path, Mode::read_write);
      const std::int64_t id = database.record(trial_of(scan_of(Type::i32, 1 << 20), 1.0 + operation));
      if (::write(pipe[1], &id, sizeof id) != sizeof id) return;
      database.set_winner(id);
    });
    ::close(pipe[1]);
    std::int64_t id = 0;
    const bool told = ::read(pipe[0], &id, sizeof id) == sizeof id;
    ::close(pipe[0]);
    const int status = status_of(child);
    const Database database(path, operation % 2 == 0 ? Mode::read_only : Mode::read_write);
    const std::size_t now = database.trials().size();
    ASSERT_GE(now, before + (told ? 1 : 0)) << "what was reported is there";
    ASSERT_LE(now, before + 1);
    ASSERT_TRUE(database.check().ok());
    before = now;
    if (WEXITSTATUS(status) == 0) {
      EXPECT_EQ(database.winners().at(0).trial.id, id);
      break;
    }
    ASSERT_EQ(WEXITSTATUS(status), KillingVfs::exit_code);
    ++kills;
  }
  EXPECT_GT(kills, 10) << "the killing does not work";
}

}  // namespace
}  // namespace upsweep::tuning_db
