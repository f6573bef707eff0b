# Third-party libraries. All that can be is linked statically, so that the command runs where they are not installed.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
get_target_property(UPSWEEP_FMT_INCLUDE fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)
find_path(UPSWEEP_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(UPSWEEP_SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
find_library(UPSWEEP_BOOST_CONTEXT_LIBRARY NAMES libboost_context.a boost_context REQUIRED)
find_path(UPSWEEP_XXHASH_INCLUDE xxhash.h REQUIRED)

# cuda.h and nvrtc.h: types and constants only; both libraries are loaded at run time. From the toolkit, or from the
# PyPI wheels that scripts/setup fetches where there is no toolkit.
find_path(UPSWEEP_CUDA_INCLUDE cuda.h
          HINTS ${UPSWEEP_CUDA_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH} ${CMAKE_CURRENT_SOURCE_DIR}/.deps/nvidia/cu13
                /usr/local/cuda
          PATH_SUFFIXES include REQUIRED)
find_path(UPSWEEP_NVRTC_INCLUDE nvrtc.h HINTS ${UPSWEEP_CUDA_INCLUDE} REQUIRED)
get_filename_component(UPSWEEP_CUDA_HOME ${UPSWEEP_NVRTC_INCLUDE} DIRECTORY)

set(UPSWEEP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                     -Wno-missing-field-initializers)
# GCC 13 (Ubuntu 24.04) takes the growth of fmt 9's big integers, which it inlines, for writes out of bounds.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  list(APPEND UPSWEEP_WARNINGS -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(UPSWEEP_WERROR)
  list(APPEND UPSWEEP_WARNINGS -Werror)
endif()

set(UPSWEEP_PRIVATE_LIBRARIES
    $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
    ${UPSWEEP_SQLITE_LIBRARY} ${UPSWEEP_BOOST_CONTEXT_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS})
set(UPSWEEP_PRIVATE_INCLUDES ${UPSWEEP_SQLITE_INCLUDE} ${UPSWEEP_CUDA_INCLUDE} ${UPSWEEP_NVRTC_INCLUDE}
                             ${UPSWEEP_XXHASH_INCLUDE} ${Boost_INCLUDE_DIRS}
                             ${UPSWEEP_FMT_INCLUDE})
