// The board of a game, found in its rules: fluents with two coordinates and a content become cells and pieces, and moves with coordinates
// become clicks.

import { el, svg } from "./dom.js";
import { BLANKS, USUAL } from "./gamestyles.js";
import { hue } from "./scenes.js";

/** @typedef {import("./gamestyles.js").Style} Style */
/** @typedef {{move: string, tone: string, text: string, proved: boolean}} Value */

/** The words of a flat term; none if terms are nested. @param {string} term */
export function parts(term) {
  const inner = term.trim().replace(/^\(/, "").replace(/\)$/, "");
  return inner.includes("(") ? null : inner.trim().toLowerCase().split(/\s+/);
}

/** The place of a word on an axis: a number, or a letter. @param {string} word */
function ordinal(word) {
  if (/^\d+$/.test(word)) return Number(word);
  if (/^[a-z]$/.test(word)) return word.charCodeAt(0) - 96;
  const tail = /^[a-z]+-?(\d+)$/.exec(word);
  return tail ? Number(tail[1]) : null;
}

/** @typedef {{name: string, x: number, y: number | null, content: number | null}} Pattern where coordinates and content stand */

/**
 * Finds the board in all fluents that a game may have.
 * @param {string[]} fluents @param {Style} style
 */
export function findBoard(fluents, style) {
  /** @type {Map<string, string[][]>} */
  const groups = new Map();
  for (const fluent of fluents) {
    const words = parts(fluent);
    if (!words || words.length < 2) continue;
    const key = `${words[0]}/${words.length}`;
    groups.set(key, [...(groups.get(key) ?? []), words]);
  }
  /** @type {Pattern[]} */
  const patterns = [];
  for (const list of groups.values()) {
    if (list.length < 3) continue;
    const width = list[0].length;
    const axes = [];
    for (let at = 1; at < width; at++) {
      const values = new Set(list.map((words) => words[at]));
      if (values.size >= 2 && values.size <= 26 && [...values].every((word) => ordinal(word) !== null) && !(width === 4 && at === 3)) axes.push(at);
    }
    if (/^(step|count|turn|clock|moves?)$/.test(list[0][0])) continue;
    if (axes.length >= 2 && width <= 4) patterns.push({ name: list[0][0], x: axes[0], y: axes[1], content: width === 4 ? 3 : null });
    else if (axes.length >= 1 && width === 3) patterns.push({ name: list[0][0], x: axes[0], y: null, content: axes[0] === 1 ? 2 : 1 });
  }
  const flat = patterns.filter((own) => own.y !== null);
  const chosen = flat.length > 0 ? flat : patterns;
  if (chosen.length === 0) return null;
  const [xs, ys] = [new Set(), new Set()];
  for (const { name, x, y, content } of chosen) {
    for (const words of groups.get(`${name}/${1 + 1 + (y === null ? 0 : 1) + (content === null ? 0 : 1)}`) ?? []) {
      xs.add(words[x]);
      ys.add(y === null ? "" : words[y]);
    }
  }
  const order = (/** @type {Set<string>} */ set) => [...set].sort((a, b) => (ordinal(a) ?? 0) - (ordinal(b) ?? 0));
  const [first, second] = [order(xs), order(ys)];
  const letters = first.every((word) => /^[a-z]$/.test(word)) && second.every((word) => /^\d+$/.test(word));
  const turned = Boolean(style.swap);
  const [columns, rows] = turned ? [second, first] : [first, second];
  return { patterns: chosen, columns, rows: style.up || letters ? [...rows].reverse() : rows, turned };
}

/** The cell key of two coordinates. @param {string} x @param {string} y */
const cellKey = (x, y) => `${x} ${y}`;

/**
 * What a move does on a board: a column, a cell, or from one cell to another; none if it is not on the board.
 * @param {NonNullable<ReturnType<typeof findBoard>>} board @param {string} move @param {Style} style
 */
function reading(board, move, style) {
  const words = parts(move);
  if (!words || words.length < 2) return null;
  const { columns, rows, turned } = board;
  const [xs, ys] = turned ? [rows, columns] : [columns, rows];
  const args = words.slice(1);
  const pair = (/** @type {number} */ at) => xs.includes(args[at]) && ys.includes(args[at + 1]) ? cellKey(args[at], args[at + 1]) : null;
  for (let at = 0; at + 3 < args.length; at++) if (pair(at) && pair(at + 2)) return { from: pair(at), to: pair(at + 2), column: null };
  for (let at = 0; at + 1 < args.length; at++) if (!style.drop && pair(at)) return { from: null, to: pair(at), column: null };
  if (rows.length === 1 && args.length >= 1 && columns.includes(args[0])) return args.length >= 2 && columns.includes(args[1]) ? { from: cellKey(args[0], ""), to: cellKey(args[1], ""), column: null } : { from: null, to: cellKey(args[0], ""), column: null };
  const columnWord = args.find((word) => xs.includes(word));
  return columnWord !== undefined && args.length === 1 ? { from: null, to: null, column: columnWord } : null;
}

/**
 * A board for a game. `play` hears the move that was chosen.
 * @param {{label: string, play?: (move: string) => void}} options
 */
export function gameBoard({ label, play = () => {} }) {
  const grid = el("div", { class: "gameboard", role: "grid", "aria-label": label });
  const others = el("div", { class: "moves", role: "group", "aria-label": "Other moves" });
  /** @type {string | null} */
  let from = null;
  let focus = "";
  /** @type {any} */
  let shown = null;

  function paint() {
    const { board, style, fluents, legal, values } = shown;
    /** @type {Map<string, string>} */
    const content = new Map();
    if (board) for (const fluent of fluents) {
      const words = parts(fluent);
      if (!words) continue;
      for (const pattern of board.patterns) {
        const length = 2 + (pattern.y === null ? 0 : 1) + (pattern.content === null ? 0 : 1);
        if (words[0] !== pattern.name || words.length !== length) continue;
        const what = pattern.content === null ? pattern.name : words[pattern.content];
        if (style.stack && pattern.y !== null && pattern.content === null) { for (const row of board.rows) if ((ordinal(row) ?? 0) > 0 && (ordinal(row) ?? 0) <= (ordinal(words[pattern.y]) ?? 0)) content.set(cellKey(words[pattern.x], row), what); continue; }
        if (!(style.blank ?? BLANKS).includes(what)) content.set(cellKey(words[pattern.x], pattern.y === null ? "" : words[pattern.y]), what);
      }
    }
    const read = board ? legal.map((/** @type {string} */ move) => ({ move, on: reading(board, move, style) })) : legal.map((/** @type {string} */ move) => ({ move, on: null }));
    const valueOf = new Map(values.map((/** @type {Value} */ value) => [value.move.toLowerCase(), value]));
    const off = read.filter((/** @type {any} */ one) => !one.on);
    others.replaceChildren(...off.map((/** @type {any} */ { move }) => { const value = valueOf.get(move.toLowerCase()); return el("button", { type: "button", class: value ? `value ${value.tone}` : "", onclick: () => play(move), "data-move": move }, move, value ? el("small", {}, ` ${value.text}`) : null); }));
    if (!board) { grid.replaceChildren(el("ul", { class: "facts" }, fluents.map((/** @type {string} */ fluent) => el("li", {}, fluent)))); return; }
    const { columns, rows, turned } = board;
    grid.style.setProperty("--columns", String(columns.length));
    grid.style.setProperty("--rows", String(rows.length));
    grid.classList.toggle("checks", Boolean(style.checks));
    grid.classList.toggle("drops", Boolean(style.drop));
    const active = document.activeElement instanceof HTMLElement && grid.contains(document.activeElement);
    const key = (/** @type {string} */ column, /** @type {string} */ row) => (turned ? cellKey(row, column) : cellKey(column, row));
    if (!focus) focus = key(columns[0], rows[0]);
    grid.replaceChildren(...rows.map((/** @type {string} */ row, /** @type {number} */ r) => el("div", { role: "row", class: "board-row" }, columns.map((/** @type {string} */ column, /** @type {number} */ c) => {
      const cell = key(column, row);
      const what = content.get(cell);
      const here = read.filter((/** @type {any} */ { on }) => on && (from ? on.from === from && on.to === cell : on.from ? on.from === cell : on.to === cell || on.column === (turned ? row : column)));
      const clickable = here.length > 0;
      const value = !from && here[0]?.on?.from ? best(here, valueOf) : valueOf.get(here[0]?.move.toLowerCase());
      // A column that is dropped into shows its value where the piece will lie.
      const show = value && (!style.drop || (!what && (r === rows.length - 1 || content.has(key(column, rows[r + 1])))));
      return el("div", { role: "gridcell", class: `cell ${(r + c) % 2 ? "odd" : "even"} ${clickable ? "open" : ""} ${from === cell ? "chosen" : ""} ${show ? `value ${value.tone}` : ""}`, "data-cell": cell, "data-move": here.length === 1 ? here[0].move : undefined, tabindex: cell === focus ? 0 : -1,
        "aria-label": `${column} ${row} ${what ?? "empty"}${clickable ? ", can be played" : ""}${value ? `, ${value.text}` : ""}`, onclick: () => pick(cell, here) },
        what ? piece(what, style) : null, show ? el("span", { class: "number" }, value.text) : null);
    }))));
    if (active) /** @type {HTMLElement | null} */ (grid.querySelector(`[data-cell="${focus}"]`))?.focus();
  }
  /** @param {any[]} here @param {Map<string, Value>} valueOf */
  function best(here, valueOf) {
    const list = here.map(({ move }) => valueOf.get(move.toLowerCase())).filter(Boolean);
    return list.sort((a, b) => Number(b?.text.replace(/\D/g, "")) - Number(a?.text.replace(/\D/g, "")))[0];
  }
  /** @param {string} cell @param {any[]} here */
  function pick(cell, here) {
    focus = cell;
    if (from === cell) { from = null; paint(); return; }
    if (here.length === 0) { from = null; paint(); return; }
    if (here[0].on.from && !from) { from = cell; paint(); return; }
    from = null;
    play(here[0].move);
  }
  grid.addEventListener("keydown", (event) => {
    if (!shown?.board) return;
    const cells = [...grid.querySelectorAll(".board-row")].map((row) => [...row.querySelectorAll("[data-cell]")]);
    const r = cells.findIndex((row) => row.some((cell) => /** @type {HTMLElement} */ (cell).dataset.cell === focus));
    const c = cells[r]?.findIndex((cell) => /** @type {HTMLElement} */ (cell).dataset.cell === focus) ?? 0;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (step) { const next = /** @type {HTMLElement | undefined} */ (cells[r + step[0]]?.[c + step[1]]); if (next) { focus = next.dataset.cell ?? focus; paint(); } event.preventDefault(); }
    if ((event.key === "Enter" || event.key === " ") && !event.ctrlKey) { /** @type {HTMLElement} */ (cells[r]?.[c])?.click(); event.preventDefault(); }
  });
  return {
    element: el("div", { class: "game" }, grid, others),
    /** @param {{board: ReturnType<typeof findBoard>, style: Style, fluents: string[], legal: string[], values: Value[]}} next */
    show: (next) => { from = null; shown = next; paint(); },
    /** @param {Value[]} values */
    value: (values) => { if (shown) { shown.values = values; paint(); } },
  };
}

/** A piece. @param {string} what @param {Style} style */
export function piece(what, style) {
  const look = style.pieces?.[what] ?? USUAL[what] ?? {};
  const shape = look.shape ?? (/^\d+$/.test(what) ? "tile" : "disc");
  const colour = look.colour ?? `hsl(${hue(what)} 45% 45%)`;
  const label = look.label ?? (look.colour ? "" : what.slice(0, 3));
  const marks = shape === "cross" ? [svg("path", { d: "M10 10L30 30M30 10L10 30", stroke: colour, class: "cross" })]
    : shape === "ring" ? [svg("circle", { cx: 20, cy: 20, r: 11, stroke: colour, class: "ring" })]
    : shape === "tile" ? [svg("rect", { x: 3, y: 3, width: 34, height: 34, rx: 4, fill: look.colour ?? "var(--tile)", class: "disc" })]
    : shape === "lamp" ? [svg("circle", { cx: 20, cy: 20, r: 15, fill: colour, class: "lamp" })]
    : [svg("circle", { cx: 20, cy: 20, r: 16, fill: colour, class: "disc" }), svg("circle", { cx: 20, cy: 20, r: 11.5, class: "rim" }), shape === "king" ? svg("text", { x: 20, y: 26, class: "crown" }, "♛") : null];
  const ink = look.colour && /^#f/.test(look.colour) ? "#222" : shape === "tile" && !look.colour ? "var(--ink)" : "#fff";
  return svg("svg", { viewBox: "0 0 40 40", class: "piece", "aria-hidden": "true", "data-piece": what }, marks, label || shape === "tile" ? svg("text", { x: 20, y: 26, fill: ink, class: "label" }, look.colour && shape === "tile" ? "" : label || what) : null);
}
