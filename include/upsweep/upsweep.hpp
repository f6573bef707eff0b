/// @file
/// The whole public interface of the library.

/// @namespace upsweep
/// Scans, reductions, selections and reductions by key on NVIDIA GPUs, with kernels that are generated, compiled and
/// tuned at run time.
#pragma once

#include <upsweep/arguments.hpp>
#include <upsweep/axis.hpp>
#include <upsweep/config.hpp>
#include <upsweep/config_space.hpp>
#include <upsweep/context.hpp>
#include <upsweep/define.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>
#include <upsweep/plan.hpp>
#include <upsweep/port.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/restriction.hpp>
#include <upsweep/rows.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/segments.hpp>
#include <upsweep/source.hpp>
#include <upsweep/stream.hpp>
#include <upsweep/tune.hpp>
#include <upsweep/types.hpp>
#include <upsweep/version.hpp>
