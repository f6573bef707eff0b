// A libnvrtc of the tests' own, of version FAKE_MAJOR.FAKE_MINOR, that compiles nothing.
#include <nvrtc.h>

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult) {
  return "an error";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = FAKE_MAJOR;
  *minor = FAKE_MINOR;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
  *architectures = 90;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*) {
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram*) {
  return NVRTC_SUCCESS;
}
// FAKE_RESULT: what compiling comes to.
nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*) {
  return FAKE_RESULT;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, size_t* size) {
  *size = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char*) {
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTXSize(nvrtcProgram, size_t* size) {
  *size = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram, char*) {
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, size_t* size) {
  *size = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char*) {
  return NVRTC_SUCCESS;
}

}  // extern "C"
