#include "base/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/test_folder.hpp"
#include "tests/support/variable.hpp"

namespace upsweep::base {
namespace {

namespace fs = std::filesystem;

// With a folder for temporary files of its own.
class TemporaryFolderTest : public ::testing::Test {
 protected:
  // As a process left it that was killed some time ago.
  [[nodiscard]] fs::path left(const std::string& name, std::chrono::seconds age = std::chrono::minutes(2)) const {
    fs::path folder = parent_ / name;
    fs::create_directory(folder);
    std::ofstream(folder / "lock");
    std::ofstream(folder / "source.cpp") << "int i;";
    make_old(folder, age);
    return folder;
  }
  static void make_old(const fs::path& folder, std::chrono::seconds age = std::chrono::minutes(2)) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - age);
  }

  test::TestFolder own_;
  fs::path parent_ = own_.path();
  test::Variable variable_{"TMPDIR", parent_.string()};
};

TEST_F(TemporaryFolderTest, IsPrivateAndGoesAway) {
  fs::path path;
  {
    const TemporaryFolder folder("test-");
    path = folder.path();
    EXPECT_EQ(path.parent_path(), parent_);
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    std::ofstream(folder.file("a")) << "x";
  }
  EXPECT_TRUE(fs::is_empty(parent_));
}

TEST_F(TemporaryFolderTest, WhatKilledProcessesLeftIsRemoved) {
  const fs::path old = left("left-old"), other = left("other-old"), young = left("left-young", std::chrono::seconds(5));
  const fs::path no_lock = left("left-no-lock");
  fs::remove(no_lock / "lock");
  make_old(no_lock);
  fs::create_directory(parent_ / "kept");
  fs::create_directory_symlink("kept", parent_ / "left-link");
  remove_left_folders("left-");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(no_lock)) << "killed before it had the lock";
  EXPECT_TRUE(fs::exists(other)) << "of another prefix";
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(parent_ / "kept")) << "a link is not followed";
}

TEST_F(TemporaryFolderTest, AProcessesFirstRemovesThem) {
  const fs::path old = left("first-old");
  const TemporaryFolder folder("first-");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(folder.path()));
}

TEST_F(TemporaryFolderTest, WhatIsInUseStaysHoweverOldItIs) {
  const TemporaryFolder folder("used-");
  make_old(folder.path());
  remove_left_folders("used-");
  EXPECT_TRUE(fs::exists(folder.path()));
}

// Another process removes what it finds unlocked, even what was made a moment ago. An age below zero makes it that:
// a folder's time is in whole seconds here. Its pauses differ, up to 26 ms, and some are longer than a folder takes to
// make on a busy machine: otherwise it could come first at every attempt to make one.
TEST_F(TemporaryFolderTest, NoneIsUsedThatAnotherRemoves) {
  std::atomic<int> rounds{0};
  const std::jthread other([&](const std::stop_token& done) {
    for (; !done.stop_requested(); ++rounds) {
      std::this_thread::sleep_for(std::chrono::microseconds(50 << rounds % 10));
      remove_left_folders("raced-", std::chrono::seconds(-2));
    }
  });
  for (int folders = 0; folders < 300; ++folders) {
    const TemporaryFolder folder("raced-");
    const int before = rounds;
    while (rounds < before + 2) std::this_thread::yield();
    std::ofstream file(folder.file("a"));
    EXPECT_TRUE(file.is_open()) << "folder " << folders;
  }
}

TEST_F(TemporaryFolderTest, NoPlaceIsAnError) {
  ::setenv("TMPDIR", (parent_ / "none").c_str(), 1);
  EXPECT_THROW(const TemporaryFolder folder("test-"), std::system_error);
}

}  // namespace
}  // namespace upsweep::base
