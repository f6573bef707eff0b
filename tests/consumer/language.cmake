# What a compiler says of the public headers:
#   cmake -DCOMPILER=<path> -DINCLUDE=<folder of upsweep/> -DWORK=<folder> -P language.cmake
# With C++17 one readable sentence, whichever header is included; with C++20 nothing, all warnings on.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
if(COMPILER MATCHES "nvcc")
  set(suffix cu)
  set(only -c -o ${WORK}/object.o)
  set(headers upsweep.hpp)
else()
  set(suffix cpp)
  set(only -fsyntax-only)
  set(warnings -Wall -Wextra -Wpedantic -Werror -fvisibility=hidden)
  file(GLOB headers RELATIVE ${INCLUDE}/upsweep ${INCLUDE}/upsweep/*.hpp)
endif()

# version.hpp is for #if, in any language.
list(REMOVE_ITEM headers version.hpp)
foreach(header ${headers})
  file(WRITE ${WORK}/program.${suffix} "#include <upsweep/${header}>\n")
  execute_process(COMMAND ${COMPILER} -std=c++17 ${only} -I${INCLUDE} ${WORK}/program.${suffix} RESULT_VARIABLE failed
                  ERROR_VARIABLE said OUTPUT_VARIABLE said)
  string(REGEX MATCHALL "error:" errors "${said}")
  list(LENGTH errors number)
  if(NOT failed OR NOT said MATCHES "upsweep needs C\\+\\+20: compile with -std=c\\+\\+20" OR number GREATER 2)
    message(FATAL_ERROR "${COMPILER} -std=c++17 of ${header} gives ${number} errors: ${said}")
  endif()
endforeach()

configure_file(${CMAKE_CURRENT_LIST_DIR}/options.cpp ${WORK}/options.${suffix} COPYONLY)
execute_process(COMMAND ${COMPILER} -std=c++20 ${warnings} ${only} -I${INCLUDE} ${WORK}/options.${suffix}
                ERROR_VARIABLE said OUTPUT_VARIABLE said RESULT_VARIABLE failed)
if(failed OR said MATCHES "warning")
  message(FATAL_ERROR "${COMPILER} -std=c++20 of options.cpp: ${said}")
endif()
