// A damaged file is a miss, is removed, and can be stored anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/cache/support.hpp"

namespace upsweep::runtime {
namespace {

using test::bytes_of;

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    cache_.store(identity, binary);
    whole_ = test::read_file(file_);
    ASSERT_EQ(whole_.size(), 40 + identity.size() + binary.size());
  }
  // The file holds these bytes: the entry must be a miss, and gone.
  void expect_miss(std::span<const std::byte> content) {
    test::write_file(file_, content);
    EXPECT_EQ(cache_.find(identity), std::nullopt);
    EXPECT_FALSE(exists(file_));
  }

  const std::string identity = "0123 sm_90 nvrtc 13.0";
  const Binary binary = bytes_of("some machine code");
  upsweep::test::TestFolder directory_;
  test::Warnings warnings_;
  BinaryCache cache_{{.directory = directory_.path()}};
  std::filesystem::path file_ = directory_ / record_name(identity);
  Binary whole_;
};

TEST_F(Damage, AnyShorterLength) {
  for (std::size_t length = 0; length < whole_.size(); ++length) {
    SCOPED_TRACE(length);
    expect_miss(std::span(whole_).first(length));
  }
}

TEST_F(Damage, AnyChangedByte) {
  for (std::size_t at = 0; at < whole_.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      SCOPED_TRACE(testing::Message() << "byte " << at << " xor " << flip);
      Binary changed = whole_;
      changed[at] ^= std::byte(flip);
      expect_miss(changed);
    }
  }
}

TEST_F(Damage, TrailingBytes) {
  Binary longer = whole_;
  longer.push_back(std::byte{0});
  expect_miss(longer);
  longer = whole_;
  longer.insert(longer.end(), whole_.begin(), whole_.end());
  expect_miss(longer);
}

TEST_F(Damage, AnotherIdentityUnderTheSameName) {
  expect_miss(encode_record("another identity", binary));
  expect_miss(encode_record(identity + " ", binary));
  expect_miss(encode_record(identity.substr(1), binary));
  expect_miss(encode_record("", binary));
}

TEST_F(Damage, IdentityAndBinaryDividedElsewhere) {
  const std::string shorter = identity.substr(0, identity.size() - 1);
  Binary longer = bytes_of(identity.substr(identity.size() - 1));
  longer.insert(longer.end(), binary.begin(), binary.end());
  expect_miss(encode_record(shorter, longer));
}

TEST_F(Damage, SymbolicLinkIsNotFollowed) {
  test::write_file(directory_ / "elsewhere", whole_);
  remove(file_);
  create_symlink(directory_ / "elsewhere", file_);
  EXPECT_EQ(cache_.find(identity), std::nullopt);
  EXPECT_FALSE(is_symlink(symlink_status(file_)));
  EXPECT_TRUE(exists(directory_ / "elsewhere"));
}

TEST_F(Damage, PipeDoesNotBlock) {
  remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(cache_.find(identity), std::nullopt);
  EXPECT_FALSE(exists(file_));
}

TEST_F(Damage, FileThatOthersMayWrite) {
  permissions(file_, std::filesystem::perms::group_write, std::filesystem::perm_options::add);
  EXPECT_EQ(cache_.find(identity), std::nullopt);
  EXPECT_FALSE(exists(file_));
}

TEST_F(Damage, FolderInPlaceOfTheFileIsAMissAndOneWarning) {
  remove(file_);
  create_directory(file_);
  EXPECT_EQ(cache_.find(identity), std::nullopt);
  EXPECT_THAT(warnings_.texts(), testing::IsEmpty());
  cache_.store(identity, binary);
  cache_.store(identity, binary);
  EXPECT_THAT(warnings_.texts(), testing::ElementsAre(testing::HasSubstr("a file cannot be written")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 1) << "a temporary file is left";
}

TEST_F(Damage, HugeSparseFileIsNotRead) {
  std::filesystem::resize_file(file_, std::uintmax_t{1} << 40);
  EXPECT_EQ(cache_.find(identity), std::nullopt);
  EXPECT_FALSE(exists(file_));
}

TEST_F(Damage, IsReplacedByTheNextStore) {
  expect_miss(std::span(whole_).first(10));
  cache_.store(identity, binary);
  EXPECT_EQ(cache_.find(identity), binary);
  EXPECT_THAT(warnings_.texts(), testing::IsEmpty());
}

TEST_F(Damage, ListShowsADamagedEntryWithoutIdentity) {
  test::write_file(file_, bytes_of("short"));
  const auto entries = cache_.list();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].identity, "");
  EXPECT_EQ(entries[0].bytes, 5u);
  Binary lying = whole_;
  lying[12] = lying[13] = std::byte{0xff};  // an identity longer than the file
  test::write_file(file_, lying);
  EXPECT_EQ(cache_.list().at(0).identity, "");
}

TEST(Record, NameIsOfTheIdentityAndRecognised) {
  // XXH3-128 of no bytes, from the algorithm's specification.
  EXPECT_EQ(record_name(""), "99aa06d3014798d86001c324468d497f.bin");
  EXPECT_NE(record_name("a"), record_name("b"));
  EXPECT_TRUE(is_record_name(record_name("a")));
  EXPECT_FALSE(is_record_name("99aa06d3014798d86001c324468d497.bin"));
  EXPECT_FALSE(is_record_name("99aa06d3014798d86001c324468d497g.bin"));
  EXPECT_FALSE(is_record_name("99aa06d3014798d86001c324468d497f.bin.tmp"));
  EXPECT_FALSE(is_record_name("99aa06d3014798d86001c324468d497f.txt"));
  EXPECT_FALSE(is_record_name(""));
}

}  // namespace
}  // namespace upsweep::runtime
