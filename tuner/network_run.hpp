// A scan network as it ran: which operator calls its template makes, counted on the host device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::tuner {

// A call of the operator: places of its operands, in their order, and of its result.
struct NetworkCall {
  int left = 0;
  int right = 0;
  int to = 0;
  int row = 0;  // calls that can run at the same time have the same: 0 and up, and never two calls of a thread
  bool operator==(const NetworkCall&) const = default;
};

struct NetworkRun {
  std::string name;
  int places = 0;
  // What the threads call between two exchanges (shuffles, or barriers of the block). Where one calls the operator
  // several times in a step, these calls follow each other.
  std::vector<std::vector<NetworkCall>> steps;
  int rows = 0;
  std::uint64_t depth = 0;  // operator calls on the longest path from an input to an output
  std::uint64_t size = 0;   // operator calls
};

// Compiles the network's template with the system's compiler and runs it on the host device, on n places. Throws
// UsageError, listing the names, if there is no such network, and if the network does not take n places;
// CompilerError without a compiler.
[[nodiscard]] NetworkRun record_network(std::string_view name, int n);

}  // namespace upsweep::tuner
