# Installs upsweep, builds README's project with it, and runs it:
#   cmake -DBUILD=<upsweep's build folder> -DPROJECT=<README's files> -DWORK=<folder> -P project.cmake
cmake_minimum_required(VERSION 3.25)
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
set(ENV{UPSWEEP_CACHE_DIR} ${WORK}/cache)
set(ENV{UPSWEEP_DB} none)
run(${WORK}/build/app)
