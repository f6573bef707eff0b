// The checksum of a trial, by which a row that was damaged on the disk is found.
#pragma once

#include <cstdint>

#include "tuning-db/trial.hpp"

namespace upsweep::tuning_db {

// A hash (XXH3, 64 bits) of all that a trial says, but for its id. It is kept in the trial's row and covers what the
// row refers to, so that a changed byte of a config or a device's name is found as well. It guards against accidents,
// not against people.
[[nodiscard]] std::int64_t checksum_of(const Trial& trial);

}  // namespace upsweep::tuning_db
