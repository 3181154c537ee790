// The front door: six miniatures, each of them alive and one click away from its view.

import { ask, examples, run } from "./api.js";
import { byId, el } from "./dom.js";
import { cardFace } from "./cards.js";
import { chessBoard, menOf } from "./chess.js";
import { goban } from "./goban.js";
import { policyGraph } from "./graph.js";
import { linePlot } from "./plot.js";
import { stage } from "./scene.js";
import { layouter, learn, states } from "./scenes.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
/** Calls in turn, as long as the page is seen. @param {number} ms @param {() => void} act */
const every = (ms, act) => { if (!calm) setInterval(() => { if (!document.hidden) act(); }, ms); };

const DOORS = [
  { id: "plan", href: "/plan", title: "A plan", text: "The shortest way to turn two towers into one, proved optimal and replayed.", make: blocks },
  { id: "policy", href: "/plan#example=tyres", title: "A policy", text: "Tyres may go flat. You are nature: whatever happens, there is an answer.", make: policy },
  { id: "bridge", href: "/bridge", title: "Bridge", text: "Declare three notrump against two defenders, with the planner's reasons and odds.", make: bridge },
  { id: "go", href: "/go", title: "Go", text: "Kill the rabbity six. A wrong move is refuted, the right one proved.", make: go },
  { id: "kriegspiel", href: "/kriegspiel", title: "Kriegspiel", text: "Chess in fog: ghosts show where the enemy may stand.", make: kriegspiel },
  { id: "dilemma", href: "/dilemma", title: "Dilemma", text: "Who thrives when trust is noisy? Run the tournament, or play yourself.", make: dilemma },
];

/** @param {HTMLElement} box */
async function blocks(box) {
  const all = await examples("plan");
  learn(all);
  const example = all[0];
  const read = await ask({ read: { domain: example.files.domain, problem: example.files.problem } });
  const view = stage("Blocks moving");
  box.append(view.picture);
  let scene = read.scene;
  view.show(layouter(scene, states(scene))(new Set(scene.initial)));
  const outcome = await run({ solve: { domain: example.files.domain, problem: example.files.problem } }, undefined, 20);
  scene = outcome.last.scene ?? scene;
  const steps = states(scene);
  const layout = layouter(scene, steps);
  const frame = steps.map(layout).reduce((most, one) => ({ width: Math.max(most.width, one.width), height: Math.max(most.height, one.height) }), { width: 0, height: 0 });
  let at = 0;
  const show = () => view.show(layout(steps[at]), frame);
  show();
  every(900, () => { at = (at + 1) % steps.length; show(); });
}

/** @param {HTMLElement} box */
async function policy(box) {
  const example = (await examples("plan")).find((one) => one.name === "tyres");
  if (!example) return;
  const outcome = await run({ solve: { domain: example.files.domain, problem: example.files.problem, request: { picture: true } } }, undefined, 20);
  const reached = outcome.last.states?.states;
  if (!reached) return;
  let trail = [0];
  const draw = () => box.replaceChildren(policyGraph(reached, { at: trail[trail.length - 1], trail, pick: () => {}, small: true }));
  draw();
  every(800, () => { const next = reached[trail[trail.length - 1]].next; trail = next.length === 0 ? [0] : [...trail, next[Math.floor(Math.random() * next.length)]]; draw(); });
}

/** @param {HTMLElement} box */
async function bridge(box) {
  const table = el("div", { class: "felt mini" });
  box.append(table);
  const tricks = [["SQ", "S4", "SK", "SA"], ["HK", "H2", "HA", "H5"], ["CK", "C6", "CA", "CQ"], ["DA", "D7", "D2", "D5"]];
  const places = ["west", "north", "east", "south"];
  const hands = { north: ["S7", "S4", "H9", "H2", "C8", "C6", "D9", "D7"], south: ["SA", "SJ", "HJ", "H5", "CQ", "C4", "DJ", "D5"], west: 8, east: 8 };
  let [trick, card] = [0, 4];
  const gone = () => tricks.slice(0, trick).flat().concat(tricks[trick].slice(0, card));
  const open = (/** @type {"north" | "south"} */ seat) => el("div", { class: `mini-hand ${seat}` }, hands[seat].filter((own) => !gone().includes(own)).map((own) => cardFace(own)));
  const closed = (/** @type {"west" | "east"} */ seat) => el("div", { class: `mini-hand ${seat}` }, Array.from({ length: hands[seat] - trick - (card > places.indexOf(seat) ? 1 : 0) }, () => el("span", { class: "card back" })));
  const show = () => table.replaceChildren(open("north"), open("south"), closed("west"), closed("east"), el("div", { class: "trick" }, tricks[trick].slice(0, card).map((own, index) => el("div", { class: `played ${places[index]}` }, cardFace(own)))), el("div", { class: "counter" }, el("div", { class: "contract" }, "3NT")));
  show();
  every(700, () => { card++; if (card > 4) { card = 1; trick = (trick + 1) % tricks.length; } show(); });
}

/** @param {HTMLElement} box */
async function go(box) {
  const example = (await examples("go"))[0];
  const board = goban({ label: "A Go problem", still: true });
  box.append(board.element);
  const start = await ask({ "go-position": { sgf: example.files.sgf } });
  board.show(start);
  const outcome = await run({ "go-solve": { sgf: example.files.sgf, request: { whole: true } } }, undefined, 20);
  const line = outcome.answer?.line ?? [];
  const positions = [start];
  for (let at = 1; at <= Math.min(line.length, 6); at++) positions.push(await ask({ "go-position": { sgf: example.files.sgf, moves: line.slice(0, at) } }));
  let at = 0;
  every(1000, () => { at = (at + 1) % positions.length; board.show({ ...positions[at], last: line[at - 1] }); });
}

/** @param {HTMLElement} box */
async function kriegspiel(box) {
  const example = (await examples("kriegspiel"))[0];
  const belief = JSON.parse(example.files.lines.split("\n")[0]).belief;
  const board = chessBoard({ label: "A Kriegspiel problem" });
  board.element.inert = true;
  box.append(board.element);
  const all = belief.map(menOf);
  /** @type {Record<string, Record<string, number>>} */
  const shares = {};
  /** @type {Record<string, string>} */
  const own = {};
  for (const { men } of all) for (const [square, letter] of Object.entries(men)) { if (letter === letter.toUpperCase()) own[square] = letter; else { shares[square] ??= {}; shares[square][letter] = (shares[square][letter] ?? 0) + 1 / all.length; } }
  let at = -1;
  const show = () => board.show(at < 0 ? { men: own, size: all[0].size, ghosts: shares, fog: true } : { men: all[at].men, size: all[0].size });
  show();
  every(1600, () => { at = at + 1 >= all.length ? -1 : at + 1; show(); });
}

/** @param {HTMLElement} box */
async function dilemma(box) {
  const answer = await ask({ "dilemma-tournament": { request: { players: ["DBS", "TitForTat", "Defector", "Cooperator", "Grudger"], repetitions: 2, matrices: true, ecology: 60, rules: { turns: 60, noise: 0.05 } } } }, 30);
  const lines = answer.strategies.map((/** @type {string} */ name, /** @type {number} */ index) => ({ name, points: answer.shares.map((/** @type {number[]} */ row, /** @type {number} */ generation) => /** @type {[number, number]} */ ([generation, row[index]])) }));
  let upTo = lines[0].points.length;
  const draw = () => box.replaceChildren(linePlot({ label: "Shares of five strategies over generations", x: "generation", y: "share", from: 0, width: 320, height: 190, lines: lines.map((/** @type {any} */ line) => ({ ...line, points: line.points.slice(0, Math.max(2, upTo)) })) }));
  draw();
  every(120, () => { upTo = upTo >= lines[0].points.length + 15 ? 2 : upTo + 1; if (upTo <= lines[0].points.length) draw(); });
}

byId("doors").append(...DOORS.map(({ id, href, title, text, make }) => {
  const box = el("div", { class: "mini-box", "aria-hidden": "true" });
  make(box).catch(() => box.append(el("p", { class: "small" }, "…")));
  return el("a", { class: "door", href, id: `door-${id}` }, box, el("h2", {}, title), el("p", {}, text), el("span", { class: "try" }, "Try it →"));
}));
