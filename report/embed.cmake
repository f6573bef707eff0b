# Writes a C++ file that holds the page's parts: cmake -DOUTPUT= -DFOLDER= "-DFILES=page.html;..." -P embed.cmake
# As bytes, not as string literals: those have a limit in length, and a style sheet may hold any character.
set(arrays "")
set(entries "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ ${FOLDER}/${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char file_${index}[] = {${bytes}};\n")
  string(APPEND entries
         "  if (name == \"${file}\") return {reinterpret_cast<const char*>(file_${index}), sizeof file_${index}};\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT}
     "#include <upsweep/error.hpp>\n\n#include \"report/page.hpp\"\n\nnamespace upsweep::report {\nnamespace {\n\n${arrays}\n"
     "}  // namespace\n\nstd::string_view part(std::string_view name) {\n${entries}"
     "  throw Error(ErrorKind::internal, \"the report has no part '\" + std::string(name) + \"'\");\n}\n\n"
     "}  // namespace upsweep::report\n")
