#include "base/size.hpp"
#include "tests/support/message_of.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

namespace upsweep::base {
namespace {

using ::testing::HasSubstr;

TEST(ParseSize, ReadsEachForm) {
  const std::vector<std::pair<std::string, std::uint64_t>> cases = {
      {"0", 0},
      {"1", 1},
      {"1048576", 1048576},
      {"007", 7},
      {"1K", 1024},
      {"1k", 1024},
      {"1M", 1048576},
      {"3m", 3145728},
      {"2G", 2147483648},
      {"1T", 1099511627776},
      {"0M", 0},
      {"2^0", 1},
      {"2^20", 1048576},
      {"2^63", 9223372036854775808u},
      {"18446744073709551615", 18446744073709551615u},
      {"16777215T", 16777215u * 1099511627776u},
      {"1e6", 1000000},
      {"1E0", 1},
      {"1.5e6", 1500000},
      {"1.25e2", 125},
      {"0e99", 0},
      {"12e18", 12000000000000000000u},
  };
  for (const auto& [text, size] : cases) EXPECT_EQ(parse_size(text), size) << text;
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  for (const char* text : {"",     " ",    "-1",    "+1",     "1.5M", "M",    "K",    "1MB",     "1KiB", "2^",
                           "2^-1", "2^x",  "3^2",   "2^20K",  "1 M",  "0x10", "ten",  "1,000",   "1e",   "e6",
                           "1e-6", "1e+6", "1.5e0", "1.25e1", ".e6",  "1.e6", ".5e6", "1.2.3e6", "1e6K"}) {
    EXPECT_THROW((void)parse_size(text), UsageError) << "'" << text << "'";
  }
}

TEST(ParseSize, RefusesWhatDoesNotFit) {
  for (const char* text : {"18446744073709551616", "2^64", "2^18446744073709551616", "16777216T", "18014398509481984K",
                           "99999999999999999999G", "1e20", "19e18", "1e99999999999999999999"}) {
    EXPECT_THAT(test::message_of<UsageError>([&] { (void)parse_size(text); }),
                ::testing::AllOf(HasSubstr("does not fit in 64 bits"), HasSubstr(text)));
  }
}

TEST(ParseSize, SaysHowToWriteOne) {
  EXPECT_EQ(test::message_of<UsageError>([&] { (void)parse_size("lots"); }),
            "size 'lots' is not a number of items; write it as 1048576, 1M (K, M, G, T: powers of 1024), 2^20 "
            "or 1e6");
}

TEST(ParseSize, SaysItInOneLine) {
  const auto message = [](const std::vector<std::string>& texts) {
    return test::message_of<UsageError>([&] { (void)parse_sizes(texts); });
  };
  EXPECT_THAT(message({"1\n2"}), HasSubstr(R"(size '1\x0a2' is not a number of items)"));
  EXPECT_THAT(message({"1\x1b[2JM"}), HasSubstr(R"(size '1\x1b[2JM' is not)"));
  EXPECT_THAT(message({"4..3"}), HasSubstr("'4..3' is not a range of sizes"));
  EXPECT_THAT(message({"4..\n2"}), HasSubstr(R"(size '\x0a2' is not)"));
  EXPECT_THAT(message({std::string(100'000, '1')}), ::testing::SizeIs(::testing::Lt(400u)));
}

TEST(FormatSize, ChoosesTheShortestForm) {
  EXPECT_EQ(format_size(0), "0");
  EXPECT_EQ(format_size(512), "512");
  EXPECT_EQ(format_size(1024), "2^10");
  EXPECT_EQ(format_size(3u << 20), "3M");
  EXPECT_EQ(format_size(1000000), "1000000");
  EXPECT_EQ(format_size(1536), "1536");
}

TEST(FormatSize, IsReadBack) {
  std::vector<std::uint64_t> sizes = {0,    1,    1000,     1023,
                                      1025, 3072, 5u << 20, std::numeric_limits<std::uint64_t>::max()};
  for (int exponent = 0; exponent < 64; ++exponent) {
    sizes.push_back(std::uint64_t{1} << exponent);
    sizes.push_back((std::uint64_t{1} << exponent) - 1);
    sizes.push_back(std::uint64_t{3} << (exponent < 62 ? exponent : 0));
  }
  for (const std::uint64_t size : sizes) EXPECT_EQ(parse_size(format_size(size)), size) << format_size(size);
}

}  // namespace
}  // namespace upsweep::base
