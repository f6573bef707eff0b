# Included by a project that upsweep is part of: the library alone became part of it, without a word in its settings.
get_property(folders DIRECTORY ${UPSWEEP_SOURCE} PROPERTY SUBDIRECTORIES)
if(NOT folders MATCHES "/generator(;|$)" OR folders MATCHES "/(tests|examples|cli|bench|report)(;|$)")
  message(FATAL_ERROR "not the library alone became part of this project: ${folders}")
endif()
if(UPSWEEP_INSTALL)
  message(FATAL_ERROR "upsweep would be installed together with this project")
endif()
