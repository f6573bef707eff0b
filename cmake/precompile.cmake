# The headers that take the compiler longest, read once a target in place of once a file. Files still include what they
# use: with -DUPSWEEP_PRECOMPILE=OFF all compiles too, as does the library in every project that it is part of.
option(UPSWEEP_PRECOMPILE "Precompile headers of other libraries" ${PROJECT_IS_TOP_LEVEL})

# upsweep_precompile(TARGET HEADERS...)
function(upsweep_precompile TARGET)
  if(UPSWEEP_PRECOMPILE)
    target_precompile_headers(${TARGET} PRIVATE <algorithm> <chrono> <cmath> <cstdint> <filesystem> <functional> <map>
                                                <memory> <optional> <random> <span> <string> <string_view> <vector>
                                                <fmt/format.h> <fmt/ranges.h> ${ARGN})
  endif()
endfunction()
