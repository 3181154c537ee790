// What the views share: making elements, runs with progress, games, and state that survives a reload.

/** Makes an element: attributes by name, listeners by `onclick`, children as text or elements. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const main = document.getElementById("main");

/** A label with its field. */
export function field(text, input) {
  return el("label", {}, text, el("br"), input);
}

/** A choice from a list of words or of [value, text]. */
export function choice(options, chosen) {
  const list = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  const select = el("select", {}, ...list.map(([value, text]) => el("option", { value }, text)));
  if (chosen !== undefined) select.value = chosen;
  return select;
}

/** State of a view that survives a reload. */
export function saved(view, initial) {
  const key = `counterplay.${view}`;
  let state = initial;
  try {
    state = { ...initial, ...JSON.parse(localStorage.getItem(key) ?? "{}") };
  } catch { /* a damaged state is forgotten */ }
  return {
    get: (name) => state[name],
    set: (changes) => {
      state = { ...state, ...changes };
      try { localStorage.setItem(key, JSON.stringify(state)); } catch { /* too large to keep */ }
    },
  };
}

async function call(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, options);
  const text = await response.text();
  let value;
  try { value = JSON.parse(text); } catch { throw new Error(text.trim() || response.statusText); }
  if (!response.ok) throw new Error(value.error ?? response.statusText);
  return value;
}

export const examples = (view) => call(`/api/examples/${view}`);

/** Objects of an answer: one, or one on each line. */
function objects(text) {
  return (text ?? "").split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

/** Follows a run until its end; `tell` hears each piece of news. */
export function follow(id, tell = () => {}) {
  return new Promise((resolve, reject) => {
    const lines = [];
    const events = new EventSource(`/api/runs/${id}/events`);
    events.onmessage = (event) => {
      const news = JSON.parse(event.data);
      lines.push(...news.lines);
      tell({ ...news, lines });
      if (news.status !== "ended") return;
      events.close();
      const answers = objects(news.answer);
      resolve({ exit: news.exit, seconds: news.seconds, lines, text: news.answer, answers, answer: answers[0] });
    };
    events.onerror = () => { events.close(); reject(new Error("this run is not known any more")); };
  });
}

/** Starts a run; resolves with its name. */
export async function begin(request) {
  return (await call("/api/runs", request)).id;
}

/** Runs something and waits for it. */
export async function run(request, tell) {
  return follow(await begin(request), tell);
}

export const stop = (id) => call(`/api/runs/${id}/stop`, {});

/** A game against the program. */
export const game = {
  begin: (request) => call("/api/sessions", request),
  say: async (id, line) => (await call(`/api/sessions/${id}`, { line })).said,
  recall: async (id) => (await call(`/api/sessions/${id}`)).said,
};

/** A panel that starts runs, shows how they go, stops them, and finds them again after a reload. */
export function runner({ state, label, request, show, seconds = 30 }) {
  const limit = el("input", { type: "number", min: 1, max: 600, value: state.get("seconds") ?? seconds, "aria-label": "time limit in seconds" });
  const start = el("button", { class: "main", id: "start" }, label);
  const halt = el("button", { id: "stop", disabled: true }, "Stop");
  const status = el("p", { role: "status", id: "status" });
  const log = el("pre", { class: "log", hidden: true });
  const details = el("details", {}, el("summary", {}, "What happens"), log);
  const output = el("div", { id: "answer" });
  let current = null;

  async function attend(id) {
    current = id;
    start.disabled = true;
    halt.disabled = false;
    log.hidden = false;
    try {
      const result = await follow(id, (news) => {
        status.textContent = news.status === "queued" ? "Waiting for its turn …" : news.lines.at(-1) ?? "Running …";
        log.textContent = news.lines.join("\n");
        log.scrollTop = log.scrollHeight;
      });
      status.textContent = "";
      output.replaceChildren();
      if (result.exit === 2 || (!result.answer && result.exit !== 0)) output.append(failure(result));
      await show(result, output);
      if (result.answers.length === 1 && result.answer.evidence) output.append(evidence(result.answer.evidence));
    } catch (error) {
      status.textContent = error.message;
      state.set({ run: null });
    }
    start.disabled = false;
    halt.disabled = true;
    current = null;
  }

  start.onclick = async () => {
    output.replaceChildren();
    status.textContent = "";
    state.set({ seconds: Number(limit.value) });
    try {
      const id = await begin({ ...(await request()), seconds: Number(limit.value) });
      state.set({ run: id });
      await attend(id);
    } catch (error) {
      status.replaceChildren(el("span", { class: "bad" }, error.message));
    }
  };
  halt.onclick = () => current !== null && stop(current);
  if (state.get("run")) attend(state.get("run"));
  const controls = el("div", { class: "row" }, start, halt, field("seconds", limit));
  return { controls, status, details, output, start };
}

/** What an answer rests on, in the words of the documentation. */
export function evidence(found) {
  const shown = (value) => value ?? "unknown";
  const texts = {
    proved: () => `Proved${found.within ? ` within ${found.within}` : ""} by ${found.engine}, ${found.checked_by ? `checked by ${found.checked_by}` : "not checked"}.`,
    planned: () => `Planned by ${found.engine}, assuming that ${found.assumes}.`,
    sampled: () => `Estimated by ${found.engine} from ${found.samples} samples${found.error == null ? "" : `, ± ${found.error}`}: ${found.about}.`,
    bounded: () => `Bounded by ${found.engine}: lower bound ${shown(found.lower)}, upper bound ${shown(found.upper)}.`,
  };
  return el("p", { class: "evidence", id: "evidence", "data-kind": found.kind }, texts[found.kind]?.() ?? "");
}

/** What the program says about bad input. */
function failure(result) {
  const said = result.lines.filter((line) => !line.startsWith("[t="));
  return el("pre", { class: "bad", id: "errors" }, said.join("\n") || "It ended without an answer.");
}

/** Places of errors: `--> name:line:column`. */
export function places(lines) {
  const found = [];
  for (const line of lines) {
    const match = /-->\s+(\S+):(\d+):(\d+)/.exec(line);
    if (match) found.push({ name: match[1], line: Number(match[2]), column: Number(match[3]) });
  }
  return found;
}

/** Puts the cursor of a text at a place and marks the text. */
export function point(textarea, { line, column }) {
  const rows = textarea.value.split("\n");
  const offset = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + column - 1;
  textarea.setAttribute("aria-invalid", "true");
  textarea.focus();
  textarea.setSelectionRange(offset, Math.min(offset + 1, textarea.value.length));
  const height = textarea.scrollHeight / Math.max(rows.length, 1);
  textarea.scrollTop = Math.max(0, (line - 4) * height);
}

/** A picture of an answer. */
export async function picture(answer, request = {}) {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  const result = await run({ offer: "show", files: { "answer.json": text }, ...request });
  const svg = result.answer?.svg;
  return svg ? drawn(svg) : null;
}

/** An SVG text as an element. */
export function drawn(svg) {
  const holder = el("div", { class: "picture" });
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (parsed.nodeName === "svg") holder.append(document.importNode(parsed, true));
  return holder;
}

/** A text field that can be filled from a file of the user's. */
export function editor(name, label, state) {
  const text = el("textarea", { spellcheck: "false", id: `text-${name}`, "data-name": name });
  text.value = state.get(name) ?? "";
  text.oninput = () => { text.removeAttribute("aria-invalid"); state.set({ [name]: text.value }); };
  const pick = el("input", { type: "file", "aria-label": `${label} from a file` });
  pick.onchange = async () => {
    const file = pick.files[0];
    if (!file) return;
    if (file.size > 3e6) { text.value = ""; text.placeholder = "This file is too large."; return; }
    text.value = await file.text();
    text.oninput();
  };
  const put = (value) => { text.value = value; text.oninput(); };
  return { name, text, put, element: el("div", {}, field(label, text), pick) };
}

/** A picker for the examples of a view. */
export function picker(list, editors, state) {
  const select = choice([["", "Pick an example …"], ...list.map((example, index) => [String(index), example.title])], "");
  select.id = "example";
  const pick = (index) => {
    for (const one of editors) one.put(list[index].files[one.name] ?? "");
  };
  select.onchange = () => select.value !== "" && pick(Number(select.value));
  if (editors.every((one) => one.text.value === "") && list.length > 0) pick(0);
  return field("Example", select);
}
