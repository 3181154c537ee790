// Repeated games with noise: tournaments with plots, matches turn by turn, and you against a model.

import { ask, evidence, examples, lastAsk, run, runner } from "./api.js";
import { button, choice, el, field, main, many, number, onRun, svgText, tabs, takeaway } from "./dom.js";
import { editor } from "./editor.js";
import { boxPlot, heatMap, legend, linePlot } from "./plot.js";
import { address } from "./state.js";

const list = await examples("dilemma");
const FIELD = ["DBS", "TitForTat", "GTFT", "WinStayLoseShift", "Grudger", "Defector", "Cooperator", "Random"];
const state = await address("dilemma", { players: FIELD, noise: 0.05, turns: 100, repetitions: 5, generations: 100, first: "DBS", second: "TitForTat", turn: 0, opponent: "DBS", moves: "", tab: "tournament", seed: 1, own: /** @type {any[]} */ ([]) });
const known = (await ask("dilemma-strategies")).strategies;
const names = () => [...known.map((/** @type {any} */ one) => one.name), ...state.get("own").map((one) => one.name)];
state.set({ players: state.get("players").filter((name) => names().includes(name)) });
const rules = () => ({ noise: state.get("noise"), turns: state.get("turns") });
/** Own strategies that are named. @param {string[]} list */
const ownOf = (list) => state.get("own").filter((one) => list.includes(one.name));

// The field: all strategies, with what they do and where they come from.
const filter = el("input", { type: "search", placeholder: "Find a strategy", "aria-label": "Find a strategy", id: "find" });
const fieldBox = el("ul", { class: "strategies", id: "strategies" });
const chosenBox = el("div", { class: "chips", id: "chosen", role: "group", "aria-label": "Players" });
function paintField() {
  const wanted = filter.value.toLowerCase();
  const chosen = state.get("players");
  const all = [...state.get("own").map((one) => ({ name: one.name, about: "Your own strategy.", source: "" })), ...known];
  const found = all.filter((one) => `${one.name} ${one.about} ${one.source}`.toLowerCase().includes(wanted));
  fieldBox.replaceChildren(...found.slice(0, 60).map((one) => el("li", {}, el("button", { type: "button", "aria-pressed": chosen.includes(one.name), onclick: () => toggle(one.name) }, el("strong", {}, one.name), " ", el("span", {}, one.about), one.source ? el("small", {}, ` ${one.source}`) : null))), found.length > 60 ? el("li", {}, el("small", {}, `and ${found.length - 60} more; type to find them`)) : "");
  chosenBox.replaceChildren(...chosen.map((name) => el("button", { type: "button", class: "chip", onclick: () => toggle(name), "aria-label": `remove ${name}` }, name, " ✕")));
}
/** @param {string} name */
function toggle(name) {
  const chosen = state.get("players");
  state.set({ players: chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name] });
  tournament.forget();
  paintField();
}
filter.oninput = paintField;

// The tournament.
const plots = el("div", { class: "plots", id: "plots" });
const tournament = runner({
  label: "Run the tournament", seconds: () => 300,
  clear: () => plots.replaceChildren(),
  task: () => ({ "dilemma-tournament": { request: { players: state.get("players"), repetitions: state.get("repetitions"), matrices: true, ecology: state.get("generations"), rules: rules(), seed: state.get("seed") }, own: ownOf(state.get("players")) } }),
  tell: (event) => { if (event.standings) showStandings(event.standings); },
  done: ({ answer, last }) => { if (answer?.ranking) show(answer, last); },
});

/** Who leads while the tournament goes on. @param {{strategy: string, mean: number, matches: number}[]} standings */
function showStandings(standings) {
  const most = Math.max(...standings.map((one) => one.mean), 1e-9);
  plots.replaceChildren(el("h3", {}, "So far"), el("div", { class: "bars", id: "standings" }, standings.slice(0, 20).map((one, index) => el("div", { class: "bar" },
    el("span", { class: "bar-fill", style: `width:${Math.round((100 * one.mean) / most)}%` }), el("span", {}, `${index + 1}. ${one.strategy}`), el("span", { class: "number" }, (one.mean / state.get("turns")).toFixed(3)), el("small", {}, many(one.matches, "match").replace(/matchs$/, "matches"))))));
}

/** @param {any} answer @param {any} last */
function show(answer, last) {
  const order = answer.ranking.map((/** @type {any} */ one) => one.strategy);
  const at = order.map((/** @type {string} */ name) => answer.strategies.indexOf(name));
  const turns = state.get("turns");
  const boxes = boxPlot({ label: "Mean points per turn in each repetition, best first", unit: "points per turn", rows: order.map((/** @type {string} */ name, /** @type {number} */ index) => ({ name, values: answer.runs.map((/** @type {number[]} */ row) => row[at[index]] / turns) })) });
  const heat = heatMap({ label: "Points per turn of the row against the column", names: order, rows: at.map((/** @type {number} */ i) => at.map((/** @type {number} */ j) => { const value = answer.scores[i][j]; return value === null ? null : value / turns; })) });
  const top = order.slice(0, 10);
  const population = answer.shares ? linePlot({ label: "Shares of the population over the generations", x: "generation", y: "share", from: 0, lines: top.map((/** @type {string} */ name, /** @type {number} */ index) => ({ name, points: answer.shares.map((/** @type {number[]} */ row, /** @type {number} */ generation) => /** @type {[number, number]} */ ([generation, row[at[index]]])) })) }) : null;
  const csv = () => ["strategy,mean,low,high,cooperation", ...answer.ranking.map((/** @type {any} */ one) => [one.strategy, one.mean, one.low ?? "", one.high ?? "", one.cooperation].join(","))].join("\n");
  plots.replaceChildren(
    el("p", { class: "headline good", id: "headline" }, `${order[0]} wins with ${(answer.ranking[0].mean / turns).toFixed(2)} points per turn; ${many(answer.matches, "match").replace(/matchs$/, "matches")}.`),
    ...[evidence(answer.evidence)].filter((part) => part !== null),
    el("table", { class: "facts", id: "ranking" }, el("tr", {}, el("th", {}, ""), el("th", {}, "strategy"), el("th", { class: "number" }, "points per turn"), el("th", { class: "number" }, "95 %"), el("th", { class: "number" }, "cooperates")), answer.ranking.map((/** @type {any} */ one, /** @type {number} */ index) => el("tr", {}, el("td", { class: "number" }, index + 1), el("td", {}, one.strategy), el("td", { class: "number" }, (one.mean / turns).toFixed(3)), el("td", { class: "number" }, one.low === null ? "–" : `${(one.low / turns).toFixed(2)} to ${(one.high / turns).toFixed(2)}`), el("td", { class: "number" }, `${Math.round(100 * one.cooperation)} %`)))),
    el("h3", {}, "Spread over the repetitions"), boxes, el("h3", {}, "Who earns what against whom"), heat,
    ...(population ? [el("h3", {}, "If players multiply by what they earn"), population, legend(top)] : []),
    takeaway([["CSV", () => ["ranking.csv", csv(), "text/csv"]], ["JSON", () => ["tournament.json", JSON.stringify(answer, null, 1), "application/json"]], ["Ranking (SVG)", () => ["ranking.svg", last.ranking, "image/svg+xml"]], ["Box plot (SVG)", () => ["boxes.svg", svgText(boxes), "image/svg+xml"]], ["Heat map (SVG)", () => ["heat-map.svg", last.heat_map, "image/svg+xml"]],
      ...(last.population ? [/** @type {[string, () => [string, string, string]]} */ (["Population (SVG)", () => ["population.svg", last.population, "image/svg+xml"]]), /** @type {[string, () => [string, string, string]]} */ (["Population (CSV)", () => ["population.csv", last.shares, "text/csv"]])] : [])]));
}

const numbers = (/** @type {() => void} */ change) => el("div", { class: "row" },
  field("Noise", number(state.get("noise"), [0, 1, 0.01], (noise) => { state.set({ noise }); change(); }, { id: "noise" })), field("Turns", number(state.get("turns"), [1, 2000, 1], (turns) => { state.set({ turns }); change(); }, { id: "turns" })));

// One match, turn by turn.
const matchBox = el("div", { id: "match" });
/** @type {any} */
let match = null;
const matching = runner({
  label: "Play the match", id: "play", seconds: () => 60, clear: () => { match = null; matchBox.replaceChildren(); },
  task: () => ({ "dilemma-match": { request: { first: state.get("first"), second: state.get("second"), beliefs: true, rules: { ...rules(), turns: Math.min(state.get("turns"), 300) }, seed: state.get("seed") }, own: ownOf([state.get("first"), state.get("second")]) } }),
  done: ({ answer }) => { if (answer?.moves) { match = answer; step(Math.min(state.get("turn") || answer.moves[0].length, answer.moves[0].length)); } },
});

/** Two rows of moves: cooperation light, defection dark. @param {string[]} moves @param {string[]} who @param {number} [upTo] */
function strip(moves, who, upTo = moves[0].length) {
  return el("div", { class: "strip", role: "img", "aria-label": `${who[0]}: ${moves[0].slice(0, upTo)}; ${who[1]}: ${moves[1].slice(0, upTo)}` }, moves.map((row, side) => el("div", { class: "strip-row" }, el("span", { class: "who" }, who[side]), el("span", { class: "cells" }, [...row.slice(0, upTo)].map((move) => el("i", { class: move }))))));
}

/** @param {number} turn */
function step(turn) {
  const last = match.moves[0].length;
  state.set({ turn });
  const slider = el("input", { type: "range", min: 0, max: last, value: turn, class: "slider", "aria-label": "turn" });
  slider.oninput = () => { step(Number(slider.value)); /** @type {HTMLElement | null} */ (matchBox.querySelector("input[type=range]"))?.focus(); };
  const beliefs = [0, 1].map((side) => believed(match.beliefs?.[side]?.[Math.min(turn, last - 1)] ?? [], `${match.strategies[side]} believes that ${match.strategies[1 - side]} cooperates`));
  matchBox.replaceChildren(el("p", { class: "headline" }, `${match.strategies[0]} ${match.scores?.[0] ?? "–"}, ${match.strategies[1]} ${match.scores?.[1] ?? "–"}`), el("p", {}, `turn ${turn} of ${last}`), slider, strip(match.moves, match.strategies, turn), ...beliefs.filter((part) => part !== null),
    takeaway([["JSON", () => ["match.json", JSON.stringify(match, null, 1), "application/json"]], ["CSV", () => ["match.csv", ["turn,first,second", ...[...match.moves[0]].map((move, index) => `${index + 1},${move},${match.moves[1][index]}`)].join("\n"), "text/csv"]]]));
}

/** @param {any[]} lines @param {string} title */
function believed(lines, title) {
  if (lines.length === 0) return null;
  return el("div", { class: "beliefs" }, el("h3", {}, title), lines.map((line) => el("div", { class: `belief${line.holds ? " holds" : ""}`, title: line.because }, el("span", {}, `after ${line.condition}`), el("span", { class: "bar" }, el("span", { class: "bar-fill", style: `width:${Math.round(100 * line.cooperates)}%` })), el("span", { class: "number" }, `${Math.round(100 * line.cooperates)} %`))));
}
const pickPlayer = (/** @type {"first" | "second" | "opponent"} */ key, /** @type {() => void} */ change) => choice(names(), state.get(key), (value) => { state.set({ [key]: value }); change(); }, { id: key });

// You against a strategy.
const playBox = el("div", { id: "you" });
const askPlay = lastAsk();
/** @param {string} moves */
async function play(moves) {
  state.set({ moves });
  try {
    const answer = await askPlay({ "dilemma-play": { opponent: state.get("opponent"), moves, rules: rules(), seed: state.get("seed"), own: ownOf([state.get("opponent")]) } });
    if (!answer) return;
    const { played } = answer;
    const flipped = [...moves].filter((move, index) => move !== played.moves[0][index]).length;
    playBox.replaceChildren(el("p", { class: "headline" }, `You ${played.scores[0]}, ${played.strategies[1]} ${played.scores[1]}`), el("p", {}, moves.length === 0 ? "Both have three points for cooperation; who defects alone has five." : `${many(moves.length, "turn")}${flipped > 0 ? `; noise turned ${many(flipped, "move")} of yours around` : ""}. DBS in your place would ${answer.advice === "C" ? "cooperate" : "defect"}.`),
      moves.length > 0 ? strip(played.moves, ["you", played.strategies[1]]) : "",
      ...[believed(answer.opponent_beliefs, `${played.strategies[1]} believes that you cooperate`), believed(answer.beliefs, `DBS in your place believes that ${played.strategies[1]} cooperates`)].filter((part) => part !== null));
  } catch (error) { playBox.replaceChildren(el("p", { class: "bad" }, error.message)); }
}

// Your own strategies stay in the address of this page.
const ownName = el("input", { value: "Mine", "aria-label": "name", id: "own-name", size: 14 });
const table = ["first turn", "after CC", "after CD", "after DC", "after DD"].map((title, index) => number([1, 1, 0.1, 1, 0.1][index], [0, 1, 0.05], () => {}, { "aria-label": `probability to cooperate, ${title}`, "data-title": title }));
const conditions = editor({ name: "conditions", label: "Conditions of a model (optional)", rows: 8, change: () => {} });
const ownBox = el("div", { id: "own-list" });
function paintOwn() {
  ownBox.replaceChildren(...state.get("own").map((one) => el("div", { class: "row" }, el("strong", {}, one.name), el("span", {}, one.play.table ? one.play.table.join(", ") : "a model with conditions"), button("Remove", () => { state.set({ own: state.get("own").filter((other) => other !== one), players: state.get("players").filter((name) => name !== one.name) }); paintOwn(); paintField(); }, { class: "quiet" }))));
}
/** @param {any} how */
async function addOwn(how) {
  const one = { name: ownName.value.trim() || "Mine", play: how };
  const outcome = await run({ "dilemma-match": { request: { first: one.name, second: "TitForTat", rules: { turns: 2 } }, own: [one] } });
  conditions.mark(outcome.refused?.diagnostics ?? []);
  if (!outcome.answer) { ownError.textContent = outcome.refused?.message ?? "it cannot be played"; return; }
  ownError.textContent = "";
  state.set({ own: [...state.get("own").filter((other) => other.name !== one.name), one], players: [...state.get("players").filter((name) => name !== one.name), one.name] });
  tournament.forget();
  paintOwn();
  paintField();
}
const ownError = el("p", { class: "bad" });
const ownPanel = el("div", {}, el("p", {}, "A table: how likely it is to cooperate at first, and after each outcome of the last turn (its own move first)."),
  el("div", { class: "row" }, field("Name", ownName), ...table.map((input) => field(input.dataset.title ?? "", input))), el("div", { class: "row" }, button("Add the table", () => addOwn({ table: table.map((input) => Number(input.value)) }), { class: "main", id: "add-table" })),
  el("details", {}, el("summary", {}, "A model with conditions of your own"), conditions.element, button("Add the model", () => addOwn({ conditions: conditions.text() }))), ownError, ownBox);

const layout = tabs([
  ["tournament", "Tournament", el("div", {}, el("div", { class: "split" }, el("section", { class: "panel", "aria-label": "Field" }, numbers(() => tournament.forget()), el("div", { class: "row" }, field("Repetitions", number(state.get("repetitions"), [1, 50, 1], (repetitions) => { state.set({ repetitions }); tournament.forget(); }, { id: "repetitions" })), field("Generations", number(state.get("generations"), [1, 2000, 1], (generations) => { state.set({ generations }); tournament.forget(); })), field("Seed", number(state.get("seed"), [0, 1e9, 1], (seed) => { state.set({ seed }); tournament.forget(); }))), el("div", { class: "row" }, tournament.start, tournament.halt), tournament.status, chosenBox, filter, fieldBox), el("section", { class: "stage-box", "aria-label": "Results" }, plots)))],
  ["match", "One match", el("section", { class: "panel" }, el("div", { class: "row" }, field("First", pickPlayer("first", () => matching.forget())), field("Second", pickPlayer("second", () => matching.forget()))), el("div", { class: "row" }, matching.start, matching.halt), matching.status, matchBox)],
  ["you", "Play yourself", el("section", { class: "panel" }, el("div", { class: "row" }, field("Opponent", pickPlayer("opponent", () => play("")))), el("div", { class: "row big" }, button("Cooperate", () => play(`${state.get("moves")}C`), { class: "main", id: "cooperate" }), button("Defect", () => play(`${state.get("moves")}D`), { class: "danger", id: "defect" }), button("Take back", () => play(state.get("moves").slice(0, -1)), { class: "quiet" }), button("Start again", () => play(""), { class: "quiet" })), playBox)],
  ["own", "Your strategy", el("section", { class: "panel" }, ownPanel)],
], state.get("tab"), (tab) => { state.set({ tab }); if (tab === "you" && playBox.children.length === 0) play(state.get("moves")); if (tab === "match" && !match) matching.go(); });
main.append(layout.element);
conditions.put(list[0].files.conditions);
paintField();
paintOwn();
onRun(() => ({ tournament: () => tournament.go(), match: () => matching.go(), you: () => {}, own: () => {} })[/** @type {"tournament"} */ (state.get("tab"))]?.());
if (state.get("tab") === "tournament") tournament.go();
state.onChange(() => location.reload());
