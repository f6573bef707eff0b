"use strict";
(function () {
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);
  document.body.classList.add("script");

  // ---- one problem at a time
  const sections = all(".problem");
  let shown = 0;

  function show(index, remember) {
    shown = (index + sections.length) % sections.length;
    sections.forEach((section, i) => section.classList.toggle("chosen", i === shown));
    all(".matrix a").forEach((link) => {
      if (link.hash === "#" + sections[shown].id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if (remember) history.replaceState(null, "", "#" + sections[shown].id);
  }

  function one(yes) {
    document.body.classList.toggle("one", yes);
    byId("all").setAttribute("aria-pressed", String(!yes));
  }

  function follow() {
    const at = sections.findIndex((section) => "#" + section.id === location.hash);
    if (at >= 0) show(at, false);
  }

  if (sections.length > 0) {
    one(true);
    // report.html?show=2 begins with the third problem, at the top of the page.
    const asked = /^\?show=(\d+)$/.exec(location.search);
    show(asked ? Number(asked[1]) : 0, false);
    follow();
    addEventListener("hashchange", follow);
    byId("all").addEventListener("click", () => one(!document.body.classList.contains("one")));
    all("[data-step]").forEach((button) => {
      button.addEventListener("click", () => { one(true); show(shown + Number(button.dataset.step), true); });
    });
    if (sections.length === 1) all(".pager").forEach((pager) => { pager.style.display = "none"; });
  }

  // ---- what the matrix compares with
  all(".switch button").forEach((button) => {
    button.addEventListener("click", () => {
      byId("matrix").dataset.basis = button.dataset.basis;
      all(".switch button").forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
    });
  });

  // ---- what the pointer is near: the marks of one column. Their <title> serves readers without scripts.
  const tip = byId("tip");
  const most = 8;  // lines of a tip

  all("figure circle").filter((mark) => mark.querySelector("title")).forEach((mark) => {
    mark.classList.add("mark");
    const title = mark.querySelector("title");
    mark.note = title.textContent;
    title.remove();
  });

  // What a mark stands at: its own word, its line's, or the name of its row.
  const at = (mark) => (mark.closest("[data-at]") || { dataset: { at: mark.parentNode.textContent } }).dataset.at;

  function columnAt(svg, x) {
    let best = { distance: Infinity, at: null };
    for (const mark of all(".mark", svg)) {
      if (mark.closest(".dimmed")) continue;
      const box = mark.getBoundingClientRect();
      const distance = Math.abs(box.x + box.width / 2 - x);
      if (distance < best.distance) best = { distance: distance, at: at(mark) };
    }
    return all(".mark", svg).filter((mark) => at(mark) === best.at && !mark.closest(".dimmed"));
  }

  function nearest(svg, x, y) {
    const away = (mark) => {
      const box = mark.getBoundingClientRect();
      return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
    };
    return all(".mark", svg).filter((mark) => !mark.closest(".dimmed")).sort((a, b) => away(a) - away(b)).slice(0, 1);
  }

  function say(marks, event) {
    all(".near").forEach((mark) => mark.classList.remove("near"));
    tip.hidden = marks.length === 0;
    if (tip.hidden) return;
    marks.forEach((mark) => mark.classList.add("near"));
    const lines = marks.map((mark) => mark.note).reverse();
    tip.textContent = at(marks[0]) + "\n" + lines.slice(0, most).join("\n");
    const room = document.documentElement.clientWidth;
    const wide = tip.offsetWidth;
    const left = event.clientX + 16 + wide > room ? Math.max(8, event.clientX - wide - 16) : event.clientX + 16;
    tip.style.left = left + scrollX + "px";
    tip.style.top = event.clientY + scrollY + 16 + "px";
  }

  all("figure svg").forEach((svg) => {
    const inColumns = svg.closest(".throughput, .speedup") !== null;
    svg.addEventListener("pointermove", (event) => {
      say(inColumns ? columnAt(svg, event.clientX) : nearest(svg, event.clientX, event.clientY), event);
    });
    svg.addEventListener("pointerleave", () => say([]));
  });

  // ---- a legend's entry brings its line out
  all("figure").forEach((figure) => {
    const lines = all("svg .series", figure).reverse();  // drawn last, listed first
    all(".legend li", figure).forEach((entry, i) => {
      entry.addEventListener("pointerenter", () => lines.forEach((line, j) => line.classList.toggle("dimmed", i !== j)));
      entry.addEventListener("pointerleave", () => lines.forEach((line) => line.classList.remove("dimmed")));
    });
  });

  // ---- the table
  const table = document.querySelector(".winners");
  const rows = all("tbody tr", table);
  const headings = all("thead th", table);
  const texts = rows.map((row) => {
    const size = Number(row.children[1].dataset.v);
    const exponent = Math.log2(size);
    return (row.textContent + " " + size + (Number.isInteger(exponent) ? " 2^" + exponent : "")).toLowerCase();
  });

  function filter() {
    const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      count += row.hidden ? 0 : 1;
    });
    byId("shown").textContent = count + " of " + rows.length;
  }

  function sort(column) {
    const heading = headings[column];
    const number = heading.dataset.sort === "number";
    const descending = heading.getAttribute("aria-sort") === "ascending";
    const key = (row) => (number ? Number(row.children[column].dataset.v) : row.children[column].textContent);
    const before = (a, b) => (number ? key(a) - key(b) : key(a).localeCompare(key(b)));
    headings.forEach((each) => each.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const sorted = rows.slice().sort((a, b) => (descending ? before(b, a) : before(a, b)));
    table.tBodies[0].append(...sorted);
  }

  byId("filter").addEventListener("input", filter);
  headings.forEach((heading, i) => {
    heading.tabIndex = 0;
    heading.addEventListener("click", () => sort(i));
    heading.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(i); });
  });

  // ---- report.html?check: the page looks at itself, for its tests
  if (location.search === "?check") addEventListener("load", () => {
    const wide = document.documentElement.clientWidth;
    const outside = [];
    const look = (element, name) => {
      const box = element.getBoundingClientRect();
      if (element.closest(".scroll") || (box.width === 0 && box.height === 0)) return;
      if (box.left < -0.5 || box.right > wide + 0.5) outside.push(name + ": " + element.textContent.trim().slice(0, 40));
    };
    if (sections.length > 0) one(false);
    all("svg").forEach((each) => look(each, "svg"));
    all("svg text").forEach((each) => look(each, "text"));
    all("figure, h1, h2, p, td, th, dd, .figure, .winners i, button").forEach((each) => look(each, each.localName));
    const charts = all("figure svg").map((svg) => svg.getBoundingClientRect());
    const sorted = () => all("tbody tr", table).map((row) => Number(row.children[1].dataset.v));
    sort(1);
    const ascending = sorted();
    sort(1);
    const descending = sorted();
    byId("filter").value = "no such config";
    filter();
    const hidden = rows.filter((row) => row.hidden).length;
    byId("filter").value = "";
    filter();
    let told = 0;
    for (const svg of all(".throughput svg")) {
      const box = svg.getBoundingClientRect();
      svg.dispatchEvent(new PointerEvent("pointermove", { clientX: box.x + box.width / 2, clientY: box.y + 40 }));
      told += !tip.hidden && tip.textContent.includes("GB/s") ? 1 : 0;
      svg.dispatchEvent(new PointerEvent("pointerleave"));
    }
    const result = document.createElement("script");
    result.type = "application/json";
    result.id = "self-check";
    result.textContent = JSON.stringify({
      width: innerWidth,
      page_width: document.documentElement.scrollWidth,
      dark: matchMedia("(prefers-color-scheme: dark)").matches,
      paper: getComputedStyle(document.body).backgroundColor,
      sections: sections.length,
      charts: charts.length,
      charts_drawn: charts.filter((box) => box.width > 100 && box.height > 40).length,
      lines: all("svg .line").filter((line) => line.getTotalLength() > 0).length,
      tips: told,
      rows: rows.length,
      rows_hidden_by_filter: hidden,
      sorts: ascending.every((value, i) => i === 0 || ascending[i - 1] <= value) &&
          descending.every((value, i) => i === 0 || descending[i - 1] >= value),
      outside: outside,
      defects: defects,
    }).replace(/</g, "\\u003c");
    document.body.replaceChildren(result);  // what is left is the finding alone: short enough to be handed on
  });
})();
