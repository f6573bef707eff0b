# Third-party libraries. What there is as a static library is linked so, and the command, which runs where the library
# is not installed, and libupsweep.so need nothing but the system's own libraries.
option(UPSWEEP_STATIC_DEPENDENCIES "Link SQLite and Boost.Context statically where they are static libraries" ON)
find_package(Threads REQUIRED)
if(NOT TARGET fmt::fmt-header-only)  # the project that upsweep is part of may have it
  find_package(fmt REQUIRED)
endif()
get_target_property(UPSWEEP_FMT_INCLUDE fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
if(NOT TARGET nlohmann_json::nlohmann_json)
  find_package(nlohmann_json REQUIRED)
endif()
find_package(Boost CONFIG REQUIRED)
find_path(UPSWEEP_SQLITE_INCLUDE sqlite3.h REQUIRED)
if(NOT "${UPSWEEP_STATIC_DEPENDENCIES}" STREQUAL "${UPSWEEP_DEPENDENCIES_WERE_STATIC}")  # look again
  if(DEFINED UPSWEEP_DEPENDENCIES_WERE_STATIC)
    unset(UPSWEEP_SQLITE_LIBRARY CACHE)
    unset(UPSWEEP_BOOST_CONTEXT_LIBRARY CACHE)
  endif()
  set(UPSWEEP_DEPENDENCIES_WERE_STATIC ${UPSWEEP_STATIC_DEPENDENCIES} CACHE INTERNAL "")
endif()
if(UPSWEEP_STATIC_DEPENDENCIES)
  set(static_sqlite libsqlite3.a)
  set(static_boost_context libboost_context.a)
endif()
find_library(UPSWEEP_SQLITE_LIBRARY NAMES ${static_sqlite} sqlite3 REQUIRED)
find_library(UPSWEEP_BOOST_CONTEXT_LIBRARY NAMES ${static_boost_context} boost_context REQUIRED)
find_path(UPSWEEP_XXHASH_INCLUDE xxhash.h REQUIRED)

# cuda.h and nvrtc.h: types and constants only; both libraries are loaded at run time. From the toolkit, or from the
# PyPI wheels that scripts/setup fetches where there is no toolkit.
find_path(UPSWEEP_CUDA_INCLUDE cuda.h
          HINTS ${UPSWEEP_CUDA_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH} ${CMAKE_CURRENT_SOURCE_DIR}/.deps/nvidia/cu13
                /usr/local/cuda
          PATH_SUFFIXES include REQUIRED)
find_path(UPSWEEP_NVRTC_INCLUDE nvrtc.h HINTS ${UPSWEEP_CUDA_INCLUDE} REQUIRED)
# Ranges for profilers: headers only, from the toolkit or a wheel of their own.
find_path(UPSWEEP_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${UPSWEEP_CUDA_INCLUDE} REQUIRED)
get_filename_component(UPSWEEP_CUDA_HOME ${UPSWEEP_NVRTC_INCLUDE} DIRECTORY)

set(UPSWEEP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                     -Wno-missing-field-initializers)
# GCC 13 (Ubuntu 24.04) takes the growth of fmt 9's big integers, which it inlines, for writes out of bounds. It also
# warns of every function that takes a temporary and returns a reference, whatever the reference refers to.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  list(APPEND UPSWEEP_WARNINGS -Wno-array-bounds -Wno-stringop-overflow -Wno-dangling-reference)
endif()
if(UPSWEEP_WERROR)
  list(APPEND UPSWEEP_WARNINGS -Werror)
endif()
# With -DCMAKE_UNITY_BUILD=ON several sources of a target are compiled as one file: less than half the time. Names in
# unnamed namespaces must differ then within a target, and a local variable may have the name of another file's function.
if(CMAKE_UNITY_BUILD)
  if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 14)
  endif()
  set(unity $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
  list(APPEND UPSWEEP_WARNINGS "$<${unity}:-Wno-shadow>" "$<$<AND:${unity},$<CXX_COMPILER_ID:GNU>>:-Wshadow=local>")
endif()

# Programs that link to the installed libupsweep.a find SQLite and Boost.Context on their own machine
# (cmake/upsweep-config.cmake.in): there they may be elsewhere, and shared.
set(UPSWEEP_PRIVATE_LIBRARIES
    "$<BUILD_INTERFACE:nlohmann_json::nlohmann_json;${UPSWEEP_SQLITE_LIBRARY};${UPSWEEP_BOOST_CONTEXT_LIBRARY}>"
    "$<INSTALL_INTERFACE:SQLite::SQLite3;Boost::context>" Threads::Threads ${CMAKE_DL_LIBS})
set(UPSWEEP_PRIVATE_INCLUDES ${UPSWEEP_SQLITE_INCLUDE} ${UPSWEEP_CUDA_INCLUDE} ${UPSWEEP_NVRTC_INCLUDE}
                             ${UPSWEEP_NVTX_INCLUDE}
                             ${UPSWEEP_XXHASH_INCLUDE} ${Boost_INCLUDE_DIRS}
                             ${UPSWEEP_FMT_INCLUDE})

# upsweep_internal(TARGET LIBRARIES...): a target that uses what the library hides from programs.
function(upsweep_internal TARGET)
  target_include_directories(${TARGET} PRIVATE ${PROJECT_SOURCE_DIR})
  target_include_directories(${TARGET} SYSTEM PRIVATE ${UPSWEEP_PRIVATE_INCLUDES})
  target_link_libraries(${TARGET} PRIVATE ${ARGN} ${UPSWEEP_PRIVATE_LIBRARIES})
  target_compile_options(${TARGET} PRIVATE ${UPSWEEP_WARNINGS})
endfunction()

# upsweep_sources(TARGET PATTERNS...): adds the files of this folder that match.
function(upsweep_sources TARGET)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  target_sources(${TARGET} PRIVATE ${sources})
endfunction()
