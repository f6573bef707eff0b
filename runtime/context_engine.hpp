// The engine behind a context, for upsweep's own tools: the public interface does not show it.
#pragma once

#include <upsweep/context.hpp>

#include "runtime/engine.hpp"

namespace upsweep::runtime {

class ContextEngine {
 public:
  [[nodiscard]] static Engine& of(const Context& context) noexcept { return *context.engine_; }
};

// The context keeps the engine alive.
[[nodiscard]] inline Engine& engine_of(const Context& context) noexcept {
  return ContextEngine::of(context);
}

}  // namespace upsweep::runtime
