// A peer with a call of another signature, from before scans and reduces had company.
extern "C" const char* upsweep_peer_name() {
  return "Older 1.0.0";
}

extern "C" int upsweep_peer_run(const char*, const char*, const char*) {
  return 0;
}
