"use strict";
// Sorting, filtering and folding. The page is complete without it.

document.body.classList.add("scripted");

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function valueOf(row, column, kind) {
  const cell = row.cells[column];
  if (kind !== "number") return cell.firstChild ? cell.firstChild.textContent : "";
  return "v" in cell.dataset ? Number(cell.dataset.v) : null;
}

function compare(a, b, kind, direction) {
  // What has no figure stands last, whichever way the column is sorted.
  if (a === null || b === null) return (a === null) - (b === null);
  return direction * (kind === "number" ? a - b : collator.compare(a, b));
}

class Findings {
  constructor(table) {
    this.table = table;
    this.tools = table.closest(".inside").querySelector(".tools");
    this.groups = Array.from(table.tBodies, (body) => ({
      body,
      root: body.rows[0],
      followers: Array.from(body.rows).slice(1),
      unfolded: false,
    }));
    for (const group of this.groups) {
      group.text = Array.from(group.body.rows, (row) => row.textContent.toLowerCase());
      group.checks = Array.from(group.body.rows, (row) => row.cells[0].textContent);
      group.button = group.root.querySelector(".fold");
    }
    this.original = this.groups.slice();
    this.makeHeadings();
    this.listen();
    this.show();
  }

  makeHeadings() {
    Array.from(this.table.tHead.rows[0].cells).forEach((cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      cell.replaceChildren(button);
      button.addEventListener("click", () => this.sort(cell, column));
    });
  }

  listen() {
    this.filter = this.tools.querySelector(".filter");
    this.only = this.tools.querySelector(".only");
    this.follow = this.tools.querySelector(".follow");
    this.output = this.tools.querySelector(".shown");
    let waiting = 0;
    this.filter.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.show(), 120);
    });
    this.only.addEventListener("change", () => this.show());
    if (this.follow) {
      this.follow.addEventListener("change", () => {
        for (const group of this.groups) group.unfolded = this.follow.checked;
        this.show();
      });
    }
    this.table.addEventListener("click", (event) => {
      const button = event.target.closest(".fold");
      if (!button) return;
      const group = this.groups.find((one) => one.button === button);
      group.unfolded = !group.unfolded;
      this.show();
    });
  }

  sort(cell, column) {
    const before = cell.getAttribute("aria-sort");
    for (const other of cell.parentNode.cells) other.removeAttribute("aria-sort");
    // Third click: back to the order of the report, worst first.
    if (before === "descending") {
      this.groups = this.original.slice();
    } else {
      const direction = before === "ascending" ? -1 : 1;
      const kind = cell.dataset.kind;
      cell.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      const keyed = this.original.map((group) => [valueOf(group.root, column, kind), group]);
      keyed.sort((a, b) => compare(a[0], b[0], kind, direction));
      this.groups = keyed.map((pair) => pair[1]);
    }
    const all = document.createDocumentFragment();
    for (const group of this.groups) all.append(group.body);
    this.table.append(all);
  }

  show() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const check = this.only.value;
    const narrowed = words.length > 0 || check !== "";
    let faults = 0;
    let following = 0;
    for (const group of this.groups) {
      const hits = group.text.map(
        (text, i) =>
          (!check || group.checks[i] === check) && words.every((word) => text.includes(word)),
      );
      const any = hits.includes(true);
      group.body.hidden = !any;
      if (!any) continue;
      faults += 1;
      // A root stays as the heading of what was found under it.
      group.followers.forEach((row, i) => {
        const found = hits[i + 1];
        row.hidden = narrowed ? !found || !(group.unfolded || !hits[0]) : !group.unfolded;
        if (!row.hidden) following += 1;
      });
      if (group.button) group.button.setAttribute("aria-expanded", String(group.unfolded));
    }
    const noun = faults === 1 ? "fault" : "faults";
    this.output.textContent =
      `${faults.toLocaleString("en")} ${noun}` +
      (following ? ` and ${following.toLocaleString("en")} that follow` : "") +
      (narrowed ? ` of ${this.groups.length.toLocaleString("en")}` : "");
  }
}

// A table is made ready when its attempt is first unfolded: a run can hold hundreds.
const ready = new WeakSet();
function prepare(attempt) {
  if (!attempt.open || ready.has(attempt)) return;
  ready.add(attempt);
  const table = attempt.querySelector("table.findings");
  if (table) new Findings(table);
}

const attempts = Array.from(document.querySelectorAll(".attempt"));
for (const attempt of attempts) {
  attempt.addEventListener("toggle", () => prepare(attempt));
  prepare(attempt);
}

const toolbar = document.getElementById("toolbar");
if (toolbar) {
  const find = document.getElementById("find");
  const unfold = document.getElementById("unfold");
  const buttons = Array.from(toolbar.querySelectorAll("[data-show]"));
  const gists = attempts.map((one) => one.querySelector(".gist").textContent.toLowerCase());
  const show = () => {
    const verdict = buttons.find((one) => one.getAttribute("aria-pressed") === "true").dataset.show;
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    attempts.forEach((attempt, i) => {
      const fits = !verdict || attempt.dataset.verdict === verdict;
      attempt.hidden = !(fits && words.every((word) => gists[i].includes(word)));
    });
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
      show();
    });
  }
  find.addEventListener("input", show);
  unfold.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-pressed") !== "true";
    unfold.setAttribute("aria-pressed", String(open));
    unfold.textContent = open ? "fold all" : "unfold all";
    for (const attempt of attempts) attempt.open = open;
  });
}

// On paper everything is unfolded; afterwards the page is as it was.
let foldedAgain = [];
addEventListener("beforeprint", () => {
  foldedAgain = attempts.filter((one) => !one.open);
  for (const attempt of foldedAgain) attempt.open = true;
});
addEventListener("afterprint", () => {
  for (const attempt of foldedAgain) attempt.open = false;
});
