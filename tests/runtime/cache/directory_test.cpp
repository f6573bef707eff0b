// Directories that cannot or must not be used: upsweep goes on uncached, and says so once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cache/support.hpp"

namespace upsweep::runtime {
namespace {

using test::bytes_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using upsweep::test::TestFolder;

// Every operation does nothing, and one warning holds the reason and what to do.
void expect_uncached(const std::filesystem::path& path, const std::string& reason) {
  const test::Warnings warnings;
  BinaryCache cache({.directory = path});
  for (int i = 0; i < 3; ++i) {
    cache.store("k", bytes_of("x"));
    EXPECT_EQ(cache.find("k"), std::nullopt);
  }
  EXPECT_TRUE(cache.list().empty());
  EXPECT_EQ(cache.clear(), 0u);
  EXPECT_THAT(warnings.texts(), ElementsAre(AllOf(HasSubstr(reason), HasSubstr("UPSWEEP_CACHE_DIR"))));
}

TEST(CacheDirectory, FileInItsPlace) {
  const TestFolder directory;
  test::write_file(directory / "file", bytes_of("x"));
  expect_uncached(directory / "file", (directory / "file").string() + " is not a directory");
}

TEST(CacheDirectory, FileInTheWay) {
  const TestFolder directory;
  test::write_file(directory / "file", bytes_of("x"));
  expect_uncached(directory / "file/cache", (directory / "file").string() + " is not a directory");
}

TEST(CacheDirectory, CannotBeMade) {
  expect_uncached("/proc/upsweep/cache", "/proc/upsweep cannot be created");
}

TEST(CacheDirectory, CannotBeWritten) {
  // A directory of root's that refuses files even from root; of another user's for anyone else.
  const test::Warnings warnings;
  BinaryCache cache({.directory = "/proc/sys"});
  cache.store("k", bytes_of("x"));
  cache.store("k", bytes_of("x"));
  ASSERT_EQ(warnings.texts().size(), 1u);
  EXPECT_THAT(warnings.texts()[0], AllOf(HasSubstr("/proc/sys"), testing::AnyOf(HasSubstr("cannot be created"),
                                                                                HasSubstr("belongs to another user"))));
}

TEST(CacheDirectory, OthersMayWrite) {
  using std::filesystem::perms;
  for (const perms loose : {perms::group_write, perms::others_write}) {
    const TestFolder directory;
    BinaryCache({.directory = directory.path()}).store("k", bytes_of("planted"));
    permissions(directory.path(), loose, std::filesystem::perm_options::add);
    const auto entries_before = std::distance(std::filesystem::directory_iterator(directory.path()), {});
    expect_uncached(directory.path(), "can be written by other users");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), entries_before);
  }
}

TEST(CacheDirectory, OfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give a directory away";
  const TestFolder directory;
  BinaryCache({.directory = directory.path()}).store("k", bytes_of("planted"));
  ASSERT_EQ(::chown(directory.path().c_str(), 12345, 12345), 0);
  expect_uncached(directory.path(), "belongs to another user");
}

TEST(CacheDirectory, FileOfAnotherUserIsAMiss) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path()});
  cache.store("k", bytes_of("planted"));
  ASSERT_EQ(::chown((directory / record_name("k")).c_str(), 12345, 12345), 0);
  EXPECT_EQ(cache.find("k"), std::nullopt);
}

TEST(CacheDirectory, LinkToADirectoryOfTheUsersIsFollowedAndCheckedThere) {
  const TestFolder directory;
  create_directory(directory / "real");
  create_directory_symlink(directory / "real", directory / "link");
  permissions(directory / "real", std::filesystem::perms::owner_all);
  BinaryCache cache({.directory = directory / "link"});
  cache.store("k", bytes_of("x"));
  EXPECT_EQ(cache.find("k"), bytes_of("x"));
  EXPECT_TRUE(exists(directory / "real" / record_name("k")));
  permissions(directory / "real", std::filesystem::perms::group_write, std::filesystem::perm_options::add);
  expect_uncached(directory / "link", "can be written by other users");
}

TEST(CacheDirectory, RemovedMeanwhileIsMadeAgain) {
  const TestFolder directory;
  const test::Warnings warnings;
  BinaryCache cache({.directory = directory / "cache"});
  cache.store("k", bytes_of("x"));
  remove_all(directory / "cache");
  EXPECT_EQ(cache.find("k"), std::nullopt);
  cache.store("k", bytes_of("y"));
  EXPECT_EQ(cache.find("k"), bytes_of("y"));
  EXPECT_TRUE(warnings.texts().empty());
}

TEST(CacheDirectory, NoneKnown) {
  expect_uncached("", "neither HOME nor XDG_CACHE_HOME nor UPSWEEP_CACHE_DIR is set");
}

TEST(CacheDirectory, EachObjectWarnsOnce) {
  const test::Warnings warnings;
  for (int i = 0; i < 2; ++i) {
    BinaryCache cache({.directory = "/proc/upsweep"});
    cache.store("k", bytes_of("x"));
    cache.store("l", bytes_of("x"));
  }
  EXPECT_EQ(warnings.texts().size(), 2u);
}

}  // namespace
}  // namespace upsweep::runtime
