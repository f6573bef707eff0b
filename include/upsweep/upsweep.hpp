// The whole library: kernels for scan and reduce, generated, compiled and tuned at run time.
#pragma once

#include <upsweep/config.hpp>
#include <upsweep/context.hpp>
#include <upsweep/device_info.hpp>
#include <upsweep/error.hpp>
#include <upsweep/log.hpp>
#include <upsweep/plan.hpp>
#include <upsweep/problem.hpp>
#include <upsweep/scalar.hpp>
#include <upsweep/source.hpp>
#include <upsweep/tune.hpp>
#include <upsweep/types.hpp>
