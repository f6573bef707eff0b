# Writes a C++ file that holds the shipped tuning results: cmake -DOUTPUT= -DRESULTS= -P embed.cmake
# As bytes, not as a string literal: whatever stands in a result stays data.
set(results ${RESULTS})
list(SORT results)
set(arrays "")
set(entries "")
set(index 0)
foreach(result IN LISTS results)
  file(READ ${result} bytes HEX)
  if(bytes STREQUAL "")
    message(FATAL_ERROR "${result} is empty: export the tuning results again, or delete the file")
  endif()
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char file_${index}[] = {${bytes}};\n")
  string(APPEND entries "      {reinterpret_cast<const char*>(file_${index}), sizeof file_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT}
     "#include \"tuning-db/exchange.hpp\"\n\nnamespace upsweep::tuning_db {\nnamespace {\n\n${arrays}\n}  // namespace\n\n"
     "std::vector<std::string_view> shipped_files() {\n  return std::vector<std::string_view>{\n${entries}  };\n}\n\n"
     "}  // namespace upsweep::tuning_db\n")
