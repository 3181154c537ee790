// How states are laid out: towers, cells, and places with things in them. Pure functions from facts to shapes.

/** @typedef {{name: string, type: string}} Thing */
/** @typedef {{domain: string, problem: string, objects: Thing[], initial: string[], goal: string[], steps: {add: string[], delete: string[]}[]}} Scene */
/** @typedef {{key: string, x: number, y: number, w: number, h: number, label?: string, kind: string, hue?: number, badges?: string[], icon?: string, mark?: boolean, title?: string}} Shape */
/** @typedef {{from: [number, number], to: [number, number], label?: string}} Edge */
/** @typedef {{width: number, height: number, shapes: Shape[], edges: Edge[]}} Layout */
/** @typedef {{domain?: string, kind?: "towers" | "cells" | "places" | "facts", hide?: string[], inside?: string[], icons?: Record<string, string>, carried?: {by: string, what: string[]}}} Hint
 *   `inside`: predicates that put a thing into another for good; `icons`: by predicate or type; `carried`: predicates of what a mover has with it */

/** The words of an atom: `(on a b)` gives `on`, `a`, `b`. @param {string} atom */
export const words = (atom) => atom.replace(/[()]/g, " ").trim().toLowerCase().split(/\s+/);

/** Hints by the name of their domain: files `picture.json` beside the examples. @type {Record<string, Hint>} */
export const HINTS = {};

/** Takes the hints that come with examples. @param {{files: Record<string, string>}[]} list */
export function learn(list) {
  for (const { files } of list) {
    if (!files.hint) continue;
    const hint = JSON.parse(files.hint);
    HINTS[hint.domain] = hint;
  }
}

/** The hue of a name: the same name always looks the same. @param {string} name */
export function hue(name) {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 3600;
  return (hash * 137) % 360;
}

/** All states of a scene: the atoms after each step. @param {Scene} scene */
export function states(scene) {
  let now = new Set(scene.initial);
  const all = [now];
  for (const step of scene.steps) {
    now = new Set(now);
    step.delete.forEach((atom) => now.delete(atom));
    step.add.forEach((atom) => now.add(atom));
    all.push(now);
  }
  return all;
}

/** The layout for a scene: by its hint, or by what its predicates look like. @param {Scene} scene @param {Set<string>[]} all @param {Hint} [given] */
export function layouter(scene, all, given) {
  const hint = given ?? HINTS[scene.domain.toLowerCase()] ?? {};
  const used = new Map();
  for (const atoms of all) for (const atom of atoms) { const [name, ...rest] = words(atom); used.set(name, rest.length); }
  const kind = hint.kind ?? guess(scene, used);
  const changing = new Set(scene.steps.flatMap((step) => [...step.add, ...step.delete]).map((atom) => words(atom)[0]));
  const context = { scene, hint, used, changing, goal: new Set(scene.goal), held: new Set([...containers(all, used, changing), ...(hint.inside ?? [])]), tallest: Math.max(...all.map(tallest)) };
  if (kind === "towers") return (/** @type {Set<string>} */ atoms) => towers(context, atoms);
  if (kind === "cells") return (/** @type {Set<string>} */ atoms) => cells(context, atoms);
  const spots = arrange(context, all);
  return (/** @type {Set<string>} */ atoms) => places(context, atoms, spots);
}

/** @param {Scene} scene @param {Map<string, number>} used */
function guess(scene, used) {
  if (used.get("on") === 2 && (used.get("on-table") === 1 || used.get("ontable") === 1)) return "towers";
  const numbered = scene.objects.filter((thing) => coordinates(thing.name)).length;
  return numbered >= 6 && numbered >= scene.objects.length / 3 ? "cells" : "places";
}

/** Two numbers in a name: column and row. @param {string} name @returns {[number, number] | null} */
export function coordinates(name) {
  const two = /(\d+)[^0-9]+(\d+)/.exec(name) ?? /^\D*(\d)(\d)$/.exec(name);
  return two ? [Number(two[1]), Number(two[2])] : null;
}

/**
 * Predicates that say where a thing is: of two arguments, at most one for each first argument in every state, and some of them change.
 * @param {Set<string>[]} all @param {Map<string, number>} used @param {Set<string>} changing
 */
function containers(all, used, changing) {
  const candidates = new Set([...used].filter(([name, arity]) => arity === 2 && (changing.has(name) || /^(at|in|on|inside|has|carry|holds?|aboard|loc(ated)?)$/.test(name))).map(([name]) => name));
  for (const atoms of all) {
    const seen = new Set();
    for (const atom of atoms) {
      const [name, first] = words(atom);
      if (!candidates.has(name)) continue;
      if (seen.has(`${name} ${first}`)) candidates.delete(name);
      seen.add(`${name} ${first}`);
    }
  }
  return candidates;
}

/** The number of blocks in the tallest tower. @param {Set<string>} atoms */
function tallest(atoms) {
  const below = new Map([...atoms].map(words).filter(([name]) => name === "on").map(([, first, second]) => [first, second]));
  return Math.max(1, ...[...below.keys()].map((name) => { let [at, level] = [name, 1]; while (below.has(at) && level < 99) { at = /** @type {string} */ (below.get(at)); level++; } return level; }));
}

/** @param {any} context @param {Set<string>} atoms @returns {Layout} */
function towers({ scene, goal, tallest }, atoms) {
  /** @type {Map<string, string>} */
  const below = new Map();
  let held = null;
  for (const atom of atoms) {
    const [name, first, second] = words(atom);
    if (name === "on") below.set(first, second);
    if (name === "holding" || name === "hold" || name === "in-hand") held = first;
  }
  const names = scene.objects.map((/** @type {Thing} */ thing) => thing.name.toLowerCase());
  const size = 56;
  const height = Math.max(3, tallest) + 1.6;
  /** @param {string} name @returns {[string, number]} */
  const foot = (name) => { let [at, level] = [name, 0]; while (below.has(at) && level < 99) { at = /** @type {string} */ (below.get(at)); level++; } return [at, level]; };
  const shapes = names.map((/** @type {string} */ name) => {
    const [base, level] = foot(name);
    const column = names.indexOf(base);
    const isHeld = name === held;
    const wanted = [...goal].some((atom) => atoms.has(/** @type {string} */ (atom)) && words(/** @type {string} */ (atom))[1] === name);
    return { key: name, label: name, kind: "block", hue: hue(name), w: size, h: size, mark: wanted, x: 30 + column * (size + 14), y: isHeld ? 16 : (height - 1 - level) * size - 8 };
  });
  const width = 60 + names.length * (size + 14);
  const table = { key: "table", kind: "table", x: 10, y: height * size - 8, w: width - 20, h: 10 };
  const hand = held === null ? [] : [{ key: "hand", kind: "hand", x: 30 + names.indexOf(held) * (size + 14) + size / 2 - 14, y: 0, w: 28, h: 16 }];
  return { width, height: height * size + 12, shapes: [table, ...shapes, ...hand], edges: [] };
}

/** @param {any} context @param {Set<string>} atoms @returns {Layout} */
function cells({ scene, hint, goal, held }, atoms) {
  const size = 52;
  const spots = new Map();
  for (const thing of scene.objects) { const at = coordinates(thing.name); if (at) spots.set(thing.name.toLowerCase(), at); }
  const all = [...spots.values()];
  const [left, top] = [Math.min(...all.map(([x]) => x)), Math.min(...all.map(([, y]) => y))];
  const place = (/** @type {string} */ name) => { const [x, y] = spots.get(name); return { x: 8 + (x - left) * size, y: 8 + (y - top) * size }; };
  const width = 16 + (Math.max(...all.map(([x]) => x)) - left + 1) * size;
  const height = 16 + (Math.max(...all.map(([, y]) => y)) - top + 1) * size;
  const targets = new Set([...goal].map((atom) => words(/** @type {string} */ (atom)).at(-1)));
  /** @type {Shape[]} */
  const shapes = [...spots.keys()].map((name) => ({ key: `cell ${name}`, kind: targets.has(name) ? "cell target" : "cell", ...place(name), w: size, h: size, title: name }));
  /** @type {Map<string, number>} */
  const count = new Map();
  const hidden = new Set(hint.hide ?? []);
  const types = new Map(scene.objects.map((/** @type {Thing} */ thing) => [thing.name.toLowerCase(), thing.type.toLowerCase()]));
  // What is carried is drawn small, in the corner of who carries it.
  const carrier = [...atoms].map(words).find(([name, cell]) => hint.carried && name === hint.carried.by && spots.has(cell));
  const carried = carrier ? [...atoms].map(words).filter(([name, , more]) => hint.carried?.what.includes(name) && more === undefined) : [];
  for (const atom of [...atoms].sort()) {
    const [name, ...rest] = words(atom);
    if (hidden.has(name)) continue;
    if (rest.length === 1 && spots.has(rest[0])) {
      const number = count.get(name) ?? 0;
      count.set(name, number + 1);
      shapes.push({ key: `${name} ${number}`, kind: "piece", icon: hint.icons?.[name], label: name, hue: hue(name), ...place(rest[0]), w: size, h: size, mark: goal.has(atom) });
    }
    if (rest.length === 2 && spots.has(rest[1]) && !spots.has(rest[0]) && (held.has(name) || /^(at|in|on)/.test(name))) {
      shapes.push({ key: rest[0], kind: "piece", label: rest[0], title: rest[0], icon: hint.icons?.[rest[0]] ?? hint.icons?.[types.get(rest[0]) ?? ""], hue: hue(rest[0]), ...place(rest[1]), w: size, h: size, mark: goal.has(atom) });
    }
  }
  carried.forEach(([, thing], index) => { const { x, y } = place(/** @type {string[]} */ (carrier)[1]); shapes.push({ key: thing, kind: "piece small", label: thing, title: thing, icon: hint.icons?.[types.get(thing) ?? ""], hue: hue(thing), x: x + size * 0.5 - 8 * index, y: y + size * 0.48, w: size, h: size }); });
  return { width, height, shapes, edges: [] };
}

/** Where each thing is, in one state. @param {any} context @param {Set<string>} atoms */
function parents({ held }, atoms) {
  /** @type {Map<string, string>} */
  const parent = new Map();
  for (const atom of atoms) {
    const [name, first, second] = words(atom);
    if (held.has(name) && !parent.has(first)) parent.set(first, second);
  }
  return parent;
}

/**
 * Spots for the things that are never inside others: a ring or a line by what joins them, else rows.
 * @param {any} context @param {Set<string>[]} all
 */
function arrange(context, all) {
  const { scene, used, changing, held } = context;
  const moved = new Set(all.flatMap((atoms) => [...parents(context, atoms).keys()]));
  const roots = scene.objects.map((/** @type {Thing} */ thing) => thing.name.toLowerCase()).filter((/** @type {string} */ name) => !moved.has(name));
  const joined = [...used].filter(([name, arity]) => arity >= 2 && !changing.has(name) && !held.has(name)).map(([name]) => name);
  /** @type {[number, number][]} */
  const links = [];
  for (const atom of all[0]) {
    const [name, first, second] = words(atom);
    const [a, b] = [roots.indexOf(first), roots.indexOf(second)];
    if (joined.includes(name) && a >= 0 && b >= 0 && a !== b && !links.some(([x, y]) => (x === a && y === b) || (x === b && y === a))) links.push([a, b]);
  }
  const linked = new Set(links.flat());
  // Things that nothing happens to and that nothing joins, such as directions, are left out.
  const busy = new Set(all.flatMap((atoms) => [...atoms].filter((atom) => changing.has(words(atom)[0])).flatMap((atom) => words(atom).slice(1))));
  const shown = roots.filter((/** @type {string} */ name, /** @type {number} */ index) => linked.has(index) || busy.has(name) || all.some((atoms) => [...parents(context, atoms).values()].includes(name)));
  return { roots: shown, links: links.map(([a, b]) => [roots[a], roots[b]]).filter(([a, b]) => shown.includes(a) && shown.includes(b)), at: spread(shown, links.map(([a, b]) => [roots[a], roots[b]]), context.hint.inside ? 0.8 : 1.6) };
}

/** Springs between what is joined, in unit steps; the same input always gives the same picture. @param {string[]} names @param {string[][]} links @param {number} share columns for each row, squared */
function spread(names, links, share) {
  const count = names.length;
  const at = new Map(names.map((name, index) => [name, [Math.cos((2 * Math.PI * index) / count) * Math.sqrt(count), Math.sin((2 * Math.PI * index) / count) * Math.sqrt(count)]]));
  if (links.length === 0 || count > 60) {
    const columns = Math.ceil(Math.sqrt(count * share));
    return new Map(names.map((name, index) => [name, [index % columns, Math.floor(index / columns)]]));
  }
  for (let round = 0; round < 400; round++) {
    const heat = 0.3 * (1 - round / 400) + 0.01;
    for (const one of names) {
      const here = /** @type {number[]} */ (at.get(one));
      // Parts that nothing joins stay near each other.
      let [fx, fy] = [-here[0] * 0.35, -here[1] * 0.35];
      for (const other of names) {
        if (one === other) continue;
        const there = /** @type {number[]} */ (at.get(other));
        const [dx, dy] = [here[0] - there[0], here[1] - there[1]];
        const square = Math.max(dx * dx + dy * dy, 0.01);
        fx += dx / square; fy += dy / square;
      }
      for (const [a, b] of links) {
        if (a !== one && b !== one) continue;
        const there = at.get(a === one ? b : a);
        if (!there) continue;
        const [dx, dy] = [here[0] - there[0], here[1] - there[1]];
        const length = Math.hypot(dx, dy);
        fx -= dx * length * 0.6; fy -= dy * length * 0.6;
      }
      const force = Math.hypot(fx, fy) || 1;
      const step = Math.min(force, 3) * heat;
      here[0] += (fx / force) * step; here[1] += (fy / force) * step * 0.8;
    }
  }
  return lying(at);
}

/** The same picture with its long side lying, the first name on the left, and the nearest two at distance one. @param {Map<string, number[]>} at */
function lying(at) {
  const all = [...at.values()];
  const mean = [0, 1].map((axis) => all.reduce((sum, own) => sum + own[axis], 0) / all.length);
  const moment = (/** @type {number} */ i, /** @type {number} */ j) => all.reduce((sum, own) => sum + (own[i] - mean[i]) * (own[j] - mean[j]), 0);
  const angle = 0.5 * Math.atan2(2 * moment(0, 1), moment(0, 0) - moment(1, 1));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const side = cos * (all[0][0] - mean[0]) + sin * (all[0][1] - mean[1]) > 0 ? -1 : 1;
  let nearest = Infinity;
  all.forEach((one, index) => all.slice(index + 1).forEach((other) => { nearest = Math.min(nearest, Math.hypot(one[0] - other[0], one[1] - other[1])); }));
  const scale = 1 / Math.max(nearest, 0.3);
  return new Map([...at].map(([name, [x, y]]) => [name, [side * scale * (cos * (x - mean[0]) + sin * (y - mean[1])), side * scale * (cos * (y - mean[1]) - sin * (x - mean[0]))]]));
}

/** @param {any} context @param {Set<string>} atoms @param {any} spots @returns {Layout} */
function places(context, atoms, spots) {
  const { scene, hint, goal } = context;
  const parent = parents(context, atoms);
  /** @type {Map<string, string[]>} */
  const inside = new Map();
  for (const [child, owner] of parent) inside.set(owner, [...(inside.get(owner) ?? []), child].sort());
  const kinds = new Map(scene.objects.map((/** @type {Thing} */ thing) => [thing.name.toLowerCase(), thing.type.toLowerCase()]));
  const hidden = new Set(hint.hide ?? []);
  /** @type {Map<string, string[]>} */
  const badges = new Map();
  for (const atom of atoms) {
    const [name, first, ...rest] = words(atom);
    if (first !== undefined && rest.length === 0 && !hidden.has(name) && name !== kinds.get(first)) badges.set(first, [...(badges.get(first) ?? []), name]);
  }
  const loose = [...atoms].map(words).filter((parts) => parts.length === 1).map(([name]) => name);
  const unit = 26;
  /** @param {string} name @param {number} depth @returns {{w: number, h: number}} */
  const measure = (name, depth) => {
    const things = depth > 4 ? [] : inside.get(name) ?? [];
    const sizes = things.map((thing) => measure(thing, depth + 1));
    const own = Math.max(64, name.length * 8 + (hint.icons?.[kinds.get(name) ?? ""] ? 40 : 16), ...(badges.get(name) ?? []).map((badge) => badge.length * 7 + 16));
    const perRow = Math.max(1, Math.ceil(Math.sqrt(things.length)));
    let [w, h, rowW, rowH] = [own, unit + (badges.has(name) ? 18 : 0), 0, 0];
    sizes.forEach((size, index) => { rowW += size.w + 8; rowH = Math.max(rowH, size.h); if ((index + 1) % perRow === 0 || index + 1 === sizes.length) { w = Math.max(w, rowW + 8); h += rowH + 8; [rowW, rowH] = [0, 0]; } });
    return { w, h: h + 4 };
  };
  /** @type {Shape[]} */
  const shapes = [];
  /** @param {string} name @param {number} x @param {number} y @param {number} depth */
  const put = (name, x, y, depth) => {
    const { w, h } = measure(name, depth);
    const mark = [...goal].some((atom) => atoms.has(/** @type {string} */ (atom)) && words(/** @type {string} */ (atom))[1] === name);
    shapes.push({ key: name, label: name, kind: depth === 0 ? "place" : "thing", icon: hint.icons?.[kinds.get(name) ?? ""], hue: hue(kinds.get(name) === "object" ? name : kinds.get(name) ?? name), badges: badges.get(name), x, y, w, h, mark });
    const things = depth > 4 ? [] : inside.get(name) ?? [];
    const perRow = Math.max(1, Math.ceil(Math.sqrt(things.length)));
    let [dx, dy, rowH] = [8, unit + (badges.has(name) ? 18 : 0), 0];
    things.forEach((thing, index) => {
      const size = measure(thing, depth + 1);
      put(thing, x + dx, y + dy, depth + 1);
      dx += size.w + 8; rowH = Math.max(rowH, size.h);
      if ((index + 1) % perRow === 0) { dx = 8; dy += rowH + 8; rowH = 0; }
    });
    return { w, h };
  };
  const roots = [...spots.roots, ...scene.objects.map((/** @type {Thing} */ thing) => thing.name.toLowerCase()).filter((/** @type {string} */ name) => !spots.roots.includes(name) && !parent.has(name) && inside.has(name))];
  const sizes = new Map(roots.map((name) => [name, measure(name, 0)]));
  const [stepX, stepY] = [Math.max(90, ...[...sizes.values()].map((size) => size.w)) + 34, Math.max(60, ...[...sizes.values()].map((size) => size.h)) + 30];
  const all = roots.map((name) => spots.at.get(name) ?? [0, -1]);
  const [left, top] = [Math.min(0, ...all.map(([x]) => x)), Math.min(0, ...all.map(([, y]) => y))];
  const isGrid = spots.links.length === 0;
  const scale = isGrid ? 1 : 0.95;
  /** @type {Map<string, [number, number]>} */
  const middle = new Map();
  let [width, height] = [0, 0];
  for (const name of roots) {
    const [x, y] = spots.at.get(name) ?? [0, -1];
    const size = /** @type {{w: number, h: number}} */ (sizes.get(name));
    const [px, py] = [16 + (x - left) * stepX * scale, 34 + (y - top) * stepY * scale];
    put(name, px, py, 0);
    middle.set(name, [px + size.w / 2, py + size.h / 2]);
    width = Math.max(width, px + size.w + 16); height = Math.max(height, py + size.h + 16);
  }
  if (loose.length > 0) shapes.push({ key: "loose", kind: "loose", label: loose.join("   "), x: 16, y: 4, w: Math.max(width - 32, 60), h: 22 });
  const edges = spots.links.map((/** @type {string[]} */ [a, b]) => ({ from: middle.get(a), to: middle.get(b) })).filter((/** @type {any} */ edge) => edge.from && edge.to);
  return { width: Math.max(width, 160), height: Math.max(height, 80), shapes, edges };
}
