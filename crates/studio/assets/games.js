// General games: any rules in GDL, grounded, solved, and played against the program.
import { choice, editor, el, examples, field, game, main, picker, places, point, run, runner, saved } from "./studio.js";

const state = saved("games", { player: "hybrid", clock: 2, role: 0, session: null });
const rules = editor("game.kif", "Rules", state);

const text = el("pre", { id: "board" });
const told = el("p", { role: "status", id: "told" });
const moves = el("div", { class: "moves", id: "moves", role: "group", "aria-label": "Your moves" });
const news = el("ol", { id: "news", "aria-live": "polite" });
let heard = [];

function hear(said) {
  for (const piece of said) {
    if (piece.board !== undefined) text.textContent = piece.board;
    if (piece.steps) heard = piece.steps;
    moves.replaceChildren();
    if (piece.rewards) {
      told.textContent = `Over: ${piece.roles.map((role, index) => `${role} ${piece.rewards[index]}`).join(", ")}`;
    } else if (piece.waiting) {
      told.textContent = `${piece.role}, it is your turn.`;
      moves.append(...piece.legal.map((move) => el("button", { onclick: () => make(move) }, move)));
    }
  }
  news.replaceChildren(...heard.slice(-40).map((step) => el("li", {}, step.moves.join("  "), step.ways.some(Boolean) ? el("div", { class: "about" }, step.ways.filter(Boolean).join("; ")) : null)));
}

async function make(move) {
  told.textContent = "…";
  moves.replaceChildren();
  try { hear(await game.say(state.get("session"), move)); } catch (error) { told.textContent = error.message; }
}

const role = el("input", { type: "number", min: 1, max: 8, value: state.get("role") + 1 });
const player = choice(["hybrid", "uct", "random"], state.get("player"));
const clock = el("input", { type: "number", min: 1, max: 60, value: state.get("clock") });
const begin = el("button", { class: "main", id: "begin" }, "Play");
begin.onclick = async () => {
  begin.disabled = true;
  heard = [];
  told.textContent = "Reading the rules …";
  try {
    const facts = (await run({ offer: "game-ground", files: { "game.kif": rules.text.value }, seconds: 60 })).answer;
    const count = facts?.roles?.length ?? (typeof facts?.roles === "number" ? facts.roles : (rules.text.value.match(/\(\s*role\s+[^)\s]+\s*\)/g) ?? []).length) ?? 2;
    const mine = Math.min(Math.max(Number(role.value), 1), count) - 1;
    const players = Array.from({ length: count }, (_, index) => (index === mine ? "me" : player.value)).join(",");
    state.set({ role: mine, player: player.value, clock: Number(clock.value) });
    told.textContent = "The program prepares …";
    const started = await game.begin({ offer: "game-play", files: { "game.kif": rules.text.value }, options: { players, start: Number(clock.value), clock: Number(clock.value) } });
    state.set({ session: started.id });
    if (started.said.length === 0) told.textContent = "The game cannot be played; ground it to see why.";
    hear(started.said);
  } catch (error) { told.textContent = error.message; }
  begin.disabled = false;
};

function facts(answer) {
  const rows = Object.entries(answer).filter(([, value]) => typeof value !== "object" || Array.isArray(value));
  const cell = (value) => (Array.isArray(value) ? value.slice(0, 40).map((part) => (typeof part === "object" ? JSON.stringify(part) : part)).join(", ") : String(value));
  return el("table", {}, ...rows.map(([name, value]) => el("tr", {}, el("th", {}, name), el("td", {}, cell(value)))));
}

function show(result, output) {
  const wrong = places(result.lines)[0];
  if (result.exit === 2 && wrong) point(rules.text, wrong);
  const answer = result.answer;
  if (!answer) return;
  if (answer.value) output.append(el("p", { class: "headline good", id: "headline" }, `Solved: value ${answer.value.join(" to ")}, ${Number(answer.states).toLocaleString("en")} positions.`));
  else if (answer.verdict === "stopped") output.append(el("p", { class: "headline bad", id: "headline" }, "Stopped by a limit before it was solved."));
  else if (answer.fluents !== undefined) output.append(el("p", { class: "headline", id: "headline" }, `${answer.fluents} fluents, ${answer.moves} moves, ${answer.groups} groups.`));
  output.append(facts(answer));
}

const what = choice([["game-solve", "solve it"], ["game-ground", "ground it"]], "game-solve");
what.id = "what";
const panel = runner({ state, label: "Run", request: () => ({ offer: what.value, files: { "game.kif": rules.text.value } }), show });

main.append(el("div", { class: "columns" },
  el("section", { class: "panel", "aria-label": "Rules" }, picker(await examples("games"), [rules], state), rules.element, el("div", { class: "row" }, field("what", what)), panel.controls, panel.status, panel.details, panel.output),
  el("section", { class: "panel", "aria-label": "Game" }, el("div", { class: "row" }, field("your role", role), field("against", player), field("seconds a move", clock), begin), told, text, moves, el("h2", {}, "Moves, and how the program found them"), news)));

if (state.get("session")) {
  try { hear(await game.recall(state.get("session"))); } catch { state.set({ session: null }); }
}
