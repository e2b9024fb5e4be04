"use strict";

// Texts of the cluster only become text nodes, never markup.
const STEP_MS = 5000;
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

// A link may name a task: /microbatch/#shop/0
let chosen = taskOf(location.hash);
let paused = false;
let asking = false;
let latest = null;
// The last ten minutes of the chosen task.
let past = {key: null, series: {}, state: ""};

function taskOf(hash) {
  try {
    return hash ? decodeURIComponent(hash.slice(1)) : null;
  } catch (malformed) {
    return null;
  }
}

function node(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") {
      Object.entries(value).forEach(([event, listener]) => made.addEventListener(event, listener));
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function draw(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  if (value !== 0 && Math.abs(value) < 0.001) {
    return value.toExponential(1);
  }
  return value.toLocaleString("en", {maximumSignificantDigits: Math.abs(value) >= 1000 ? 4 : 3});
}

const keyOf = (task) => task.connector + "/" + task.task;
const figure = (task, name) => (task.figures || {})[name];

// A line with gaps where nothing is known, and dots between two gaps. The scale begins at 0.
function line(values, width, height) {
  const known = values.filter((value) => value !== null);
  const most = Math.max(1e-9, ...known) * 1.1;
  const step = width / Math.max(1, values.length - 1);
  const svg = draw("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
  let points = [];
  const flush = () => {
    if (points.length > 1) {
      svg.append(draw("polyline", {class: "line", points: points.join(" ")}));
    } else if (points.length === 1) {
      const [x, y] = points[0].split(",");
      svg.append(draw("circle", {class: "bar", cx: x, cy: y, r: 1}));
    }
    points = [];
  };
  values.forEach((value, i) => {
    if (value === null) {
      flush();
    } else {
      points.push(`${(i * step).toFixed(1)},${(height - 1 - (height - 2) * Math.min(1, value / most)).toFixed(1)}`);
    }
  });
  flush();
  return svg;
}

function p99(task) {
  const measured = figure(task, "ack-latency-minute-p99-ms");
  if (measured !== undefined) {
    return number(measured);
  }
  const model = task.advice && task.advice.now ? task.advice.now.p99_ms : null;
  return model === null || model === undefined ? "–" : "~" + number(model);
}

// How long the upstream has been silent. It may hang although it is connected.
function heard(task) {
  const silent = figure(task, "upstream-silent-ms");
  const time = silent === undefined ? "" : silent < 1000 ? "< 1 s" : number(silent / 1000) + " s";
  const wrong = task.upstream && task.upstream !== "connected" ? task.upstream : "";
  const text = [time, wrong].filter((part) => part).join(", ") || "–";
  return node("td", wrong ? {class: "wrong"} : {}, text);
}

// The task's worker, and why it has no figures.
function place(task) {
  const worker = ((latest || {}).other_workers || []).find((each) => each.worker === task.worker && each.state !== "ok");
  return node("td", {class: worker ? "place wrong" : "place"}, (task.worker || "") + (worker ? ": " + worker.state : ""));
}

function row(task) {
  const key = keyOf(task);
  const verdict = task.advice ? task.advice.verdict : "";
  const name = node("button", {type: "button", class: "task", "aria-expanded": String(key === chosen),
    "aria-controls": "detail", on: {click: () => choose(key)}}, task.connector + " / " + task.task);
  const cell = (text, kind) => node("td", kind ? {class: kind} : {}, text);
  const made = node("tr", key === chosen ? {class: "chosen"} : {},
    node("td", {}, name),
    node("td", {class: "verdict " + verdict}, verdict.replaceAll("-", " ")),
    cell(task.state || ""),
    heard(task),
    cell(number(figure(task, "rate")), "n"),
    node("td", {}, line(task.rates || [], 90, 24)),
    cell(number(task["transactions-per-sec"]), "n"),
    cell(number(figure(task, "transaction-records-avg") ?? figure(task, "batch-records-avg")), "n"),
    cell(number(figure(task, "commit-avg-ms")), "n"),
    cell(p99(task), "n"),
    place(task));
  made.dataset.key = key;
  return made;
}

function choose(key) {
  chosen = chosen === key ? null : key;
  history.replaceState(null, "", chosen ? "#" + encodeURIComponent(chosen) : location.pathname);
  show();
  if (chosen) {
    byId("chosen").focus();
    askHistory();
  }
}

function showTable(tasks) {
  const body = byId("tasks").tBodies[0];
  const focused = document.activeElement && document.activeElement.closest
    ? document.activeElement.closest("tr[data-key]") : null;
  const key = focused ? focused.dataset.key : null;
  body.replaceChildren(...tasks.map(row));
  if (!tasks.length) {
    body.append(node("tr", {}, node("td", {colspan: "11"}, "There is no source task in this cluster.")));
  }
  if (key) {
    // A refresh must not take the focus away from who uses the keyboard.
    const again = [...body.rows].find((each) => each.dataset.key === key);
    if (again) {
      again.querySelector("button").focus();
    }
  }
}

async function copy(text, button) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // A page over plain HTTP has no clipboard: select the text, which works everywhere.
    const block = button.closest(".body").querySelector("pre");
    const range = document.createRange();
    range.selectNodeContents(block);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    done = document.execCommand("copy");
  }
  button.textContent = done ? "Copied" : "Selected: press Ctrl+C";
}

function bodyOf(method, task, body) {
  const text = JSON.stringify(body, null, 2);
  const path = "/connectors/" + encodeURIComponent(task.connector) + "/config";
  const button = node("button", {type: "button", class: "copy"}, "Copy");
  button.addEventListener("click", () => copy(text, button));
  return node("div", {class: "body"},
    node("div", {}, node("code", {}, method + " " + path), button), node("pre", {tabindex: "0"}, text));
}

function changes(task, change) {
  const parts = [];
  if (change.patch) {
    parts.push(node("p", {}, "The body of the request that changes only these keys:"), bodyOf("PATCH", task, change.patch));
  }
  if (change.put) {
    const hidden = change.hidden || [];
    const whole = [bodyOf("PUT", task, change.put)];
    if (hidden.length) {
      whole.unshift(node("p", {}, "Insert these values first, which the console does not show: " + hidden.join(", ")));
    }
    if (change.wrap) {
      whole.unshift(node("p", {}, "Stop the connector, send this, resume it. Its offsets stay its own. docs/operations.md "
        + "describes the way and the way back."));
      parts.push(...whole);
    } else {
      parts.push(node("details", {}, node("summary", {}, "The whole configuration"), ...whole));
    }
  } else if (change.wrap) {
    parts.push(node("p", {}, "The worker did not say which settings are passwords, so there is no body to copy."));
  }
  return parts;
}

function outlook(now, then) {
  const line = (name, values) => node("tr", {}, node("th", {scope: "row"}, name),
    node("td", {class: "n"}, number(values.p50_ms)), node("td", {class: "n"}, number(values.p99_ms)),
    node("td", {class: "n"}, number(values.transactions_per_s)),
    node("td", {class: "n"}, number(values.transaction_cores)));
  const head = ["", "p50 ms", "p99 ms", "transactions/s", "cores for transactions"];
  return node("table", {}, node("thead", {}, node("tr", {}, ...head.map((text) => node("th", {scope: "col"}, text)))),
    node("tbody", {}, line("now", now), line("expected", then)));
}

function showAdvice(task) {
  const advice = task.advice;
  if (!advice) {
    byId("advice").replaceChildren(node("p", {}, "There is no advice: the task's worker did not answer."));
    return;
  }
  const parts = [node("p", {},
    node("strong", {class: "verdict " + advice.verdict}, advice.verdict.replaceAll("-", " ")), ": " + advice.summary)];
  const changed = advice.change && (Object.keys(advice.change.set).length || advice.change.remove.length);
  if (changed) {
    parts.push(outlook(advice.now, advice.then), ...changes(task, advice.change));
  }
  parts.push(node("details", {}, node("summary", {}, "The numbers behind this"),
    node("table", {}, node("tbody", {}, ...advice.evidence.map((each) => node("tr", {},
      node("th", {scope: "row"}, each.what),
      node("td", {class: "n"}, number(each.value) + (each.unit ? " " + each.unit : ""))))))));
  for (const other of advice.alternatives || []) {
    parts.push(node("details", {}, node("summary", {}, "Another way: " + other.summary),
      outlook(advice.now, other.then), ...changes(task, other.change)));
  }
  byId("advice").replaceChildren(...parts);
}

function showWaterfall(task) {
  const stages = task.waterfall || [];
  if (!stages.length) {
    byId("waterfall").replaceChildren(node("p", {}, "There are no figures of the stages."));
    return;
  }
  const width = 640;
  const left = 150;
  const room = width - left - 80;
  const total = Math.max(1e-9, stages.reduce((sum, stage) => sum + Math.max(0, stage.ms), 0));
  const svg = draw("svg", {width, height: stages.length * 24, viewBox: `0 0 ${width} ${stages.length * 24}`, role: "img",
    "aria-label": "A usual event's time: " + stages.map((stage) => stage.stage + " " + number(stage.ms) + " ms").join(", ")});
  let begin = 0;
  stages.forEach((stage, i) => {
    const length = room * Math.max(0, stage.ms) / total;
    svg.append(draw("text", {x: left - 8, y: i * 24 + 15, "text-anchor": "end"}, stage.stage),
      draw("rect", {class: "bar", x: left + begin, y: i * 24 + 4, width: Math.max(1, length), height: 14}),
      draw("text", {x: left + begin + length + 6, y: i * 24 + 15}, number(stage.ms) + " ms"));
    begin += length;
  });
  byId("waterfall").replaceChildren(svg);
}

const PLOTS = [["rate", "events/s"], ["transactions-per-sec", "transactions/s"], ["batch-records-avg", "events a batch"],
  ["commit-avg-ms", "commit, ms"], ["ack-latency-minute-p99-ms", "p99 of a minute, ms"], ["pressure-level", "level"],
  ["batch-target-events", "maximum records (N)"], ["linger-ms", "linger (T), ms"]];

function showPlots() {
  const series = (name) => past.key === chosen ? past.series[name] || [] : [];
  const known = PLOTS.filter(([name]) => series(name).some((value) => value !== null));
  if (!known.length) {
    const why = past.state === "ok" ? "Nothing is known." : "There are no plots: " + past.state;
    byId("plots").replaceChildren(node("p", {}, past.key === chosen ? why : "Loading…"));
    return;
  }
  byId("plots").replaceChildren(...known
    .map(([name, title]) => {
      const values = series(name);
      const known = values.filter((value) => value !== null);
      const last = values[values.length - 1];
      const svg = line(values, 240, 60);
      svg.append(draw("rect", {class: "frame", x: 0.5, y: 0.5, width: 239, height: 59}));
      return node("figure", {}, svg,
        node("figcaption", {}, `${title}: now ${number(last)}, at most ${number(Math.max(...known))}`));
    }));
}

function showFigures(task) {
  const table = (title, values) => node("details", {}, node("summary", {}, title),
    node("table", {}, node("tbody", {}, ...Object.entries(values || {}).map(([name, value]) => node("tr", {},
      node("th", {scope: "row"}, name),
      node("td", {class: "n"}, typeof value === "number" ? number(value) : String(value)))))));
  byId("figures").replaceChildren(node("p", {class: "soft"}, [task.class, task.microbatch ? task.source : "", task.delivery]
    .filter((text) => text).join(", ")), node("div", {class: "columns"},
    table("All figures", task.figures), table("Settings that have to do with speed", task.settings)));
}

function showDetail(task) {
  byId("detail").hidden = !task;
  if (!task) {
    return;
  }
  byId("chosen").textContent = task.connector + " / " + task.task;
  showAdvice(task);
  showWaterfall(task);
  showPlots();
  showFigures(task);
}

function show() {
  const tasks = latest ? latest.tasks : [];
  showTable(tasks);
  const detail = byId("detail");
  // Who copies, reads or has opened something in the details keeps it until the next choice.
  const key = detail.dataset.key || null;
  const inUse = detail.contains(document.activeElement) || detail.querySelector("details[open]");
  if (!(inUse && key === chosen && !detail.hidden)) {
    detail.dataset.key = chosen || "";
    showDetail(tasks.find((task) => keyOf(task) === chosen));
  }
}

function say(text) {
  if (byId("status").textContent !== text) {
    byId("status").textContent = text;
  }
}

// Only of the chosen task: that of all tasks would be larger than all the rest.
async function askHistory() {
  const key = chosen;
  const task = latest ? latest.tasks.find((each) => keyOf(each) === key) : null;
  if (!task) {
    return;
  }
  let found = {series: {}, state: ""};
  try {
    const response = await fetch(`v1/history?connector=${encodeURIComponent(task.connector)}&task=${task.task}`,
      {cache: "no-store"});
    const answer = await response.json();
    found = response.ok ? answer : {series: {}, state: answer.message || "status " + response.status};
  } catch (failure) {
    found.state = failure.message;
  }
  if (key === chosen) {
    past = {key, series: found.series, state: found.state};
    showPlots();
  }
}

async function ask() {
  if (asking) {
    return;
  }
  asking = true;
  try {
    const goal = Number(byId("goal").value) || 100;
    const response = await fetch("v1/tasks?rates=true&p99=" + encodeURIComponent(goal), {cache: "no-store"});
    const answer = await response.json();
    if (!response.ok) {
      throw new Error(answer.message || "status " + response.status);
    }
    latest = answer;
    const silent = (answer.other_workers || []).filter((worker) => worker.state !== "ok");
    const wanting = answer.tasks.filter((task) => task.advice && !["leave", "wait"].includes(task.advice.verdict));
    say(`${answer.tasks.length} source tasks, ${wanting.length} with something to change or to look at. `
      + silent.map((worker) => `Worker ${worker.worker}: ${worker.state}. `).join(""));
    show();
    askHistory();
  } catch (failure) {
    say("No new figures: " + failure.message);
  } finally {
    asking = false;
  }
}

byId("controls").addEventListener("submit", (event) => {
  event.preventDefault();
  byId("detail").dataset.key = "";
  ask();
});
byId("pause").addEventListener("click", () => {
  paused = !paused;
  byId("pause").setAttribute("aria-pressed", String(paused));
  byId("pause").textContent = paused ? "Go on" : "Pause";
});
setInterval(() => {
  if (!paused && !document.hidden) {
    ask();
  }
}, STEP_MS);
ask();
