# Installed form: the library, its headers, what find_package(upsweep) and pkg-config read, licences and documentation.
# No file names a folder of this machine, so that an installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(packages ${CMAKE_INSTALL_LIBDIR}/cmake/upsweep)

if(BUILD_SHARED_LIBS)
  set(installed upsweep_shared)
  set(UPSWEEP_FIND_DEPENDENCIES "# libupsweep.so needs nothing of the programs that link to it.")
  set(UPSWEEP_PC_REQUIRES "")
  set(UPSWEEP_PC_LIBS "")
else()
  set(installed upsweep)
  set(UPSWEEP_FIND_DEPENDENCIES
      "find_dependency(Threads)\nfind_dependency(SQLite3)\nfind_dependency(Boost CONFIG COMPONENTS context)")
  # In Libs and not in Libs.private, because there is no shared library that programs could link to without --static.
  set(UPSWEEP_PC_REQUIRES "Requires: sqlite3")
  set(UPSWEEP_PC_LIBS " -lboost_context -l${CMAKE_DL_LIBS} -pthread")
endif()

install(TARGETS ${installed} EXPORT upsweep-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/upsweep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT upsweep-targets NAMESPACE upsweep:: DESTINATION ${packages})
configure_package_config_file(cmake/upsweep-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config.cmake
                              INSTALL_DESTINATION ${packages} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/upsweep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/upsweep-config-version.cmake
        DESTINATION ${packages})

file(RELATIVE_PATH UPSWEEP_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH UPSWEEP_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH UPSWEEP_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/upsweep.pc.in ${CMAKE_CURRENT_BINARY_DIR}/upsweep.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/upsweep.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE THIRD_PARTY_NOTICES.md CHANGELOG.md CONTRIBUTING.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN docs/site EXCLUDE)

# cpack: the installed tree as an archive.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_VENDOR "the upsweep authors")
  set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
  set(CPACK_PACKAGE_FILE_NAME upsweep-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
  include(CPack)
endif()
