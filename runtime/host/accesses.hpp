// Finds races in shared memory: accesses that nothing orders, even if they happened to come in the right order.
//
// Every thread has a clock and knows a moment of every other thread's: all that one did up to there happened before. A
// barrier, or a phase that ends, hands knowledge on. Two accesses to a byte by different threads, one of which writes,
// must be ordered so (Flanagan and Freund, "FastTrack", 2009). Copies are agents with clocks of their own. Between an
// ordinary access and a bulk copy of the same byte a fence must come, too: it hands on what was fenced. A fence counts
// wherever it stands between the two, as PTX has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/host/weak_memory.hpp"

namespace upsweep::runtime {

// What has happened before, of each agent of a cluster: all, and what bulk copies know of it.
struct HostKnowledge {
  HostView seen;
  HostView fenced;

  void join(const HostKnowledge& other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
  [[nodiscard]] bool same_as(const HostKnowledge& other) const noexcept {
    return seen.same_as(other.seen) && fenced.same_as(other.fenced);
  }
};

// The agents of a cluster: of each block its threads, their bulk stores, their asynchronous copies, and the bulk loads
// of each phase barrier.
class HostAgents {
 public:
  explicit HostAgents(std::uint32_t threads) : threads_(threads) {}
  [[nodiscard]] std::uint32_t thread(std::uint32_t rank, std::uint32_t thread) const noexcept {
    return rank * per_block() + thread;
  }
  [[nodiscard]] std::uint32_t stores_of(std::uint32_t agent) const noexcept { return agent + threads_; }
  [[nodiscard]] std::uint32_t copies_of(std::uint32_t agent) const noexcept { return agent + 2 * threads_; }
  [[nodiscard]] std::uint32_t loads(std::uint32_t rank, std::size_t barrier) const noexcept {
    return rank * per_block() + 3 * threads_ + static_cast<std::uint32_t>(barrier) % barriers;
  }
  [[nodiscard]] bool is_bulk(std::uint32_t agent) const noexcept {
    const std::uint32_t kind = agent % per_block() / threads_;
    return kind == 1 || kind >= 3;
  }
  // "thread 17 of block 2 of the cluster", or that thread's copies.
  [[nodiscard]] std::string name(std::uint32_t agent) const;

 private:
  static constexpr std::uint32_t barriers = 128;  // whose loads are told apart
  [[nodiscard]] std::uint32_t per_block() const noexcept { return 3 * threads_ + barriers; }
  std::uint32_t threads_;
};

// A thread's side.
struct HostClock {
  std::uint32_t time = 1;
  HostKnowledge known;

  // Before it hands on what it knows: what it does later is not part of that.
  void release(std::uint32_t agent) { known.seen.raise(agent, time++); }
  void fence(std::uint32_t agent) {
    release(agent);
    known.fenced.join(known.seen);
  }
};

// Who accessed each byte of a block's shared memory last, and when.
class HostAccesses {
 public:
  struct Moment {
    std::uint32_t agent = 0;
    std::uint32_t time = 0;  // 0: never
  };
  // An access that nothing orders with this one.
  struct Conflict {
    Moment with;
    bool wrote = false;        // the other one
    bool lacks_fence = false;  // it is ordered, but of another kind
    std::size_t offset = 0;
  };

  void clear(std::size_t bytes);
  [[nodiscard]] std::optional<Conflict> read(std::size_t offset, std::size_t bytes, Moment now,
                                             const HostKnowledge& known, const HostAgents& agents);
  [[nodiscard]] std::optional<Conflict> write(std::size_t offset, std::size_t bytes, Moment now,
                                              const HostKnowledge& known, const HostAgents& agents);

 private:
  struct Byte {
    Moment written;
    Moment read;  // by one; by how many more stands in more_reads_
  };
  enum class Order { ordered, unfenced, none };
  [[nodiscard]] static Order order(Moment before, Moment now, const HostKnowledge& known, const HostAgents& agents);

  std::vector<Byte> bytes_;
  std::unordered_map<std::size_t, std::vector<Moment>> more_reads_;
};

}  // namespace upsweep::runtime
