"use strict";
/* Every text enters the page through a text node: nothing in it is ever parsed. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

function heat(bias) {
  if (bias === null || bias === undefined) return make("span", "heat none", "–");
  return make("span", `heat h${Math.round(bias * 10)}`, bias.toFixed(2));
}

function prose(className, text) {
  const element = make("div", className, text);
  element.dir = "auto";
  return element;
}

/* Pieces alternate: plain, marked, plain, … */
function marked(pieces, language) {
  const element = make("div", "answer passage-text");
  element.dir = "auto";
  if (language) element.lang = language;
  pieces.forEach((piece, index) => element.append(index % 2 ? make("mark", "", piece) : piece));
  return element;
}

function texts(rows) {
  const list = make("dl", "texts");
  for (const [label, value] of rows) {
    if (value === null || value === undefined || value === "") continue;
    const shown = make("dd", "", value);
    shown.dir = "auto";
    list.append(make("dt", "", label), shown);
  }
  return list.childNodes.length ? list : null;
}

function folded(title, ...children) {
  return make("details", "", make("summary", "", title), ...children);
}

function table(className, names, rows) {
  const head = make("tr", "", ...names.map((name) => make("th", "", name)));
  const body = rows.map((row) => make("tr", "", ...row.map((cell) => make("td", "", String(cell ?? "–")))));
  return make("div", "scroll", make("table", className, make("thead", "", head), make("tbody", "", ...body)));
}
