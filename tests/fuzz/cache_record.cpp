// Files of the binary cache. Input: the number of bytes of the identity that is asked for, the identity, the file.
#include "runtime/cache/record.hpp"

#include <algorithm>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace upsweep;
  fuzz::Input input(data, size);
  const std::size_t length = input.byte();
  const std::string_view identity = input.text(length);
  const std::span<const std::byte> file = std::as_bytes(std::span(input.rest()));
  const std::string found = runtime::identity_of_record(file);
  fuzz::require(found.size() <= file.size(), "an identity longer than its file");
  if (const auto binary = runtime::decode_record(file, identity)) {
    fuzz::require(std::ranges::equal(runtime::encode_record(identity, *binary), file), "not what would be written");
    fuzz::require(found == identity, "two identities of one file");
  }
  // What is written is read, and is not taken for another's.
  const std::vector<std::byte> record = runtime::encode_record(identity, file);
  const auto again = runtime::decode_record(record, identity);
  fuzz::require(again && std::ranges::equal(*again, file), "what was written does not read back");
  fuzz::require(runtime::identity_of_record(record) == identity, "the identity does not read back");
  fuzz::require(!runtime::decode_record(record, std::string(identity) + "x"), "another's record was taken");
  // Any one byte that is another is noticed.
  std::vector<std::byte> damaged = record;
  damaged[(length * 131 + size) % damaged.size()] ^= std::byte{1};
  fuzz::require(!runtime::decode_record(damaged, identity), "a damaged record was taken");
  return 0;
}
