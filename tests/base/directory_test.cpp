#include "base/directory.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_folder.hpp"

namespace upsweep::base {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

struct Opened {
  std::optional<Directory> directory;
  std::string reason;
  bool missing = false;
};

Opened open(const std::string& path) {
  Opened opened;
  opened.directory = Directory::open(path, opened.reason, opened.missing);
  return opened;
}

class DirectoryTest : public test::TestFolder, public ::testing::Test {
 protected:
  DirectoryTest() {
    EXPECT_EQ(Directory::create(path("a/b")), std::nullopt);
    directory = open(path("a/b")).directory;
  }
  std::optional<Directory> directory;
};

TEST_F(DirectoryTest, IsPrivateWhenItIsMade) {
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(path("a/b")).permissions(), fs::perms::owner_all);
  EXPECT_EQ(Directory::create(path("a/b")), std::nullopt) << "one that is there will do";
}

TEST_F(DirectoryTest, FilesAreWrittenAndRead) {
  ASSERT_TRUE(directory);
  EXPECT_EQ(directory->write("file", bytes_of("content")), std::nullopt);
  EXPECT_EQ(directory->write("file", bytes_of("another")), std::nullopt);
  EXPECT_EQ(directory->read("file", 100), bytes_of("another"));
  EXPECT_EQ(directory->read_start("file", 3), bytes_of("ano"));
  EXPECT_EQ(directory->read("file", 6), bytes_of("")) << "it is too large";
  EXPECT_EQ(directory->read("none", 100), std::nullopt);
  const std::vector<Directory::File> files = directory->files();
  ASSERT_EQ(files.size(), 1u) << "no temporary file is left";
  EXPECT_EQ(files[0].name, "file");
  EXPECT_EQ(files[0].bytes, 7u);
  EXPECT_TRUE(directory->remove("file"));
  EXPECT_FALSE(directory->remove("file"));
}

TEST_F(DirectoryTest, LinksAndFilesOfOthersAreOfNoUse) {
  ASSERT_TRUE(directory);
  (void)make("secret", "content");
  fs::create_symlink(path("secret"), path("a/b/link"));
  EXPECT_EQ(directory->read("link", 100), bytes_of(""));
  (void)make("a/b/open", "content");
  fs::permissions(path("a/b/open"), fs::perms(0666));
  EXPECT_EQ(directory->read("open", 100), bytes_of(""));
}

TEST_F(DirectoryTest, IsTheOneThatWasOpenedWhateverTakesItsPlace) {
  ASSERT_TRUE(directory);
  fs::rename(path("a/b"), path("a/moved"));
  fs::create_directory(path("a/b"));
  EXPECT_EQ(directory->write("file", bytes_of("content")), std::nullopt);
  EXPECT_EQ(content("a/moved/file"), "content");
}

TEST_F(DirectoryTest, OneThatOthersMayWriteIsRefused) {
  fs::permissions(path("a/b"), fs::perms(0777));
  const Opened opened = open(path("a/b"));
  EXPECT_FALSE(opened.directory);
  EXPECT_FALSE(opened.missing);
  EXPECT_THAT(opened.reason, HasSubstr("can be written by other users"));
}

TEST_F(DirectoryTest, OneThatIsNotThereIsMissing) {
  const Opened opened = open(path("none"));
  EXPECT_FALSE(opened.directory);
  EXPECT_TRUE(opened.missing);
  EXPECT_THAT(opened.reason, HasSubstr("No such file or directory"));
}

TEST_F(DirectoryTest, AFileInTheWayIsTold) {
  (void)make("file", "");
  EXPECT_EQ(Directory::create(path("file/b")), path("file") + " is not a directory");
  EXPECT_THAT(files(), ElementsAre("a", "file"));
}

TEST(DirectoryNames, TemporaryOnesAreKnown) {
  EXPECT_TRUE(Directory::is_temporary("file.1.0123456789abcdef.tmp"));
  EXPECT_FALSE(Directory::is_temporary("file"));
}

}  // namespace
}  // namespace upsweep::base
