// Depth and size of the scan networks, counted in runs of their templates on the host device.
#include "tuner/network_run.hpp"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <upsweep/error.hpp>

#include "generator/networks.hpp"
#include "tests/support/message_of.hpp"

namespace upsweep::tuner {
namespace {

using testing::AllOf;
using testing::HasSubstr;

NetworkRun expect_counts(const ScanNetwork& network, int n) {
  const NetworkRun run = record_network(network.name, n);
  const auto places = static_cast<std::uint64_t>(n);
  EXPECT_EQ(run.depth, network.depth(places)) << network.name << " of " << n;
  EXPECT_EQ(run.size, network.size(places)) << network.name << " of " << n;
  std::uint64_t calls = 0;
  int most_row = -1;
  for (const auto& step : run.steps) {
    EXPECT_FALSE(step.empty()) << network.name;
    calls += step.size();
    for (const NetworkCall& call : step) {
      for (const int place : {call.left, call.right, call.to}) EXPECT_TRUE(place >= 0 && place < n) << network.name;
      most_row = std::max(most_row, call.row);
    }
  }
  EXPECT_EQ(calls, run.size) << network.name;
  EXPECT_EQ(most_row + 1, run.rows) << network.name;
  EXPECT_LE(run.depth, static_cast<std::uint64_t>(run.rows)) << network.name;
  return run;
}

// By a warp where the network is one of a warp, and by a block where there are more places.
TEST(NetworkRun, CountsAsTheClosedFormsSay) {
  for (const ScanNetwork& network : scan_networks()) {
    for (const int n : {32, 256}) {
      if (n <= network.most() && (n > 32 || network.is_warp_scan || network.least == 32))
        (void)expect_counts(network, n);
    }
  }
}

TEST(NetworkRun, CountsSmallAndLargeNetworks) {
  for (const int n : {2, 4, 8}) (void)expect_counts(find_network(n == 4 ? "han_carlson" : "kogge_stone_radix_4"), n);
  (void)expect_counts(find_network("brent_kung"), 1024);
}

// What papers say, for 16 places. A block of 16 threads that is not full combines its total besides (blelloch).
TEST(NetworkRun, HasTheDepthAndSizeOfTheLiterature) {
  struct Known {
    const char* name;
    std::uint64_t depth, size, steps;
  };
  for (const Known& known : {Known{"serial", 15, 15, 15},
                             {"kogge_stone", 4, 49, 4},
                             {"sklansky", 4, 32, 4},
                             {"brent_kung", 6, 26, 7},
                             {"han_carlson", 5, 32, 5},
                             {"ladner_fischer", 5, 27, 5},
                             {"kogge_stone_radix_4", 4, 66, 2},
                             {"hillis_steele", 4, 49, 4},
                             {"blelloch", 7, 27, 8}}) {
    const NetworkRun run = expect_counts(find_network(known.name), 16);
    EXPECT_EQ(run.depth, known.depth) << known.name;
    EXPECT_EQ(run.size, known.size) << known.name;
    EXPECT_EQ(run.steps.size(), known.steps) << known.name;
  }
}

TEST(NetworkRun, SaysWhichValuesComeTogether) {
  const NetworkRun run = record_network("sklansky", 4);
  const std::vector<std::vector<NetworkCall>> expected{{{0, 1, 1, 0}, {2, 3, 3, 0}}, {{1, 2, 2, 1}, {1, 3, 3, 1}}};
  EXPECT_EQ(run.steps, expected);
  EXPECT_EQ(run.rows, 2);
}

// Any number of places, in a warp and in a block, with threads that have none.
TEST(NetworkRun, TakesPlacesThatAreNoPowerOfTwo) {
  EXPECT_EQ(record_network("serial", 23).size, 22u);
  EXPECT_EQ(record_network("kogge_stone", 96).size, 7u * 96 - 127);
  for (const char* name : {"blelloch_padded", "raking_16"}) {
    const NetworkRun run = record_network(name, 45);
    for (const auto& step : run.steps) {
      for (const NetworkCall& call : step) EXPECT_LT(call.to, 45) << name;
    }
  }
}

TEST(NetworkRun, RefusesUnknownNetworksAndPlacesThatTheyDoNotTake) {
  const auto message = [](const char* name, int n) {
    return test::message_of<UsageError>([&] { (void)record_network(name, n); });
  };
  EXPECT_THAT(message("kogge_ston", 16),
              AllOf(HasSubstr("unknown network 'kogge_ston'"), HasSubstr("did you mean 'kogge_stone'?"),
                    HasSubstr("han_carlson"), HasSubstr("raking_16")));
  for (const int n : {-1, 0, 1, 33}) {
    EXPECT_THAT(message("serial", n),
                HasSubstr(fmt::format("the network serial cannot scan {} values: it scans 2 to 32 values, one for each "
                                      "of the lanes of a warp",
                                      n)));
  }
  EXPECT_THAT(message("raking", 31), HasSubstr("it scans 32 to 1024 values, one for each of the threads of a block"));
  EXPECT_THAT(message("brent_kung", 1025), HasSubstr("it scans 2 to 1024 values"));
}

}  // namespace
}  // namespace upsweep::tuner
