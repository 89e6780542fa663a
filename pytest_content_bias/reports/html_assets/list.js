/* The list of cases: unpacked from the page itself, filtered, sorted, opened on demand. */
const FIRST = 200;
const byId = (id) => document.getElementById(id);
const state = { items: [], shown: FIRST };

async function unpack() {
  const text = atob(byId("data").textContent);
  const packed = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) packed[index] = text.charCodeAt(index);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

function row(item) {
  const details = make("details", "case");
  details.id = `case-${item.number}`;
  const tags = (item.tags ?? []).map((tag) => make("span", "tag", tag));
  const name = make("span", "", make("span", "name", item.name), ...tags);
  name.append(make("div", "quiet", [item.place, item.metric, item.language].filter(Boolean).join(" · ")));
  const value = make("span", `value ${item.outcome} ${item.score}`, item.score, make("small", "", `at least ${item.threshold}`));
  const summary = make("summary", "", make("span", `state ${item.outcome}`, item.outcome), name, value, delta(item), cells(item));
  details.append(summary);
  details.addEventListener("toggle", () => {
    if (details.open && details.childNodes.length === 1) details.append(evidence(item));
  });
  return details;
}

function delta(item) {
  const found = item.baseline;
  if (!found) return make("span", "delta");
  if (found.difference === null) return make("span", "delta", found.state.replace("_", " "));
  const text = `${found.difference < 0 ? "−" : "+"}${Math.abs(found.difference).toFixed(2)}`;
  return make("span", found.dropped ? "delta dropped" : "delta", text);
}

function cells(item) {
  const found = (item.variants ?? []).map((variant) => {
    const cell = heat(variant.bias);
    cell.title = `${KINDS[variant.kind] ?? variant.kind}: ${variant.bias === null ? variant.status : "bias"}`;
    return cell;
  });
  return make("span", "cells", ...found);
}

/* Every text of a value. An answer is cut at its marks: its pieces belong together again. */
function words(value) {
  if (Array.isArray(value)) return value.map(words).join("");
  if (value && typeof value === "object") return Object.values(value).map(words).join("\n");
  return typeof value === "string" ? value : "";
}

/* Made when a text is first looked for: most readers never do. */
function haystack(item) {
  item.haystack ??= words(item).toLowerCase();
  return item.haystack;
}

function wanted(item) {
  const text = byId("text").value.trim().toLowerCase();
  const chosen = (id, values) => !byId(id).value || values.includes(byId(id).value);
  return chosen("outcome", [item.outcome])
    && chosen("metric", [item.metric])
    && chosen("tag", item.tags ?? [])
    && chosen("language", [item.language])
    && (!text || haystack(item).includes(text));
}

const ORDERS = {
  worst: (one, other) => one.number - other.number,
  score: (one, other) => (one.value ?? -1) - (other.value ?? -1),
  name: (one, other) => one.name.localeCompare(other.name),
  drop: (one, other) => (one.baseline?.difference ?? 2) - (other.baseline?.difference ?? 2),
};

/* Names the columns where there is room for columns; each row says the same by itself. */
function legend() {
  const kinds = make("span", "kinds", ...["one-sided", "amplify", "justify"].map((kind) => make("span", "", kind)));
  const names = ["", "", "score", "baseline"].map((name) => make("span", "", name));
  const line = make("div", "legend", ...names, kinds);
  line.ariaHidden = "true";
  return line;
}

function show() {
  const order = ORDERS[byId("sort").value];
  const found = state.items.filter(wanted).sort((one, other) => order(one, other) || one.number - other.number);
  const visible = found.slice(0, state.shown);
  for (const item of visible) item.row ??= row(item);
  byId("list").replaceChildren(...(visible.length ? [legend()] : []), ...visible.map((item) => item.row));
  byId("count").textContent = `${found.length} of ${state.items.length} cases`;
  byId("more").hidden = visible.length === found.length;
  byId("more").textContent = `Show all ${found.length}`;
}

function offer(id, values) {
  const options = [...new Set(values.filter(Boolean))].sort();
  for (const value of options) byId(id).append(new Option(value, value));
  byId(id).parentElement.hidden = options.length < 2;
}

function openLinked() {
  const number = /^#case-(\d+)$/.exec(location.hash)?.[1];
  const item = state.items[number];
  if (!item) return;
  byId("filters").reset();
  state.shown = Math.max(state.shown, item.number + 1);
  show();
  item.row.open = true;
  item.row.scrollIntoView();
  item.row.firstChild.focus();
}

function start(items) {
  items.forEach((item, number) => Object.defineProperty(item, "number", { value: number }));
  items.forEach((item) => Object.defineProperty(item, "row", { writable: true }));
  items.forEach((item) => Object.defineProperty(item, "haystack", { writable: true }));
  state.items = items;
  offer("outcome", items.map((item) => item.outcome));
  offer("metric", items.map((item) => item.metric));
  offer("tag", items.flatMap((item) => item.tags ?? []));
  offer("language", items.map((item) => item.language));
  byId("filters").hidden = items.length < 2;
  byId("filters").addEventListener("input", () => { state.shown = FIRST; show(); });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => { state.shown = Infinity; show(); });
  addEventListener("hashchange", openLinked);
  show();
  openLinked();
}

unpack().then(start, () => {
  byId("count").textContent = "This browser cannot unpack the evidence; the JSON report holds all of it.";
});
