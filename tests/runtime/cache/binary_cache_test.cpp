// What the cache keeps, what it lets go, and what it leaves alone.
#include "runtime/cache/binary_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cache/support.hpp"

namespace upsweep::runtime {
namespace {

using test::bytes_of;
using testing::ElementsAre;
using testing::IsEmpty;
using upsweep::test::TestFolder;

std::vector<std::string> identities(BinaryCache& cache) {
  std::vector<std::string> found;
  for (const BinaryCache::Entry& entry : cache.list()) found.push_back(entry.identity);
  return found;
}

TEST(BinaryCache, FindsInAnotherObjectWhatWasStored) {
  const TestFolder directory;
  BinaryCache({.directory = directory / "a"}).store("kernel sm_90", bytes_of("machine code"));
  BinaryCache cache({.directory = directory / "a"});
  EXPECT_EQ(cache.find("kernel sm_90"), bytes_of("machine code"));
  EXPECT_EQ(cache.find("kernel sm_80"), std::nullopt);
  EXPECT_EQ(cache.find(""), std::nullopt);
}

TEST(BinaryCache, KeepsEmptyAndLargeBinariesAndLongIdentities) {
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path()});
  const std::string long_identity(100'000, 'i');
  const Binary large(3'000'001, std::byte{0xa5});
  cache.store("empty", {});
  cache.store(long_identity, large);
  EXPECT_EQ(cache.find("empty"), Binary());
  EXPECT_EQ(cache.find(long_identity), large);
}

TEST(BinaryCache, ReplacesAnEntry) {
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path()});
  cache.store("k", bytes_of("old and longer"));
  cache.store("k", bytes_of("new"));
  EXPECT_EQ(cache.find("k"), bytes_of("new"));
  EXPECT_EQ(cache.list().size(), 1u);
}

TEST(BinaryCache, MakesTheDirectoryAndFilesForTheUserAlone) {
  const TestFolder directory;
  const mode_t before = ::umask(0);
  BinaryCache cache({.directory = directory / "deep/er/cache"});
  cache.store("k", bytes_of("x"));
  ::umask(before);
  using std::filesystem::perms;
  for (const char* made : {"deep", "deep/er", "deep/er/cache"}) {
    EXPECT_EQ(status(directory / made).permissions(), perms::owner_all) << made;
  }
  const auto file = directory / "deep/er/cache" / record_name("k");
  EXPECT_EQ(status(file).permissions(), perms::owner_read | perms::owner_write);
}

TEST(BinaryCache, OffNeitherReadsNorWrites) {
  const TestFolder directory;
  BinaryCache on({.directory = directory.path()});
  on.store("k", bytes_of("x"));
  BinaryCache off({.directory = directory.path(), .enabled = false});
  EXPECT_EQ(off.find("k"), std::nullopt);
  off.store("l", bytes_of("y"));
  EXPECT_EQ(on.find("l"), std::nullopt);

  BinaryCache nowhere({.directory = directory / "never", .enabled = false});
  nowhere.store("k", bytes_of("x"));
  EXPECT_FALSE(exists(directory / "never"));
}

TEST(BinaryCache, EvictsWhatWasNotUsedForLongest) {
  const TestFolder directory;
  const Binary binary(1000, std::byte{1});
  const std::uint64_t record = encode_record("a", binary).size();
  BinaryCache cache({.directory = directory.path(), .max_bytes = 3 * record});
  const auto file = [&](const char* identity) { return directory / record_name(identity); };
  for (const char* identity : {"a", "b", "c"}) cache.store(identity, binary);
  test::set_age(file("a"), 300);
  test::set_age(file("b"), 200);
  test::set_age(file("c"), 100);
  EXPECT_THAT(identities(cache), ElementsAre("c", "b", "a"));

  EXPECT_EQ(cache.find("a"), binary);  // now b is the oldest
  cache.store("d", binary);
  test::set_age(file("d"), -10);
  test::set_age(file("a"), 50);
  EXPECT_THAT(identities(cache), ElementsAre("d", "a", "c"));

  // What is stored stays even if a clock makes it look oldest.
  test::set_age(file("d"), -1000);
  test::set_age(file("a"), -1000);
  test::set_age(file("c"), -1000);
  cache.store("e", binary);
  EXPECT_EQ(cache.find("e"), binary);
  EXPECT_EQ(cache.list().size(), 3u);
}

TEST(BinaryCache, EvictsSeveralForOneLargeEntry) {
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path(), .max_bytes = 5000});
  for (const char* identity : {"a", "b", "c", "d"}) {
    cache.store(identity, Binary(1000));
    test::set_age(directory / record_name(identity), 10 * ('e' - identity[0]));
  }
  cache.store("large", Binary(3500));
  EXPECT_THAT(identities(cache), ElementsAre("large", "d"));
}

TEST(BinaryCache, DoesNotEmptyItselfForWhatCannotFit) {
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path(), .max_bytes = 2000});
  cache.store("small", Binary(1000));
  cache.store("large", Binary(2000));  // with its header above the limit
  EXPECT_EQ(cache.find("large"), std::nullopt);
  EXPECT_EQ(cache.find("small"), Binary(1000));
}

TEST(BinaryCache, ListsNameSizeAndLastUse) {
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path()});
  cache.store("k", Binary(123));
  test::set_last_use(directory / record_name("k"), {.tv_sec = 1'600'000'000, .tv_nsec = 250'000'000});
  const std::vector<BinaryCache::Entry> entries = cache.list();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].name, record_name("k"));
  EXPECT_EQ(entries[0].identity, "k");
  EXPECT_EQ(entries[0].bytes, encode_record("k", Binary(123)).size());
  EXPECT_EQ(entries[0].bytes, file_size(directory / record_name("k")));
  EXPECT_EQ(entries[0].last_use.time_since_epoch(), std::chrono::milliseconds(1'600'000'000'250));
}

TEST(BinaryCache, ClearsItsOwnFilesOnly) {
  const TestFolder directory;
  BinaryCache cache({.directory = directory.path()});
  EXPECT_EQ(cache.clear(), 0u);
  cache.store("a", bytes_of("x"));
  cache.store("b", bytes_of("y"));
  const std::string leftover = record_name("a") + ".12.0123.tmp";
  for (const std::string& name : {leftover, std::string("data.bin"), std::string("notes.tmp")}) {
    test::write_file(directory / name, bytes_of("z"));
  }
  EXPECT_EQ(cache.clear(), 2u);
  EXPECT_THAT(cache.list(), IsEmpty());
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_FALSE(exists(directory / leftover));
  EXPECT_TRUE(exists(directory / "data.bin"));
  EXPECT_TRUE(exists(directory / "notes.tmp"));
}

TEST(BinaryCache, ListAndClearOfAMissingDirectoryAreEmptyAndSilent) {
  const TestFolder directory;
  const test::Warnings warnings;
  BinaryCache cache({.directory = directory / "none"});
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_THAT(cache.list(), IsEmpty());
  EXPECT_EQ(cache.clear(), 0u);
  EXPECT_FALSE(exists(directory / "none"));
  EXPECT_THAT(warnings.texts(), IsEmpty());
}

TEST(BinaryCache, RemovesTemporaryFilesOfWritersThatDied) {
  const TestFolder directory;
  const std::string stale = record_name("a") + ".1.00ff.tmp";
  const std::string fresh = record_name("a") + ".2.00ff.tmp";
  const std::string other = "somebody-elses.tmp";
  for (const std::string& name : {stale, fresh, other}) test::write_file(directory / name, bytes_of("half"));
  test::set_age(directory / stale, 3700);
  test::set_age(directory / fresh, 3500);
  test::set_age(directory / other, 3700);
  BinaryCache({.directory = directory.path()}).store("k", bytes_of("x"));
  EXPECT_FALSE(exists(directory / stale));
  EXPECT_TRUE(exists(directory / fresh));
  EXPECT_TRUE(exists(directory / other));
}

}  // namespace
}  // namespace upsweep::runtime
