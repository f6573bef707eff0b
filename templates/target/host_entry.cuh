// What the host device calls in the code it loaded.

// Returns the version of the interface that this code was generated for; binds only to the same.
extern "C" __global__ u32 upsweep_host_bind(const HostInterface* host) {
  if (host->version == host_interface_version && host->bytes == sizeof(HostInterface)) bound_host = host;
  return host_interface_version;
}

// Of the argument of that number, for launches that outlive the call; 0 behind the last.
extern "C" __global__ u32 upsweep_host_argument_bytes(u32 argument) {
  constexpr u32 bytes[] = {sizeof(const Input*), sizeof(Output*), sizeof(u64), sizeof(Accumulator), sizeof(Workspace*)};
  return argument < 5 ? bytes[argument] : 0;
}

// Runs one thread of the kernel: arguments[i] points at its i-th argument.
extern "C" __global__ void upsweep_host_call(void** arguments) {
  upsweep_kernel(*static_cast<const Input**>(arguments[0]), *static_cast<Output**>(arguments[1]),
                 *static_cast<const u64*>(arguments[2]), *static_cast<const Accumulator*>(arguments[3]),
                 *static_cast<Workspace**>(arguments[4]));
}
