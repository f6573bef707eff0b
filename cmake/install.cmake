# Installed form: headers, the static library and a package file for find_package(upsweep).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS upsweep EXPORT upsweep-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/upsweep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT upsweep-targets NAMESPACE upsweep:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/upsweep)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(Threads)\n"
     "include(\${CMAKE_CURRENT_LIST_DIR}/upsweep-targets.cmake)\n")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/upsweep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/upsweep)
