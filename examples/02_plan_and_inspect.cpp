// A plan is looked up and compiled once; running it is a launch and nothing else. It shows what it runs and why.
#include <cstdio>
#include <vector>

#include <upsweep/upsweep.hpp>

int main() {
  upsweep::Context context({.device = "host"});
  const upsweep::Problem problem = upsweep::make_problem(upsweep::Algorithm::exclusive_scan, upsweep::maximum,
                                                         upsweep::Type::f32, upsweep::Type::f32,
                                                         /*size=*/20'000);
  const upsweep::Plan plan = context.plan(problem);

  std::vector<float> values(20'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7919 % 10007);
  std::vector<float> highest_before(values.size());
  plan.run(values.data(), highest_before.data(), values.size(), upsweep::Scalar::of(-1.0f));

  std::printf("%s\n", plan.explain().c_str());
  std::printf("the generated source has %zu characters; it begins:\n%.60s...\n", plan.source().text.size(),
              plan.source().text.c_str());

  // The same problem with a config of one's own. What a config may be is a question for the space; errors say why not.
  upsweep::Config config = plan.config();
  config.values["warp_scan"] = "brent_kung";
  std::vector<float> again(values.size());
  context.plan(problem, config).run(values.data(), again.data(), values.size(), upsweep::Scalar::of(-1.0f));
  return again == highest_before ? 0 : 1;
}
