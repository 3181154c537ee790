// Kriegspiel: a game against men you cannot see, and checkmate problems walked on the board.

import { begin, evidence, examples, follow, runner, say, stop } from "./api.js";
import { button, choice, el, field, main, many, number, onRun, options, tabs, takeaway, toast } from "./dom.js";
import { chessBoard, man, menOf } from "./chess.js";
import { editor } from "./editor.js";
import { address } from "./state.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const list = await examples("kriegspiel");
const state = await address("kriegspiel", { game: "", you: "w", opponent: "careful", seed: 1, ghosts: true, tab: "play", problem: "", line: 0, run: false, path: /** @type {string[]} */ ([]) });

const told = el("p", { role: "status", class: "told", id: "told" });
const log = el("ol", { class: "record", id: "log", "aria-live": "polite" });
const takeBox = el("div", {});
const board = chessBoard({ label: "Kriegspiel board", attempt: (from, to) => attempt(from, to) });
const promotion = el("div", { class: "row promotion", hidden: true });
/** @type {any} */
let wanted = null;
/** @type {any} */
let over = null;
/** @type {any[]} */
let news = [];
/** @type {string[]} */
let last = [];
let started = false;

/** What the referee says, as a sentence. @param {any} one */
function sentence(one) {
  const mine = one.by === (wanted?.you ?? state.get("you"));
  const tried = one.try ? ` ${one.try.slice(0, 2)}–${one.try.slice(2)}` : "";
  if (/illegal|nonsense/.test(one.said)) return mine ? `You tried${tried}: no.` : "The opponent tried something that is not legal.";
  const heard = one.said.replace(/^(silent|nothing|quiet|legal)$/, "").replace(/;\s*(checkmate|stalemate|insufficient)/, "; $1");
  return `${mine ? `You played${tried}` : "The opponent has moved"}${heard ? `. The referee: ${heard}` : ""}.`;
}

function paint() {
  const you = wanted?.you ?? state.get("you");
  if (over) {
    const won = over.winner === you;
    told.replaceChildren(el("strong", {}, over.resigned ? "You resigned." : over.end === "checkmate" ? (won ? "Checkmate: you win." : "Checkmate: you are mated.") : over.end === "unfinished" ? "The game was left." : `Over: ${over.end}.`), " All men are shown.");
    board.show({ men: over.men, size: over.size, flipped: you === "b", last });
  } else if (wanted) {
    told.replaceChildren(`Your move. ${many(wanted.belief.positions, wanted.belief.exact ? "position" : "sampled position")} ${wanted.belief.positions === 1 ? "agrees" : "agree"} with what you heard.`);
    board.show({ men: wanted.men, size: wanted.size, flipped: you === "b", own: you, tries: wanted.tries, ghosts: state.get("ghosts") ? wanted.belief.men : {}, last, fog: true });
  } else {
    const { men, size } = menOf(START);
    const own = Object.fromEntries(Object.entries(men).filter(([, letter]) => (letter === letter.toUpperCase()) === (state.get("you") === "w")));
    board.show({ men: own, size, flipped: state.get("you") === "b", own: state.get("you"), fog: true, tries: started ? [] : firstTries(own) });
    told.textContent = started ? "The opponent thinks …" : "You see your own men only. Move one to begin.";
  }
  log.replaceChildren(...news.slice(-80).map((one) => el("li", { class: one.by === you ? "mine" : "theirs" }, sentence(one))));
  log.scrollTop = log.scrollHeight;
  quietNote.hidden = news.length > 0;
  resignButton.disabled = !wanted || Boolean(over);
}

/** The first move may be made before a game was asked for: pawns and knights. @param {Record<string, string>} own */
function firstTries(own) {
  if (state.get("you") !== "w") return [];
  return Object.entries(own).flatMap(([square, letter]) => letter === "P" ? [`${square}${square[0]}3`, `${square}${square[0]}4`] : letter === "N" ? [square === "b1" ? "b1a3" : "g1f3", square === "b1" ? "b1c3" : "g1h3"] : []);
}

/** @param {string} from @param {string} to */
async function attempt(from, to) {
  if (!started) { await start(`${from}${to}`); return; }
  const fitting = (wanted?.tries ?? []).filter((/** @type {string} */ text) => text.startsWith(from + to));
  if (fitting.length > 1) { askPromotion(fitting); return; }
  send(fitting[0] ?? from + to);
}
/** @param {string[]} tries */
function askPromotion(tries) {
  promotion.hidden = false;
  promotion.replaceChildren("Becomes ", ...tries.map((text) => el("button", { type: "button", "aria-label": text, onclick: () => { promotion.hidden = true; send(text); } }, man(state.get("you") === "w" ? text[4].toUpperCase() : text[4]))));
}
/** @param {string} text */
async function send(text) {
  if (!state.get("game")) return;
  last = [text.slice(0, 2), text.slice(2, 4)];
  told.replaceChildren(el("span", { class: "busy" }), " The opponent thinks …");
  wanted = wanted && { ...wanted, tries: [] };
  try { await say(state.get("game"), text); } catch (error) { told.replaceChildren(el("span", { class: "bad" }, error.message)); }
}

/** Starts a game, with a first try if there is one. @param {string} [first] */
async function start(first) {
  if (state.get("game")) stop(state.get("game")).catch(() => {});
  [wanted, over, news, last, started] = [null, null, [], [], true];
  paint();
  const you = state.get("you");
  const request = { white: you === "w" ? "you" : state.get("opponent"), black: you === "b" ? "you" : state.get("opponent"), seed: state.get("seed") };
  try {
    const id = await begin({ "kriegspiel-play": request });
    await state.set({ game: id });
    attend(id);
    if (first) send(first);
  } catch (error) { told.replaceChildren(el("span", { class: "bad" }, error.message)); }
}

/** @param {string} id */
async function attend(id) {
  started = true;
  try {
    const outcome = await follow(id, (event) => {
      if (id !== state.get("game")) return;
      if (event.waiting) { wanted = event.waiting; news.push(...wanted.news); paint(); }
      if (event.over) { over = { ...event.over, resigned: event.resigned, record: event.record, pgn: event.pgn }; news.push(...over.news); paint(); takeaways(); }
    });
    if (outcome.stopped || outcome.refused) told.replaceChildren(el("span", { class: "bad" }, outcome.stopped?.why ?? outcome.refused.message));
  } catch { state.set({ game: "" }); started = false; paint(); }
}

function takeaways() {
  const record = over.record;
  takeBox.replaceChildren(takeaway([
    ["PGN", () => ["kriegspiel.pgn", over.pgn ?? "", "application/x-chess-pgn"]],
    ["JSON", () => ["kriegspiel.json", JSON.stringify(record, null, 1), "application/json"]],
  ]));
}

const resignButton = button("Resign", () => state.get("game") && say(state.get("game"), "resign").catch((error) => toast(error.message)), { id: "resign", disabled: true });
const ghosts = el("input", { type: "checkbox", id: "ghosts", checked: state.get("ghosts") });
ghosts.onchange = () => { state.set({ ghosts: ghosts.checked }); paint(); };
const quietNote = el("p", { class: "hint" }, "The referee tells whether a try is legal, where something is taken, from which side a check comes, and that a pawn may take. What he says stands here.");
const playPanel = el("div", {},
  el("div", { class: "row" }, field("You play", choice([["w", "White"], ["b", "Black"]], state.get("you"), (you) => { state.set({ you, game: "" }); [wanted, over, news, started] = [null, null, [], false]; paint(); })), field("Opponent", choice(options("player", { careful: "careful", rash: "rash", random: "random" }), state.get("opponent"), (opponent) => state.set({ opponent }))), field("Seed", number(state.get("seed"), [0, 1e9, 1], (seed) => state.set({ seed })))),
  el("div", { class: "row" }, button("New game", () => start(), { class: "main", id: "begin" }), resignButton, el("label", { class: "check" }, ghosts, " ghosts of the enemy")),
  el("h3", {}, "The referee"), log, quietNote, takeBox);

// Problems: belief states and a proved tree, walked on the board.
const lines = editor({ name: "problem", label: "Problem (one JSON object)", rows: 6, brackets: false, change: (text) => { state.set({ problem: text, line: -1, path: [] }); solver.forget(); showBelief(); } });
const rows = list[0].files.lines.split("\n").filter((line) => line.trim() !== "");
const title = (/** @type {string} */ line) => { try { const own = JSON.parse(line); return `${own.id}${own.mate === false || own.kind === "near-miss" ? ": no mate" : ": mate"}`; } catch { return "problem"; } };
const pick = choice(rows.map((line, index) => /** @type {[string, string]} */ ([String(index), title(line)])), String(state.get("line")), (value) => { state.set({ line: Number(value), problem: "", path: [] }); lines.put(rows[Number(value)]); solver.forget(); showBelief(); }, { id: "problem-pick" });
const answerBox = el("div", { id: "answer" });
/** @type {string[]} */
let positions = [];
/** The positions at each try of the proof. @type {any} */
let beliefs = null;
const solver = runner({
  label: "Find the mate", id: "solve", seconds: () => 60,
  task: () => ({ "kriegspiel-solve": { line: lines.text().trim(), request: { proof: true } } }),
  clear: () => answerBox.replaceChildren(),
  keep: (run) => state.set({ run }),
  done: (outcome) => {
    if (!outcome.answer) return;
    positions = outcome.last.positions ?? [];
    beliefs = outcome.last.beliefs ?? null;
    const answer = outcome.answer;
    const tree = answer.proof && typeof answer.proof === "object" ? answer.proof : null;
    const walkBox = el("div", { class: "walk", id: "walk" });
    answerBox.replaceChildren(
      el("p", { class: `headline ${answer.verdict === "solved" ? "good" : "warn"}`, id: "headline" }, answer.verdict === "solved" ? `Mate in ${answer.plies} plies, whatever Black does, in all ${answer.size} positions. First try: ${answer.first_try}.` : answer.verdict === "unsolvable" ? `Proved: no plan mates in all ${answer.size} positions in time.` : "Not decided within the limits."),
      ...[evidence(answer.evidence)].filter((part) => part !== null), walkBox, takeaway([["JSON", () => ["mate.json", JSON.stringify(answer, null, 1), "application/json"]], ...(outcome.last.svg ? [/** @type {[string, () => [string, string, string]]} */ (["SVG", () => ["mate.svg", outcome.last.svg, "image/svg+xml"]])] : [])]));
    if (answer.refutation) walkBox.append(el("p", {}, "These positions together have no plan: ", answer.refutation.states.join("; ")));
    showBelief();
    if (!tree) return;
    const path = [...state.get("path")];
    walk(tree, walkBox, [], beliefs);
    retrace(path);
  },
});

/** The first position, with the share of each man in all of them. */
function showBelief(/** @type {any} */ node = null) {
  if (state.get("tab") !== "problems") return;
  let fens = node?.positions ?? positions;
  if (fens.length === 0) { try { fens = JSON.parse(lines.text()).belief ?? []; } catch { fens = []; } }
  if (fens.length === 0) { told.textContent = "Find the mate to see the positions that agree with the history."; return; }
  const boards = fens.map(menOf);
  /** @type {Record<string, string>} */
  const men = {};
  /** @type {Record<string, Record<string, number>>} */
  const shares = {};
  for (const { men: own } of boards) for (const [square, letter] of Object.entries(own)) {
    if (letter === letter.toUpperCase()) men[square] = letter;
    else { shares[square] ??= {}; shares[square][letter] = (shares[square][letter] ?? 0) + 1 / boards.length; }
  }
  board.show({ men, size: boards[0].size, ghosts: shares, fog: true });
  told.textContent = `${fens.length === 1 ? "1 position agrees" : `${many(fens.length, "position")} agree`} with what White heard. White is to mate in all of them.`;
}

/** What the referee may say. @param {any} heard */
function heardText(heard) {
  if (!heard || heard.legal === false) return "no";
  const parts = [heard.capture ? `takes on ${heard.capture}` : "", ...(heard.checks ?? []).map((/** @type {string} */ check) => `check (${check})`), heard.tries ? "pawn tries" : ""].filter(Boolean);
  return parts.join(", ") || "silence";
}

/** What the buttons of the last step lead to. @type {Map<string, () => void>} */
let ways = new Map();

/** Takes the same way again, as far as there is one. @param {string[]} path */
function retrace(path) { for (const token of path) { const go = ways.get(token); if (!go) return; go(); } }

/** Walks a plan: you say what the referee says. @param {any} tree @param {HTMLElement} box @param {string[]} path @param {any} belief */
function walk(tree, box, path, belief) {
  if (belief?.positions?.length > 0) showBelief(belief);
  const [from, to] = [tree.try.slice(0, 2), tree.try.slice(2, 4)];
  box.querySelectorAll(".walk-step").forEach((step) => { if (Number(/** @type {HTMLElement} */ (step).dataset.depth) >= path.length) step.remove(); });
  document.querySelectorAll(".chess .last").forEach((square) => square.classList.remove("last"));
  for (const square of [from, to]) document.querySelector(`.chess [data-square="${square}"]`)?.classList.add("last");
  state.set({ path });
  ways = new Map();
  /** @param {string} token @param {string} text @param {any} then @param {any} known */
  const way = (token, text, then, known) => { const go = () => walk(then, box, [...path, token], known); ways.set(token, go); return button(text, go, { class: "outcome", "data-way": token }); };
  const cases = [
    ...(tree.illegal ? [way("no", "the referee says no", tree.illegal, belief?.illegal)] : []),
    ...(tree.after ?? []).flatMap((/** @type {any} */ after, /** @type {number} */ a) => after.replies.map((/** @type {any} */ one, /** @type {number} */ r) => way(`${a}.${r}`, `${heardText(after.heard)}; Black moves: ${heardText(one.heard)}`, one.then, belief?.after?.[a]?.[r]))),
  ];
  box.append(el("div", { class: "walk-step", "data-depth": path.length }, el("p", {}, `${path.length + 1}. White tries `, el("strong", {}, `${from}–${to}`), cases.length === 0 ? ": checkmate." : ". What does the referee say? Otherwise it is mate."), el("div", { class: "row" }, cases)));
}

const problemPanel = el("div", {}, el("div", { class: "row" }, field("Problem", pick), solver.start, solver.halt), solver.status, answerBox, el("details", {}, el("summary", {}, "Text"), lines.element));
const layout = tabs([["play", "Play", playPanel], ["problems", "Problems", problemPanel]], state.get("tab"), (tab) => { state.set({ tab }); if (tab === "problems") showBelief(); else if (started || tab === "play") paint(); });
main.append(el("div", { class: "split" }, el("section", { class: "stage-box", "aria-label": "Board" }, told, board.element, promotion), el("section", { class: "panel", "aria-label": "Game" }, layout.element)));
lines.put(state.get("problem") || rows[Math.max(0, state.get("line"))] || rows[0]);
onRun(() => (state.get("tab") === "problems" ? solver.go() : start()));
paint();
if (state.get("tab") === "problems") { showBelief(); if (state.get("run")) solver.go(); }
state.onChange(() => location.reload());
if (state.get("game")) attend(state.get("game"));
