# Configures, builds and runs one of the two consumers, as a user would:
#   cmake -DMODE=find_package|add_subdirectory -DSOURCE=<upsweep> -DBUILD=<its build folder> -DWORK=<folder> -P run.cmake
# With the FLAGS, LAUNCHER and UPSWEEP_WERROR of that build, ccache need not compile the library a second time.
cmake_minimum_required(VERSION 3.25)
foreach(needed MODE SOURCE BUILD WORK)
  if(NOT DEFINED ${needed})
    message(FATAL_ERROR "run.cmake needs -D${needed}=...")
  endif()
endforeach()

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(options -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=${FLAGS} -DUPSWEEP_SOURCE=${SOURCE}
            -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DUPSWEEP_WERROR=${UPSWEEP_WERROR})
if(MODE STREQUAL find_package)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
  list(APPEND options -DCMAKE_PREFIX_PATH=${WORK}/prefix)
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer/${MODE} -B ${WORK}/build ${options})
run(${CMAKE_COMMAND} --build ${WORK}/build --target consumer --parallel 2)
set(ENV{UPSWEEP_CACHE_DIR} ${WORK}/cache)
run(${WORK}/build/consumer)
