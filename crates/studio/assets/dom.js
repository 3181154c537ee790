// Elements, pictures, tabs and downloads: what all views build their pages from.

/** @typedef {Record<string, any>} Attributes */
/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
}

/**
 * An element: attributes by name, listeners by `onclick`, children as text or elements.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * An element of a picture.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  fill(element, attributes, children);
  return element;
}

/** The place that a view fills. */
export const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** The element of an id that the page has. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** A label with its field. @param {string} text @param {HTMLElement} input */
export function field(text, input) {
  return el("label", { class: "field" }, el("span", {}, text), input);
}

/**
 * A choice from a list of words or of pairs of value and text.
 * @param {(string | [string, string])[]} options
 * @param {string} chosen
 * @param {(value: string) => void} [change]
 * @param {Attributes} [attributes]
 */
export function choice(options, chosen, change = () => {}, attributes = {}) {
  const list = options.map((option) => (Array.isArray(option) ? option : /** @type {[string, string]} */ ([option, option])));
  const select = el("select", attributes, ...list.map(([value, text]) => el("option", { value }, text)));
  select.value = chosen;
  if (select.value !== chosen && list.length > 0) select.value = list[0][0];
  select.onchange = () => change(select.value);
  return select;
}

/**
 * An option's values as the library declares them. The page may have shorter words for some of them.
 * @param {string} name @param {Record<string, string>} [words]
 * @returns {[string, string][]}
 */
export function options(name, words = {}) {
  const declared = JSON.parse(document.getElementById("options")?.textContent ?? "{}");
  return (declared[name] ?? []).map((/** @type {[string, string]} */ [value, help]) => [value, words[value] ?? help]);
}

/**
 * A number with bounds.
 * @param {number} value @param {[number, number, number]} range least, most and step
 * @param {(value: number) => void} [change] @param {Attributes} [attributes]
 */
export function number(value, [min, max, step], change = () => {}, attributes = {}) {
  const input = el("input", { type: "number", min, max, step, value, ...attributes });
  input.onchange = () => {
    const wanted = Number(input.value);
    const fits = Number.isFinite(wanted) && input.value !== "" ? Math.min(Math.max(wanted, min), max) : value;
    input.value = String(fits);
    change(fits);
  };
  return input;
}

/** A button. @param {string} text @param {(event: Event) => void} act @param {Attributes} [attributes] */
export function button(text, act, attributes = {}) {
  return el("button", { type: "button", onclick: act, ...attributes }, text);
}

/**
 * Tabs. `show` is called when a tab is chosen.
 * @param {[string, string, HTMLElement][]} list name, title and panel
 * @param {string} chosen @param {(name: string) => void} [show]
 */
export function tabs(list, chosen, show = () => {}) {
  const heads = list.map(([name, title]) => el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` }, title));
  const bar = el("div", { class: "tabs", role: "tablist" }, heads);
  const panels = list.map(([name, , panel]) => {
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    return panel;
  });
  /** @param {string} name */
  function pick(name) {
    const at = Math.max(0, list.findIndex(([own]) => own === name));
    heads.forEach((head, index) => { head.setAttribute("aria-selected", String(index === at)); head.tabIndex = index === at ? 0 : -1; });
    panels.forEach((panel, index) => { panel.hidden = index !== at; });
    show(list[at][0]);
  }
  heads.forEach((head, index) => {
    head.onclick = () => pick(list[index][0]);
    head.onkeydown = (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      const next = (index + step + heads.length) % heads.length;
      pick(list[next][0]);
      heads[next].focus();
    };
  });
  pick(chosen);
  return { element: el("div", { class: "tabbed" }, bar, panels), pick };
}

/** Offers a text as a file. @param {string} name @param {string} text @param {string} [type] */
export function download(name, text, type = "text/plain;charset=utf-8") {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Says something at the foot of the page for a moment. @param {string} text */
export function toast(text) {
  const old = document.getElementById("toast");
  if (old) old.remove();
  const box = el("div", { id: "toast", role: "status" }, text);
  document.body.append(box);
  setTimeout(() => box.remove(), 2500);
}

/** Copies a text. @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(`${what} copied`);
}

/** Two sheets, one over the other: a letter for it is missing in some fonts. */
const copySign = () => svg("svg", { viewBox: "0 0 16 16", width: 13, height: 13, "aria-hidden": "true", class: "sign" }, svg("path", { d: "M5.5 5.5h8v9h-8zM10.5 5.5v-4h-8v9h3", fill: "none", stroke: "currentColor", "stroke-width": 1.4, "stroke-linejoin": "round" }));

/**
 * What can be taken along: a title and a function that makes a file. Each is downloaded by its name, and copied by the sign beside it.
 * @param {[string, () => [string, string, string?]][]} files
 */
export function takeaway(files) {
  return el("div", { class: "takeaway", role: "group", "aria-label": "Take along" },
    button("Copy link", () => copy(location.href, "Link"), { class: "quiet" }),
    files.map(([title, make]) => el("span", { class: "pair" },
      button(`↓ ${title}`, () => { const [name, text, type] = make(); download(name, text, type); }, { class: "quiet", "data-download": title, "aria-label": `Download ${title}`, title: `Download ${title}` }),
      el("button", { type: "button", onclick: () => copy(make()[1], title), class: "quiet", "data-copy": title, "aria-label": `Copy ${title}`, title: `Copy ${title}` }, copySign()))));
}

/** A picture as a text that stands alone: colours are written out. @param {SVGElement} picture */
export function svgText(picture) {
  const copied = /** @type {SVGElement} */ (picture.cloneNode(true));
  const [from, to] = [[picture, ...picture.querySelectorAll("*")], [copied, ...copied.querySelectorAll("*")]];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor", "dominant-baseline"]) {
      const value = style.getPropertyValue(name);
      if (value) /** @type {SVGElement} */ (to[index]).style.setProperty(name, value);
    }
  });
  copied.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copied);
}

/** Runs an action on Ctrl-Enter (and Cmd-Enter). @param {() => void} act */
export function onRun(act) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); act(); }
  });
}

/** Waits until calls have ceased for a moment. @param {number} ms @param {(...list: any[]) => void} act */
export function debounce(ms, act) {
  let timer = 0;
  return (/** @type {any[]} */ ...list) => { clearTimeout(timer); timer = window.setTimeout(() => act(...list), ms); };
}

/** `1 step`, `2 steps`. @param {number} count @param {string} noun */
export const many = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
