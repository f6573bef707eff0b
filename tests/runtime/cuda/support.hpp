// Environment variables and messages for the tests of the CUDA runtime.
#pragma once

#include <upsweep/error.hpp>

#include "tests/support/message_of.hpp"
#include "tests/support/variable.hpp"

namespace upsweep::runtime::test {

using upsweep::test::error_of;
using upsweep::test::message_of;
using upsweep::test::Variable;

}  // namespace upsweep::runtime::test
