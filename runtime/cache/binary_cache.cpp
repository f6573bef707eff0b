#include "runtime/cache/binary_cache.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "base/environment.hpp"
#include "base/logging.hpp"
#include "base/size.hpp"
#include "runtime/cache/record.hpp"

namespace upsweep::runtime {
namespace {

// Larger files are damage, and not worth the memory to find that out: cubins have some 10 KB to some MB.
constexpr std::uint64_t largest_record = std::uint64_t{1} << 30;

std::chrono::system_clock::time_point time_of(const timespec& time) {
  const auto since_epoch = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  return std::chrono::system_clock::time_point(
      std::chrono::duration_cast<std::chrono::system_clock::duration>(since_epoch));
}

// Files that `store` began to write; others with such names are not this cache's to touch.
bool is_leftover(std::string_view name) {
  return base::Directory::is_temporary(name) && name.size() > 36 && is_record_name(name.substr(0, 36));
}

std::uint64_t parse_bytes(const std::string& text) {
  try {
    return base::parse_size(text);
  } catch (const UsageError&) {
    throw UsageError(
        fmt::format("UPSWEEP_CACHE_SIZE is '{}': give bytes, or a number with K, M or G such as 256M", text));
  }
}

bool parse_switch(const std::string& text) {
  if (text == "off" || text == "0") return false;
  if (text == "on" || text == "1") return true;
  throw UsageError(
      fmt::format("UPSWEEP_CACHE is '{}': use on or off; set the folder of the cache with UPSWEEP_CACHE_DIR", text));
}

std::filesystem::path default_directory() {
  // Relative paths in XDG variables are to be ignored, says the XDG Base Directory Specification.
  if (const auto cache = base::environment("XDG_CACHE_HOME"); cache && cache->starts_with('/')) {
    return std::filesystem::path(*cache) / "upsweep";
  }
  if (const auto home = base::environment("HOME")) return std::filesystem::path(*home) / ".cache" / "upsweep";
  return {};
}

}  // namespace

BinaryCache::Options BinaryCache::from_environment() {
  Options options;
  if (const auto text = base::environment("UPSWEEP_CACHE")) options.enabled = parse_switch(*text);
  if (const auto text = base::environment("UPSWEEP_CACHE_SIZE")) options.max_bytes = parse_bytes(*text);
  if (const auto path = base::environment("UPSWEEP_CACHE_DIR")) {
    std::error_code unknown_working_directory;
    options.directory = std::filesystem::absolute(*path, unknown_working_directory);
  } else {
    options.directory = default_directory();
  }
  return options;
}

void BinaryCache::warn_once(const std::string& reason) {
  if (warned_.exchange(true)) return;
  warn(
      fmt::format("compiled kernels are not cached on disk: {}; set UPSWEEP_CACHE_DIR to a folder that can be written, "
                  "or UPSWEEP_CACHE=off to silence this warning",
                  reason));
}

std::optional<base::Directory> BinaryCache::open(Missing missing) {
  if (options_.directory.empty()) {
    warn_once("neither HOME nor XDG_CACHE_HOME nor UPSWEEP_CACHE_DIR is set");
    return std::nullopt;
  }
  if (missing == Missing::create) {
    if (const std::optional<std::string> failure = base::Directory::create(options_.directory)) {
      warn_once(*failure);
      return std::nullopt;
    }
  }
  std::string reason;
  bool is_missing = false;
  std::optional<base::Directory> directory = base::Directory::open(options_.directory, reason, is_missing);
  if (!directory && !(is_missing && missing == Missing::is_fine)) warn_once(reason);
  return directory;
}

std::optional<std::vector<std::byte>> BinaryCache::find(const std::string& identity) {
  if (!options_.enabled) return std::nullopt;
  const std::optional<base::Directory> directory = open(Missing::is_fine);
  if (!directory) return std::nullopt;
  const std::string name = record_name(identity);
  const auto record = directory->read(name, largest_record);
  if (!record) return std::nullopt;
  std::optional<std::vector<std::byte>> binary = decode_record(*record, identity);
  if (!binary) directory->remove(name);
  return binary;
}

void BinaryCache::store(const std::string& identity, std::span<const std::byte> binary) {
  if (!options_.enabled) return;
  const std::vector<std::byte> record = encode_record(identity, binary);
  if (record.size() > std::min(options_.max_bytes, largest_record)) return;
  const std::optional<base::Directory> directory = open(Missing::create);
  if (!directory) return;
  const std::string name = record_name(identity);
  if (const std::optional<std::string> failure = directory->write(name, record)) {
    warn_once(fmt::format("in {} {}", options_.directory.string(), *failure));
    return;
  }
  evict(*directory, name);
}

void BinaryCache::evict(const base::Directory& directory, const std::string& keep) {
  std::vector<base::Directory::File> entries;
  std::uint64_t total = 0;
  const auto an_hour_ago = std::chrono::system_clock::now() - std::chrono::hours(1);
  for (base::Directory::File& file : directory.files()) {
    if (is_record_name(file.name)) {
      total += file.bytes;
      if (file.name != keep) entries.push_back(std::move(file));
    } else if (is_leftover(file.name) && time_of(file.modified) < an_hour_ago) {
      directory.remove(file.name);  // its writer died: no write takes that long
    }
  }
  std::sort(entries.begin(), entries.end(), [](const base::Directory::File& a, const base::Directory::File& b) {
    return time_of(a.modified) < time_of(b.modified);
  });
  for (const base::Directory::File& oldest : entries) {
    if (total <= options_.max_bytes) break;
    directory.remove(oldest.name);
    total -= oldest.bytes;
  }
}

std::vector<BinaryCache::Entry> BinaryCache::list() {
  std::vector<Entry> entries;
  const std::optional<base::Directory> directory = open(Missing::is_fine);
  if (!directory) return entries;
  for (const base::Directory::File& file : directory->files()) {
    if (!is_record_name(file.name)) continue;
    entries.push_back({.name = file.name,
                       .identity = identity_of_record(directory->read_start(file.name, record_start_bytes)),
                       .bytes = file.bytes,
                       .last_use = time_of(file.modified)});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.last_use > b.last_use; });
  return entries;
}

std::size_t BinaryCache::clear() {
  const std::optional<base::Directory> directory = open(Missing::is_fine);
  if (!directory) return 0;
  std::size_t removed = 0;
  for (const base::Directory::File& file : directory->files()) {
    if (is_record_name(file.name)) {
      removed += directory->remove(file.name) ? 1 : 0;
    } else if (is_leftover(file.name)) {
      directory->remove(file.name);
    }
  }
  return removed;
}

}  // namespace upsweep::runtime
