// fmt's own functions, compiled here for all of the library. Debian and Ubuntu ship fmt as headers and as a shared
// library; the command must run where that is not installed, and with headers alone every file compiles all of fmt
// anew, which is half of the time that building takes. Nothing is inlined or specialised here (CMakeLists.txt), so
// that what is used below is there for others to link.
#include <ctime>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace upsweep::base {

// One call of each kind of argument and specification.
std::string fmt_once(double number, long long integer, const void* pointer, const std::string& text) {
  std::string all =
      fmt::format("{} {:.3f} {:e} {:g} {:a} {} {:x} {:08d} {:+} {} {:>10} {:c} {} {:L}", number, number, number, number,
                  number, integer, integer, integer, integer, pointer, text, 'c', true, integer);
  all += fmt::format("{} {:L} {} {}", static_cast<float>(number), number, static_cast<unsigned>(integer),
                     fmt::join(std::vector<int>{1, 2}, ","));
  fmt::format_to(std::back_inserter(all), "{:{}} {}", text, 10, static_cast<long double>(number));
  all += fmt::format("{:%Y-%m-%d}", std::tm{});
  fmt::print("{}", text);
  fmt::print(stderr, "{}", text);
  return all + fmt::to_string(number) + fmt::to_string(integer);
}

}  // namespace upsweep::base
