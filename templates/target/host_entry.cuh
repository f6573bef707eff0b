// What the host device calls in the code it loaded.

// Returns the version of the interface that this code was generated for; binds only to the same.
extern "C" __global__ u32 upsweep_host_bind(const HostInterface* host) {
  if (host->version == host_interface_version && host->bytes == sizeof(HostInterface)) bound_host = host;
  return host_interface_version;
}

// The host device copies so many bytes of arguments for a launch that outlives the call.
extern "C" __global__ u32 upsweep_host_argument_bytes() { return sizeof(Arguments); }

// Runs one thread of the kernel.
extern "C" __global__ void upsweep_host_call(const void* arguments) {
  upsweep_kernel(*static_cast<const Arguments*>(arguments));
}
