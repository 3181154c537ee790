// General games: any rules in GDL, drawn, played against the program, and solved.

import { ask, evidence, examples, follow, begin, run, runner, stop } from "./api.js";
import { button, choice, debounce, el, field, main, many, number, onRun, options, tabs, takeaway } from "./dom.js";
import { editor } from "./editor.js";
import { findBoard, gameBoard } from "./gameboard.js";
import { STYLES } from "./gamestyles.js";
import { address } from "./state.js";

const list = await examples("games");
const state = await address("games", { example: "connect-four", rules: "", style: "", moves: /** @type {string[][]} */ ([]), role: 0, player: "hybrid", seconds: 2, think: true, run: false, tab: "moves" });
let isRestored = !state.get("run");

const board = gameBoard({ label: "Board", play: (move) => make(move) });
const told = el("p", { role: "status", class: "told", id: "told" });
const record = el("ol", { class: "record", id: "record" });
const bars = el("div", { class: "bars", id: "values" });
/** @type {ReturnType<typeof findBoard>} */
let shape = null;
/** @type {any} */
let position = null;
let turn = 0;
/** @type {string | null} */
let thinking = null;
/** @type {Map<number, string>} */
const reasons = new Map();

const rules = editor({ name: "rules", label: "Rules (GDL)", change: () => { state.set({ example: "", rules: rules.text(), moves: [] }); picker.value = ""; read(); } });
const styleText = el("textarea", { rows: 8, spellcheck: "false", "aria-label": "Style sheet", placeholder: JSON.stringify(STYLES["sheep-and-wolf"], null, 1) });
styleText.value = state.get("style");
styleText.oninput = () => { state.set({ style: styleText.value }); reshape(); };
/** @returns {import("./gamestyles.js").Style} */
const style = () => { try { if (state.get("style")) return JSON.parse(state.get("style")); } catch { /* half typed */ } return STYLES[state.get("example")] ?? {}; };
/** @type {string[]} */
let fluents = [];
function reshape() { shape = findBoard(fluents, style()); paint([]); }

const read = debounce(200, async () => {
  told.textContent = "Reading the rules …";
  const outcome = await run({ "game-read": { rules: rules.text() } }).catch((error) => ({ refused: { message: error.message }, answer: undefined, stopped: undefined }));
  rules.mark(outcome.refused?.diagnostics ?? []);
  if (!outcome.answer) { told.replaceChildren(el("span", { class: "bad" }, outcome.refused?.message ?? outcome.stopped?.why ?? "The rules cannot be read.")); return; }
  fluents = outcome.answer.fluents;
  shape = findBoard(fluents, style());
  const roles = outcome.answer.position.roles;
  roleChoice.replaceChildren(...roles.map((/** @type {string} */ role, /** @type {number} */ index) => el("option", { value: index }, role)));
  if (state.get("role") >= roles.length) state.set({ role: 0 });
  roleChoice.value = String(state.get("role"));
  await refresh();
  if (!isRestored) { isRestored = true; solver.go(); }
});

const roleChoice = choice([["0", "first"]], "0", (value) => { state.set({ role: Number(value) }); refresh(); }, { id: "role" });

/** What the rules say about the moves so far; then the others move. */
async function refresh() {
  const mine = ++turn;
  solver.forget();
  halt();
  try {
    const found = await ask({ "game-position": { rules: rules.text(), moves: state.get("moves") } });
    if (mine !== turn) return;
    position = found;
  } catch (error) {
    if (mine !== turn) return;
    state.set({ moves: [] });
    told.replaceChildren(el("span", { class: "bad" }, error.message));
    return;
  }
  paint([]);
  if (position.over) {
    const rewards = position.roles.map((/** @type {string} */ role, /** @type {number} */ index) => `${role} ${position.rewards[index] ?? 0}`);
    told.replaceChildren(el("strong", {}, "Over: "), rewards.join(", "));
    return;
  }
  const me = state.get("role");
  const choosers = position.legal.map((/** @type {string[]} */ moves, /** @type {number} */ index) => (moves.length > 1 ? index : -1)).filter((/** @type {number} */ index) => index >= 0);
  if (position.legal[me].length === 1 && choosers.length === 0) { await joint(position.legal.map((/** @type {string[]} */ moves) => moves[0])); return; }
  if (position.legal[me].length === 1) { await reply(position.legal[me][0]); return; }
  told.textContent = `${position.roles[me]}, it is your move.`;
  if (state.get("think")) think(mine);
}

/** @param {string} move */
async function make(move) {
  if (!position || position.over) return;
  if (!position.legal[state.get("role")].some((/** @type {string} */ own) => own.toLowerCase() === move.toLowerCase())) return;
  await reply(move);
}

/** The others answer to a move of ours. @param {string} own */
async function reply(own) {
  const mine = ++turn;
  halt();
  const me = state.get("role");
  const made = [...position.legal.keys()].map(() => "");
  made[me] = own;
  for (const role of position.legal.keys()) {
    if (role === me) continue;
    if (position.legal[role].length === 1) { made[role] = position.legal[role][0]; continue; }
    told.replaceChildren(el("span", { class: "busy" }), ` ${position.roles[role]} thinks …`);
    board.show({ board: shape, style: style(), fluents: position.fluents, legal: [], values: [] });
    try {
      const chosen = await ask({ "game-move": { rules: rules.text(), moves: state.get("moves"), role, seconds: state.get("seconds"), request: { player: state.get("player"), threads: 1, "tree-bytes": 200000000 } } }, 90);
      if (mine !== turn) return;
      made[role] = chosen.move;
      reasons.set(state.get("moves").length, chosen.proved ? "proved best" : chosen.value === null ? "" : `expects ${Math.round(100 * chosen.value)} after ${many(chosen.playouts, "playout")}`);
    } catch (error) { told.replaceChildren(el("span", { class: "bad" }, error.message)); return; }
  }
  await joint(made);
}

/** @param {string[]} made */
async function joint(made) { await state.set({ moves: [...state.get("moves"), made] }); await refresh(); }

/** @param {import("./gameboard.js").Value[]} values */
function paint(values) {
  if (!position) return;
  board.show({ board: shape, style: style(), fluents: position.fluents, legal: position.over ? [] : position.legal[state.get("role")].length > 1 ? position.legal[state.get("role")] : [], values });
  record.replaceChildren(...state.get("moves").map((made, index) => el("li", {}, made.filter((move) => !/^(noop|pass)$/i.test(move)).join("   ") || made.join("   "), reasons.get(index) ? el("small", {}, ` ${reasons.get(index)}`) : null)));
}

// The program thinks while you do.
/** @param {number} mine */
async function think(mine) {
  try {
    const id = await begin({ "game-analyse": { rules: rules.text(), moves: state.get("moves"), role: state.get("role"), seconds: 20 } }, 60);
    if (mine !== turn) { stop(id).catch(() => {}); return; }
    thinking = id;
    await follow(id, (event) => { if (mine === turn && event.analysis) showValues(event.analysis.moves.map((/** @type {any} */ one) => ({ move: one.move, value: one.proved ?? one.mean, proved: one.proved !== null, visits: one.visits })), `${many(event.analysis.playouts, "playout")}${event.analysis.settled ? ", all proved" : ""}`); });
  } catch { /* a game that cannot be analysed is played all the same */ }
}
function halt() { if (thinking) stop(thinking).catch(() => {}); thinking = null; bars.replaceChildren(); }

/** @param {{move: string, value: number | null, proved: boolean, visits?: number}[]} moves @param {string} words */
function showValues(moves, words) {
  const known = moves.filter((one) => one.value !== null);
  board.value(known.map((one) => ({ move: one.move, proved: one.proved, tone: tone(/** @type {number} */ (one.value), one.proved), text: String(Math.round(100 * /** @type {number} */ (one.value))) })));
  bars.replaceChildren(el("p", { class: "small" }, words), ...known.sort((a, b) => (b.value ?? 0) - (a.value ?? 0)).slice(0, 12).map((one) => el("button", { type: "button", class: "bar", onclick: () => make(one.move) },
    el("span", { class: "bar-fill", style: `width:${Math.round(100 * (one.value ?? 0))}%` }), el("span", {}, one.move), el("span", { class: "number" }, `${Math.round(100 * (one.value ?? 0))}${one.proved ? " proved" : ""}`), one.visits ? el("small", {}, many(one.visits, "visit")) : null)));
}
/** @param {number} value @param {boolean} proved */
const tone = (value, proved) => `${proved ? "proved " : ""}${value > 0.66 ? "win" : value < 0.34 ? "loss" : "draw"}`;

const answerBox = el("div", { id: "answer" });
const solver = runner({
  label: "Solve the game", id: "solve", seconds: () => 300,
  task: () => ({ "game-solve": { rules: rules.text(), request: { from: state.get("moves").map((made) => `(${made.join(" ")})`).join(" ") } } }),
  clear: () => answerBox.replaceChildren(),
  keep: (run) => { if (isRestored) state.set({ run }); },
  done: (outcome) => { if (outcome.answer) showSolution(outcome.answer, outcome.last.svg); },
});

/** @param {any} answer @param {string | null} svg */
function showSolution(answer, svg) {
  const solved = answer.verdict === "solved";
  const value = (/** @type {number[]} */ own) => own.map((reward, index) => `${position?.roles[index] ?? index} ${reward}`).join(", ");
  answerBox.replaceChildren(
    el("p", { class: `headline ${solved ? "good" : "warn"}`, id: "headline" }, solved ? `Solved: ${value(answer.value)} with best play; ${Number(answer.states).toLocaleString("en")} positions.` : "Not solved within the limits."),
    ...[evidence(answer.evidence)].filter((part) => part !== null),
    answer.position?.value ? el("p", {}, `Here: ${value(answer.position.value)}.`) : "",
    takeaway([["JSON", () => ["game.json", JSON.stringify(answer, null, 2), "application/json"]], ...(svg ? [/** @type {[string, () => [string, string, string]]} */ (["SVG", () => ["game.svg", svg, "image/svg+xml"]])] : [])]));
  const me = position?.roles[state.get("role")];
  const mine = (answer.position?.choices ?? []).filter((/** @type {any} */ one) => one.role === me && one.value);
  if (mine.length > 0) { halt(); showValues(mine.map((/** @type {any} */ one) => ({ move: one.move, value: one.value[state.get("role")] / 100, proved: true })), "Proved values of your moves"); }
}

const picker = choice([...list.map((one) => /** @type {[string, string]} */ ([one.name, one.title])), ["", "Own rules"]], state.get("example"), (name) => {
  const example = list.find((one) => one.name === name);
  if (!example) { layout.pick("rules"); return; }
  rules.put(example.files.rules);
  reasons.clear();
  state.set({ example: name, rules: "", moves: [], role: 0 });
  read();
}, { id: "example", "aria-label": "Game" });
const kinds = choice(options("player", { hybrid: "UCT and solver", uct: "UCT", rules: "UCT on the rules", random: "random" }).reverse(), state.get("player"), (player) => state.set({ player }));
const time = number(state.get("seconds"), [0.2, 30, 0.1], (seconds) => state.set({ seconds }), { "aria-label": "seconds for a move" });
const thinks = el("input", { type: "checkbox", id: "think", checked: state.get("think") });
thinks.onchange = () => { state.set({ think: thinks.checked }); if (thinks.checked) refresh(); else { halt(); paint([]); } };

const layout = tabs([
  ["moves", "Moves", el("div", {}, bars, answerBox, el("h3", {}, "Record"), record, takeaway([["Record", () => ["match.json", JSON.stringify({ roles: position?.roles, moves: state.get("moves") }, null, 1), "application/json"]]]))],
  ["rules", "Rules", el("div", {}, rules.element)],
  ["style", "Style", el("div", {}, el("p", {}, "How the board is drawn, if the guess is not good enough."), styleText)],
], state.get("tab"), (tab) => state.set({ tab }));

main.append(el("div", { class: "split" },
  el("section", { class: "stage-box", "aria-label": "Game" }, el("div", { class: "row" }, field("Game", picker), field("You are", roleChoice), field("Opponent", kinds), field("Seconds", time)), told, board.element,
    el("div", { class: "row" }, button("New game", () => { reasons.clear(); state.set({ moves: [] }); refresh(); }, { id: "new" }), button("Take back", () => takeBack(), { id: "undo" }), el("label", { class: "check" }, thinks, " show what the program thinks"))),
  el("section", { class: "panel", "aria-label": "Moves and rules" }, el("div", { class: "row" }, solver.start, solver.halt), solver.status, layout.element)));

/** Back to the last position in which the person had a choice. */
async function takeBack() {
  const mine = ++turn;
  let moves = state.get("moves").slice(0, -1);
  while (moves.length > 0) {
    const here = await ask({ "game-position": { rules: rules.text(), moves } });
    if (mine !== turn) return;
    if (here.legal[state.get("role")].length > 1) break;
    moves = moves.slice(0, -1);
  }
  await state.set({ moves });
  refresh();
}

onRun(() => solver.go());
rules.put(state.get("example") ? list.find((one) => one.name === state.get("example"))?.files.rules ?? list[0].files.rules : state.get("rules"));
read();
state.onChange(() => location.reload());
