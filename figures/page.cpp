#include "figures/page.hpp"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/axis.hpp"
#include "report/figure.hpp"
#include "report/page.hpp"

namespace upsweep::figures {
namespace {

using report::escaped;

// Colours with a contrast of at least 3 on white and on black paper; dashes tell lines apart, too.
constexpr const char* line_styles = R"css(
  .line-1 { color: #808890; }
  .line-2 { color: #2f7fe0; }
  .line-3 { color: #d9610b; }
  .line-4 { color: #2b9a4b; }
  .line-5 { color: #a855c8; }
  .line-6 { color: #c98a00; }
  .line-7 { color: #e0457b; }
  .line-8 { color: #0e94a7; }
  .line-9 { color: #9a6b4f; }
  .line-10 { color: #2f7fe0; }
  .line-1, .line-9 { stroke-dasharray: 7 3; }
  .line-4, .line-7 { stroke-dasharray: 2 3; }
  .line-5, .line-8 { stroke-dasharray: 8 3 2 3; }
  .line-6 { stroke-dasharray: 4 2; }
  .line-10 { stroke-dasharray: 1 3; }
  [class^="line-"] circle { stroke: none; }
)css";

// Beside the report's style sheet.
constexpr const char* page_styles = R"css(
.figure-section figure { max-width: 760px; margin-top: 16px; }
.figure-section table { border-collapse: collapse; font-size: 13.5px; margin-top: 16px; }
.figure-section caption { text-align: left; color: var(--muted); padding-bottom: 4px; }
.figure-section :is(th, td) { padding: 5px 16px 5px 0; border-bottom: 1px solid var(--rule); text-align: right; }
.figure-section :is(th, td):first-child { text-align: left; }
.figure-section thead th { color: var(--muted); font-weight: 500; }
.figure-section tbody th { font-weight: 500; }
.figure-section .note { color: var(--muted); font-size: 13.5px; max-width: 80ch; margin: 10px 0 0; }
)css";

// Text with `code` in it.
std::string html_text(std::string_view text) {
  std::string out;
  bool is_code = false;
  while (true) {
    const std::size_t end = text.find('`');
    out += escaped(text.substr(0, end));
    if (end == std::string_view::npos) break;
    is_code = !is_code;
    out += is_code ? "<code>" : "</code>";
    text.remove_prefix(end + 1);
  }
  return out + (is_code ? "</code>" : "");
}

std::string html_table(const Table& table) {
  std::string out =
      fmt::format("<div class=\"scroll\"><table>\n<caption>{}</caption>\n<thead><tr>", escaped(table.title));
  for (const std::string& each : table.columns) out += fmt::format("<th scope=\"col\">{}</th>", escaped(each));
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[i]))
                    : fmt::format("<td>{}</td>", escaped(row[i]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string note(const std::string& text) {
  return "<p class=\"note\">" + html_text(text) + "</p>\n";
}

// Why there is nothing, or what is there: a sentence for each.
std::vector<std::string> remarks(const Outcome& outcome) {
  std::vector<std::string> all;
  if (!outcome.left_out.empty()) all.push_back("Left out: " + outcome.left_out);
  if (!outcome.failure.empty()) all.push_back("Failed: " + outcome.failure);
  all.insert(all.end(), outcome.drawing.notes.begin(), outcome.drawing.notes.end());
  return all;
}

std::string section(const Outcome& outcome) {
  const Figure& figure = *outcome.figure;
  std::string out = fmt::format("<section class=\"figure-section\" id=\"{}\">\n<h2>{}</h2>\n<p class=\"lead\">{}</p>\n",
                                figure.name, escaped(figure.title), html_text(figure.shows));
  for (const report::Chart& chart : outcome.drawing.charts) {
    out += fmt::format("<figure>\n<figcaption><b>{}</b></figcaption>\n{}</figure>\n", escaped(chart.title),
                       report::svg(chart));
  }
  for (const Table& table : outcome.drawing.tables) out += html_table(table);
  for (const std::string& each : remarks(outcome)) out += note(each);
  out += note("How it is measured: " + std::string(figure.method));
  out += note("Source: " + std::string(figure.source) + ".");
  return out + "</section>\n";
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string markdown_table(const Table& table) {
  std::string out = table.title + ":\n\n" + markdown_row(table.columns) + "|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += "---|";
  out += "\n";
  for (const std::vector<std::string>& row : table.rows) out += markdown_row(row);
  return out + "\n";
}

}  // namespace

std::string page(const Origin& origin, std::span<const Outcome> outcomes) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>upsweep figures: {0}</title>\n<style>\n{1}{2}{3}</style>\n</head>\n<body>\n<header>\n"
      "<p class=\"eyebrow\">upsweep figures <span>{4}</span></p>\n<h1>{0}</h1>\n</header>\n<main>\n",
      escaped(origin.device), report::part("style.css"), line_styles, page_styles,
      escaped(fmt::to_string(fmt::join(origin.details, ", "))));
  for (const Outcome& each : outcomes) out += section(each);
  return out + "</main>\n</body>\n</html>\n";
}

std::string markdown(const Origin& origin, std::span<const Outcome> outcomes) {
  std::string out = fmt::format("{}, {}.\n\n", origin.device, fmt::join(origin.details, ", "));
  for (const Outcome& each : outcomes) {
    fmt::format_to(std::back_inserter(out), "## {}\n\n{}\n\n", each.figure->title, each.figure->shows);
    for (const Table& table : each.drawing.tables) out += markdown_table(table);
    for (const std::string& remark : remarks(each)) out += remark + "\n\n";
    fmt::format_to(std::back_inserter(out), "How it is measured: {}\n\nSource: {}.\n\n", each.figure->method,
                   each.figure->source);
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string svg(const Origin& origin, const Outcome& outcome) {
  if (outcome.drawing.charts.empty()) return "";
  const std::vector<std::string> caption{std::string(outcome.figure->title) + ": " + origin.device,
                                         fmt::to_string(fmt::join(origin.details, ", "))};
  return report::figure_of(outcome.drawing.charts, caption, line_styles);
}

}  // namespace upsweep::figures
