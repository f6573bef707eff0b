// The environment variables that say where the cache is and how large.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "tests/runtime/cache/support.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep::runtime {
namespace {

using test::Variable;
using testing::HasSubstr;

class CacheOptions : public testing::Test {
 protected:
  Variable switch_{"UPSWEEP_CACHE", std::nullopt};
  Variable directory_{"UPSWEEP_CACHE_DIR", std::nullopt};
  Variable size_{"UPSWEEP_CACHE_SIZE", std::nullopt};
  Variable xdg_{"XDG_CACHE_HOME", std::nullopt};
  Variable home_{"HOME", "/home/someone"};
};

TEST_F(CacheOptions, Defaults) {
  const BinaryCache::Options options = BinaryCache::from_environment();
  EXPECT_EQ(options.directory, "/home/someone/.cache/upsweep");
  EXPECT_EQ(options.max_bytes, 268435456u);
  EXPECT_TRUE(options.enabled);
}

TEST_F(CacheOptions, DirectoryFromTheMostSpecificVariable) {
  const Variable xdg("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(BinaryCache::from_environment().directory, "/xdg/upsweep");
  const Variable own("UPSWEEP_CACHE_DIR", "/own/place");
  EXPECT_EQ(BinaryCache::from_environment().directory, "/own/place");
}

TEST_F(CacheOptions, EmptyVariablesCountAsUnset) {
  const Variable own("UPSWEEP_CACHE_DIR", "");
  const Variable xdg("XDG_CACHE_HOME", "");
  const Variable size("UPSWEEP_CACHE_SIZE", "");
  const Variable on("UPSWEEP_CACHE", "");
  EXPECT_EQ(BinaryCache::from_environment().directory, "/home/someone/.cache/upsweep");
  EXPECT_EQ(BinaryCache::from_environment().max_bytes, 268435456u);
  EXPECT_TRUE(BinaryCache::from_environment().enabled);
}

TEST_F(CacheOptions, RelativeXdgDirectoryIsIgnored) {
  const Variable xdg("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(BinaryCache::from_environment().directory, "/home/someone/.cache/upsweep");
}

TEST_F(CacheOptions, RelativeDirectoryIsFixedToTheWorkingDirectory) {
  const Variable own("UPSWEEP_CACHE_DIR", "some/cache");
  EXPECT_EQ(BinaryCache::from_environment().directory, std::filesystem::current_path() / "some/cache");
}

TEST_F(CacheOptions, NoHomeGivesNoDirectory) {
  const Variable home("HOME", std::nullopt);
  EXPECT_EQ(BinaryCache::from_environment().directory, "");
}

TEST_F(CacheOptions, Switch) {
  for (const char* off : {"off", "0"}) {
    const Variable variable("UPSWEEP_CACHE", off);
    EXPECT_FALSE(BinaryCache::from_environment().enabled) << off;
  }
  for (const char* on : {"on", "1"}) {
    const Variable variable("UPSWEEP_CACHE", on);
    EXPECT_TRUE(BinaryCache::from_environment().enabled) << on;
  }
}

TEST_F(CacheOptions, SwitchOfAnotherWordIsAnError) {
  const Variable variable("UPSWEEP_CACHE", "/some/where");
  EXPECT_EQ(upsweep::test::message_of<UsageError>([&] { (void)BinaryCache::from_environment(); }),
            "UPSWEEP_CACHE is '/some/where': use on or off; set the folder of the cache with UPSWEEP_CACHE_DIR");
}

TEST_F(CacheOptions, Sizes) {
  const std::pair<const char*, std::uint64_t> sizes[] = {{"0", 0},
                                                         {"1000", 1000},
                                                         {"64K", 65536},
                                                         {"256M", 268435456},
                                                         {"2G", 2147483648},
                                                         {"17179869183G", 18446744072635809792u},
                                                         {"18446744073709551615", UINT64_MAX}};
  for (const auto& [text, bytes] : sizes) {
    const Variable variable("UPSWEEP_CACHE_SIZE", text);
    EXPECT_EQ(BinaryCache::from_environment().max_bytes, bytes) << text;
  }
}

TEST_F(CacheOptions, BadSizesAreErrorsThatNameTheVariable) {
  for (const char* text :
       {"much", "-1", "12Q", "M", "256 M", "256MB", "1.5G", "+3", "18446744073709551616", "17179869184G", "0x10"}) {
    const Variable variable("UPSWEEP_CACHE_SIZE", text);
    EXPECT_THAT(upsweep::test::message_of<UsageError>([&] { (void)BinaryCache::from_environment(); }),
                HasSubstr(std::string("UPSWEEP_CACHE_SIZE is '") + text + "'"));
  }
}

}  // namespace
}  // namespace upsweep::runtime
