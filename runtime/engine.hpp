// What a context is made of: device, compiler, kernels, workspaces, plans. Internal; the tuner and the command use it
// to run configs of their own choice.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <upsweep/context.hpp>
#include <upsweep/plan.hpp>

#include "runtime/cache/binary_cache.hpp"
#include "runtime/compiler.hpp"
#include "runtime/device.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/plan_state.hpp"
#include "runtime/stream_sizes.hpp"
#include "runtime/wanted_log.hpp"
#include "runtime/workspaces.hpp"
#include "tuning-db/choose.hpp"

namespace upsweep::runtime {

// What plans are kept by: a problem and the class and side of its size, as numbers, and the partition.
struct PlanKey {
  std::uint64_t problem = 0;
  std::uint64_t rest = 0;   // the type of keys, the density, the accuracy and the number of multiprocessors
  std::uint64_t shape = 0;  // and the class of its lengths
  bool operator==(const PlanKey&) const = default;
};
struct PlanKeyHash {
  std::size_t operator()(const PlanKey& key) const noexcept {
    return static_cast<std::size_t>(key.problem ^ (key.rest ^ key.shape << 40) * 0x9e3779b97f4a7c15u);
  }
};

// The number of items that a call is planned for, with problem.size items at these addresses. The winners for the sizes
// above a power of two were measured with misaligned arrays too (tuner/session/final.hpp), so that a misaligned call
// with a power of two is planned as if it had one item more. What counts is the output of a scan and the input of a
// reduce, whether it begins at a multiple of 16 bytes: a misaligned input costs a scan next to nothing.
[[nodiscard]] std::uint64_t planned_size(const Problem& problem, const void* in, const void* out) noexcept;

// Whether to warn where "auto" finds no GPU and takes the host device; returns what held before. The command does not:
// it names the device with each result.
bool announce_host_device(bool announce);

class Engine {
 public:
  struct Parts {
    std::shared_ptr<Device> device;
    std::shared_ptr<Compiler> compiler;
    BinaryCache::Options cache;
    std::filesystem::path database;  // empty: shipped results only
    std::filesystem::path pinned;    // not empty: this file alone decides, whatever `database` and the library hold
    bool record_wanted = false;      // plans that stand on a rung below exact are noted in `database`
    bool reproducible = false;
    bool dependent_launch = true;
    bool nvtx = false;          // ranges around calls, for profilers
    bool check_always = false;  // the addresses of every call, not only of a plan's first
    std::optional<Config> forced;
  };
  explicit Engine(Parts parts);

  // Device, compiler, cache and database as the options and the environment say.
  [[nodiscard]] static Parts parts(const ContextOptions& options);
  [[nodiscard]] static std::shared_ptr<Engine> open(const ContextOptions& options);

  [[nodiscard]] Device& device() const noexcept { return *parts_.device; }
  [[nodiscard]] Compiler& compiler() const noexcept { return *parts_.compiler; }
  [[nodiscard]] const std::filesystem::path& database() const noexcept { return parts_.database; }
  [[nodiscard]] const BinaryCache::Options& cache() const noexcept { return parts_.cache; }
  [[nodiscard]] Environment environment() const;
  [[nodiscard]] KernelStore& kernels() noexcept { return *kernels_; }
  [[nodiscard]] Workspaces& workspaces() noexcept { return *workspaces_; }

  // The config for a problem, with its rung and reason, on the device or a partition of so many multiprocessors of it;
  // nothing is compiled.
  [[nodiscard]] tuning_db::Choice choose(const Problem& problem, std::optional<int> multiprocessors = std::nullopt);
  // What one rung gives on the device, whatever the others have and UPSWEEP_FORCE_CONFIG says.
  [[nodiscard]] tuning_db::RungChoice choose_on(tuning_db::Rung rung, const Problem& problem);

  // For the multiprocessors that serve the stream.
  [[nodiscard]] Plan plan(const Problem& problem, Stream stream);
  // The config may be partial.
  [[nodiscard]] Plan plan(const Problem& problem, const Config& config, Stream stream);

  // Gives back what is kept for the stream, as Workspaces says.
  void release(Stream stream);

  // Forgets winners, but for pinned ones, and plans; compiled kernels stay.
  void refresh();

 private:
  // Of a partition of so many.
  [[nodiscard]] DeviceIdentity identity_of(int multiprocessors) const;
  [[nodiscard]] PlanSetting setting() const;
  using Winners = std::vector<tuning_db::Winner>;
  // All that may serve the problem, the user's and then the shipped ones. No lock is held while the database is read.
  [[nodiscard]] std::shared_ptr<const Winners> winners_for(const Problem& problem);
  // False: the database cannot be used now. The first time that is a warning.
  [[nodiscard]] bool read_database(const Problem& problem, Winners& winners);
  // How to choose among them. Results of the current environment go before others, unless they are pinned or there is
  // no compiler to ask.
  [[nodiscard]] tuning_db::ChoiceOptions choice_options(const Winners& known) const;

  Parts parts_;
  std::shared_ptr<KernelStore> kernels_;
  std::shared_ptr<Workspaces> workspaces_;
  StreamSizes stream_sizes_;
  std::shared_ptr<const Winners> pinned_;  // null: no file is pinned
  struct Known {
    Problem problem;  // and all that are served by the same winners
    std::shared_ptr<const Winners> winners;
  };
  std::mutex winners_mutex_;
  std::vector<Known> known_;
  std::uint64_t refreshes_ = 0;
  std::atomic<bool> database_failed_{false};  // when it was read last
  std::atomic<bool> warned_{false};           // of that
  std::shared_mutex plans_mutex_;
  std::unordered_map<PlanKey, Plan, PlanKeyHash> plans_;  // by problem, size class and partition
  std::unique_ptr<WantedLog> wanted_;                     // null: not to be noted
};

}  // namespace upsweep::runtime
