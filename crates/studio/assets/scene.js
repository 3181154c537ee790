// The stage: shapes with names, which move when a state follows another, and the controls to replay a plan.

import { button, el, svg } from "./dom.js";

const ICONS = {
  person: "M26 12a6 6 0 1 1 0.01 0zM14 42c0-10 4-16 12-16s12 6 12 16z",
  crate: "M12 14h28v26h-28zM12 14l28 26M40 14l-28 26",
  van: "M8 34v-16h22v16zM30 22h8l6 6v6h-14zM14 38a4 4 0 1 1 .01 0M36 38a4 4 0 1 1 .01 0",
  key: "M18 18a8 8 0 1 1 -.01 0zM23 30l18 0v6h-5v-3h-4v4h-5v-4z",
  lock: "M14 24h24v18h-24zM18 24v-6a8 8 0 0 1 16 0v6h-4v-6a4 4 0 0 0 -8 0v6z",
  gem: "M16 14h20l8 10-18 20-18-20zM8 24h36M20 24l6 20 6-20-4-10h-4z",
  plane: "M6 28l40-10-12 12 4 12-10-8-10 8 2-12z",
};

/** A stage. @param {string} label */
export function stage(label) {
  const edges = svg("g", { class: "edges" });
  const shapes = svg("g", { class: "shapes" });
  const picture = svg("svg", { class: "stage", role: "img", "aria-label": label, viewBox: "0 0 100 60" }, edges, shapes);
  /** @type {Map<string, SVGElement>} */
  const known = new Map();
  /** @param {import("./scenes.js").Layout} layout @param {{width: number, height: number}} [frame] */
  function show(layout, frame = layout) {
    picture.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    edges.replaceChildren(...layout.edges.map(({ from, to }) => svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1] })));
    const left = new Set(known.keys());
    for (const shape of layout.shapes) {
      left.delete(shape.key);
      let group = known.get(shape.key);
      if (!group) { group = svg("g", { class: "shape" }); known.set(shape.key, group); shapes.append(group); }
      draw(group, shape);
      // Later shapes lie above earlier ones.
      shapes.append(group);
    }
    for (const key of left) { known.get(key)?.remove(); known.delete(key); }
  }
  return { picture, show };
}

/** @param {SVGElement} group @param {import("./scenes.js").Shape} shape */
function draw(group, shape) {
  group.setAttribute("class", `shape ${shape.kind}${shape.mark ? " wanted" : ""}`);
  group.style.transform = `translate(${shape.x}px, ${shape.y}px)`;
  if (shape.hue !== undefined) group.style.setProperty("--hue", String(shape.hue));
  const text = JSON.stringify([shape.kind, shape.w, shape.h, shape.label, shape.badges, shape.icon]);
  if (group.dataset.drawn === text) return;
  group.dataset.drawn = text;
  const { w, h, label = "", icon, kind, badges = [] } = shape;
  const path = icon ? ICONS[/** @type {keyof typeof ICONS} */ (icon)] : undefined;
  const parts = [];
  if (shape.title) parts.push(svg("title", {}, shape.title));
  if (kind.startsWith("piece")) {
    parts.push(path ? svg("path", { d: path, class: "icon", transform: kind === "piece small" ? "scale(.5)" : undefined }) : svg("circle", { cx: w / 2, cy: h / 2, r: w * 0.38 }));
    if (!path) parts.push(svg("text", { x: w / 2, y: h / 2 + 4, class: "small" }, label.slice(0, 6)));
  } else {
    parts.push(svg("rect", { width: w, height: h, rx: kind === "cell" || kind === "cell target" ? 2 : 7 }));
    if (kind === "cell target") parts.push(svg("circle", { cx: w / 2, cy: h / 2, r: 7, class: "dot" }));
    if (kind === "block") parts.push(svg("text", { x: w / 2, y: h / 2 + 7, class: "big" }, label));
    else if (label) parts.push(svg("text", { x: path ? 30 : 8, y: 17, class: "name" }, label));
    if (path) parts.push(svg("path", { d: path, class: "icon", transform: "translate(4 2) scale(.42)" }));
    if (badges.length > 0) parts.push(svg("text", { x: 8, y: 34, class: "badge" }, badges.join(", ")));
  }
  group.replaceChildren(...parts);
}

/**
 * Controls that step through something: buttons, a slider, arrow keys, and a play button.
 * @param {{last: () => number, at: () => number, go: (step: number) => void, label: string}} options
 */
export function replay({ last, at, go, label }) {
  let timer = 0;
  const slider = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": label, class: "slider" });
  const play = button("▶", () => (timer ? halt() : begin()), { "aria-label": "Play", class: "round main" });
  const count = el("output", { class: "count" });
  const step = (/** @type {number} */ to) => { go(Math.max(0, Math.min(to, last()))); update(); };
  slider.oninput = () => { halt(); step(Number(slider.value)); };
  function begin() {
    if (at() >= last()) step(0);
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "Pause");
    timer = window.setInterval(() => (at() >= last() ? halt() : step(at() + 1)), 700);
  }
  function halt() { clearInterval(timer); timer = 0; play.textContent = "▶"; play.setAttribute("aria-label", "Play"); }
  function update() {
    slider.max = String(last());
    slider.value = String(at());
    count.textContent = `${at()} / ${last()}`;
  }
  const element = el("div", { class: "replay", role: "group", "aria-label": label },
    button("|◀", () => { halt(); step(0); }, { "aria-label": "To the start", class: "round" }),
    button("◀", () => { halt(); step(at() - 1); }, { "aria-label": "Back", class: "round" }), play,
    button("▶|", () => { halt(); step(at() + 1); }, { "aria-label": "Forward", class: "round" }), slider, count);
  element.addEventListener("keydown", (event) => {
    if (event.target === slider) return;
    if (event.key === "ArrowRight") { halt(); step(at() + 1); event.preventDefault(); }
    if (event.key === "ArrowLeft") { halt(); step(at() - 1); event.preventDefault(); }
  });
  return { element, update, halt, begin };
}
