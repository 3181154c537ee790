// A goban: stones, marks and numbers; click or arrow keys.

import { svg } from "./dom.js";

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/** @typedef {{width: number, height: number, rows: string[], target?: string | null, last?: string | null, marks?: Record<string, {text?: string, tone?: string}>, shaded?: Set<string>}} Board */

/** The name of a point. @param {number} column @param {number} row @param {number} height */
export const vertex = (column, row, height) => `${LETTERS[column]}${height - row}`;

/** Column and row of a name. @param {string} name @param {number} height @returns {[number, number]} */
export const placeOf = (name, height) => [LETTERS.indexOf(name[0]), height - Number(name.slice(1))];

/**
 * A goban. `pick` hears the point that was clicked.
 * @param {{label: string, pick?: (name: string) => void, still?: boolean}} options
 */
export function goban({ label, pick = () => {}, still = false }) {
  const picture = svg("svg", { class: "goban", role: still ? "img" : "application", "aria-label": label, tabindex: still ? undefined : 0 });
  /** @type {Board} */
  let board = { width: 9, height: 9, rows: [] };
  let [cursorX, cursorY] = [0, 0];
  const unit = 32;

  function paint() {
    const { width, height, rows, target, last, marks = {}, shaded } = board;
    const [w, h] = [(width + 1) * unit, (height + 1) * unit];
    const at = (/** @type {number} */ index) => (index + 1) * unit;
    picture.setAttribute("viewBox", `0 0 ${w} ${h}`);
    const parts = [svg("rect", { class: "wood", width: w, height: h, rx: 6 })];
    for (let column = 0; column < width; column++) parts.push(svg("line", { class: "line", x1: at(column), x2: at(column), y1: at(0), y2: at(height - 1) }), svg("text", { class: "coordinate", x: at(column), y: 12 }, LETTERS[column]));
    for (let row = 0; row < height; row++) parts.push(svg("line", { class: "line", x1: at(0), x2: at(width - 1), y1: at(row), y2: at(row) }), svg("text", { class: "coordinate", x: 9, y: at(row) + 4 }, height - row));
    for (const [x, y] of stars(width, height)) parts.push(svg("circle", { class: "star", cx: at(x), cy: at(y), r: 3.5 }));
    rows.forEach((row, y) => [...row].forEach((letter, x) => {
      const name = vertex(x, y, height);
      if (shaded?.has(name)) parts.push(svg("rect", { class: "shaded", x: at(x) - unit / 2, y: at(y) - unit / 2, width: unit, height: unit }));
      if (letter !== ".") parts.push(svg("circle", { class: `stone ${letter === "X" ? "black" : "white"}`, cx: at(x), cy: at(y), r: 14.5, "data-stone": name }));
      if (name === target) parts.push(svg("path", { class: `target ${letter === "X" ? "on-black" : ""}`, d: `M${at(x) - 6} ${at(y) - 6}l12 12M${at(x) + 6} ${at(y) - 6}l-12 12` }));
      if (name === last) parts.push(svg("circle", { class: `last ${letter === "X" ? "on-black" : ""}`, cx: at(x), cy: at(y), r: 6 }));
      const mark = marks[name];
      if (mark) parts.push(svg("g", { class: `mark ${mark.tone ?? ""} ${letter === "X" ? "on-black" : ""}` }, letter === "." ? svg("circle", { cx: at(x), cy: at(y), r: 11 }) : null, mark.text ? svg("text", { x: at(x), y: at(y) + 5 }, mark.text) : null));
      if (!still) parts.push(svg("rect", { class: "spot", x: at(x) - unit / 2, y: at(y) - unit / 2, width: unit, height: unit, "data-point": name }, svg("title", {}, name)));
    }));
    if (!still) parts.push(svg("circle", { class: "cursor", cx: at(cursorX), cy: at(cursorY), r: 15.5 }));
    picture.replaceChildren(...parts);
  }
  if (!still) {
    picture.addEventListener("click", (event) => {
      const name = event.target instanceof Element ? /** @type {SVGElement | null} */ (event.target.closest("[data-point]"))?.dataset.point : undefined;
      if (!name) return;
      [cursorX, cursorY] = placeOf(name, board.height);
      pick(name);
    });
    picture.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event).key;
      /** @type {Record<string, [number, number]>} */
      const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
      const step = steps[key];
      if (step) {
        cursorX = Math.max(0, Math.min(board.width - 1, cursorX + step[0]));
        cursorY = Math.max(0, Math.min(board.height - 1, cursorY + step[1]));
        const name = vertex(cursorX, cursorY, board.height);
        picture.setAttribute("aria-label", `${label}; ${name} ${{ X: "black", O: "white" }[board.rows[cursorY]?.[cursorX]] ?? "empty"}`);
        paint();
        event.preventDefault();
      }
      if ((key === "Enter" || key === " ") && !(/** @type {KeyboardEvent} */ (event).ctrlKey)) { pick(vertex(cursorX, cursorY, board.height)); event.preventDefault(); }
    });
  }
  return { element: picture, show: (/** @type {Board} */ next) => { board = next; paint(); } };
}

/** @param {number} width @param {number} height @returns {[number, number][]} */
function stars(width, height) {
  if (width !== height || ![9, 13, 19].includes(width)) return [];
  const edge = width > 9 ? 3 : 2;
  const list = width === 9 ? [edge, width - 1 - edge] : [edge, (width - 1) / 2, width - 1 - edge];
  const points = /** @type {[number, number][]} */ (list.flatMap((x) => list.map((y) => [x, y])));
  return width === 9 ? [...points, [4, 4]] : points;
}
