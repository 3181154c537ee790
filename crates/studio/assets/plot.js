// Plots: lines, boxes, bars and heat maps, in the colours of the page.

import { svg } from "./dom.js";

/** Colours that are told apart by everyone, from Okabe and Ito. */
export const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a52a8", "#666666", "#a04000", "#117a65"];

/** Round steps for an axis. @param {number} low @param {number} high @param {number} [count] */
function ticks(low, high, count = 5) {
  const span = high - low || 1;
  const raw = span / count;
  const base = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * base).find((own) => own >= raw) ?? raw;
  const out = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) out.push(Number(at.toPrecision(12)));
  return out;
}

/** @param {number} value */
const short = (value) => Math.abs(value) >= 1e5 ? value.toExponential(0) : String(Number(value.toPrecision(4)));

/**
 * Lines over a common axis.
 * @param {{label: string, lines: {name: string, points: [number, number][], dashed?: boolean, stepped?: boolean, colour?: string}[], x: string, y: string, from?: number, width?: number, height?: number}} options
 */
export function linePlot({ label, lines, x, y, from, width = 560, height = 240 }) {
  const all = lines.flatMap((line) => line.points);
  const [left, right, top, bottom] = [52, 14, 26, 38];
  const xs = all.map(([own]) => own);
  const ys = all.map(([, own]) => own);
  const [x0, x1] = [Math.min(...xs, 0), Math.max(...xs, 1e-9)];
  const [y0, y1] = [from ?? Math.min(...ys), Math.max(...ys)];
  const pad = (y1 - y0) * 0.08 || 1;
  const [low, high] = [from ?? y0 - pad, y1 + pad];
  const px = (/** @type {number} */ value) => left + ((value - x0) / (x1 - x0 || 1)) * (width - left - right);
  const py = (/** @type {number} */ value) => height - bottom - ((value - low) / (high - low || 1)) * (height - top - bottom);
  const path = (/** @type {[number, number][]} */ points, /** @type {boolean | undefined} */ stepped) => points.map(([a, b], index) => index === 0 ? `M${px(a)} ${py(b)}` : stepped ? `H${px(a)}V${py(b)}` : `L${px(a)} ${py(b)}`).join("");
  return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ticks(low, high).map((at) => svg("g", {}, svg("line", { class: "rule", x1: left, x2: width - right, y1: py(at), y2: py(at) }), svg("text", { x: left - 6, y: py(at) + 4, "text-anchor": "end" }, short(at)))),
    ticks(x0, x1).map((at) => svg("text", { x: px(at), y: height - bottom + 16, "text-anchor": "middle" }, short(at))),
    svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, x),
    svg("text", { x: left, y: 12, "text-anchor": "start", class: "axis" }, y),
    lines.map((line, index) => svg("path", { d: path(line.points, line.stepped), class: "line", stroke: line.colour ?? COLOURS[index % COLOURS.length], "stroke-dasharray": line.dashed ? "6 4" : undefined }, svg("title", {}, line.name))));
}

/** The names of lines beside their colours. @param {string[]} names */
export function legend(names) {
  const row = document.createElement("div");
  row.className = "legend";
  names.forEach((name, index) => {
    const item = document.createElement("span");
    item.style.setProperty("--colour", COLOURS[index % COLOURS.length]);
    item.textContent = name;
    row.append(item);
  });
  return row;
}

/** The value below which a share of a sorted list lies. @param {number[]} list @param {number} share */
function quantile(list, share) {
  const at = (list.length - 1) * share;
  const low = Math.floor(at);
  return list[low] + (list[Math.min(low + 1, list.length - 1)] - list[low]) * (at - low);
}

/**
 * A box for each name, best first: median, quartiles, and all values as points.
 * @param {{label: string, rows: {name: string, values: number[]}[], unit: string, width?: number}} options
 */
export function boxPlot({ label, rows, unit, width = 620 }) {
  const height = rows.length * 24 + 44;
  const left = Math.min(190, 20 + 8 * Math.max(...rows.map((row) => row.name.length)));
  const all = rows.flatMap((row) => row.values);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const pad = (most - least) * 0.05 || 1;
  const [low, high] = [least - pad, most + pad];
  const px = (/** @type {number} */ value) => left + ((value - low) / (high - low)) * (width - left - 16);
  return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ticks(low, high, 6).map((at) => svg("g", {}, svg("line", { class: "rule", x1: px(at), x2: px(at), y1: 6, y2: height - 34 }), svg("text", { x: px(at), y: height - 20, "text-anchor": "middle" }, short(at)))),
    svg("text", { x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, unit),
    rows.map((row, index) => {
      const list = [...row.values].sort((a, b) => a - b);
      const [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => quantile(list, share));
      const y = 18 + index * 24;
      return svg("g", {}, svg("title", {}, `${row.name}: median ${short(q2)}, from ${short(list[0])} to ${short(list[list.length - 1])}`),
        svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, row.name),
        svg("line", { class: "whisker", x1: px(list[0]), x2: px(list[list.length - 1]), y1: y, y2: y }),
        svg("rect", { class: "box", x: px(q1), y: y - 7, width: Math.max(px(q3) - px(q1), 2), height: 14, rx: 3 }),
        svg("line", { class: "median", x1: px(q2), x2: px(q2), y1: y - 8, y2: y + 8 }),
        list.length <= 40 ? list.map((value) => svg("circle", { class: "sample", cx: px(value), cy: y, r: 2 })) : null);
    }));
}

/**
 * A heat map: the score of the row against the column.
 * @param {{label: string, names: string[], rows: (number | null)[][], width?: number}} options
 */
export function heatMap({ label, names, rows, width = 620 }) {
  const count = names.length;
  const left = Math.min(170, 14 + 7.2 * Math.max(...names.map((name) => name.length)));
  const size = Math.max(10, Math.min(44, (width - left - 10) / count));
  const top = left * 0.72;
  const full = left + count * size + 8;
  const all = /** @type {number[]} */ (rows.flat().filter((value) => value !== null));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return svg("svg", { class: "plot heat", viewBox: `0 0 ${Math.max(full + top * 0.7, 200)} ${top + count * size + 8}`, role: "img", "aria-label": label },
    names.map((name, index) => svg("g", {},
      svg("text", { x: left - 6, y: top + index * size + size / 2 + 4, "text-anchor": "end" }, name),
      svg("text", { x: 0, y: 0, transform: `translate(${left + index * size + size / 2 + 4} ${top - 6}) rotate(-50)` }, name))),
    rows.flatMap((row, i) => row.map((value, j) => {
      const share = value === null ? 0 : (value - low) / (high - low || 1);
      return svg("g", {}, svg("rect", { x: left + j * size, y: top + i * size, width: size - 1, height: size - 1, fill: value === null ? "transparent" : viridis(share) }, svg("title", {}, `${names[i]} against ${names[j]}: ${value === null ? "did not meet" : value.toFixed(2)}`)),
        size >= 30 && value !== null ? svg("text", { x: left + j * size + size / 2, y: top + i * size + size / 2 + 4, "text-anchor": "middle", class: share > 0.6 ? "dark" : "light" }, Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1)) : null);
    })));
}

/** From dark violet over green to yellow: equal steps look equal, also without colour vision. @param {number} share */
function viridis(share) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const mixed = stops[low].map((value, index) => Math.round(value + (stops[low + 1][index] - value) * (at - low)));
  return `rgb(${mixed.join(" ")})`;
}
