#include "generator/problem_json.hpp"

#include <span>

#include "base/json_text.hpp"
#include "base/text.hpp"

namespace upsweep {

std::string key_of(const ProblemNames& names) {
  return nlohmann::json(names).dump();
}

std::string key_of(const Problem& problem) {
  return key_of(names_of(problem));
}

ProblemNames names_of_key(std::string_view key) {
  const std::string where = fmt::format("the key '{}'", base::clipped(key));
  try {
    ProblemNames names = names_of_json(base::parse_json<nlohmann::json>(key), where);
    if (key_of(names) != key) throw UsageError(where + " is not written as keys are: sort its members, without spaces");
    return names;
  } catch (const base::BadJson& error) {
    throw UsageError(fmt::format("{} is not valid JSON ({})", where, error.what()));
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
}

void check_member(std::string_view name, const std::string& where) {
  const auto is_it = [&](const ProblemMember& member) { return member.name == name; };
  const std::span<const ProblemMember> members = problem_members();
  if (std::none_of(members.begin(), members.end(), is_it)) {
    throw InputError(fmt::format("{} has an unknown member '{}'", where, base::clipped(name)));
  }
}

void check_members(const ProblemNames& names, const std::string& where) {
  for (const ProblemMember& member : problem_members()) {
    if (!member.optional && !names.contains(member.name)) {
      throw InputError(fmt::format("{} lacks the member '{}'", where, member.name));
    }
  }
}

}  // namespace upsweep
