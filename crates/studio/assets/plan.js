// Plans, policies and task networks: the picture first, the texts one tab away.

import { evidence, examples, run, runner } from "./api.js";
import { button, choice, debounce, el, field, main, many, number, onRun, options, svgText, tabs, takeaway } from "./dom.js";
import { editor } from "./editor.js";
import { policyGraph } from "./graph.js";
import { linePlot } from "./plot.js";
import { replay, stage } from "./scene.js";
import { HINTS, layouter, learn, states as statesOf } from "./scenes.js";
import { address } from "./state.js";

/** @typedef {import("./scenes.js").Scene} Scene */

const list = await examples("plan");
learn(list);
const state = await address("plan", { example: "blocks", domain: "", problem: "", hint: "", search: "auto", quality: "optimal", class: "", htn: "", certificate: false, run: false, seconds: 30, step: 0, tab: "answer", trail: /** @type {number[]} */ ([]) });
const chosen = () => list.find((one) => one.name === state.get("example")) ?? list[0];

// The stage with the replay of a plan, or the graph of a policy.
const view = stage("The state of the problem");
const graphBox = el("div", { class: "graph-box", id: "policy", hidden: true });
const caption = el("p", { class: "caption", id: "caption", "aria-live": "polite" });
const player = replay({ label: "Steps of the plan", last: () => Math.max(0, shown.states.length - 1), at: () => state.get("step"), go: (step) => { state.set({ step }); showStep(); } });
player.element.hidden = true;
/** @type {{scene: Scene | null, states: Set<string>[], plan: string[], layout: ((atoms: Set<string>) => import("./scenes.js").Layout) | null}} */
let shown = { scene: null, states: [], plan: [], layout: null };
/** @type {import("./graph.js").Reached[] | null} */
let policy = null;

/** The hint that was written in the page, if it can be read. @returns {import("./scenes.js").Hint | undefined} */
function ownHint() {
  try { return state.get("hint") ? JSON.parse(state.get("hint")) : undefined; } catch { return undefined; }
}

/** @param {Scene} scene @param {string[]} plan @param {Set<string>[]} [all] */
function showScene(scene, plan, all) {
  const list = all ?? statesOf(scene);
  shown = { scene, states: list, plan, layout: layouter(scene, list, ownHint()) };
  player.element.hidden = plan.length === 0;
  showStep();
}

function showStep() {
  if (!shown.layout) return;
  const step = Math.min(state.get("step"), shown.states.length - 1);
  const layouts = shown.states.length > 60 ? [shown.layout(shown.states[step])] : shown.states.map(shown.layout);
  const frame = { width: Math.max(...layouts.map((one) => one.width)), height: Math.max(...layouts.map((one) => one.height)) };
  view.show(shown.layout(shown.states[step]), frame);
  caption.textContent = step === 0 ? (shown.plan.length > 0 ? "Start" : `${shown.scene?.problem ?? ""}: the start`) : shown.plan[step - 1];
  document.querySelectorAll("ol.steps li").forEach((item, index) => item.classList.toggle("here", index === step - 1));
  player.update();
}

/** Walks through a policy: you are nature. @param {Scene} scene @param {import("./graph.js").Reached[]} reached */
function showPolicy(scene, reached) {
  policy = reached;
  const fixed = scene.initial.filter((atom) => !reached[0].atoms.includes(atom));
  const all = reached.map((one) => new Set([...fixed, ...one.atoms]));
  const changed = { ...scene, steps: reached.slice(0, 200).map((one) => ({ add: one.atoms, delete: [] })) };
  shown = { scene, states: all, plan: [], layout: layouter(changed, all, ownHint()) };
  const trail = state.get("trail").filter((at) => at < reached.length);
  walk(trail.length > 0 && trail[0] === 0 ? trail : [0]);
}

/** @param {number[]} trail */
function walk(trail) {
  if (!policy || !shown.layout) return;
  state.set({ trail });
  const at = trail[trail.length - 1];
  const here = policy[at];
  view.show(shown.layout(shown.states[at]));
  const outcomes = here.next.map((next, index) => button(outcome(next, index, at), () => walk([...trail, next]), { class: "outcome", "data-next": next }));
  graphBox.hidden = false;
  graphBox.replaceChildren(
    el("p", { class: "told", id: "nature" }, here.goal ? el("strong", {}, "The goal is reached.") : here.action ? el("span", {}, "The policy does ", el("code", {}, here.action), here.next.length > 1 ? ". You are nature: what happens?" : ".") : "The policy has no answer here."),
    el("div", { class: "row" }, outcomes, trail.length > 1 ? button("Take back", () => walk(trail.slice(0, -1)), { class: "quiet" }) : null, trail.length > 1 ? button("From the start", () => walk([0]), { class: "quiet" }) : null),
    el("div", { class: "scroll" }, policyGraph(policy, { at, trail, pick: (next) => walk(here.next.includes(next) ? [...trail, next] : next === 0 ? [0] : trail) })));
  // The present state is in view, also in a wide graph.
  const scroll = /** @type {HTMLElement} */ (graphBox.querySelector(".scroll"));
  const spot = graphBox.querySelector(".node.here")?.getBoundingClientRect();
  if (spot) { const box = scroll.getBoundingClientRect(); scroll.scrollLeft += spot.x + spot.width / 2 - box.x - box.width / 2; scroll.scrollTop += spot.y - box.y - box.height / 3; }
  caption.textContent = `After ${many(trail.length - 1, "step")}: ${here.atoms.slice(0, 8).join(" ")}${here.atoms.length > 8 ? " …" : ""}`;
}

/** What an outcome changes. @param {number} next @param {number} index @param {number} at */
function outcome(next, index, at) {
  if (!policy) return "";
  const [before, after] = [new Set(policy[at].atoms), new Set(policy[next].atoms)];
  const gained = [...after].filter((atom) => !before.has(atom));
  const lost = [...before].filter((atom) => !after.has(atom));
  if (gained.length === 0 && lost.length === 0) return "nothing changes";
  return [...gained, ...lost.map((atom) => `not ${atom}`)].slice(0, 3).join(" ") || `outcome ${index + 1}`;
}

// The texts.
const readTexts = debounce(250, async () => {
  const outcome = await run({ read: texts() }).catch(() => null);
  if (!outcome) return;
  const found = outcome.refused?.diagnostics ?? outcome.answer?.warnings ?? [];
  for (const one of [domain, problem]) one.mark(found.filter((/** @type {any} */ finding) => finding.place?.file === one.name || (!finding.place && one === problem)));
  if (outcome.refused && !outcome.refused.diagnostics) problem.mark([{ severity: "error", code: "", message: outcome.refused.message }]);
  const wrong = found.filter((/** @type {any} */ one) => one.severity === "error").length;
  problemCount.textContent = wrong > 0 ? `${many(wrong, "error")} in the text` : "";
  if (outcome.answer?.scene) {
    htnField.hidden = !outcome.answer.network;
    classField.hidden = !outcome.answer.policy;
    qualityField.hidden = outcome.answer.network || outcome.answer.policy;
    if (!solved && interimBox.children.length === 0) showScene(outcome.answer.scene, []);
  }
});
const problemCount = el("p", { class: "bad", id: "problem-count" });
let solved = false;
function changed() {
  solved = false;
  panel.forget();
  state.set({ example: "", domain: domain.text(), problem: problem.text(), step: 0, trail: [] });
  picker.value = "";
  readTexts();
}
const domain = editor({ name: "domain", label: "Domain (PDDL or HDDL)", change: changed });
const problem = editor({ name: "problem", label: "Problem", change: changed });
const texts = () => ({ domain: domain.text(), problem: problem.text() });

// The request, in the words of the library.
const search = choice(options("search", { auto: "chosen by the library", astar: "symbolic A*", dijkstra: "symbolic Dijkstra", bfs: "symbolic breadth-first", explicit: "over single states", symbolic: "sets of states" }), state.get("search"), (value) => { state.set({ search: value }); panel.forget(); }, { id: "search" });
const quality = choice(options("quality", { any: "any plan, soon", improve: "better and better", optimal: "optimal" }), state.get("quality"), (value) => { state.set({ quality: value }); panel.forget(); }, { id: "quality" });
const kind = choice([["", "the strongest"], ...options("class", { strong: "strong", "strong-cyclic": "strong cyclic", weak: "weak" })], state.get("class"), (value) => { state.set({ class: value }); panel.forget(); });
const htn = choice([["", "as usual"], ...options("htn", { shop: "plan (SHOP)", network: "policy over the network", nd: "ND-SHOP2", yoyo: "Yoyo" })], state.get("htn"), (value) => { state.set({ htn: value }); panel.forget(); });
const [classField, htnField, qualityField] = [field("Policy", kind), field("Task network", htn), field("Plan", quality)];
classField.hidden = true;
htnField.hidden = true;
const seconds = number(state.get("seconds"), [1, 600, 1], (value) => state.set({ seconds: value }), { "aria-label": "time limit in seconds" });
const certify = el("input", { type: "checkbox", id: "certify", checked: state.get("certificate") });
certify.onchange = () => { state.set({ certificate: certify.checked }); panel.forget(); };

// The answer.
const answerBox = el("div", { id: "answer" });
const curveBox = el("div", { id: "curve" });
const liveBox = el("p", { id: "live", class: "live" });
const interimBox = el("div", { id: "interim" });
/** @type {{lower: [number, number][], upper: [number, number][]}} */
let curve = { lower: [], upper: [] };
function drawCurve() {
  const lines = [{ name: "no plan is better", points: curve.lower, stepped: true, dashed: true, colour: "var(--faint)" }, { name: "best plan so far", points: curve.upper, stepped: true, colour: "var(--accent)" }].filter((line) => line.points.length > 0);
  // What is over at once has no curve.
  const lasts = Math.max(0, ...lines.flatMap((line) => line.points.map(([at]) => at))) > 0.05;
  curveBox.replaceChildren(...(lasts && lines.some((line) => line.points.length > 1) ? [linePlot({ label: "Cost and bound over time", lines, x: "seconds", y: "cost", height: 170 })] : []));
  const [lower, upper] = [curve.lower.at(-1)?.[1], curve.upper.at(-1)?.[1]];
  const gap = lower === undefined || upper === undefined || upper === 0 ? null : Math.max(0, (upper - lower) / Math.abs(upper));
  liveBox.replaceChildren(...[
    upper === undefined ? null : el("span", { class: "upper" }, `best plan ${upper}`), lower === undefined ? null : el("span", { class: "lower" }, `no plan below ${Math.ceil(lower - 1e-9)}`),
    gap === null ? null : el("span", { id: "gap" }, gap === 0 ? "no gap" : `gap ${(100 * gap).toFixed(1)} %`)].filter((part) => part !== null));
}

/** The best plan so far, replayed while the search goes on. @param {any} event */
function showFound({ found, scene }) {
  if (!scene) return;
  const isFirst = interimBox.children.length === 0;
  interimBox.replaceChildren(el("p", { class: "headline warn", id: "found" }, `Plan so far: ${many(found.length, "step")}, cost ${found.cost}. Looking for a better one …`));
  player.halt();
  showScene(scene, found.plan);
  if (isFirst && state.get("step") === 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.begin();
}
const panel = runner({
  label: "Solve",
  seconds: () => state.get("seconds"),
  task: () => ({ solve: { ...texts(), request: { search: state.get("search"), ...(qualityField.hidden ? {} : { quality: state.get("quality") }), ...(state.get("class") && !classField.hidden ? { class: state.get("class") } : {}), ...(state.get("htn") && !htnField.hidden ? { htn: state.get("htn") } : {}), picture: true, certificate: state.get("certificate") } } }),
  keep: (run) => state.set({ run }),
  clear: () => { answerBox.replaceChildren(); interimBox.replaceChildren(); curve = { lower: [], upper: [] }; drawCurve(); solved = false; policy = null; graphBox.hidden = true; player.halt(); player.element.hidden = true; },
  tell: (event) => {
    if (event.bounds) {
      if (event.bounds.lower !== null) curve.lower.push([event.seconds, event.bounds.lower]);
      if (event.bounds.upper !== null) curve.upper.push([event.seconds, event.bounds.upper]);
    }
    if (event.better) { const value = Object.values(event.counts)[0]; if (value !== undefined) curve.upper.push([event.seconds, Number(value)]); }
    if (event.bounds || event.better) drawCurve();
    if (event.found) showFound(event);
    if (event.policy?.class) interimBox.replaceChildren(el("p", { class: "headline warn", id: "found" }, `So far: a ${event.policy.class} policy with ${many(event.policy.length, "pair")}. Looking for a ${event.policy.open.join(" or ")} one …`));
  },
  done: (outcome) => {
    if (outcome.refused?.diagnostics) { layout.pick("texts"); readTexts(); return; }
    if (outcome.answer) show(outcome);
  },
});

/** @param {any} outcome */
function show({ answer, last }) {
  solved = true;
  interimBox.replaceChildren();
  // Where the answer is proved, both bounds meet in it.
  const value = Number(answer.metric ?? answer.cost);
  if (answer.verdict === "solved" && answer.optimal && Number.isFinite(value)) for (const line of [curve.lower, curve.upper]) line.push([Math.max(answer.seconds ?? 0, line.at(-1)?.[0] ?? 0), value]);
  if (answer.verdict === "unsolvable") curve = { lower: [], upper: [] };
  drawCurve();
  /** @type {(HTMLElement | null)[]} */
  const parts = [headline(answer), evidence(answer.evidence), certificateState(answer, last.certificate)];
  if (answer.preferences) parts.push(balance(answer));
  if (answer.plan?.length > 0) parts.push(el("ol", { class: "steps" }, answer.plan.map((/** @type {string} */ step, /** @type {number} */ index) => el("li", {}, button(step, () => { state.set({ step: index + 1 }); showStep(); }, { class: "link" })))));
  if (answer.decomposition) parts.push(el("h3", {}, "Decomposition"), outline(answer.decomposition));
  if (Array.isArray(answer.policy)) parts.push(el("h3", {}, "The policy"), rules(answer.policy));
  parts.push(el("details", {}, el("summary", {}, "What the search did"), el("table", { class: "facts" }, Object.entries({ ...answer.search, seconds: answer.seconds?.toFixed(3), ...answer.phases }).filter(([, value]) => value !== null && typeof value !== "object").map(([name, value]) => el("tr", {}, el("th", {}, name.replaceAll("_", " ")), el("td", {}, typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 4 }) : String(value)))))));
  const name = last.scene?.problem ?? "problem";
  parts.push(takeaway([
    ...(last.file ? [/** @type {[string, () => [string, string]]} */ (["Plan", () => [`${name}.plan`, last.file]])] : []),
    ["JSON", () => [`${name}.json`, JSON.stringify(answer, null, 2), "application/json"]],
    ["Scene (SVG)", () => [`${name}-scene.svg`, svgText(view.picture), "image/svg+xml"]],
    ...(last.svg ? [/** @type {[string, () => [string, string, string]]} */ (["SVG", () => [`${name}.svg`, last.svg, "image/svg+xml"]])] : []),
  ]));
  answerBox.replaceChildren(...parts.filter((part) => part !== null));
  if (last.states?.states?.length > 0 && last.scene) showPolicy(last.scene, last.states.states);
  else if (last.scene) {
    showScene(last.scene, answer.plan ?? []);
    if (answer.plan?.length > 0 && state.get("step") === 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.begin();
  }
}

/** @param {any} answer */
function headline(answer) {
  const cost = answer.metric ?? answer.cost;
  const words = answer.metric !== null && answer.metric !== undefined ? "metric" : "cost";
  const text = answer.verdict === "unsolvable" ? (answer.class || answer.kind === "policy" ? "Proved: there is no such policy." : "Proved: there is no plan.")
    : answer.verdict === "stopped" ? (answer.plan ? `Best so far: ${many(answer.plan.length, "step")}, ${words} ${cost}. Not proved optimal.` : `Stopped before a plan was found: ${answer.why ?? "a limit was reached"}.`)
    : answer.class ? `A ${answer.class} policy with ${many(answer.length, "pair")}${answer.checked === "complete" ? ", every state checked" : ""}.`
    : answer.plan ? `${answer.optimal ? "Optimal plan" : "Plan"}: ${many(answer.plan.length, "step")}, ${words} ${cost}.`
    : `Solved with ${many(answer.length ?? 0, "node")}.`;
  return el("p", { class: `headline ${answer.verdict === "solved" ? "good" : answer.verdict === "stopped" ? "warn" : ""}`, id: "headline" }, text);
}

/**
 * Whether there is a certificate, and what an independent check of it says. @param {any} answer @param {any} made
 */
function certificateState(answer, made) {
  const report = answer.certificate;
  if (!report) {
    if (answer.evidence?.kind !== "proved" || (answer.decomposition && !answer.plan)) return null;
    return el("p", { class: "certificate", id: "certificate" }, "Certificate: none was asked for. ", button("Make and check one", () => { state.set({ certificate: true }); certify.checked = true; panel.go(); }, { class: "quiet", id: "make-certificate" }));
  }
  if (!report.written || !made) return el("p", { class: "certificate warn", id: "certificate" }, `Certificate: none. ${report.why ?? "It could not be written in time."}`);
  const { validity, files, bytes } = made;
  const says = !validity ? "written, not checked within the limits" : validity.valid ? `valid: ${{ optimal: "the plan is optimal", unsolvable: "there is no plan", "at-least": `no plan costs less than ${report.bound}` }[/** @type {"optimal"} */ (validity.claim)] ?? validity.claim}` : `NOT valid: ${validity.why}`;
  return el("div", { class: "certificate", id: "certificate" },
    el("p", { class: validity?.valid ? "good" : "bad" }, el("strong", {}, "Certificate "), `${says}.`),
    el("p", { class: "small" }, `${many(validity?.states ?? report.states, "state")} in ${many(bytes, "byte")} (${report.format}), checked by code that searches nothing. `, el("a", { href: "/docs/certificates" }, "What it proves")),
    Object.keys(files).length > 0 ? el("details", {}, el("summary", {}, "Files"), takeaway(Object.entries(files).map(([file, text]) => /** @type {[string, () => [string, string]]} */ ([file, () => [file, String(text)]])))) : el("p", { class: "small" }, "Its files are too large for the page: `counterplay solve --certificate DIR` writes them."));
}

/** Preferences as a balance sheet. @param {any} answer */
function balance(answer) {
  const rows = answer.preferences.map((/** @type {any} */ one) => el("tr", { class: one.held ? "good" : "bad" }, el("td", {}, one.held ? "✓" : "✗"), el("td", {}, one.name || "(no name)"), el("td", { class: "number" }, one.held ? "" : `${one.violated} × ${one.weight}`), el("td", { class: "number" }, one.held ? "0" : String(Number(one.weight) * one.violated))));
  return el("table", { class: "balance", id: "balance" }, el("caption", {}, "Preferences"), el("tr", {}, el("th", {}, ""), el("th", {}, "preference"), el("th", { class: "number" }, "violated"), el("th", { class: "number" }, "sum")), rows,
    el("tr", { class: "sum" }, el("td"), el("td", {}, "cost of the actions"), el("td"), el("td", { class: "number" }, String(answer.cost ?? 0))), el("tr", { class: "sum" }, el("td"), el("th", {}, "metric"), el("td"), el("th", { class: "number" }, String(answer.metric ?? ""))));
}

/** An indented text as a tree that folds. @param {string} text */
function outline(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const depth = (/** @type {string} */ line) => line.length - line.trimStart().length;
  /** @param {number} from @param {number} level @returns {[HTMLElement, number]} */
  const branch = (from, level) => {
    const items = [];
    let at = from;
    while (at < lines.length && depth(lines[at]) >= level) {
      const own = lines[at].trim();
      const deeper = lines[at + 1] !== undefined && depth(lines[at + 1]) > depth(lines[at]);
      if (deeper) { const [inner, next] = branch(at + 1, depth(lines[at + 1])); items.push(el("li", {}, el("details", { open: true }, el("summary", {}, own), inner))); at = next; } else { items.push(el("li", {}, own)); at++; }
    }
    return [el("ul", {}, items), at];
  };
  return el("div", { class: "tree", id: "decomposition" }, branch(0, 0)[0]);
}

/** @param {{if: string[], do: string}[]} list */
function rules(list) {
  return el("table", { class: "policy" }, el("tr", {}, el("th", {}, "if"), el("th", {}, "do")), list.slice(0, 300).map((rule) => el("tr", {}, el("td", {}, rule.if.length > 0 ? rule.if.join(" ") : "always"), el("td", {}, el("code", {}, rule.do)))));
}

const picker = choice([...list.map((one) => /** @type {[string, string]} */ ([one.name, one.title])), ["", "Own text"]], state.get("example"), (name) => load(name), { id: "example", "aria-label": "Example" });

/** @param {string} name */
function load(name) {
  const example = list.find((one) => one.name === name);
  if (!example) { layout.pick("texts"); return; }
  domain.put(example.files.domain);
  problem.put(example.files.problem);
  solved = false;
  panel.forget();
  state.set({ example: name, domain: "", problem: "", step: 0, trail: [] });
  readTexts();
}

const hintText = el("textarea", { rows: 6, spellcheck: "false", "aria-label": "Picture hints", placeholder: JSON.stringify({ kind: "cells", hide: ["free"], icons: { keeper: "person" } }) });
hintText.value = state.get("hint");
hintText.oninput = () => { state.set({ hint: hintText.value }); if (shown.scene && !policy) showScene(shown.scene, shown.plan); };
const hintPanel = el("div", {}, el("p", {}, "How the state is drawn: ", el("code", {}, "kind"), " is towers, cells, places; ", el("code", {}, "hide"), " lists predicates; ", el("code", {}, "icons"), " gives a predicate or type a person, crate, van or plane. ; ", el("code", {}, "inside"), " names predicates that put one thing into another for good. Files of this kind come with the examples: ", Object.keys(HINTS).join(", "), "."), hintText);

const layout = tabs([
  ["answer", "Answer", el("div", {}, liveBox, curveBox, interimBox, answerBox, el("p", { class: "hint", id: "hint" }, "Solve finds a plan, improves it, and proves that none is better. Ctrl-Enter does the same."))],
  ["texts", "Texts", el("div", {}, problemCount, domain.element, problem.element)],
  ["picture", "Picture", hintPanel],
], state.get("tab"), (tab) => state.set({ tab }));

main.append(el("div", { class: "split" },
  el("section", { class: "stage-box", "aria-label": "Picture" }, el("div", { class: "row" }, field("Example", picker)), view.picture, caption, player.element, graphBox),
  el("section", { class: "panel", "aria-label": "Answer and texts" }, el("div", { class: "row" }, panel.start, panel.halt, el("details", { class: "options" }, el("summary", {}, "Options"), el("div", { class: "row" }, field("Search", search), qualityField, classField, htnField, field("Seconds", seconds), el("label", { class: "check" }, certify, " with a certificate")))), panel.status, layout.element)));

onRun(() => panel.go());
if (state.get("example")) { const example = chosen(); domain.put(example.files.domain); problem.put(example.files.problem); } else { domain.put(state.get("domain")); problem.put(state.get("problem")); }
const wasSolved = state.get("run") || state.get("step") > 0 || state.get("trail").length > 0;
readTexts();
if (wasSolved) panel.go();
state.onChange(() => location.reload());
