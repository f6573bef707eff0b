#include "tuner/workshop.hpp"

#include <deque>

#include "tuner/in_process_runner.hpp"

namespace upsweep::tuner {
namespace {

// Leaves compiling to the runner.
class CompiledByTheRunner final : public Compilations {
 public:
  void submit(const Config& config) override { configs_.push_back(config); }
  CompileResult wait() override {
    CompileResult result;
    result.config = std::move(configs_.front());
    configs_.pop_front();
    return result;
  }
  [[nodiscard]] std::size_t pending() const override { return configs_.size(); }
  [[nodiscard]] std::size_t enough() const override { return 1; }

 private:
  std::deque<Config> configs_;
};

}  // namespace

Workshop open_workshop(runtime::Engine& engine, const Problem& problem, const TuneOptions& options) {
  return {std::make_unique<CompiledByTheRunner>(), std::make_unique<InProcessRunner>(engine, problem, options.seed)};
}

}  // namespace upsweep::tuner
