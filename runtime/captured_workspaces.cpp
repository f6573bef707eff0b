#include "runtime/captured_workspaces.hpp"

#include <atomic>
#include <utility>

namespace upsweep::runtime {

struct CapturedWorkspaces::Notice {
  std::shared_ptr<Ended> ended;
  std::uint64_t capture = 0;
  Notice* next = nullptr;
};

struct CapturedWorkspaces::Ended {
  std::atomic<Notice*> first{nullptr};
  std::atomic<bool> closed{false};  // nobody collects any more
};

CapturedWorkspaces::~CapturedWorkspaces() {
  const std::lock_guard lock(mutex_);
  if (!ended_) return;
  ended_->closed.store(true);
  collect();
}

void CapturedWorkspaces::graph_is_gone(void* data) noexcept {
  auto* const notice = static_cast<Notice*>(data);
  const std::shared_ptr<Ended> ended = notice->ended;
  if (ended->closed.load()) {
    delete notice;
    return;
  }
  notice->next = ended->first.load();
  while (!ended->first.compare_exchange_weak(notice->next, notice)) {
  }
}

void CapturedWorkspaces::collect() {
  if (!ended_) return;
  for (Notice* at = ended_->first.exchange(nullptr); at != nullptr;) {
    const std::unique_ptr<Notice> notice(at);
    at = notice->next;
    const auto capture = captures_.find(notice->capture);
    if (capture == captures_.end()) continue;
    for (Loan& loan : capture->second.loans) pool_.give_back(std::move(loan.memory));
    captures_.erase(capture);
  }
}

std::size_t CapturedWorkspaces::find(std::uint64_t id, const WorkspaceRequest& request, Stream stream) {
  collect();
  Capture& capture = captures_[id];
  for (std::size_t i = 0; i < capture.loans.size(); ++i) {
    const Loan& loan = capture.loans[i];
    const bool fits = loan.memory->layout() == request.layout && loan.memory->bytes() >= request.bytes;
    if (fits && loan.last_call != nullptr && device_.runs_after(stream, loan.last_call)) return i;
  }
  if (!capture.ends) {
    if (!ended_) ended_ = std::make_shared<Ended>();
    auto notice = std::make_unique<Notice>(Notice{.ended = ended_, .capture = id});
    capture.ends = device_.when_graph_is_gone(stream, &graph_is_gone, notice.get());
    if (capture.ends) static_cast<void>(notice.release());  // graph_is_gone has it
  }
  capture.loans.push_back(Loan{.memory = pool_.take(request.layout, request.bytes)});
  return capture.loans.size() - 1;
}

void CapturedWorkspaces::reserve(std::uint32_t layout, std::uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    collect();
  }
  pool_.reserve(layout, bytes);
}

}  // namespace upsweep::runtime
