// A chess board with men of our own drawing: click, drag or arrow keys.

import { el, svg } from "./dom.js";

/** @type {Record<string, string>} */
const MEN = {
  p: "M22.5 8a5.5 5.5 0 1 1-.01 0zM15 38c0-8 4-10 5-18h5c1 8 5 10 5 18z",
  r: "M12 38v-4l3-3V18h-3v-9h5v3h3.5v-3h4v3H28v-3h5v9h-3v13l3 3v4z",
  n: "M13 38c-1-6 6-9 7-15-2 2-4 2-6 3l-4 2-3-5c3-5 5-10 9-13l3-4 1 3c11 3 14 15 13 29z",
  b: "M22.5 6a2.6 2.6 0 1 1-.01 0zM14 38c1-4 4-5 5-8-5-4-5-12 3.5-19 8.500 7 8.500 15 3.500 19 1 3 4 4 5 8z",
  q: "M11 38l2-7-4-16 6 8 3-12 4.500 11 4.500-11 3 12 6-8-4 16 2 7zM9 11.500a2 2 0 1 1-.01 0zM18 7a2 2 0 1 1-.01 0zM27 7a2 2 0 1 1-.01 0zM36 11.500a2 2 0 1 1-.01 0z",
  k: "M21 4h3v3h3v3h-3v5h-3v-5h-3v-3h3zM12 38l1-6c-5-3-6-12 0-14 4-1 7 1 9.500 5 2.500-4 5.500-6 9.500-5 6 2 5 11 0 14l1 6z",
};
/** @type {Record<string, string>} */
export const NAMES = { p: "pawn", r: "rook", n: "knight", b: "bishop", q: "queen", k: "king" };

/** A man by its letter of the FEN: capitals are white. @param {string} letter @param {string} [extra] */
export function man(letter, extra = "") {
  const kind = letter.toLowerCase();
  return svg("svg", { viewBox: "0 0 45 45", class: `man ${letter === kind ? "black" : "white"} ${extra}`, "aria-hidden": "true" }, svg("path", { d: MEN[kind] ?? "" }));
}

/** `white knight`. @param {string} letter */
export const manName = (letter) => `${letter === letter.toLowerCase() ? "black" : "white"} ${NAMES[letter.toLowerCase()] ?? letter}`;

/**
 * @typedef {{men: Record<string, string>, size: number, flipped?: boolean, own?: string, tries?: string[], ghosts?: Record<string, Record<string, number>>,
 *   last?: string[], fog?: boolean}} Position `own` is `w` or `b`
 */

/**
 * A board. `attempt` hears a try such as `e2e4`.
 * @param {{label: string, attempt?: (from: string, to: string) => void}} options
 */
export function chessBoard({ label, attempt = () => {} }) {
  const grid = el("div", { class: "chess", role: "grid", "aria-label": label });
  /** @type {Position} */
  let position = { men: {}, size: 8 };
  /** @type {string | null} */
  let chosen = null;
  let focus = "e2";

  /** @param {string} square */
  const isOwn = (square) => { const letter = position.men[square]; return Boolean(letter && position.own) && (letter === letter.toUpperCase() ? "w" : "b") === position.own; };
  /** @param {string} square */
  const targets = (square) => new Set((position.tries ?? []).filter((text) => text.startsWith(square)).map((text) => text.slice(2, 4)));

  /** @param {string} square */
  function pick(square) {
    if (chosen && chosen !== square && targets(chosen).has(square)) { const from = chosen; chosen = null; paint(); attempt(from, square); return; }
    chosen = isOwn(square) && chosen !== square && targets(square).size > 0 ? square : null;
    paint();
  }
  /** The squares in the order of drawing. */
  function squares() {
    const { size, flipped } = position;
    const rows = Array.from({ length: size }, (_, index) => (flipped ? index + 1 : size - index));
    const files = Array.from({ length: size }, (_, index) => "abcdefgh"[flipped ? size - 1 - index : index]);
    return rows.map((row) => files.map((file) => `${file}${row}`));
  }
  function paint() {
    const { men, size, ghosts = {}, last = [] } = position;
    const open = chosen ? targets(chosen) : new Set();
    grid.style.setProperty("--size", String(size));
    const active = document.activeElement;
    const had = active instanceof HTMLElement && grid.contains(active);
    const rows = squares();
    if (!rows.flat().includes(focus)) focus = rows[rows.length - 1][0];
    grid.replaceChildren(...rows.map((row, r) => el("div", { role: "row", class: "rank-row" }, row.map((square, f) => cell(square, r, f)))));
    if (had) /** @type {HTMLElement | null} */ (grid.querySelector(`[data-square="${focus}"]`))?.focus();

    /** @param {string} square @param {number} r @param {number} f */
    function cell(square, r, f) {
      const letter = men[square];
      const dark = ("abcdefgh".indexOf(square[0]) + Number(square[1])) % 2 === 1;
      const guesses = Object.entries(ghosts[square] ?? {}).sort((a, b) => b[1] - a[1]);
      const total = guesses.reduce((sum, [, share]) => sum + share, 0);
      const words = [square, letter ? manName(letter) : guesses.length > 0 ? `perhaps ${guesses.slice(0, 2).map(([own, share]) => `${NAMES[own.toLowerCase()]} ${Math.round(100 * share)} %`).join(", ")}` : "empty", open.has(square) ? "can be tried" : ""];
      const parts = [];
      if (f === 0) parts.push(el("span", { class: "coordinate row-name", "aria-hidden": "true" }, square[1]));
      if (r === size - 1) parts.push(el("span", { class: "coordinate file-name", "aria-hidden": "true" }, square[0]));
      if (!letter && total > 0.02) {
        const [best, share] = guesses[0];
        parts.push(el("span", { class: "ghost", style: `opacity:${Math.min(0.25 + 0.75 * total, 1).toFixed(2)}` }, man(best, "ghostly"), el("span", { class: "share" }, `${Math.round(100 * share)}`)));
      }
      if (letter) parts.push(man(letter));
      const classes = ["square", dark ? "dark" : "light", chosen === square ? "chosen" : "", open.has(square) ? "open" : "", last.includes(square) ? "last" : "", position.fog && !letter ? "fog" : ""];
      return el("div", { class: classes.join(" "), role: "gridcell", "data-square": square, tabindex: square === focus ? 0 : -1, "aria-label": words.filter(Boolean).join(", "), "aria-selected": chosen === square }, parts);
    }
  }
  /** @param {Event} event */
  const squareOf = (event) => /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest("[data-square]") : null)?.dataset.square;

  /** @type {{square: string, x: number, y: number, image: Element | null} | null} */
  let drag = null;
  grid.addEventListener("pointerdown", (event) => {
    const square = squareOf(event);
    if (!square || event.button !== 0) return;
    focus = square;
    drag = { square, x: event.clientX, y: event.clientY, image: null };
    if (isOwn(square)) event.preventDefault();
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag || !isOwn(drag.square)) return;
    if (!drag.image && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6) {
      const source = grid.querySelector(`[data-square="${drag.square}"] .man`);
      if (!source) return;
      const box = source.getBoundingClientRect();
      drag.image = /** @type {Element} */ (source.cloneNode(true));
      drag.image.setAttribute("style", `position:fixed;pointer-events:none;z-index:9;width:${box.width}px;height:${box.height}px`);
      document.body.append(drag.image);
      chosen = drag.square;
      paint();
    }
    if (drag.image) {
      const own = /** @type {SVGElement} */ (drag.image);
      own.style.left = `${event.clientX - own.getBoundingClientRect().width / 2}px`;
      own.style.top = `${event.clientY - own.getBoundingClientRect().height / 2}px`;
    }
  });
  window.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { square: from, image } = drag;
    drag = null;
    if (!image) { if (squareOf(event) === from) pick(from); return; }
    image.remove();
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
    const to = under && grid.contains(under) ? /** @type {HTMLElement} */ (under).dataset.square : undefined;
    if (to && to !== from && targets(from).has(to)) pick(to);
    else { chosen = null; paint(); }
  });
  grid.addEventListener("keydown", (event) => {
    const rows = squares();
    const r = rows.findIndex((row) => row.includes(focus));
    const f = rows[r]?.indexOf(focus) ?? 0;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (step) { focus = rows[r + step[0]]?.[f + step[1]] ?? focus; paint(); /** @type {HTMLElement | null} */ (grid.querySelector(`[data-square="${focus}"]`))?.focus(); event.preventDefault(); }
    if (event.key === "Enter" || event.key === " ") { if (!event.ctrlKey) { pick(focus); event.preventDefault(); } }
    if (event.key === "Escape") { chosen = null; paint(); }
  });
  return { element: grid, show: (/** @type {Position} */ next) => { position = next; chosen = null; paint(); } };
}

/** The men of a FEN by square. @param {string} fen */
export function menOf(fen) {
  const rows = fen.split(" ")[0].split("/");
  /** @type {Record<string, string>} */
  const men = {};
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) { file += Number(letter); continue; }
      men[`${"abcdefgh"[file]}${rows.length - index}`] = letter;
      file++;
    }
  });
  return { men, size: rows.length };
}
