#include "tuner/worker/worker_main.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <upsweep/error.hpp>

#include "runtime/engine.hpp"
#include "tuner/compile/compile_config.hpp"
#include "tuner/worker/faulty_device.hpp"
#include "tuner/worker/in_process_runner.hpp"
#include "tuner/worker/protocol.hpp"

namespace upsweep::tuner {
namespace {

using std::chrono::nanoseconds;

// Of a process whose next request is on its way.
constexpr nanoseconds moment = std::chrono::milliseconds(1);

// The other side of this process's standard input.
class Channel {
 public:
  Channel() {
    struct stat status {};
    if (::fstat(STDIN_FILENO, &status) != 0 || !S_ISSOCK(status.st_mode)) {
      throw UsageError("workers are started by `upsweep tune`, not by hand; see `upsweep tune --help`");
    }
    socket_ = base::FileHandle(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    const base::FileHandle nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }

  // False when there are no more. Looks again and again for as long as `awake`, before it sleeps: waking up takes some
  // 0.1 ms, in which the device waits.
  [[nodiscard]] bool read_line(std::string& line, nanoseconds awake) {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
        line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return true;
      }
      std::array<char, 65536> part;
      const bool look = std::chrono::steady_clock::now() - begin < awake;
      const ssize_t count = ::recv(socket_.get(), part.data(), part.size(), look ? MSG_DONTWAIT : 0);
      if (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
      if (count <= 0) return false;
      received_.append(part.data(), static_cast<std::size_t>(count));
    }
  }

  void write(const Answer& answer) {
    const std::string text = to_line(answer) + "\n";
    std::string_view left = text;
    while (!left.empty()) {
      const ssize_t sent = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) ::_exit(0);  // nobody listens
      left.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Ends this process when the other side is gone, even in the middle of a kernel that never ends. A parent-death
  // signal would do so too, but also when merely the thread ends that started this process.
  void watch() const {
    std::thread([socket = socket_.get()] {
      pollfd file{.fd = socket, .events = POLLRDHUP, .revents = 0};
      while (::poll(&file, 1, -1) < 0 && errno == EINTR) {
      }
      ::_exit(0);
    }).detach();
  }

 private:
  base::FileHandle socket_;
  std::string received_;
};

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

void segmentation_fault() {
  ::signal(SIGSEGV, SIG_DFL);
  ::raise(SIGSEGV);
}

class Worker {
 public:
  int serve() {
    channel_.watch();
    std::string line;
    while (!leaving_ && channel_.read_line(line, runner_ ? moment : nanoseconds(0))) {
      if (const std::optional<Answer> said = answer(line)) channel_.write(*said);
    }
    // A context that a kernel has ruined is not worth tearing down, and memory goes with the process.
    if (leaving_) ::_exit(0);
    return 0;
  }

 private:
  std::optional<Answer> answer(const std::string& line) {
    try {
      return std::visit([this](const auto& request) -> std::optional<Answer> { return serve(request); },
                        request_from_line(line));
    } catch (const Error& error) {
      return fail(error.kind(), error.what());
    } catch (const std::bad_alloc&) {
      return fail(ErrorKind::device, "not enough host memory");
    } catch (const std::exception& error) {
      return fail(ErrorKind::internal, error.what());
    }
  }

  Failed fail(ErrorKind kind, const std::string& message) {
    leaving_ = broken_ || (runner_ && runner_->kernels().ruined());
    return {.kind = kind, .message = message, .leaving = leaving_};
  }

  Greeting serve(const Greet&) { return {.protocol = protocol_version, .generator = generator_version()}; }

  Opened serve(const Open& open) {
    runtime::Engine::Parts parts = runtime::Engine::parts({.device = open.device, .database = "none"});
    parts.forced.reset();
    if (!faults_.empty()) {
      faulty_ = std::make_shared<FaultyDevice>(parts.device, parts.compiler, open.problem);
      parts.device = faulty_;
    }
    runner_.reset();
    engine_ = std::make_unique<runtime::Engine>(std::move(parts));
    problem_ = open.problem;
    runner_.emplace(*engine_, open.problem, open.seed);
    return {describe_device(engine_->device())};
  }

  InProcessRunner& runner() {
    if (!runner_) throw ProtocolError("a run was requested before a device was opened");
    return *runner_;
  }

  // What came to light since the last answer is no fault of what is asked for now.
  void must_not_be_broken() const {
    if (broken_) throw DeviceError(*broken_);
  }

  Ran serve(const Run& run) {
    must_not_be_broken();
    InProcessRunner& own = runner();
    const Fault fault = faults_.at(run.number);
    if (faulty_) {
      if (fault != Fault::none) own.kernels().drop_all();  // so that it is loaded anew
      // The last step writes the outputs.
      faulty_->arm(fault, generate_steps(problem_, run.config, engine_->device().target()).back());
    }
    own.on_loaded([this, fault] {
      channel_.write(Loaded{});
      if (fault == Fault::crash) segmentation_fault();
      if (fault == Fault::hang) wait_for_ever();
    });
    const double busy_before = own.busy_seconds();
    Ran ran{.outcome = own.run(run.config, run.request)};
    if (faulty_) faulty_->arm(Fault::none, {});
    ran.busy_seconds = own.busy_seconds() - busy_before;
    ran.leaving = leaving_ = own.kernels().ruined();
    return ran;
  }

  Turned serve(const Turn& turn) {
    must_not_be_broken();
    const double busy_before = runner().busy_seconds();
    Turned turned{.samples_us = runner().run_in_turn(turn.configs, turn.request)};
    turned.busy_seconds = runner().busy_seconds() - busy_before;
    return turned;
  }

  std::nullopt_t serve(const Keep& keep) {
    try {
      runner().keep_only(keep.configs);
    } catch (const std::exception& error) {
      broken_ = error.what();
    }
    return std::nullopt;
  }

  CompileResult serve(const Compile& compile) {
    // Compiling ahead must not hold up the process that times.
    if (!compiler_) static_cast<void>(::setpriority(PRIO_PROCESS, 0, 10));
    if (!compiler_ || compiler_is_for_ != compile.architecture) {
      compiler_ = compiler_for(compile.architecture);
      compiler_is_for_ = compile.architecture;
    }
    return compile_config(*compiler_, cache_, compile.problem, compile.config, compile.architecture);
  }

  Channel channel_;
  Faults faults_ = Faults::from_environment();
  runtime::BinaryCache cache_{runtime::BinaryCache::from_environment()};
  std::shared_ptr<FaultyDevice> faulty_;  // none unless there are faults to commit
  std::unique_ptr<runtime::Engine> engine_;
  Problem problem_;
  std::optional<InProcessRunner> runner_;
  std::shared_ptr<runtime::Compiler> compiler_;
  std::string compiler_is_for_;
  std::optional<std::string> broken_;
  bool leaving_ = false;
};

}  // namespace

std::string describe_device(const runtime::Device& device) {
  const DeviceIdentity& identity = device.identity();
  const DeviceLimits& limits = device.limits();
  return fmt::format("{} {}.{} {} {} {} {}; {} {} {} {} {} {} {} {} {} {}", identity.name, identity.compute_major,
                     identity.compute_minor, identity.multiprocessors, identity.memory_bus_bits,
                     identity.memory_clock_khz, identity.ecc, limits.compute_capability, limits.multiprocessors,
                     limits.threads_per_block, limits.threads_per_multiprocessor, limits.blocks_per_multiprocessor,
                     limits.blocks_per_cluster, limits.registers_per_multiprocessor, limits.shared_bytes_per_block,
                     limits.shared_bytes_per_multiprocessor, limits.l2_bytes);
}

int worker_main() {
  return Worker().serve();
}

}  // namespace upsweep::tuner
