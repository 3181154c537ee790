// Repeated games with noise: a tournament with ranking and heat map, and one match turn by turn.
import { choice, el, field, main, run, runner, saved } from "./studio.js";

const state = saved("dilemma", { players: ["DBS", "TitForTat", "Defector", "Cooperator", "Grudger"], noise: 0.1, turns: 200, repetitions: 2, first: "DBS", second: "TitForTat", turn: 0 });
const known = (await run({ offer: "dilemma-strategies" })).answer?.strategies ?? [];

const numbers = {};
function number(name, text, least, most, step) {
  const input = el("input", { type: "number", min: least, max: most, step, value: state.get(name) });
  input.onchange = () => state.set({ [name]: Number(input.value) });
  numbers[name] = () => Number(input.value);
  return field(text, input);
}

const players = el("select", { multiple: true, size: 12, "aria-label": "Players", id: "players" },
  ...known.map((one) => el("option", { value: one.name, title: one.about, ...(state.get("players").includes(one.name) ? { selected: true } : {}) }, one.name)));
players.onchange = () => state.set({ players: [...players.selectedOptions].map((option) => option.value) });

const tournament = runner({
  state,
  label: "Play the tournament",
  request: () => ({
    offer: "dilemma-tournament",
    options: { players: state.get("players").join(","), noise: numbers.noise(), turns: numbers.turns(), repetitions: numbers.repetitions(), matrices: true },
  }),
  show: (result, output) => {
    const answer = result.answer;
    if (!answer?.ranking) return;
    const row = (one, place) => el("tr", {}, el("td", { class: "number" }, String(place + 1)), el("td", {}, one.strategy),
      el("td", { class: "number" }, one.mean.toFixed(3)), el("td", { class: "number" }, `${one.low.toFixed(3)} to ${one.high.toFixed(3)}`));
    output.append(el("h2", {}, "Ranking"), el("table", { id: "ranking" }, el("tr", {}, el("th", {}), el("th", {}, "strategy"), el("th", { class: "number" }, "mean"), el("th", { class: "number" }, "95 %")), ...answer.ranking.map(row)));
    const matrix = answer.matrices?.scores ?? answer.scores;
    if (matrix) output.append(el("h2", {}, "Score of the row against the column"), heatmap(answer.matrices?.strategies ?? answer.strategies ?? answer.ranking.map((one) => one.strategy), matrix));
  },
});

function heatmap(names, rows) {
  const all = rows.flat();
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const cell = (value) => {
    const share = most > least ? (value - least) / (most - least) : 0.5;
    return el("td", { class: "number", style: `background: hsl(${Math.round(20 + 140 * share)} 55% 45% / .55)` }, value.toFixed(2));
  };
  return el("div", { class: "scroll", style: "overflow:auto" }, el("table", { id: "heatmap" },
    el("tr", {}, el("th", {}), ...names.map((name) => el("th", {}, name))),
    ...rows.map((row, index) => el("tr", {}, el("th", {}, names[index]), ...row.map(cell)))));
}

const pick = (name) => {
  const select = choice(known.map((one) => one.name), state.get(name));
  select.onchange = () => state.set({ [name]: select.value });
  return select;
};
const [first, second] = [pick("first"), pick("second")];
const view = el("div", { id: "match" });
const play = el("button", { class: "main", id: "play" }, "Play a match");
play.onclick = async () => {
  play.disabled = true;
  const result = await run({ offer: "dilemma-match", options: { players: `${first.value},${second.value}`, turns: Math.min(numbers.turns(), 300), noise: numbers.noise() } });
  play.disabled = false;
  if (result.answer?.moves) { state.set({ match: result.answer, turn: 0 }); step(0); } else view.replaceChildren(el("pre", { class: "bad" }, result.lines.join("\n")));
};

function step(turn) {
  const match = state.get("match");
  if (!match) return;
  const last = match.moves[0].length;
  turn = Math.max(0, Math.min(turn, last));
  state.set({ turn });
  const [one, two] = match.strategies;
  const range = el("input", { type: "range", min: 0, max: last, value: turn, style: "width:100%", "aria-label": "turn", oninput: (event) => step(Number(event.target.value)) });
  const beliefs = (side) => {
    const lines = match.beliefs?.[side]?.[Math.min(turn, last - 1)] ?? [];
    if (lines.length === 0) return null;
    const row = (line) => el("tr", {}, el("td", {}, `${line.holds ? "▸ " : ""}after ${line.condition}`), el("td", { class: "number" }, `${Math.round(100 * line.cooperates)} %`), el("td", {}, line.because));
    return el("div", {}, el("h2", {}, `${match.strategies[side]} believes that the other cooperates`), el("table", { class: "beliefs" }, ...lines.map(row)));
  };
  view.replaceChildren(
    el("p", {}, `${one} ${match.scores[0]}, ${two} ${match.scores[1]}; turn ${turn} of ${last}`),
    range,
    el("pre", {}, `${one}\n${match.moves[0].slice(0, turn)}\n${two}\n${match.moves[1].slice(0, turn)}`),
    ...[beliefs(0), beliefs(1)].filter(Boolean),
  );
  if (document.activeElement === document.body || document.activeElement?.type === "range") range.focus();
}

main.append(el("div", { class: "columns" },
  el("section", { class: "panel", "aria-label": "Tournament" }, el("h2", {}, "Tournament"), field("Players (several may be chosen)", players),
    el("div", { class: "row" }, number("noise", "noise", 0, 1, 0.01), number("turns", "turns", 1, 10000, 1), number("repetitions", "repetitions", 1, 100, 1)),
    tournament.controls, tournament.status, tournament.details, tournament.output),
  el("section", { class: "panel", "aria-label": "Match" }, el("h2", {}, "One match"), el("div", { class: "row" }, field("first", first), field("second", second), play), view)));
step(state.get("turn"));
