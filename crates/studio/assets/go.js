// Go: a goban from the start. Set up stones, mark a target, ask; or play a move and have it refuted.

import { evidence, examples, lastAsk, runner } from "./api.js";
import { button, choice, debounce, el, field, main, many, onRun, options, svgText, tabs, takeaway } from "./dom.js";
import { editor } from "./editor.js";
import { goban, placeOf } from "./goban.js";
import { goalSentence, goalWords } from "./goals.js";
import { address } from "./state.js";

const list = await examples("go");
const state = await address("go", { example: "rabbity-six", sgf: "", moves: /** @type {string[]} */ ([]), tool: "play", search: "auto", tab: "answer", run: false, base: 0 });

const told = el("p", { role: "status", class: "told", id: "told" });
const board = goban({ label: "Goban", pick: (name) => touch(name) });
const treeBox = el("div", { class: "tree", id: "tree" });
const answerBox = el("div", { id: "answer" });
/** @type {any} */
let position = null;
/** @type {any} */
let answer = null;
/** @type {{by: string, move: string, goal: string, wins: boolean | null, then: any[]}[]} */
let tree = [];
/** The moves after which the tree was found. @type {string[]} */
let base = [];
/** Moves on the tree to which the board goes when the answer is there again. @type {string[] | null} */
let pending = null;

const text = editor({ name: "sgf", label: "Problem (SGF)", brackets: false, change: () => { state.set({ example: "", sgf: text.text(), moves: [] }); picker.value = ""; forget(); read(); } });

function forget() { answer = null; tree = []; base = []; solver.forget(); answerBox.replaceChildren(); treeBox.replaceChildren(); }

const read = debounce(80, refresh);
const askPosition = lastAsk();
async function refresh() {
  try {
    const found = await askPosition({ "go-position": { sgf: text.text(), moves: state.get("moves") } });
    if (!found) return;
    position = found;
    text.mark([]);
    paint();
  } catch (error) {
    if (state.get("moves").length > 0) { state.set({ moves: state.get("moves").slice(0, -1) }); told.replaceChildren(el("span", { class: "bad" }, error.message)); return; }
    told.replaceChildren(el("span", { class: "bad" }, error.message));
    text.mark([{ severity: "error", code: "", message: error.message }]);
  }
}

/** The moves of the tree that fit here, if the moves so far are on it. */
function branch() {
  let level = tree;
  const moves = state.get("moves");
  if (base.some((move, index) => moves[index] !== move)) return null;
  for (const move of moves.slice(base.length)) {
    const next = level.find((one) => one.move.toLowerCase() === move.toLowerCase());
    if (!next) return null;
    level = next.then;
  }
  return level;
}

function paint() {
  if (!position) return;
  const here = branch();
  /** @type {Record<string, {text?: string, tone?: string}>} */
  const marks = {};
  const playing = state.get("tool") === "play";
  const winner = answer && here && here.length > 0 ? here : [];
  if (answer && base.length === state.get("moves").length && answer.line) answer.line.slice(0, 9).forEach((/** @type {string} */ move, /** @type {number} */ index) => { if (move.toLowerCase() !== "pass" && !marks[move]) marks[move] = { text: String(index + 1), tone: index === 0 ? "best" : "" }; });
  for (const one of winner) if (one.move.toLowerCase() !== "pass") marks[one.move] = { text: marks[one.move]?.text ?? (winner.length > 1 ? "·" : "1"), tone: one.wins === false ? "loses" : one.wins ? "best" : "" };
  board.show({ width: position.width, height: position.height, rows: position.rows, target: position.target, last: playing ? state.get("moves").at(-1) ?? null : null, marks });
  told.replaceChildren(...sentence(), ...(position.captured > 0 ? [` ${many(position.captured, "stone")} taken.`] : []));
  paintTree();
  toolBar.querySelectorAll("button[data-tool]").forEach((one) => one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.tool === state.get("tool"))));
}

/** What is asked, in words. */
function sentence() {
  const mover = position.to_move === "black" ? "Black" : "White";
  if (!position.goal) return [state.get("moves").length > 0 && tree.length > 0 ? el("strong", {}, "The target has been taken.") : `${mover} to move. Mark a stone as the target to ask about its group.`];
  const verb = { kill: "kill", save: "save", connect: "connect", separate: "cut off" }[/** @type {"kill"} */ (position.goal)] ?? position.goal;
  return [el("strong", {}, `${mover} to move`), `: ${verb} the marked group at ${position.target}.`];
}

/** @param {string} name */
async function touch(name) {
  const tool = state.get("tool");
  if (tool === "play") {
    if (!position.legal.includes(name)) { told.replaceChildren(el("span", { class: "bad" }, `${name} cannot be played: ${position.ko === name ? "a ko forbids it" : "it is taken, or it would be suicide"}.`)); return; }
    const known = branch()?.some((one) => one.move === name);
    await state.set({ moves: [...state.get("moves"), name] });
    await refresh();
    if (!known) { layout.pick("answer"); solver.go(); } else reply();
    return;
  }
  const [x, y] = placeOf(name, position.height);
  const rows = position.rows.map((/** @type {string} */ row) => [...row]);
  let target = position.target;
  if (tool === "target") target = rows[y][x] === "." ? target : name;
  else rows[y][x] = { black: rows[y][x] === "X" ? "." : "X", white: rows[y][x] === "O" ? "." : "O", erase: "." }[/** @type {"black"} */ (tool)] ?? rows[y][x];
  write(rows, target, position.to_move);
}

/** The answer of the winning side, from the tree. */
async function reply() {
  const here = branch();
  if (!here || here.length !== 1 || here[0].by.toLowerCase() === mover()) return;
  const next = here[0].move;
  await new Promise((resolve) => setTimeout(resolve, 350));
  await state.set({ moves: [...state.get("moves"), next] });
  refresh();
}
/** The colour that the person plays: the one to move in the problem. */
const mover = () => (state.get("moves").length % 2 === 0 ? position?.to_move : position?.to_move === "black" ? "white" : "black");

/** Writes the position as SGF. @param {string[][]} rows @param {string | null} target @param {string} turn */
function write(rows, target, turn) {
  const letter = (/** @type {number} */ index) => String.fromCharCode(97 + index);
  const points = (/** @type {string} */ own) => rows.flatMap((row, y) => row.flatMap((cell, x) => (cell === own ? [`[${letter(x)}${letter(y)}]`] : []))).join("");
  const size = position.width === position.height ? position.width : `${position.width}:${position.height}`;
  const [black, white] = [points("X"), points("O")];
  const stands = target && rows[placeOf(target, position.height)[1]]?.[placeOf(target, position.height)[0]] !== ".";
  const mark = stands && target ? `MA[${letter(placeOf(target, position.height)[0])}${letter(placeOf(target, position.height)[1])}]` : "";
  const sgf = `(;FF[4]GM[1]SZ[${size}]PL[${turn === "black" ? "B" : "W"}]\n${black ? `AB${black}\n` : ""}${white ? `AW${white}\n` : ""}${mark})`;
  text.put(sgf);
  forget();
  state.set({ example: "", sgf, moves: [] });
  picker.value = "";
  refresh();
}

const solver = runner({
  label: "Solve", id: "solve", seconds: () => 30, clear: () => { answerBox.replaceChildren(); },
  keep: (run) => state.set({ run, base: run ? state.get("moves").length : 0 }),
  task: () => ({ "go-solve": { sgf: text.text(), moves: state.get("moves"), request: { search: state.get("search"), whole: true } } }),
  done: (outcome) => {
    if (!outcome.answer) return;
    answer = outcome.answer;
    tree = answer.contingency ?? [];
    base = [...state.get("moves")];
    show(outcome.last);
    if (pending) { state.set({ moves: pending }); pending = null; refresh(); } else paint();
  },
});

/** @param {any} last */
function show(last) {
  const mover = position.to_move === "black" ? "Black" : "White";
  const other = mover === "Black" ? "White" : "Black";
  const after = state.get("moves").length > 0;
  const ko = { clean: "", ko: " by winning a ko", seki: " in seki" }[/** @type {"clean"} */ (answer.result)] ?? "";
  const proof = answer.verdict !== "stopped";
  const words = answer.move ? `${mover} ${position.goal === "kill" ? "kills" : position.goal === "save" ? "lives" : `can ${position.goal}`} with ${answer.move}${ko}.` : answer.verdict === "unsolvable" ? `${mover} has no way to ${position.goal === "kill" ? "kill" : position.goal === "save" ? "live" : position.goal}.` : "No answer was found.";
  const verdict = after && base.length % 2 === 1 ? (answer.move ? ` So ${other}'s move fails.` : answer.verdict === "unsolvable" ? ` So ${other}'s move works.` : "") : "";
  answerBox.replaceChildren(
    el("p", { class: `headline ${proof ? "good" : "warn"}`, id: "headline" }, words, verdict, proof ? "" : " Not proved."),
    answer.why?.length > 0 ? el("div", { class: "why", id: "why" }, el("p", {}, sentenceOf(answer.why[0])), answer.why.length > 1 ? el("p", { class: "hint" }, goalSentence(answer.why.slice(1))) : null) : "",
    ...[evidence(answer.evidence)].filter((part) => part !== null),
    takeaway([["SGF", () => ["answer.sgf", last.sgf, "application/x-go-sgf"]], ["JSON", () => ["answer.json", JSON.stringify(answer, null, 1), "application/json"]], ["SVG", () => ["board.svg", last.svg ?? svgText(board.element), "image/svg+xml"]]]),
    el("h3", {}, "What may follow"), treeBox);
}
/** @param {string} reason */
const sentenceOf = (reason) => reason.charAt(0).toUpperCase() + reason.slice(1) + (/[.!?]$/.test(reason) ? "" : ".");

function paintTree() {
  if (tree.length === 0) { treeBox.replaceChildren(); return; }
  const moves = state.get("moves").slice(base.length);
  /** @param {any[]} level @param {string[]} path @returns {HTMLElement} */
  const branchOf = (level, path) => el("ul", {}, level.slice(0, 40).map((one) => {
    const own = [...path, one.move];
    const on = own.every((move, index) => moves[index] === move);
    const label = button(`${one.by.startsWith("b") || one.by.startsWith("B") ? "●" : "○"} ${one.move}`, async () => { await state.set({ moves: [...base, ...own] }); refresh(); }, { class: `link${on ? " here" : ""}`, title: one.goal });
    const goal = one.goal ? el("small", {}, ` ${goalWords(one.goal.split(": ").at(-1) ?? "")}`) : null;
    return el("li", {}, label, goal, on && one.then.length > 0 ? branchOf(one.then, own) : one.then.length > 0 ? el("small", { class: "more" }, ` … ${many(one.then.length, "reply").replace(/replys$/, "replies")}`) : null);
  }));
  treeBox.replaceChildren(branchOf(tree, []));
}

const tool = (/** @type {string} */ name, /** @type {string} */ title) => button(title, () => { state.set({ tool: name }); paint(); }, { "data-tool": name, "aria-pressed": "false" });
const toolBar = el("div", { class: "row tools", role: "group", "aria-label": "What a click does" }, tool("play", "Play"), tool("black", "● set"), tool("white", "○ set"), tool("erase", "Erase"), tool("target", "✕ target"),
  button("Other side to move", () => write(position.rows.map((/** @type {string} */ row) => [...row]), position.target, position.to_move === "black" ? "white" : "black"), { class: "quiet" }));
const picker = choice([...list.map((one) => /** @type {[string, string]} */ ([one.name, one.title])), ["empty-9", "Empty board, 9 lines"], ["empty-13", "Empty board, 13 lines"], ["empty-19", "Empty board, 19 lines"], ["", "Own position"]], state.get("example"), (name) => {
  const example = list.find((one) => one.name === name);
  const empty = /^empty-(\d+)$/.exec(name);
  forget();
  if (example) { text.put(example.files.sgf); state.set({ example: name, sgf: "", moves: [], tool: "play" }); }
  else if (empty) { text.put(`(;FF[4]GM[1]SZ[${empty[1]}]PL[B])`); state.set({ example: "", sgf: text.text(), moves: [], tool: "black" }); }
  else { layout.pick("text"); return; }
  refresh();
}, { id: "example" });
const search = choice(options("search", { auto: "planner, then search", plan: "planner alone", dfpn: "proof numbers alone" }), state.get("search"), (value) => { state.set({ search: value }); forget(); });

const layout = tabs([
  ["answer", "Answer", el("div", {}, answerBox, el("p", { class: "hint" }, "Click a point to play there. A wrong move is refuted; after a right one, try your replies."))],
  ["text", "SGF", el("div", {}, text.element)],
], state.get("tab"), (tab) => state.set({ tab }));
main.append(el("div", { class: "split" },
  el("section", { class: "stage-box", "aria-label": "Goban" }, el("div", { class: "row" }, field("Problem", picker), field("Search", search)), toolBar, told, board.element,
    el("div", { class: "row" }, button("Take back", async () => { await state.set({ moves: state.get("moves").slice(0, -1) }); refresh(); }, { id: "undo" }), button("From the start", async () => { await state.set({ moves: [] }); refresh(); }))),
  el("section", { class: "panel", "aria-label": "Answer" }, el("div", { class: "row" }, solver.start, solver.halt), solver.status, layout.element)));
onRun(() => solver.go());
text.put(state.get("example") ? list.find((one) => one.name === state.get("example"))?.files.sgf ?? list[0].files.sgf : state.get("sgf"));
if (state.get("run")) {
  // The same question is asked again; then the board goes to where it was.
  pending = state.get("moves");
  await state.set({ moves: pending.slice(0, state.get("base")) });
  await refresh();
  solver.go();
} else refresh();
state.onChange(() => location.reload());
