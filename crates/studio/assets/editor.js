// A text editor: line numbers, colours, matching brackets, and errors at their places.
// A transparent textarea lies over a coloured copy of its text, so that selecting, undoing and the screen reader work as everywhere.

import { el } from "./dom.js";

/** @typedef {{severity: string, code: string, message: string, help?: string, place?: {file: string, line: number, column: number, end_line: number, end_column: number, text?: string}}} Finding */

/** What is a token in texts with brackets. */
const TOKEN = /(;[^\n]*)|("(?:[^"\\]|\\.)*")|([()[\]])|(:[A-Za-z][\w-]*)|(\?[\w-]+)|(-?\b\d+(?:\.\d+)?\b)|(<=|\b(?:define|and|or|not|when|forall|exists|oneof|increase|decrease|assign|imply|preference|role|init|true|next|legal|does|terminal|goal|distinct|domain|problem|minimize|maximize|either)\b)/g;
const KINDS = ["comment", "string", "bracket", "keyword", "variable", "digits", "word"];

/**
 * @param {{name: string, label: string, change?: (text: string) => void, rows?: number, brackets?: boolean}} options
 */
export function editor({ name, label, change = () => {}, rows = 18, brackets = true }) {
  const area = el("textarea", { id: `text-${name}`, "data-name": name, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": label, rows });
  const colours = el("pre", { class: "colours", "aria-hidden": "true" });
  const gutter = el("pre", { class: "gutter", "aria-hidden": "true" });
  const list = el("ul", { class: "findings", id: `findings-${name}`, "aria-live": "polite" });
  const pick = el("input", { type: "file", "aria-label": `${label} from a file` });
  const box = el("div", { class: "code" }, el("div", { class: "margin" }, gutter), el("div", { class: "sheet" }, colours, area));
  /** @type {Finding[]} */
  let findings = [];
  let pair = [-1, -1];

  function paint() {
    const text = area.value;
    /** @type {{from: number, to: number, kind: string}[]} */
    const marks = [];
    if (brackets && text.length < 200000) {
      for (const match of text.matchAll(TOKEN)) {
        const kind = KINDS[match.slice(1).findIndex((part) => part !== undefined)];
        const at = match.index;
        marks.push({ from: at, to: at + match[0].length, kind: kind === "bracket" && pair.includes(at) ? "bracket pair" : kind });
      }
    }
    const wrong = findings.filter((one) => one.place).map((one) => span(text, one)).sort((a, b) => a.from - b.from);
    colours.replaceChildren(...pieces(text, marks, wrong));
    const lines = text.split("\n").length;
    gutter.replaceChildren(...Array.from({ length: lines }, (_, index) => {
      const bad = findings.find((one) => one.place?.line === index + 1);
      return el("span", bad ? { class: bad.severity, title: bad.message } : {}, `${index + 1}\n`);
    }));
    colours.append("\n");
    scroll();
  }
  function scroll() {
    colours.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
    gutter.style.transform = `translateY(${-area.scrollTop}px)`;
  }
  function match() {
    const found = brackets ? matching(area.value, area.selectionStart) : [-1, -1];
    if (found[0] !== pair[0] || found[1] !== pair[1]) { pair = found; paint(); }
  }
  area.oninput = () => { findings = []; list.replaceChildren(); area.removeAttribute("aria-invalid"); pair = matching(area.value, area.selectionStart); paint(); change(area.value); };
  area.onscroll = scroll;
  area.onkeyup = match;
  area.onclick = match;
  pick.onchange = async () => {
    const file = pick.files?.[0];
    if (!file) return;
    if (file.size > 3e6) { list.replaceChildren(el("li", { class: "error" }, "This file is too large: 3 MB at most.")); return; }
    put(await file.text());
    change(area.value);
  };
  /** Shows another text. @param {string} text */
  function put(text) { area.value = text; findings = []; list.replaceChildren(); pair = [-1, -1]; paint(); }
  /** Shows what is wrong, at its place. @param {Finding[]} found */
  function mark(found) {
    findings = found;
    area.toggleAttribute("aria-invalid", found.some((one) => one.severity === "error"));
    list.replaceChildren(...found.slice(0, 20).map((one) => el("li", { class: one.severity },
      el("button", { type: "button", class: "link", onclick: () => point(one) }, one.place ? `line ${one.place.line}: ${one.message}` : one.message),
      one.help ? el("span", { class: "help" }, ` ${one.help}`) : null)));
    paint();
  }
  /** @param {Finding} one */
  function point(one) {
    if (!one.place) return;
    const { from, to } = span(area.value, one);
    area.focus();
    area.setSelectionRange(from, to);
    const height = area.scrollHeight / Math.max(1, area.value.split("\n").length);
    area.scrollTop = Math.max(0, (one.place.line - 4) * height);
  }
  paint();
  return { name, area, put, mark, text: () => area.value, element: el("div", { class: "editor" }, el("div", { class: "editor-head" }, el("span", {}, label), pick), box, list) };
}

/** @param {string} text @param {Finding} one */
function span(text, one) {
  const place = /** @type {NonNullable<Finding["place"]>} */ (one.place);
  const rows = text.split("\n");
  const at = (/** @type {number} */ line, /** @type {number} */ column) => rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + [...(rows[line - 1] ?? "")].slice(0, column - 1).join("").length;
  const from = at(place.line, place.column);
  return { from, to: Math.max(from + 1, at(place.end_line, place.end_column)), kind: one.severity };
}

/**
 * The text cut into coloured pieces, with wavy lines under what is wrong.
 * @param {string} text @param {{from: number, to: number, kind: string}[]} marks @param {{from: number, to: number, kind: string}[]} wrong
 */
function pieces(text, marks, wrong) {
  const cuts = new Set([0, text.length]);
  for (const one of [...marks, ...wrong]) { cuts.add(Math.min(one.from, text.length)); cuts.add(Math.min(one.to, text.length)); }
  const places = [...cuts].sort((a, b) => a - b);
  const out = [];
  let [m, w] = [0, 0];
  for (let index = 0; index + 1 < places.length; index++) {
    const [from, to] = [places[index], places[index + 1]];
    while (m < marks.length && marks[m].to <= from) m++;
    while (w < wrong.length && wrong[w].to <= from) w++;
    const classes = [];
    if (m < marks.length && marks[m].from <= from) classes.push(marks[m].kind);
    if (w < wrong.length && wrong[w].from <= from) classes.push(`wavy-${wrong[w].kind}`);
    const part = text.slice(from, to);
    out.push(classes.length > 0 ? el("span", { class: classes.join(" ") }, part) : part);
  }
  return out;
}

/** The bracket at the cursor and its partner. @param {string} text @param {number} at @returns {number[]} */
function matching(text, at) {
  const here = "()".includes(text[at] ?? "x") ? at : "()".includes(text[at - 1] ?? "x") ? at - 1 : -1;
  if (here < 0) return [-1, -1];
  const step = text[here] === "(" ? 1 : -1;
  let depth = 0;
  for (let place = here; place >= 0 && place < text.length; place += step) {
    if (text[place] === "(") depth += step;
    if (text[place] === ")") depth -= step;
    if (depth === 0) return [here, place];
  }
  return [here, -1];
}
