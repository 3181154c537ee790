// Bridge: the table, a game as declarer or defender, and the plan with its reasons.
import { choice, editor, el, examples, field, game, main, picker, runner, saved } from "./studio.js";

const state = saved("bridge", { seat: "declarer", other: "planner", session: null, north: "KJ74", south: "A2" });
const board = editor("deal.pbn", "Deal (PBN)", state);
const told = el("p", { role: "status", id: "told" });
const table = el("pre", { class: "cards", id: "table" });
const cards = el("div", { class: "moves", id: "cards", role: "group", "aria-label": "Your cards" });
const news = el("ol", { id: "news", "aria-live": "polite" });
let heard = [];

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
function card(name) {
  const suit = SUITS[name[0]] ?? name[0];
  return el("span", { class: "HD".includes(name[0]) ? "red" : "" }, `${suit}${name.slice(1)}`);
}

function hear(said) {
  for (const piece of said) {
    if (piece.table !== undefined) table.textContent = piece.table;
    heard.push(...(piece.news ?? []));
    cards.replaceChildren();
    if (piece.end !== undefined) told.textContent = piece.end;
    else if (piece.waiting) {
      told.textContent = `${piece.seat} to play. Declarer ${piece.tricks?.[0] ?? 0}, defence ${piece.tricks?.[1] ?? 0}.`;
      cards.append(...piece.legal.map((name) => el("button", { onclick: () => play(name), "aria-label": name }, card(name))));
    }
  }
  news.replaceChildren(...heard.slice(-60).map((one) => el("li", {}, `${one.seat}: `, card(one.card), one.why ? el("details", {}, el("summary", {}, "why this card"), one.why) : null)));
}

async function play(name) {
  told.textContent = "…";
  try { hear(await game.say(state.get("session"), name)); } catch (error) { told.textContent = error.message; }
}

const seat = choice([["declarer", "declare"], ["defence", "defend"]], state.get("seat"));
const other = choice(["planner", "hybrid", "rules"], state.get("other"));
const begin = el("button", { class: "main", id: "begin" }, "Play this deal");
begin.onclick = async () => {
  heard = [];
  const options = seat.value === "declarer" ? { declarer: "you", defence: "rules" } : { declarer: other.value, defence: "you" };
  try {
    const started = await game.begin({ offer: "bridge-play", files: { "deal.pbn": board.text.value }, options });
    state.set({ session: started.id, seat: seat.value, other: other.value });
    if (started.said.length === 0) told.textContent = "This deal cannot be played; ask for its plan to see why.";
    hear(started.said);
  } catch (error) { told.textContent = error.message; }
};

const plan = runner({
  state,
  label: "Plan it",
  request: () => ({ offer: "bridge-plan", files: { "deal.pbn": board.text.value } }),
  show: (result, output) => {
    for (const answer of result.answers) {
      if (answer.tricks !== undefined) output.append(el("p", { class: "headline good", id: "headline" }, headline(answer)));
      if (answer.line) output.append(el("h2", {}, "Line of play"), lines(answer.line));
      if (answer.explanation) output.append(el("h2", {}, "Why"), lines(answer.explanation));
    }
  },
});

function headline(answer) {
  const one = (chance) => `${chance.percent.toFixed(0)} ± ${chance.error.toFixed(0)} %`;
  const { rules, double_dummy } = answer.chances ?? {};
  const odds = rules?.percent == null || double_dummy?.percent == null ? "" : `, made in ${one(rules)} against defence by rule, ${one(double_dummy)} against double dummy`;
  return `${answer.contract ?? "Contract"}: ${Number(answer.tricks).toFixed(1)} tricks expected${odds}`;
}

function lines(value) {
  const list = Array.isArray(value) ? value : String(value).split("\n");
  return el("ol", {}, ...list.map((one) => el("li", {}, typeof one === "string" ? one : JSON.stringify(one))));
}

const hands = ["north", "south"].map((name) => {
  const input = el("input", { size: 8, value: state.get(name), "aria-label": name });
  input.onchange = () => state.set({ [name]: input.value });
  return input;
});
const tricks = el("input", { type: "number", min: 1, max: 13, value: 3 });
const suit = runner({
  state: saved("bridge-suit", {}),
  label: "Best play",
  request: () => ({ offer: "bridge-suit", options: { hands: hands.map((hand) => hand.value.toUpperCase()).join(","), tricks: Number(tricks.value) } }),
  show: (result, output) => {
    if (result.answer?.percent !== undefined) output.append(el("p", { class: "headline good", id: "odds" }, `${result.answer.percent} %`), lines(result.answer.line));
  },
});
suit.start.id = "suit-start";

main.append(el("div", { class: "columns" },
  el("section", { class: "panel", "aria-label": "Deal" }, picker(await examples("bridge"), [board], state), board.element, plan.controls, plan.status, plan.details, plan.output,
    el("h2", {}, "One suit alone"), el("div", { class: "row" }, field("north", hands[0]), field("south", hands[1]), field("tricks", tricks)), suit.controls, suit.status, suit.output),
  el("section", { class: "panel", "aria-label": "Table" }, el("div", { class: "row" }, field("you", seat), field("declarer, if you defend", other), begin), told, table, cards, el("h2", {}, "Cards"), news)));

if (state.get("session")) {
  try { hear(await game.recall(state.get("session"))); } catch { state.set({ session: null }); }
}
