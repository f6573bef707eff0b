// A view-based model of relaxed memory: it says which values a thread may see of the words that blocks exchange.
//
// Every word keeps the history of its values, as messages. A thread has a view: for each word the oldest message that
// it may still read. A relaxed load reads any message from there on and moves the view up to it; a relaxed store adds a
// message. A release hands the storer's view on with the message, and an acquire that reads that message takes it over:
// this is how a flag makes the data before it visible, and without it the data may be seen late. The model follows
// Kang et al., "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017, without its promises: loads are never
// satisfied by stores that come later in program order.
//
// Messages also carry which late loads (late_loads.cpp) come before them: a relaxed store those that its thread knew of
// when it last fenced, a release all that it knows of. Who reads the message knows of them once it has fenced, or at
// once if it acquires.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/host/interface.hpp"
#include "runtime/host/random.hpp"

namespace upsweep::runtime {

// The oldest readable message of each word, by the word's number; what lies past the end is 0. Shared until changed.
class HostView {
 public:
  [[nodiscard]] std::uint32_t operator[](std::size_t word) const noexcept;
  void raise(std::size_t word, std::uint32_t message);
  void join(const HostView& other);
  [[nodiscard]] bool same_as(const HostView& other) const noexcept { return oldest_ == other.oldest_; }

 private:
  std::vector<std::uint32_t>& own();
  std::shared_ptr<std::vector<std::uint32_t>> oldest_;
};

// One launch's words. Memory itself always holds the newest values. Not thread-safe: a launch runs on one host thread.
class WeakMemory {
 public:
  // A thread's side.
  struct Observer {
    HostView view;
    HostView loads;         // late loads that come before what the thread does next
    HostView loads_fenced;  // likewise before its last fence
    HostView loads_read;    // of messages that were read: known after the next fence
    void fence() {
      loads.join(loads_read);
      loads_fenced = loads;
    }
    std::uint32_t stale_reads = 0;  // in a row
  };

  explicit WeakMemory(double stale_probability) : stale_probability_(stale_probability) {}

  // Throw DeviceError where a word is accessed in two sizes.
  void load(Observer& observer, HostRandom& random, void* to, const void* from, std::uint32_t bytes, bool acquire);
  void store(Observer& observer, void* to, const void* from, std::uint32_t bytes, bool release);
  template <typename Unsigned>
  Unsigned add(Observer& observer, Unsigned* to, Unsigned value, HostOrder order);

 private:
  struct Message {
    unsigned char value[16] = {};
    HostView released;  // empty for a relaxed store
    HostView loads;     // late loads that come before it
  };
  struct Word {
    std::uint32_t number = 0;
    std::uint32_t bytes = 0;
    std::vector<Message> messages;
  };

  Word& word_at(const void* address, std::uint32_t bytes);

  // Reads in a row that may miss the newest value, so that polling ends.
  static constexpr std::uint32_t most_stale_reads = 24;

  double stale_probability_;
  std::unordered_map<const void*, Word> words_;
};

}  // namespace upsweep::runtime
