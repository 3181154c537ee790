// A policy as a graph in which you are nature: states in layers, the present one lit, its outcomes to be clicked.

import { svg } from "./dom.js";

/** @typedef {{atoms: string[], action: string | null, goal: boolean, next: number[]}} Reached */

/** At most so many states are drawn. */
const MOST = 120;

/** Layers by the distance from the first state. @param {Reached[]} states */
function layers(states) {
  const level = new Map([[0, 0]]);
  const queue = [0];
  for (let index = 0; index < queue.length; index++) {
    for (const next of states[queue[index]].next) if (!level.has(next)) { level.set(next, /** @type {number} */ (level.get(queue[index])) + 1); queue.push(next); }
  }
  /** @type {number[][]} */
  const rows = [];
  for (const at of queue.slice(0, MOST)) { const own = /** @type {number} */ (level.get(at)); (rows[own] ??= []).push(at); }
  return rows;
}

/**
 * Draws the graph. `pick` is called with the state that was clicked.
 * @param {Reached[]} states @param {{at: number, trail: number[], pick: (state: number) => void, small?: boolean}} options
 */
export function policyGraph(states, { at, trail, pick, small = false }) {
  const rows = layers(states);
  const [w, h, gapX, gapY] = small ? [16, 16, 14, 18] : [150, 46, 26, 44];
  const width = Math.max(...rows.map((row) => row.length)) * (w + gapX) + gapX;
  const height = rows.length * (h + gapY) + gapY;
  /** @type {Map<number, [number, number]>} */
  const spot = new Map();
  rows.forEach((row, level) => row.forEach((state, index) => spot.set(state, [(width - row.length * (w + gapX) + gapX) / 2 + index * (w + gapX) + w / 2, gapY / 2 + level * (h + gapY) + h / 2])));
  const edges = [];
  for (const [from, [x, y]] of spot) {
    for (const to of states[from].next) {
      const target = spot.get(to);
      if (!target) continue;
      const walked = trail.some((state, index) => state === from && trail[index + 1] === to);
      edges.push(svg("path", { d: edge([x, y], target, w, h, from === to), class: `edge${walked ? " walked" : ""}${from === at ? " open" : ""}`, "marker-end": small ? undefined : "url(#arrow)" }));
    }
  }
  const here = new Set(states[at]?.next ?? []);
  const nodes = [...spot].map(([state, [x, y]]) => {
    const { action, goal } = states[state];
    const open = here.has(state);
    const name = goal ? "goal" : action ?? "no answer";
    const group = svg("g", { class: `node${goal ? " goal" : ""}${state === at ? " here" : ""}${open ? " open" : ""}`, transform: `translate(${x - w / 2} ${y - h / 2})`, ...(small ? {} : { tabindex: open ? 0 : -1, role: "button", "aria-label": `${open ? "nature chooses: " : ""}${name}`, "data-state": state }) },
      svg("title", {}, states[state].atoms.join(" ")),
      svg("rect", { width: w, height: h, rx: small ? 8 : 10 }),
      small ? null : svg("text", { x: w / 2, y: h / 2 + 5 }, name.length > 20 ? `${name.slice(0, 19)}…` : name));
    if (!small) {
      group.addEventListener("click", () => pick(state));
      group.addEventListener("keydown", (event) => { if (/** @type {KeyboardEvent} */ (event).key === "Enter") pick(state); });
    }
    return group;
  });
  const arrow = svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: "head" })));
  return svg("svg", { class: "graph", viewBox: `0 0 ${width} ${height}`, style: small ? "" : `max-width:${width}px;min-width:${Math.min(width, Math.max(300, 0.75 * width))}px`, role: small ? "img" : "group", "aria-label": "The policy as a graph" }, arrow, edges, nodes);
}

/** @param {[number, number]} from @param {[number, number]} to @param {number} w @param {number} h @param {boolean} isLoop */
function edge([x, y], [u, v], w, h, isLoop) {
  if (isLoop) return `M${x + w / 2} ${y - h / 4}c${h * 0.7} ${-h * 0.3} ${h * 0.7} ${h * 0.8} 0 ${h / 2}`;
  if (v > y) return `M${x} ${y + h / 2}C${x} ${(y + v) / 2} ${u} ${(y + v) / 2} ${u} ${v - h / 2}`;
  const side = x <= u ? -1 : 1;
  return `M${x + (side * w) / 2} ${y}C${x + side * w * 0.9} ${y} ${u + side * w * 0.9} ${v} ${u + (side * w) / 2} ${v}`;
}
