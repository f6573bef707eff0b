// tune() without a context around the engine.
#pragma once

#include <upsweep/tune.hpp>

#include "runtime/engine.hpp"

namespace upsweep::tuner {

// As upsweep::tune; the engine is refreshed however it ends.
TuneReport tune(runtime::Engine& engine, const Problem& problem, const TuneOptions& options);

}  // namespace upsweep::tuner
