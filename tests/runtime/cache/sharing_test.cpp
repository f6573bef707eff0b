// Threads and processes that use one directory at once.
#include <sys/wait.h>

#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/runtime/cache/support.hpp"

namespace upsweep::runtime {
namespace {

constexpr int identity_count = 20;

std::string identity_of(int number) {
  return "kernel " + std::to_string(number);
}

// Content that tells which identity it belongs to, in one of several lengths, as different writers would make it.
Binary binary_of(int number, int variant) {
  return Binary(static_cast<std::size_t>(1000 + 500 * variant), static_cast<std::byte>(number + 1));
}

// Stores and finds at random. Returns how many binaries were found, -1 if one was not what somebody stored.
int use(BinaryCache& cache, std::uint64_t seed, int operations) {
  std::mt19937_64 random(seed);
  int found = 0;
  for (int i = 0; i < operations; ++i) {
    const int number = static_cast<int>(random() % identity_count);
    const int variant = static_cast<int>(random() % 3);
    if (random() % 3 == 0) {
      cache.store(identity_of(number), binary_of(number, variant));
    } else if (const auto binary = cache.find(identity_of(number))) {
      ++found;
      const std::size_t size = binary->size();
      if (size != 1000 && size != 1500 && size != 2000) return -1;
      if (*binary != binary_of(number, static_cast<int>(size - 1000) / 500)) return -1;
    }
  }
  return found;
}

TEST(SharedCache, EightThreadsNeverSeeATornEntry) {
  const upsweep::test::TestFolder directory;
  const test::Warnings warnings;
  BinaryCache cache({.directory = directory.path(), .max_bytes = 15'000});  // evicts all the time
  std::vector<int> found(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < found.size(); ++i) {
      threads.emplace_back([&, i] { found[i] = use(cache, 100 + i, 300); });
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_GT(found[i], 0) << "thread with seed " << 100 + i;
  }
  EXPECT_TRUE(warnings.texts().empty());
  cache.store("last", Binary(10));
  std::uint64_t total = 0;
  for (const auto& file : std::filesystem::directory_iterator(directory.path())) {
    EXPECT_TRUE(is_record_name(file.path().filename().string())) << file.path() << " is left behind";
    total += file.file_size();
  }
  EXPECT_LE(total, 15'000u);
}

TEST(SharedCache, ManyThreadsWithAnUnusableDirectoryGiveOneWarning) {
  const test::Warnings warnings;
  BinaryCache cache({.directory = "/proc/upsweep"});
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < 8; ++i) threads.emplace_back([&, i] { (void)use(cache, i, 50); });
  }
  EXPECT_EQ(warnings.texts().size(), 1u);
}

TEST(SharedCache, ProcessesNeverSeeATornEntry) {
  const upsweep::test::TestFolder directory;
  std::vector<pid_t> children;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      BinaryCache cache({.directory = directory / "cache", .max_bytes = 15'000});
      ::_exit(use(cache, seed, 300) > 0 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

TEST(SharedCache, KilledWritersLeaveNothingThatIsFound) {
  const upsweep::test::TestFolder directory;
  std::mt19937_64 random(7);
  for (int round = 0; round < 10; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      BinaryCache cache({.directory = directory / "cache"});
      for (std::uint64_t seed = 0;; ++seed) (void)use(cache, seed, 100);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + random() % 8000));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    BinaryCache cache({.directory = directory / "cache"});
    EXPECT_GE(use(cache, 1000 + static_cast<std::uint64_t>(round), 60), 0) << "round " << round;
  }
}

}  // namespace
}  // namespace upsweep::runtime
