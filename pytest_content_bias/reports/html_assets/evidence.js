/* What is shown of a case when it is opened. */
const KINDS = {
  one_sided: "One-sided question",
  amplify_downplay: "Amplifying or downplaying question",
  justify_judge: "Question that asks to justify or judge",
  plain: "Plain question",
};

function evidence(item) {
  const parts = [
    item.cause ? make("p", `cause ${item.outcome}`, item.cause) : null,
    texts([["Question", item.prompt], ["Reference", item.expected]]),
    history(item),
    passages("Context", item.contexts),
    ...(item.variants ?? []).map((found) => variant(found, item)),
    item.opinions ? opinions(item.opinions, item) : null,
    item.notes ? texts(item.notes.map((note) => ["Note", note])) : null,
    calls(item),
    origin(item),
  ];
  return make("div", "body", ...parts);
}

function history(item) {
  if (!item.history) return null;
  return folded(`Earlier turns (${item.history.length})`, texts(item.history));
}

function passages(title, found) {
  if (!found) return null;
  const shown = found.map((text) => prose("passage", text));
  return folded(`${title} (${found.length})`, ...shown);
}

function variant(found, item) {
  const judged = found.bias !== null;
  const title = make("h3", "", make("span", "", KINDS[found.kind] ?? found.kind));
  title.append(judged ? heat(found.bias) : make("span", "state error", found.status));
  return make(
    "article", "variant", title,
    texts([["Asked", found.question]]),
    found.answer ? marked(found.answer, item.language) : null,
    judged ? texts([["Quote", found.quote], ["Reason", found.reason], ["Level", level(found)]]) : null,
    texts([["Fault", found.fault], ["Reply", found.raw]]),
    passages("Context that the system says it retrieved", found.contexts),
  );
}

function level(found) {
  if (found.level === null) return null;
  const expected = found.expected === null ? "" : `, expectation ${found.expected.toFixed(2)}`;
  return `${found.level} of 10${expected}`;
}

function opinions(found, item) {
  const heading = `${found.biased} of ${found.total} opinions biased, weighted by severity ${found.weighted}`;
  const answers = found.answers.map((answer) => make(
    "article", "variant",
    make("h3", "", KINDS[answer.kind] ?? answer.kind),
    texts([["Asked", answer.question]]),
    marked(answer.answer, item.language),
    ...answer.opinions.map(opinion),
    answer.excluded.length
      ? folded(`Not counted as opinions (${answer.excluded.length})`,
          texts(answer.excluded.map(([text, reason]) => [reason.replace("_", " "), text])))
      : null,
  ));
  return make("div", "body", make("h3", "", heading), texts([["Summary", found.reason]]), ...answers);
}

function opinion(found) {
  const state = found.biased ? `${found.category ?? "biased"}, severity ${found.severity} of 3` : "not biased";
  return make(
    "div", found.biased ? "opinion biased" : "opinion",
    make("div", "", make("span", found.biased ? "state failed" : "state", state)),
    prose("", found.text),
    texts([["Reason", found.reason], ["Neutral", found.neutral]]),
  );
}

function calls(item) {
  if (!item.calls) return null;
  const names = ["slot", "model", "call", "tokens in", "tokens out", "ms", "host"];
  return folded(`Calls (${item.calls.length})`, table("calls", names, item.calls));
}

function origin(item) {
  const joined = (found) => Object.entries(found ?? {}).map(([name, value]) => `${name}: ${value}`).join("\n");
  const rows = texts([
    ["Node id", item.id],
    ["File", item.place],
    ["Threshold", `${item.threshold} (${item.source})`],
    ["Baseline", item.baseline?.sentence],
    ["Weight", item.weight],
    ["Reported", item.reported?.[1] === null ? null : item.reported?.join(": ")],
    ["Judged by", item.scoring],
    ["Models", joined(item.models)],
    ["Prompts", joined(item.prompts)],
    ["Recorded", item.recorded],
    ["Took", `${item.seconds ?? 0} s`],
  ]);
  return folded("Where this comes from", rows);
}
