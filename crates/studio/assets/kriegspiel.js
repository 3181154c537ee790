// Kriegspiel: a game against the program, and problems with their proof trees.
import { choice, editor, el, examples, field, game, main, picker, runner, saved } from "./studio.js";

const state = saved("kriegspiel", { side: "white", other: "careful", session: null, belief: false });
const MEN = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙", k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };

const board = el("div", { class: "board", role: "group", "aria-label": "Board" });
const news = el("ol", { id: "news", "aria-live": "polite" });
const told = el("p", { role: "status", id: "told" });
const typed = el("input", { id: "typed", placeholder: "e2e4", size: 8, "aria-label": "a try, such as e2e4" });
let now = null;
let from = null;
let heard = [];

/** Shows the board as the player may see it. */
function draw() {
  board.replaceChildren();
  if (!now?.men) return;
  const size = now.size;
  board.style.gridTemplateColumns = `repeat(${size}, 1fr)`;
  const turned = now.you === "b";
  const shades = state.get("belief") && now.belief ? now.belief.men : {};
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [file, rank] = turned ? [size - 1 - column, row] : [column, size - 1 - row];
      const name = String.fromCharCode(97 + file) + (rank + 1);
      const man = now.men[name];
      const targets = from ? (now.tries ?? []).filter((mv) => mv.startsWith(from)).map((mv) => mv.slice(2, 4)) : [];
      const likely = Object.entries(shades[name] ?? {});
      const share = likely.reduce((sum, [, part]) => sum + part, 0);
      const words = likely.map(([letter, part]) => `${MEN[letter]} ${Math.round(100 * part)} %`).join(", ");
      const square = el("button", {
        class: `${(file + rank) % 2 === 0 ? "dark" : ""} ${targets.includes(name) ? "target" : ""}`, "data-square": name,
        "aria-label": `${name} ${man ? MEN[man] : ""} ${words}`, "aria-pressed": from === name ? "true" : "false", title: words || name,
        onclick: () => click(name),
      }, man ? MEN[man] : "", share > 0 ? el("span", { class: "shade", style: `opacity:${(0.65 * share).toFixed(2)}` }) : null);
      board.append(square);
    }
  }
}

function click(name) {
  if (!now?.waiting) return;
  const tries = now.tries ?? [];
  if (from && from !== name) {
    const found = tries.filter((mv) => mv.startsWith(from + name));
    if (found.length > 0) {
      const queen = found.find((mv) => mv.endsWith("q")) ?? found[0];
      from = null;
      attempt(queen);
      return;
    }
  }
  from = from === name ? null : tries.some((mv) => mv.startsWith(name)) ? name : null;
  draw();
  board.querySelector(`[data-square=${name}]`)?.focus();
}

function hear(said) {
  for (const piece of said) {
    if (piece.error) { told.textContent = piece.error; continue; }
    now = piece;
    heard.push(...(piece.news ?? []));
  }
  news.replaceChildren(...heard.slice(-60).map((one) => el("li", {}, `${one.by === "w" ? "White" : "Black"}: ${one.try ?? "a try"}: ${one.said}`)));
  news.scrollTop = news.scrollHeight;
  if (now?.end) told.textContent = now.winner ? `${now.end}: ${now.winner === "w" ? "White" : "Black"} wins` : now.end;
  else if (now?.waiting) told.textContent = `Your turn (${now.you === "w" ? "White" : "Black"}); you hold ${now.belief.positions} positions possible${now.belief.exact ? "" : " at least"}.`;
  draw();
}

async function attempt(mv) {
  told.textContent = "…";
  try { hear(await game.say(state.get("session"), mv)); } catch (error) { told.textContent = error.message; }
}

const side = choice(["white", "black"], state.get("side"));
const other = choice([["careful", "careful"], ["rash", "rash"], ["random", "random"]], state.get("other"));
const begin = el("button", { class: "main", id: "begin" }, "New game");
begin.onclick = async () => {
  const [mine, theirs] = [side.value, side.value === "white" ? "black" : "white"];
  heard = [];
  from = null;
  try {
    const started = await game.begin({ offer: "kriegspiel-play", options: { [mine]: "you", [theirs]: other.value, seed: Math.floor(Math.random() * 1e9) } });
    state.set({ session: started.id, side: side.value, other: other.value });
    hear(started.said);
  } catch (error) { told.textContent = error.message; }
};
const study = el("input", { type: "checkbox", id: "belief" });
study.checked = state.get("belief");
study.onchange = () => { state.set({ belief: study.checked }); draw(); };
const form = el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); if (typed.value) attempt(typed.value.trim()); typed.value = ""; } }, field("or type a try", typed), el("button", {}, "Try"));

const problem = editor("problem.jsonl", "Problems: an object on each line", state);
const solver = runner({
  state,
  label: "Solve",
  request: () => ({ offer: "kriegspiel-solve", files: { "problem.jsonl": problem.text.value } }),
  show: (result, output) => {
    for (const answer of result.answers) {
      const head = answer.verdict === "solved" ? `mate in ${answer.plies} plies for all ${answer.size} positions, first ${answer.first_try}` : answer.verdict === "unsolvable" ? "no guaranteed mate" : answer.verdict;
      const body = answer.proof ? el("ul", {}, tree(answer.proof)) : answer.refutation ? el("p", {}, `refuted in ${answer.refutation.states?.[0] ?? ""} by ${(answer.refutation.line ?? []).join(" ")}`) : "";
      output.append(el("details", { class: "tree", open: true }, el("summary", {}, `${answer.id}: ${head}`), body));
    }
  },
});

/** What a percept says. */
function words(percept) {
  const parts = [];
  if (percept.capture) parts.push(`capture on ${percept.capture}`);
  if (percept.checks?.length) parts.push(`check (${percept.checks.join(", ")})`);
  return parts.join(", ") || "nothing";
}

function tree(plan) {
  const list = [];
  for (const after of plan.after ?? []) {
    for (const reply of after.replies ?? []) list.push(el("li", {}, `hear ${words(after.heard)}, then ${words(reply.heard)}:`, el("ul", {}, tree(reply.then))));
  }
  if (plan.rejected) list.push(el("li", {}, "if that is illegal:", el("ul", {}, tree(plan.rejected))));
  return list.length === 0 ? el("li", {}, `try ${plan.try}: mate`) : el("li", {}, el("details", { open: true }, el("summary", {}, `try ${plan.try}`), el("ul", {}, ...list)));
}

main.append(el("div", { class: "columns" },
  el("section", { class: "panel", "aria-label": "Game" }, el("div", { class: "row" }, field("you play", side), field("against", other), begin, el("label", {}, study, " show what you may know")), told, board, form, el("h2", {}, "The referee"), news),
  el("section", { class: "panel", "aria-label": "Problems" }, picker(await examples("kriegspiel"), [problem], state), problem.element, solver.controls, solver.status, solver.details, solver.output)));

if (state.get("session")) {
  try { hear(await game.recall(state.get("session"))); } catch { state.set({ session: null }); }
}
