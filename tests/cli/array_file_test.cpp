#include "cli/array_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "tests/cli/array_files.hpp"

namespace upsweep::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A file of another's making: prefix, version, length of the header and its text, byte by byte.
std::string npy(int version, const std::string& header, const std::string& data) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const std::size_t width = version == 1 ? 2 : 4;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + data;
}

std::string header(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}

template <typename E = InputError>
std::string read_refusal(const std::string& path, const ReadOptions& options = {}) {
  return refusal<E>([&] { (void)read_array(path, options); });
}

TEST_F(ArrayFile, ReadsNpyOfEachVersion) {
  for (const int version : {1, 2, 3}) {
    const std::string file = make("a.npy", npy(version, header("<i4", "(3,)"), three_items));
    EXPECT_THAT(values<int>(read_array(file, {})), ElementsAre(1, -2, 0x01020304)) << version;
  }
}

TEST_F(ArrayFile, ReadsNpyOfEachType) {
  const std::vector<std::pair<std::string, Type>> types = {
      {"|i1", Type::i8},  {"|u1", Type::u8},  {"<i2", Type::i16},   {"<u2", Type::u16}, {"<i4", Type::i32},
      {"<u4", Type::u32}, {"<i8", Type::i64}, {"<u8", Type::u64},   {"<f2", Type::f16}, {"<f4", Type::f32},
      {"<f8", Type::f64}, {"<c8", Type::c64}, {"<c16", Type::c128}, {"=i4", Type::i32}};
  for (const auto& [text, type] : types) {
    const std::string data(2 * size_of(type), '\x11');
    const Array array = read_array(make("a.npy", npy(1, header(text, "(2,)"), data)), {});
    EXPECT_EQ(array.type, type) << text;
    EXPECT_EQ(array.items, 2u) << text;
    EXPECT_EQ(array.bytes, std::vector<std::byte>(data.size(), std::byte{0x11})) << text;
  }
}

TEST_F(ArrayFile, NpyOfBoolIsReadWhereItIsAskedFor) {
  const std::string file = make("mask.npy", npy(1, header("|b1", "(3,)"), std::string("\1\0\1", 3)));
  EXPECT_THAT(read_refusal(file), HasSubstr("items of NumPy type '|b1', which upsweep does not compute with"));
  ReadOptions options;
  options.booleans = Booleans::as_u8;
  const Array array = read_array(file, options);
  EXPECT_EQ(array.type, Type::u8);
  EXPECT_EQ(array.bytes, (std::vector{std::byte{1}, std::byte{0}, std::byte{1}}));
}

TEST_F(ArrayFile, TakesNpyShapesOfOneDimension) {
  const std::vector<std::pair<std::string, std::size_t>> shapes = {
      {"(12,)", 12},  {"()", 1},          {"(0,)", 0},  {"(5, 0, 18446744073709551615)", 0},
      {"(12L,)", 12}, {"(1, 12, 1)", 12}, {"(1, 1)", 1}};
  for (const auto& [shape, items] : shapes) {
    const std::string file = make("a.npy", npy(1, header("|u1", shape), std::string(items, 'x')));
    EXPECT_EQ(read_array(file, {}).items, items) << shape;
  }
  const std::string column = make("f.npy", npy(1, header("<i4", "(3, 1)", "True"), three_items));
  EXPECT_THAT(values<int>(read_array(column, {})), ElementsAre(1, -2, 0x01020304));
}

TEST_F(ArrayFile, RefusesNpyOfSeveralDimensions) {
  for (const char* order : {"False", "True"}) {
    const std::string file = make("a.npy", npy(1, header("|u1", "(3,2, 2)", order), std::string(12, 'x')));
    EXPECT_THAT(read_refusal(file), AllOf(HasSubstr("a.npy' holds an array of shape (3, 2, 2), and upsweep computes on "
                                                    "one dimension"),
                                          HasSubstr("save array.ravel() to treat it as one array")));
  }
}

TEST_F(ArrayFile, ReadsNpyHeaderInAnyKeyOrderAndSpacing) {
  const std::string text = "{\"shape\":(3,),'fortran_order':False , 'descr' : '<i4'}      \n";
  EXPECT_EQ(read_array(make("a.npy", npy(1, text, three_items)), {}).items, 3u);
}

TEST_F(ArrayFile, RefusesNpyItCannotCompute) {
  const auto refused = [&](const std::string& head) { return read_refusal(make("a.npy", npy(1, head, three_items))); };
  EXPECT_THAT(refused(header(">i4", "(3,)")), AllOf(HasSubstr("big-endian"), HasSubstr("astype('<i4')")));
  EXPECT_THAT(refused("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (3,), }"),
              HasSubstr("several fields"));
  EXPECT_THAT(refused(header(">c16", "(3,)")), AllOf(HasSubstr("big-endian"), HasSubstr("astype('<c16')")));
  for (const char* type : {"<c32", "|b1", "<V2", "<U4", "|O", "<M8[ns]", "<f16", "", "<", "i4", "?i4"}) {
    EXPECT_THAT(refused(header(type, "(3,)")), HasSubstr("does not compute with")) << type;
  }
}

TEST_F(ArrayFile, MessagesOfStrangeNamesAreOneLine) {
  EXPECT_THAT(read_refusal(make("a.npy", npy(1, header("<i\n4", "(3,)"), three_items))),
              HasSubstr(R"(of NumPy type '<i\x0a4')"));
  EXPECT_THAT(read_refusal(path("no\nsuch.npy")), HasSubstr(R"(no\x0asuch.npy')"));
  const ReadOptions options = of_type(Type::i32, Format::automatic, "c\nd");
  EXPECT_THAT(read_refusal<UsageError>(make("a.csv", "\"a\nb\",b\n1,2\n"), options),
              AllOf(HasSubstr(R"(has no column 'c\x0ad')"), HasSubstr(R"(one of: a\x0ab, b)")));
  EXPECT_THAT(read_refusal<UsageError>(make("b.csv", "\"c\nd\",\"c\nd\"\n1,2\n"), options),
              HasSubstr(R"(several columns named 'c\x0ad')"));
}

TEST_F(ArrayFile, RefusesDamagedNpy) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "does not start with"},
      {"NUMPY", "does not start with"},
      {"\x93NUMP", "does not start with"},
      {"\x93NUMPY", "ends within its header"},
      {std::string("\x93NUMPY\x01\x00\x50", 9), "ends within its header"},
      {std::string("\x93NUMPY\x02\x00\x50\x00", 10), "ends within its header"},
      {npy(1, header("<i4", "(3,)"), "").substr(0, 40), "ends within its header"},
      {npy(4, header("<i4", "(3,)"), three_items), "version is 4"},
      {npy(0, header("<i4", "(3,)"), three_items), "version is 0"},
      {npy(1, "", three_items), "'{' is missing"},
      {npy(1, "{'descr': '<i4'", three_items), "'}' is missing"},
      {npy(1, "{'descr': '<i4', }", three_items), "lacks descr, fortran_order or shape"},
      {npy(1, "{'descr' '<i4'}", three_items), "':' is missing"},
      {npy(1, "{'descr': <i4}", three_items), "quoted name"},
      {npy(1, "{'descr': '<i4}", three_items), "quoted name"},
      {npy(1, "{'color': 'red'}", three_items), "unknown key 'color'"},
      {npy(1, "{'col\nor\x1b': 'red'}", three_items), R"(unknown key 'col\x0aor\x1b')"},
      {npy(1, header("<i4", "(3,)", "Maybe"), three_items), "neither True nor False"},
      {npy(1, header("<i4", "(3,)") + "{'descr'", three_items), "its header goes on after the dictionary"},
      {npy(1, header("<i4", "(three,)"), three_items), "something other than numbers"},
      {npy(1, header("<i4", "(-3,)"), three_items), "something other than numbers"},
      {npy(1, header("<i4", "(3 4)"), three_items), "')' is missing"},
      {npy(1, header("<i4", "3"), three_items), "'(' is missing"},
      {npy(1, header("<i4", "(4611686018427387904,)"), three_items), "too large for any file"},
      {npy(1, header("|u1", "(4294967296, 4294967296)"), three_items), "too large for any file"},
      {npy(1, header("<i4", "(99999999999999999999,)"), three_items), "something other than numbers"}};
  for (const auto& [bytes, why] : cases) {
    EXPECT_THAT(read_refusal(make("bad.npy", bytes)),
                AllOf(HasSubstr("bad.npy' is not a valid .npy file"), HasSubstr(why), HasSubstr("save it again")));
  }
}

TEST_F(ArrayFile, RefusesShortAndLongNpy) {
  const std::string file = npy(1, header("<i4", "(3,)"), three_items);
  EXPECT_THAT(read_refusal(make("a.npy", file.substr(0, file.size() - 1))),
              AllOf(HasSubstr("cut short"), HasSubstr("11 of the 12 bytes")));
  EXPECT_THAT(read_refusal(make("a.npy", file + "xy")), HasSubstr("2 more bytes after its array"));
}

TEST_F(ArrayFile, NpyTypeMustBeTheOneGiven) {
  const std::string file = make("a.npy", npy(1, header("<i4", "(3,)"), three_items));
  EXPECT_EQ(read_array(file, of_type(Type::i32)).items, 3u);
  EXPECT_THAT(read_refusal(file, of_type(Type::f32)),
              AllOf(HasSubstr("holds items of type i32, but --type is f32"), HasSubstr("--type i32")));
}

TEST_F(ArrayFile, KnowsFormatsByContent) {
  EXPECT_EQ(read_array(make("array", npy(1, header("<i4", "(3,)"), three_items)), {}).type, Type::i32);
  EXPECT_THAT(values<int>(read_array(make("numbers", "4\n5\n"), of_type(Type::i32))), ElementsAre(4, 5));
  EXPECT_THAT(values<int>(read_array(make("bytes", three_items), of_type(Type::i32))), ElementsAre(1, -2, 0x01020304));
  EXPECT_THAT(read_refusal(make("a.npz", std::string("PK\x03\x04\x00\x00", 6)), of_type(Type::u8)),
              HasSubstr("unpack it"));
  EXPECT_THAT(read_refusal(make("a.gz", "\x1f\x8b\x08"), of_type(Type::u8)), HasSubstr("unpack it"));
}

TEST_F(ArrayFile, FormatGivenGoesBeforeExtension) {
  EXPECT_THAT(values<unsigned char>(read_array(make("a.txt", "12"), of_type(Type::u8, Format::raw))),
              ElementsAre('1', '2'));
  EXPECT_THAT(values<unsigned char>(read_array(make("a.NPY", "12"), of_type(Type::u8, Format::text))), ElementsAre(12));
  EXPECT_THAT(read_refusal(make("a.txt", three_items), of_type(Type::i32)), HasSubstr("is not text"));
}

TEST_F(ArrayFile, ReadsRaw) {
  EXPECT_THAT(values<int>(read_array(make("a.bin", three_items), of_type(Type::i32))), ElementsAre(1, -2, 0x01020304));
  EXPECT_EQ(read_array(make("a.RAW", three_items), of_type(Type::bf16)).items, 6u);
  EXPECT_EQ(read_array(make("empty.bin", ""), of_type(Type::f64)).items, 0u);
  EXPECT_THAT(read_refusal(make("a.bin", three_items), of_type(Type::i64)),
              AllOf(HasSubstr("has 12 bytes"), HasSubstr("i64 item (8 bytes)")));
  EXPECT_THAT(read_refusal<UsageError>(make("a.bin", three_items)), HasSubstr("add --type"));
  EXPECT_THAT(read_refusal<UsageError>(make("a.bin", three_items), of_type(Type::i32, Format::automatic, "2")),
              HasSubstr("--column is only for text"));
}

TEST_F(ArrayFile, ReadsMoreThanOneChunk) {
  std::string text;
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 400000; ++i) {
    expected.push_back(i * 2654435761u);
    text.append(reinterpret_cast<const char*>(&expected.back()), sizeof(unsigned));
  }
  EXPECT_EQ(values<unsigned>(read_array(make("a.bin", text), of_type(Type::u32))), expected);
}

TEST_F(ArrayFile, ExpectedItemsMustMatch) {
  ReadOptions options = of_type(Type::i32);
  options.expected_items = 3;
  EXPECT_EQ(read_array(make("a.bin", three_items), options).items, 3u);
  options.expected_items = 4;
  EXPECT_THAT(read_refusal(path("a.bin"), options), AllOf(HasSubstr("3 items"), HasSubstr("--n is 4")));
}

TEST_F(ArrayFile, RefusesWhatIsNoFile) {
  EXPECT_THAT(read_refusal(path("none.npy")),
              AllOf(HasSubstr("none.npy'"), HasSubstr("No such file"), HasSubstr("check the path")));
  EXPECT_THAT(read_refusal(path(".")), HasSubstr("is a folder"));
}

TEST_F(ArrayFile, ReadsStandardInput) {
  const std::string file = make("in", "7\n8\n");
  const int saved = ::dup(STDIN_FILENO);
  const int opened = ::open(file.c_str(), O_RDONLY);
  ASSERT_GE(opened, 0);
  ::dup2(opened, STDIN_FILENO);
  const Array array = read_array("-", of_type(Type::i64));
  const std::string message = read_refusal<UsageError>("-");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(opened);
  EXPECT_THAT(values<long>(array), ElementsAre(7, 8));
  EXPECT_THAT(message, HasSubstr("standard input is text"));
}

TEST_F(ArrayFile, UnknownFormatIsRefused) {
  EXPECT_EQ(parse_format("npy"), Format::npy);
  EXPECT_EQ(parse_format("auto"), Format::automatic);
  EXPECT_THAT(refusal<UsageError>([] { (void)parse_format("hdf5"); }),
              HasSubstr("'hdf5': use one of auto, npy, raw, text"));
}

}  // namespace
}  // namespace upsweep::cli
