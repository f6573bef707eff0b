# Uses upsweep as a user would, and checks what is installed:
#   cmake -DMODE=<mode> -DSOURCE=<upsweep> -DBUILD=<its build folder> -DWORK=<folder> -DCXX=<compiler> -P run.cmake
# With the FLAGS, LAUNCHER and UPSWEEP_WERROR of that build, ccache need not compile the library again.
cmake_minimum_required(VERSION 3.25)
foreach(needed MODE SOURCE BUILD WORK CXX)
  if(NOT DEFINED ${needed})
    message(FATAL_ERROR "run.cmake needs -D${needed}=...")
  endif()
endforeach()
set(here ${CMAKE_CURRENT_LIST_DIR})
set(static_prefix ${WORK}/static)  # of the mode install; find_package, pkg_config and examples use it
set(work ${WORK}/${MODE})
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(ENV{UPSWEEP_CACHE_DIR} ${WORK}/cache)
set(ENV{UPSWEEP_RECORD} off)
unset(ENV{UPSWEEP_WORKER})
set(options -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS_RELEASE=${FLAGS}
            -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DUPSWEEP_WERROR=${UPSWEEP_WERROR})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(output_of RESULT)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${RESULT} "${output}" PARENT_SCOPE)
endfunction()

function(build FOLDER)
  run(${CMAKE_COMMAND} --build ${FOLDER} --parallel 2 ${ARGN})
endfunction()

# install BUILD to PREFIX: installed elsewhere and moved, so that what knows the first place does not work.
function(install_to PREFIX FOLDER)
  file(REMOVE_RECURSE ${PREFIX} ${PREFIX}-first)
  run(${CMAKE_COMMAND} --install ${FOLDER} --prefix ${PREFIX}-first)
  file(RENAME ${PREFIX}-first ${PREFIX})
endfunction()

function(check_installed PREFIX LIBRARY)
  file(GLOB_RECURSE files RELATIVE ${PREFIX} ${PREFIX}/*)
  foreach(file ${LIBRARY} include/upsweep/upsweep.hpp include/upsweep/version.hpp share/doc/upsweep/LICENSE
               share/doc/upsweep/THIRD_PARTY_NOTICES.md share/doc/upsweep/docs/installation.md)
    if(NOT "${files}" MATCHES "(^|;|/)${file}(;|$)")
      message(FATAL_ERROR "not installed: ${file}")
    endif()
  endforeach()
  if(files MATCHES "share/doc/upsweep/docs/site")
    message(FATAL_ERROR "what builds the web site is installed")
  endif()
  run(python3 ${SOURCE}/tests/docs/links.py ${PREFIX}/share/doc/upsweep)
  file(GLOB_RECURSE descriptions ${PREFIX}/*.cmake ${PREFIX}/*.pc)
  foreach(file ${descriptions})
    file(READ ${file} text)
    string(REGEX MATCH "[^\n]*(/(usr|home|opt|root|tmp|var)/|(${SOURCE}|${BUILD}|${WORK})[/\" ;)])[^\n]*" path "${text}")
    if(path)
      message(FATAL_ERROR "${file} names a folder of this machine: ${path}")
    endif()
  endforeach()
endfunction()

# consume PREFIX [OPTION...]: a project that finds the package there, and its program's run.
function(consume PREFIX)
  run(${CMAKE_COMMAND} -S ${here}/find_package -B ${work}/build ${options} -DCMAKE_PREFIX_PATH=${PREFIX} ${ARGN})
  build(${work}/build)
  run(${work}/build/consumer)
endfunction()

# compile_with_pkg_config PREFIX [OPTION...]: and run.
function(compile_with_pkg_config PREFIX)
  file(GLOB_RECURSE file ${PREFIX}/*/upsweep.pc)
  cmake_path(GET file PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  output_of(flags ${PKG_CONFIG} --cflags --libs ${ARGN} upsweep)
  separate_arguments(flags)
  run(${CXX} -std=c++20 -o ${work}/consumer ${here}/main.cpp ${flags})
  cmake_path(GET folder PARENT_PATH libraries)
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} ${work}/consumer)
  output_of(version ${PKG_CONFIG} --modversion upsweep)
  if(NOT version STREQUAL VERSION)
    message(FATAL_ERROR "pkg-config says version ${version}, not ${VERSION}")
  endif()
endfunction()

if(MODE STREQUAL install)
  install_to(${static_prefix} ${BUILD})
  check_installed(${static_prefix} libupsweep.a)
  output_of(said ${static_prefix}/bin/upsweep --version)
  if(NOT said STREQUAL "upsweep ${VERSION}")
    message(FATAL_ERROR "the installed command says: ${said}")
  endif()
  file(READ ${SOURCE}/CITATION.cff citation)
  if(NOT citation MATCHES "\nversion: ${VERSION}\n")
    message(FATAL_ERROR "CITATION.cff does not say version: ${VERSION}")
  endif()
  run(${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake -B ${work})
  file(GLOB archive ${work}/upsweep-${VERSION}-*.tar.gz)
  output_of(packed ${CMAKE_COMMAND} -E tar tf ${archive})
  if(NOT packed MATCHES "/bin/upsweep\n" OR NOT packed MATCHES "/libupsweep.a\n" OR NOT packed MATCHES "/LICENSE\n")
    message(FATAL_ERROR "${archive} holds: ${packed}")
  endif()
  # A plugin that has the static library in it exports none of the libraries within, but for the exceptions of Boost,
  # which its headers make visible.
  file(GLOB_RECURSE library ${static_prefix}/*/libupsweep.a)
  run(${CXX} -shared -o ${work}/plugin.so -Wl,--whole-archive ${library} -Wl,--no-whole-archive)
  output_of(symbols ${NM} -D --defined-only -C ${work}/plugin.so)
  string(REGEX MATCH "[^\n]* [A-Za-z] ([^<(\n]* )?(fmt::|nlohmann::|upsweep::(runtime|tuner|tuning_db)::)[^\n]*" foreign "${symbols}")
  if(foreign OR NOT symbols MATCHES " T upsweep::Context::plan\\(")
    message(FATAL_ERROR "a program with libupsweep.a exports what is not of its public headers: ${foreign}")
  endif()

elseif(MODE STREQUAL find_package)
  # The linker does not get the static libraries that the package was built with, as on a machine without them.
  consume(${static_prefix} -DCMAKE_CXX_LINKER_LAUNCHER=${here}/without_static_libraries)

elseif(MODE STREQUAL pkg_config)
  compile_with_pkg_config(${static_prefix})
  compile_with_pkg_config(${static_prefix} --static)

elseif(MODE STREQUAL shared)
  run(${CMAKE_COMMAND} -S ${SOURCE} -B ${work}/library ${options} -DBUILD_SHARED_LIBS=ON -DUPSWEEP_TESTS=OFF
      -DUPSWEEP_COMMAND=OFF)
  build(${work}/library)
  install_to(${work}/prefix ${work}/library)
  check_installed(${work}/prefix libupsweep.so.${VERSION})
  file(GLOB_RECURSE library ${work}/prefix/*/libupsweep.so.${VERSION})
  output_of(symbols ${NM} -D --defined-only -C ${library})
  string(REPLACE "\n" ";" symbols "${symbols}")
  list(LENGTH symbols number)
  list(FILTER symbols EXCLUDE REGEX " [A-Z] ((non-virtual thunk to|typeinfo for|typeinfo name for|vtable for) )?upsweep::[^:(]+[:(]?")
  set(foreign ${symbols})
  output_of(all ${NM} -D --defined-only -C ${library})
  if(foreign OR all MATCHES "upsweep::(runtime|tuner|tuning_db)::" OR NOT all MATCHES " T upsweep::Context::plan\\(")
    list(LENGTH foreign others)
    list(SUBLIST foreign 0 10 some)
    message(FATAL_ERROR "libupsweep.so exports ${number} symbols, of which ${others} are not of its public headers: ${some}")
  endif()
  consume(${work}/prefix -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON -DWORKER=ON)
  # A program finds its workers beside the library, wherever both lie.
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --component command)
  run(${work}/build/worker ${work}/tuning.sqlite)
  if(PKG_CONFIG)
    compile_with_pkg_config(${work}/prefix)
  endif()

elseif(MODE STREQUAL add_subdirectory)
  run(${CMAKE_COMMAND} -S ${here}/add_subdirectory -B ${work}/build ${options} -DUPSWEEP_SOURCE=${SOURCE})
  build(${work}/build --target consumer)
  run(${work}/build/consumer)

elseif(MODE STREQUAL fetch_content)
  # Configured only: it is add_subdirectory from then on.
  run(${CMAKE_COMMAND} -S ${here}/fetch_content -B ${work}/build ${options} -DUPSWEEP_SOURCE=${SOURCE})
  # Without a build type, CMake would compile upsweep without optimisation.
  run(${CMAKE_COMMAND} -S ${here}/fetch_content -B ${work}/no_type -G Ninja -DCMAKE_CXX_COMPILER=${CXX}
      -DUPSWEEP_SOURCE=${SOURCE} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
  file(READ ${work}/no_type/compile_commands.json commands)
  if(NOT commands MATCHES " -O2 [^\n]*runtime/plan.cpp")
    message(FATAL_ERROR "without a build type, upsweep is compiled without optimisation")
  endif()

elseif(MODE STREQUAL examples)
  run(${CMAKE_COMMAND} -S ${static_prefix}/share/doc/upsweep/examples -B ${work}/build ${options}
      -DCMAKE_PREFIX_PATH=${static_prefix})
  build(${work}/build)
  set(ENV{UPSWEEP_WORKER} ${static_prefix}/bin/upsweep)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build -LE gpu --output-on-failure --no-tests=error)

else()
  message(FATAL_ERROR "there is no mode ${MODE}")
endif()
