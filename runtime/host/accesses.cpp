#include "runtime/host/accesses.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace upsweep::runtime {

std::string HostAgents::name(std::uint32_t agent) const {
  const std::uint32_t rank = agent / per_block(), within = agent % per_block(), kind = within / threads_;
  const std::string block = rank == 0 ? "" : fmt::format(" of block {} of the cluster", rank);
  if (kind >= 3) return "a bulk load" + block;
  constexpr const char* whose[] = {"thread {}{}", "a bulk store of thread {}{}", "an asynchronous copy of thread {}{}"};
  return fmt::format(fmt::runtime(whose[kind]), within % threads_, block);
}

void HostAccesses::clear(std::size_t bytes) {
  bytes_.assign(bytes, {});
  more_reads_.clear();
}

HostAccesses::Order HostAccesses::order(Moment before, Moment now, const HostKnowledge& known,
                                        const HostAgents& agents) {
  if (before.time == 0) return Order::ordered;
  const bool from_bulk = agents.is_bulk(before.agent), to_bulk = agents.is_bulk(now.agent);
  const bool own = before.agent == now.agent && !to_bulk;  // copies are not ordered among themselves
  const bool seen = own || known.seen[before.agent] >= before.time;
  if (to_bulk && !from_bulk) {
    if (known.fenced[before.agent] >= before.time) return Order::ordered;
    return known.seen[before.agent] >= before.time ? Order::unfenced : Order::none;
  }
  return seen ? Order::ordered : Order::none;
}

std::optional<HostAccesses::Conflict> HostAccesses::read(std::size_t offset, std::size_t bytes, Moment now,
                                                         const HostKnowledge& known, const HostAgents& agents) {
  for (std::size_t at = offset; at < offset + bytes; ++at) {
    Byte& byte = bytes_[at];
    const Order after_write = order(byte.written, now, known, agents);
    if (after_write != Order::ordered) return Conflict{byte.written, true, after_write == Order::unfenced, at};
    // A read that this one is ordered behind need not be remembered, unless a bulk copy must know of it by a fence.
    const bool replaces =
        byte.read.time == 0 || byte.read.agent == now.agent ||
        (known.seen[byte.read.agent] >= byte.read.time && known.fenced[byte.read.agent] >= byte.read.time);
    if (!replaces) {
      std::vector<Moment>& more = more_reads_[at];
      const auto same = std::find_if(more.begin(), more.end(), [&](Moment m) { return m.agent == now.agent; });
      if (same != more.end()) {
        *same = now;
      } else {
        more.push_back(now);
      }
    } else {
      byte.read = now;
    }
  }
  return std::nullopt;
}

std::optional<HostAccesses::Conflict> HostAccesses::write(std::size_t offset, std::size_t bytes, Moment now,
                                                          const HostKnowledge& known, const HostAgents& agents) {
  for (std::size_t at = offset; at < offset + bytes; ++at) {
    Byte& byte = bytes_[at];
    const auto check = [&](Moment before, bool wrote) -> std::optional<Conflict> {
      const Order ordered = order(before, now, known, agents);
      if (ordered == Order::ordered) return std::nullopt;
      return Conflict{before, wrote, ordered == Order::unfenced, at};
    };
    if (auto conflict = check(byte.written, true)) return conflict;
    if (auto conflict = check(byte.read, false)) return conflict;
    if (const auto more = more_reads_.find(at); more != more_reads_.end()) {
      for (const Moment before : more->second) {
        if (auto conflict = check(before, false)) return conflict;
      }
      more_reads_.erase(more);
    }
    byte = {now, {}};
  }
  return std::nullopt;
}

}  // namespace upsweep::runtime
