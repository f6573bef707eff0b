// What a session measures next: configs that the search proposes, that are being compiled, and that are compiled.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "tuner/compile/compilations.hpp"
#include "tuner/search/search.hpp"
#include "tuner/session/prune.hpp"

namespace upsweep::tuner {

class Proposals {
 public:
  // Both must outlive it. The default config is given first, however soon others are compiled.
  Proposals(Search& search, CompiledOnce& compilations, Config default_config)
      : search_(search), compilations_(compilations), default_(std::move(default_config)) {}

  // Has as many compiled ahead as the compilers need, but not more than `most`.
  void submit(std::size_t most);
  [[nodiscard]] bool empty() const { return compilations_.pending() == 0 && compiled_.empty(); }
  // Whether `next` need not wait.
  [[nodiscard]] bool ready() const { return !compiled_.empty() || compilations_.ready(); }
  [[nodiscard]] bool awaits_default() const noexcept { return awaits_default_; }
  [[nodiscard]] CompileResult next();
  // What will be measured next, as far as it is compiled by now, up to so many.
  [[nodiscard]] std::vector<Config> upcoming(const Pruner& pruner, std::size_t most);
  [[nodiscard]] const std::deque<CompileResult>& compiled() const noexcept { return compiled_; }

 private:
  Search& search_;
  CompiledOnce& compilations_;
  Config default_;
  std::deque<CompileResult> compiled_;  // that `next` has not given yet
  bool awaits_default_ = false;         // it is being compiled
};

}  // namespace upsweep::tuner
