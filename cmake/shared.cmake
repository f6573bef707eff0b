# libupsweep.so: the objects of the static library, of which programs see the public headers' functions alone.
add_library(upsweep_shared SHARED $<TARGET_OBJECTS:upsweep>)
# Before 1.0 a minor version may change the interface.
set_target_properties(upsweep_shared PROPERTIES OUTPUT_NAME upsweep EXPORT_NAME upsweep VERSION ${PROJECT_VERSION}
                                                SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(upsweep PROPERTIES EXCLUDE_FROM_ALL ON)
target_include_directories(upsweep_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
target_compile_features(upsweep_shared INTERFACE ${UPSWEEP_LANGUAGE})
target_link_libraries(upsweep_shared PRIVATE ${UPSWEEP_PRIVATE_LIBRARIES})
# Some of fmt's classes are visible whatever the compiler is told, and so are the static libraries' functions.
set(exported ${CMAKE_CURRENT_SOURCE_DIR}/cmake/exported.map)
target_link_options(upsweep_shared PRIVATE LINKER:--version-script=${exported} LINKER:--no-undefined)
set_target_properties(upsweep_shared PROPERTIES LINK_DEPENDS ${exported})
