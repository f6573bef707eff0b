/// @file
/// Version of these headers, for the preprocessor and for messages. CMake, pkg-config and the library take it from
/// here.
#pragma once

#define UPSWEEP_VERSION_MAJOR 0  ///< Major version.
#define UPSWEEP_VERSION_MINOR 1  ///< Minor version.
#define UPSWEEP_VERSION_PATCH 0  ///< Patch version.

/// @cond helpers
#define UPSWEEP_VERSION_TEXT_OF(number) #number
#define UPSWEEP_VERSION_TEXT(major, minor, patch) \
  UPSWEEP_VERSION_TEXT_OF(major) "." UPSWEEP_VERSION_TEXT_OF(minor) "." UPSWEEP_VERSION_TEXT_OF(patch)
/// @endcond

/// The version as text: "0.1.0".
#define UPSWEEP_VERSION UPSWEEP_VERSION_TEXT(UPSWEEP_VERSION_MAJOR, UPSWEEP_VERSION_MINOR, UPSWEEP_VERSION_PATCH)
