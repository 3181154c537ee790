// The state of a view is its address: a link shows the same, a reload changes nothing.
// Short values stand in the address as they are. Long texts are packed. What is too long for an address stays in this browser.

/** Addresses longer than this are not understood everywhere. */
const LONGEST = 30000;

/** @param {string} text */
async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
async function unpack(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

/** @param {any} value */
const isLong = (value) => typeof value === "string" ? value.length > 200 || value.includes("\n") : typeof value === "object" && value !== null && JSON.stringify(value).length > 400;

/** @param {string} text @param {any} like */
function read(text, like) {
  if (typeof like === "number") return Number.isFinite(Number(text)) ? Number(text) : like;
  if (typeof like === "boolean") return text === "true";
  if (typeof like === "string" || like === null || like === undefined) return text;
  try { return JSON.parse(text); } catch { return like; }
}

/**
 * The state of a view, from its address; where the address says nothing, the given values.
 * @template {Record<string, any>} T
 * @param {string} view @param {T} initial
 */
export async function address(view, initial) {
  const key = `counterplay.${view}`;
  /** @type {Record<string, any>} */
  let state = { ...initial };
  async function load() {
    state = { ...initial };
    const given = new URLSearchParams(location.hash.slice(1));
    for (const [name, text] of given) if (name in initial) state[name] = read(text, initial[name]);
    try {
      if (given.has("z")) Object.assign(state, JSON.parse(await unpack(/** @type {string} */ (given.get("z")))));
      if (given.has("local")) Object.assign(state, JSON.parse(localStorage.getItem(key) ?? "{}"));
    } catch { /* a damaged address shows what is left of it */ }
  }
  await load();
  let turn = 0;
  async function write() {
    const mine = ++turn;
    const given = new URLSearchParams();
    /** @type {Record<string, any>} */
    const long = {};
    for (const [name, value] of Object.entries(state)) {
      if (value === undefined || JSON.stringify(value) === JSON.stringify(initial[name])) continue;
      if (isLong(value)) long[name] = value;
      else given.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    }
    if (Object.keys(long).length > 0) {
      const packed = await pack(JSON.stringify(long));
      if (packed.length < LONGEST) given.set("z", packed);
      else {
        given.set("local", "1");
        try { localStorage.setItem(key, JSON.stringify(long)); } catch { /* too large to keep */ }
      }
    }
    if (mine !== turn) return;
    const hash = given.toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname);
  }
  return {
    /** @template {keyof T & string} K @param {K} name @returns {T[K]} */
    get: (name) => state[name],
    /** @param {Partial<T>} changes */
    set: (changes) => { Object.assign(state, changes); return write(); },
    /** Calls when the address was changed by hand or by the buttons of the browser. @param {() => void} act */
    onChange: (act) => window.addEventListener("hashchange", async () => { await load(); act(); }),
  };
}
