#include "tuner/search/list.hpp"

#include <set>
#include <utility>

namespace upsweep::tuner {
namespace {

class ListSearch final : public Search {
 public:
  explicit ListSearch(std::vector<Config> configs) : configs_(std::move(configs)) {}

  std::optional<Config> next() override {
    while (at_ < configs_.size()) {
      const Config& config = configs_[at_++];
      if (seen_.insert(config).second) return config;
    }
    return std::nullopt;
  }
  void report(const Config& config, std::optional<double>) override { seen_.insert(config); }

 private:
  std::vector<Config> configs_;
  std::size_t at_ = 0;
  std::set<Config> seen_;
};

}  // namespace

std::unique_ptr<Search> list_search(std::vector<Config> configs) {
  return std::make_unique<ListSearch>(std::move(configs));
}

}  // namespace upsweep::tuner
