# Writes a C++ file that holds the shipped tuning results: cmake -DOUTPUT= -DRESULTS= -P embed.cmake
# As raw string literals, which a compiler reads 20 times as fast as lists of bytes.
set(results ${RESULTS})
list(SORT results)
set(entries "")
foreach(result IN LISTS results)
  file(READ ${result} text)
  if(text STREQUAL "")
    message(FATAL_ERROR "${result} is empty: export the tuning results again, or delete the file")
  endif()
  string(FIND "${text}" ")upsweep\"" end_of_literal)
  string(LENGTH "${text}" length)
  file(SIZE ${result} size)
  # CMake ends a text at a NUL.
  if(NOT end_of_literal EQUAL -1 OR NOT length EQUAL size)
    message(FATAL_ERROR "${result} holds )upsweep\" or a byte 0: export the tuning results again")
  endif()
  string(APPEND entries "      R\"upsweep(${text})upsweep\"sv,\n")
endforeach()
file(WRITE ${OUTPUT}
     "#include \"tuning-db/exchange.hpp\"\n\n// GCC and Clang take literals of any length.\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nusing namespace std::string_view_literals;\n\nnamespace upsweep::tuning_db {\n\n"
     "std::vector<std::string_view> shipped_files() {\n  return std::vector<std::string_view>{\n${entries}  };\n}\n\n"
     "}  // namespace upsweep::tuning_db\n")
