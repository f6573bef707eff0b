// Array files that are written: their bytes, and what is left where that fails.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <upsweep/error.hpp>

#include "tests/cli/array_files.hpp"

namespace upsweep::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(ArrayFile, WritesNpyByteByByte) {
  write_array(path("a.npy"), array_of<int>({1, -2, 0x01020304}));
  const std::string text = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }";
  // 128 = 10 bytes before the header text + 117 + newline: the data start at a multiple of 64.
  const std::string expected =
      std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text + std::string(117 - text.size(), ' ') + "\n";
  EXPECT_EQ(content("a.npy"), expected + three_items);
}

TEST_F(ArrayFile, WritesRawAndText) {
  write_array(path("a.bin"), array_of<int>({1, -2, 0x01020304}));
  EXPECT_EQ(content("a.bin"), three_items);
  write_array(path("a.txt"), array_of<int>({1, -2, 0x01020304}));
  EXPECT_EQ(content("a.txt"), "1\n-2\n16909060\n");
  write_array(path("f.out"), array_of<float>({0.5f, -1e30f}), Format::text);
  EXPECT_THAT(values<float>(read_array(path("f.out"), of_type(Type::f32))), ElementsAre(0.5f, -1e30f));
}

TEST_F(ArrayFile, WhatIsWrittenIsReadBack) {
  for (const Type type : all_types()) {
    Array array{type, 70000, std::vector<std::byte>(70000 * size_of(type))};
    for (std::size_t i = 0; i < array.items; ++i) array.bytes[i * size_of(type)] = static_cast<std::byte>(i % 251);
    for (const char* file : {"a.npy", "a.raw", "a.txt"}) {
      if (type == Type::bf16 && std::string(file) == "a.npy") continue;
      write_array(path(file), array);
      EXPECT_TRUE(read_array(path(file), of_type(type)) == array) << file << " " << name(type);
    }
  }
}

TEST_F(ArrayFile, WritesNoItems) {
  for (const char* file : {"e.npy", "e.bin", "e.txt"}) {
    write_array(path(file), array_of<int>({}));
    EXPECT_EQ(read_array(path(file), of_type(Type::i32)).items, 0u) << file;
  }
}

TEST_F(ArrayFile, NpyHasNoBf16) {
  const Array array{Type::bf16, 1, std::vector<std::byte>(2)};
  EXPECT_THAT(refusal<UsageError>([&] { write_array(path("a.npy"), array); }),
              AllOf(HasSubstr("no bf16"), HasSubstr("raw (.bin) or text (.txt)")));
  EXPECT_EQ(files().size(), 0u);
}

TEST_F(ArrayFile, OutputNeedsAFormat) {
  EXPECT_THAT(refusal<UsageError>([&] { write_array(path("a.xyz"), array_of<int>({1})); }),
              HasSubstr("use one of the extensions .npy"));
}

TEST_F(ArrayFile, UnwritableOutputIsRefusedAndNothingLeft) {
  const Array array = array_of<int>({1, 2});
  const auto refused = [&](const std::string& to) {
    return refusal<InputError>([&] { write_array(to, array, Format::raw); });
  };
  EXPECT_THAT(refused(path("none/a.bin")), AllOf(HasSubstr("No such file"), HasSubstr("name another output")));
  fs::create_directory(path("folder"));
  EXPECT_THAT(refused(path("folder")), HasSubstr("Is a directory"));
  EXPECT_THAT(refused("/dev/full"), HasSubstr("No space left"));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(ArrayFile, ReplacesAFileKeepingItsModeAndLink) {
  make("real.bin", "old");
  fs::permissions(path("real.bin"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real.bin", path("link.bin"));
  write_array(path("link.bin"), array_of<int>({1, -2, 0x01020304}));
  EXPECT_TRUE(fs::is_symlink(path("link.bin")));
  EXPECT_EQ(content("real.bin"), three_items);
  EXPECT_EQ(fs::status(path("real.bin")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files().size(), 2u);
}

}  // namespace
}  // namespace upsweep::cli
