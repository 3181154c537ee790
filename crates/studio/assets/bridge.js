// Bridge: a table for four, with the cards, the trick in the middle, the score, and the planner's advice.

import { evidence, examples, lastAsk, run, runner } from "./api.js";
import { button, choice, debounce, el, field, main, many, number, onRun, options, tabs, takeaway, toast } from "./dom.js";
import { cardFace, hand, inline, isRed, sign, spoken } from "./cards.js";
import { editor } from "./editor.js";
import { address } from "./state.js";

const SEATS = ["N", "E", "S", "W"];
/** @type {Record<string, string>} */
const NAMES = { N: "North", E: "East", S: "South", W: "West" };

const list = await examples("bridge");
const state = await address("bridge", { example: "notrump", text: "", board: 0, side: "declarer", opponent: "rules", play: /** @type {string[]} */ ([]), north: "KJ74", south: "A2", tricks: 3, run: false, tab: "play" });

/** @type {any[]} */
let boards = [];
/** @type {any} */
let table = null;
/** @type {any} */
let hinted = null;
/** What each card is worth over layouts of the hidden cards. @type {any} */
let odds = null;
/** @type {Map<string, string>} */
const reasons = new Map();
let turn = 0;

const felt = el("div", { class: "felt", id: "table", role: "group", "aria-label": "Table" });
const told = el("p", { role: "status", class: "told", id: "told" });
const resultBox = el("div", { id: "result" });
const newsBox = el("ol", { class: "record", id: "news" });
const hintBox = el("div", { id: "hint-box" });
const boardList = el("div", { class: "boards", id: "boards", role: "group", "aria-label": "Boards" });

const text = editor({ name: "deal", label: "Boards (PBN or LIN)", brackets: false, change: () => { state.set({ example: "", text: text.text(), board: 0, play: [] }); picker.value = ""; read(); } });
const others = () => options(state.get("side") === "declarer" ? "defence" : "declarer", { rules: "plays by rule", "double-dummy": "sees all cards", pimc: "samples layouts", planner: "plans", network: "task network alone", hybrid: "plans and searches", good: "searches from what it sees" });
const request = () => state.get("side") === "declarer" ? { declarer: "you", defence: state.get("opponent") } : { declarer: state.get("opponent"), defence: "you", samples: 10 };
const asked = () => ({ text: text.text(), board: state.get("board"), play: state.get("play"), request: request() });
const current = () => boards[state.get("board")];

const askBoards = lastAsk();
const read = debounce(150, async () => {
  try {
    const answer = await askBoards({ "bridge-boards": { text: text.text() } });
    if (!answer) return;
    boards = answer.boards;
    text.mark(answer.problems.map((/** @type {any} */ one) => ({ severity: "error", code: "", message: one.message, place: { file: "deal", line: Math.max(1, one.line), column: 1, end_line: Math.max(1, one.line), end_column: 200 } })));
    if (state.get("board") >= boards.length) state.set({ board: 0, play: [] });
    paintBoards();
    if (boards.length === 0) { felt.replaceChildren(); told.replaceChildren(el("span", { class: "bad" }, "The text has no boards.")); return; }
    await go();
  } catch (error) { told.replaceChildren(el("span", { class: "bad" }, error.message)); }
});

function paintBoards() {
  boardList.replaceChildren(...boards.map((board, index) => el("button", { type: "button", "aria-pressed": index === state.get("board"), onclick: () => { reasons.clear(); state.set({ board: index, play: [] }); paintBoards(); go(); } },
    el("strong", {}, board.name || String(index + 1)), " ", board.contract ? el("span", { class: /[HD]/.test(board.contract) ? "red" : "" }, pretty(board.contract)) : "no contract", board.declarer ? ` by ${board.declarer}` : "")));
}
/** `4♠` for `4S`. @param {string} contract */
const pretty = (contract) => contract.replace(/^(\d)([SHDC])/, (_, level, suit) => level + sign(suit));

/** Programs play until it is your turn. */
async function go() {
  const mine = ++turn;
  felt.setAttribute("aria-busy", "true");
  hinted = null;
  odds = null;
  adviser.forget();
  counsel.forget();
  told.replaceChildren(el("span", { class: "busy" }), " …");
  const outcome = await run({ "bridge-play": asked() }, undefined, 120).catch((error) => ({ refused: { message: error.message }, answer: undefined, stopped: undefined, last: /** @type {Record<string, any>} */ ({}) }));
  if (mine !== turn) return;
  felt.removeAttribute("aria-busy");
  if (!outcome.answer) {
    told.replaceChildren(el("span", { class: "bad" }, outcome.refused?.message ?? outcome.stopped?.why ?? "no answer"));
    if (!table) felt.replaceChildren();
    return;
  }
  const before = state.get("play").length;
  table = { ...outcome.answer, pbn: outcome.last.pbn, lin: outcome.last.lin, par: outcome.last.par };
  table.news.forEach((/** @type {any} */ one) => reasons.set(one.card, one.why));
  await state.set({ play: table.play });
  if (table.play.length - before > 1 && !table.result) await showTrick(table.play.slice(0, before), mine);
  if (mine === turn) paint();
}

/** Shows the full trick for a moment before it is taken away. @param {string[]} _before @param {number} mine */
async function showTrick(_before, mine) {
  if (table.trick.length > 0 && table.last_trick.length === 4 && !matchMedia("(prefers-reduced-motion: reduce)").matches && table.news.length > table.trick.length) {
    paint(table.last_trick);
    await new Promise((resolve) => setTimeout(resolve, 650));
  }
  void mine;
}

/** @param {any[]} [trick] */
function paint(trick) {
  const board = current();
  if (!table || !board) return;
  const legal = new Set(trick ? [] : table.legal);
  const notes = new Map((hinted?.considered ?? []).map((/** @type {any} */ one) => [one.card, { note: `${Math.round(100 * one.valuation)}%`, tone: one.card === hinted.card ? "best" : "" }]));
  if (odds) for (const one of odds.cards) notes.set(one.card, { note: `${Math.round(100 * one.makes)}%`, tone: one.card === odds.cards[0].card ? "best" : "" });
  if (hinted && !notes.has(hinted.card)) notes.set(hinted.card, { note: "★", tone: "best" });
  const turnSeat = table.turn;
  const dummy = SEATS[(SEATS.indexOf(board.declarer) + 2) % 4];
  // The person sits at the bottom.
  const own = state.get("side") === "declarer" ? board.declarer : SEATS[(SEATS.indexOf(board.declarer) + 1) % 4];
  const around = [0, 1, 2, 3].map((step) => SEATS[(SEATS.indexOf(own) + step) % 4]);
  const places = ["south", "west", "north", "east"];
  const shown = trick ?? (table.trick.length > 0 ? table.trick : table.result ? [] : table.last_trick.length > 0 ? [] : []);
  const seat = (/** @type {string} */ letter, /** @type {number} */ index) => {
    const at = SEATS.indexOf(letter);
    const vulnerable = board.vulnerable === "All" || (board.vulnerable === "NS" && "NS".includes(letter)) || (board.vulnerable === "EW" && "EW".includes(letter));
    return el("div", { class: `seat ${places[index]}${turnSeat === letter ? " turn" : ""}` },
      el("div", { class: `plate${vulnerable ? " vulnerable" : ""}` }, NAMES[letter], letter === board.declarer ? " · declarer" : letter === dummy ? " · dummy" : "", vulnerable ? " · vulnerable" : ""),
      hand({ seat: NAMES[letter], cards: table.hands[at], count: table.counts[at], side: index % 2 === 1, legal: turnSeat === letter ? legal : new Set(), play: turnSeat === letter && table.hands[at] && !table.result ? (card) => playCard(card) : undefined, notes }));
  };
  const centre = el("div", { class: "trick", role: "group", "aria-label": "The trick" }, shown.map((/** @type {any} */ one) => el("div", { class: `played ${places[around.indexOf(one.seat)]}` }, cardFace(one.card))),
    shown.length === 0 && table.last_trick.length > 0 && !table.result ? el("p", { class: "won" }, `${NAMES[table.last_winner]} took the last trick`) : null);
  const counter = el("div", { class: "counter" }, el("div", { class: `contract${isRed(board.contract?.[1] ?? "") ? " red" : ""}` }, pretty(board.contract ?? "")), el("div", {}, `by ${NAMES[board.declarer] ?? ""}`), el("div", { class: "tricks" }, el("strong", {}, table.tricks[0]), ` of ${board.target}`, el("span", {}, ` · defence ${table.tricks[1]}`)));
  felt.dataset.played = String(table.play.length);
  felt.replaceChildren(counter, ...around.map(seat), centre);
  if (table.result) showResult();
  else {
    resultBox.replaceChildren();
    told.textContent = `${NAMES[turnSeat] ?? ""} to play${turnSeat === dummy && state.get("side") === "declarer" ? " from dummy" : ""}. Declarer needs ${many(Math.max(0, board.target - table.tricks[0]), "more trick")}.`;
  }
  const rows = [];
  for (let at = 0; at < table.play.length; at += 4) rows.push(el("li", {}, table.play.slice(at, at + 4).map((/** @type {string} */ card) => [inline(card), " "]).flat(), el("small", {}, table.play.slice(at, at + 4).map((/** @type {string} */ card) => reasons.get(card)).filter(Boolean).length > 0 ? el("details", {}, el("summary", {}, "reasons"), el("ul", {}, table.play.slice(at, at + 4).filter((/** @type {string} */ card) => reasons.get(card)).map((/** @type {string} */ card) => el("li", {}, inline(card), " ", reasons.get(card))))) : null)));
  newsBox.replaceChildren(...rows);
  takeBox.replaceChildren(takeaway(files(board)));
  undoButton.disabled = state.get("play").length === 0;
  auctionBox.replaceChildren(...auction(board));
}

/** The board with the cards so far, in the formats of others. @param {any} board @returns {[string, () => [string, string, string?]][]} */
const files = (board) => [["PBN", () => [`board-${board.name}.pbn`, table.pbn ?? ""]], ["LIN", () => [`board-${board.name}.lin`, table.lin ?? ""]], ["JSON", () => [`board-${board.name}.json`, JSON.stringify(table, null, 1), "application/json"]]];
const takeBox = el("div", {});

/** @param {any} board */
function auction(board) {
  if (!board.auction) return [];
  const first = SEATS.indexOf(board.dealer ?? "N");
  const cells = [...Array.from({ length: first }, () => ""), ...board.auction];
  const rows = [];
  for (let at = 0; at < cells.length; at += 4) rows.push(el("tr", {}, [0, 1, 2, 3].map((step) => el("td", { class: /[HD]$/.test(cells[at + step] ?? "") ? "red" : "" }, pretty(cells[at + step] ?? "")))));
  return [el("table", { class: "auction" }, el("caption", {}, "Auction"), el("tr", {}, SEATS.map((seat) => el("th", {}, NAMES[seat]))), rows)];
}
const auctionBox = el("div", {});

function showResult() {
  const { text: words, score, double_dummy_tricks: par, double_dummy_score: parScore, tricks } = table.result;
  const mine = state.get("side") === "declarer" ? score - parScore : parScore - score;
  told.replaceChildren(el("strong", {}, "The board is over."));
  resultBox.replaceChildren(el("div", { class: "result", id: "final" },
    el("p", { class: "headline good" }, `${words}`),
    el("table", { class: "facts" }, el("tr", {}, el("th", {}), el("th", { class: "number" }, "tricks"), el("th", { class: "number" }, "score")), el("tr", {}, el("th", {}, "at this table"), el("td", { class: "number" }, tricks), el("td", { class: "number" }, score)), el("tr", {}, el("th", {}, "all hands open, best play by all"), el("td", { class: "number" }, par), el("td", { class: "number" }, parScore))),
    el("p", {}, mine === 0 ? "Exactly what best play reaches." : mine > 0 ? `${mine} points better for you than best play by all.` : `${-mine} points less for you than best play by all.`),
    table.par ? el("p", { id: "par" }, `Par of the deal, if all four had bid and played with open cards: ${table.par.score > 0 ? "+" : ""}${table.par.score} for North–South (${table.par.contracts.slice(0, 3).map(pretty).join(", ")}).`) : null,
    el("div", { class: "row" }, state.get("board") + 1 < boards.length ? button("Next board", () => { reasons.clear(); state.set({ board: state.get("board") + 1, play: [] }); paintBoards(); go(); }, { class: "main" }) : null, button("Play it again", () => { reasons.clear(); state.set({ play: [] }); go(); }))));
}

/** @param {string} card */
async function playCard(card) {
  if (felt.hasAttribute("aria-busy") || !table?.legal.includes(card)) return;
  await state.set({ play: [...state.get("play"), card] });
  table = { ...table, legal: [] };
  go();
}

/** Back to your last card. */
function undo() {
  if (!table || felt.hasAttribute("aria-busy")) return;
  const programs = new Set(reasons.keys());
  const play = [...state.get("play")];
  while (play.length > 0 && programs.has(play[play.length - 1])) play.pop();
  play.pop();
  for (const card of [...reasons.keys()]) if (!play.includes(card)) reasons.delete(card);
  state.set({ play });
  go();
}
const undoButton = button("Take back", undo, { id: "undo", disabled: true });

/** Plays the rest by rule and by plan, for a board that is clear. */
async function claim() {
  const mine = turn;
  told.replaceChildren(el("span", { class: "busy" }), " The rest is played out …");
  const both = { declarer: "planner", defence: "rules", layouts: 30 };
  const outcome = await run({ "bridge-play": { ...asked(), request: both } }, undefined, 120);
  if (mine !== turn) return;
  if (!outcome.answer) { toast(outcome.refused?.message ?? outcome.stopped?.why ?? "no answer"); paint(); return; }
  table = { ...outcome.answer, pbn: outcome.last.pbn, lin: outcome.last.lin, par: outcome.last.par };
  hinted = null;
  odds = null;
  adviser.forget();
  counsel.forget();
  await state.set({ play: table.play });
  paint();
}

const adviser = runner({
  label: "What would the planner do?", id: "hint", seconds: () => 60,
  task: () => ({ "bridge-hint": { ...asked(), request: { ...request(), layouts: 100 } } }),
  clear: () => hintBox.replaceChildren(),
  done: ({ answer }) => {
    if (!answer) return;
    hinted = answer;
    paint();
    hintBox.replaceChildren(el("p", { class: "headline" }, "Play the ", inline(answer.card), ` (${spoken(answer.card)})`), el("p", {}, `${answer.why}.`),
      answer.considered.length > 0 ? el("table", { class: "facts", id: "odds" }, el("tr", {}, el("th", {}, "card"), el("th", { class: "number" }, "own valuation"), el("th", { class: "number" }, "score"), el("th", {}, "what it is for")), answer.considered.slice(0, 8).map((/** @type {any} */ one) => el("tr", {}, el("td", {}, inline(one.card)), el("td", { class: "number" }, `${Math.round(100 * one.valuation)} %`), el("td", { class: "number" }, one.score.toFixed(0)), el("td", {}, one.explanation)))) : "",
      answer.line.length > 0 ? el("details", {}, el("summary", {}, "The line"), el("ol", {}, answer.line.map((/** @type {string} */ step) => el("li", {}, step)))) : "", ...[evidence(answer.evidence)].filter((part) => part !== null));
  },
});

const oddsBox = el("div", { id: "odds-box" });
const counsel = runner({
  label: "Odds of each card", id: "odds-run", seconds: () => 90,
  task: () => ({ "bridge-odds": { ...asked(), layouts: 60 } }),
  clear: () => oddsBox.replaceChildren(),
  done: ({ answer }) => {
    if (!answer) return;
    odds = answer;
    hinted = null;
    paint();
    oddsBox.replaceChildren(el("table", { class: "facts", id: "card-odds" }, el("caption", {}, `${answer.complete ? "All" : "Sampled"} ${many(answer.layouts, "layout")} of the hidden cards, each played with open cards`), el("tr", {}, el("th", {}, "card"), el("th", { class: "number" }, "contract made"), el("th", { class: "number" }, "declarer's tricks")),
      answer.cards.map((/** @type {any} */ one) => el("tr", {}, el("td", {}, inline(one.card)), el("td", { class: "number" }, `${Math.round(100 * one.makes)} %`), el("td", { class: "number" }, one.tricks.toFixed(1))))), ...[evidence(answer.evidence)].filter((part) => part !== null));
  },
});

const picker = choice([...list.map((one) => /** @type {[string, string]} */ ([one.name, one.title])), ["", "Own boards"]], state.get("example"), (name) => {
  const example = list.find((one) => one.name === name);
  if (!example) { layout.pick("text"); return; }
  text.put(example.files.text);
  reasons.clear();
  state.set({ example: name, text: "", board: 0, play: [] });
  read();
}, { id: "example" });
const side = choice([["declarer", "declarer"], ["defence", "both defenders"]], state.get("side"), (value) => { reasons.clear(); state.set({ side: value, opponent: "rules", play: [] }); opponent.replaceWith(opponent = menu()); go(); }, { id: "side" });
const menu = () => choice(others(), state.get("opponent"), (value) => { reasons.clear(); state.set({ opponent: value, play: [] }); go(); }, { id: "opponent" });
let opponent = menu();

// One suit alone.
const suits = ["north", "south"].map((name) => { const input = el("input", { size: 8, value: state.get(/** @type {"north"} */ (name)), "aria-label": `${name}'s cards` }); input.oninput = () => { state.set({ [name]: input.value }); suitRun.forget(); }; return input; });
const suitBox = el("div", { id: "suit-answer" });
const suitRun = runner({
  label: "Best play", id: "suit", seconds: () => 60, clear: () => suitBox.replaceChildren(),
  keep: (run) => state.set({ run }),
  task: () => ({ "bridge-suit": { north: suits[0].value.toUpperCase(), south: suits[1].value.toUpperCase(), tricks: state.get("tricks") } }),
  done: ({ answer }) => { if (answer) suitBox.replaceChildren(el("p", { class: "headline good" }, `${answer.percent} % for ${many(answer.tricks, "trick")}`), el("p", {}, answer.line), ...[evidence(answer.evidence)].filter((part) => part !== null), takeaway([["JSON", () => ["suit.json", JSON.stringify(answer, null, 1), "application/json"]]])); },
});

const layout = tabs([
  ["play", "Play", el("div", {}, resultBox, el("div", { class: "row" }, adviser.start, adviser.halt, counsel.start, counsel.halt), adviser.status, counsel.status, hintBox, oddsBox, auctionBox, el("h3", {}, "Tricks"), newsBox, takeBox)],
  ["text", "Boards", el("div", {}, text.element)],
  ["suit", "One suit", el("div", {}, el("div", { class: "row" }, field("North", suits[0]), field("South", suits[1]), field("Tricks", number(state.get("tricks"), [1, 13, 1], (tricks) => { state.set({ tricks }); suitRun.forget(); }))), el("div", { class: "row" }, suitRun.start, suitRun.halt), suitRun.status, suitBox)],
], state.get("tab"), (tab) => state.set({ tab }));

main.append(el("div", { class: "split wide-stage" },
  el("section", { class: "stage-box", "aria-label": "Table" }, el("div", { class: "row" }, field("Boards", picker), field("You are", side), field("The other side", opponent)), boardList, told, felt, el("div", { class: "row" }, undoButton, button("Claim: play it out", claim, { id: "claim" }), button("Start again", () => { reasons.clear(); state.set({ play: [] }); go(); }))),
  el("section", { class: "panel", "aria-label": "Advice and result" }, layout.element)));

felt.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0) return;
  const cards = [...felt.querySelectorAll("button.card.legal")];
  const at = cards.indexOf(/** @type {Element} */ (document.activeElement));
  /** @type {HTMLElement} */ (cards[(at + step + cards.length) % cards.length])?.focus();
  event.preventDefault();
});
onRun(() => adviser.go());
text.put(state.get("example") ? list.find((one) => one.name === state.get("example"))?.files.text ?? list[0].files.text : state.get("text"));
read();
if (state.get("run") && state.get("tab") === "suit") suitRun.go();
state.onChange(() => location.reload());
