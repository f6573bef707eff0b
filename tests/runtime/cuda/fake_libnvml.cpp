// NVML with one GPU on the bus, whose clocks a test sets. Signatures as in the NVML API reference.
#include <cstring>

extern "C" {

struct FakeNvml {
  int initialised = 0;        // times
  int failure = 0;            // what the queries return
  unsigned clock_mhz = 1755;  // of the multiprocessors
  unsigned long long reasons = 0;
};

FakeNvml* fake_nvml() {
  static FakeNvml fake;
  return &fake;
}

int nvmlInit_v2() {
  ++fake_nvml()->initialised;
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** handle) {
  if (std::strcmp(id, "0000:0A:00.0") != 0) return 6;
  *handle = fake_nvml();
  return 0;
}
int nvmlDeviceGetClockInfo(void* handle, unsigned type, unsigned* mhz) {
  if (handle != fake_nvml() || type != 1) return 2;
  *mhz = fake_nvml()->clock_mhz;
  return fake_nvml()->failure;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* handle, unsigned long long* reasons) {
  if (handle != fake_nvml()) return 2;
  *reasons = fake_nvml()->reasons;
  return fake_nvml()->failure;
}

}  // extern "C"
