// Tasks: started, followed, spoken to and stopped. A task is a request of the library with its texts.

import { button, el } from "./dom.js";

/** @typedef {Record<string, any>} Event what a worker tells */
/** @typedef {{answer?: any, refused?: any, stopped?: any, last: Event, events: Event[]}} Outcome */

/** @param {string} path @param {any} [body] */
async function call(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(path, options); } catch { throw new Error("the studio does not answer; is it still running?"); }
  const text = await response.text();
  let value;
  try { value = JSON.parse(text); } catch { throw new Error(text.trim() || response.statusText); }
  if (!response.ok) throw new Error(value.error ?? response.statusText);
  return value;
}

/** The examples of a view. @param {string} view @returns {Promise<{name: string, title: string, files: Record<string, string>}[]>} */
export const examples = (view) => call(`/api/examples/${view}`);

/** Tasks that this page waits for. */
const open = new Set();

/** Starts a task; resolves with its name. @param {any} task @param {number} [seconds] @returns {Promise<string>} */
export async function begin(task, seconds) {
  const { id } = await call("/api/works", { task, seconds });
  // A game goes on when the page is loaded again; everything else is of no use to anybody then.
  if (!task["kriegspiel-play"]) open.add(id);
  return id;
}
window.addEventListener("pagehide", () => {
  for (const id of open) fetch(`/api/works/${id}/stop`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}", keepalive: true }).catch(() => {});
});

/** @param {string} id */
export const stop = (id) => call(`/api/works/${id}/stop`, {});

/** @param {string} id @param {string} line */
export const say = (id, line) => call(`/api/works/${id}`, { line });

/**
 * Follows a task until its end; `tell` hears each event, and `queued` when others are before it.
 * @param {string} id @param {(event: Event) => void} [tell] @returns {Promise<Outcome>}
 */
export function follow(id, tell = () => {}) {
  return new Promise((resolve, reject) => {
    /** @type {Event[]} */
    const events = [];
    const source = new EventSource(`/api/works/${id}/events`);
    source.onmessage = (message) => {
      const news = JSON.parse(message.data);
      if (news.status === "queued") tell({ queued: true });
      for (const event of news.events) { events.push(event); tell(event); }
      if (news.status !== "ended") return;
      source.close();
      open.delete(id);
      const last = events.at(-1) ?? { refused: { message: "it ended without an answer" } };
      resolve({ ...last, last, events });
    };
    source.onerror = () => { source.close(); reject(new Error("the studio does not know this task any more")); };
  });
}

/** Runs a task and waits for it. @param {any} task @param {(event: Event) => void} [tell] @param {number} [seconds] */
export async function run(task, tell, seconds) {
  return follow(await begin(task, seconds), tell);
}

/** The answer of a task; what is wrong is thrown. @param {any} task @param {number} [seconds] */
export async function ask(task, seconds) {
  const outcome = await run(task, undefined, seconds);
  if (outcome.answer !== undefined) return outcome.answer;
  throw new Error(reason(outcome));
}

/**
 * Asks like `ask`, but only the last question counts: who is overtaken by a later one gets nothing, not even what is wrong.
 * @returns {(task: any, seconds?: number) => Promise<any | undefined>}
 */
export function lastAsk() {
  let turn = 0;
  return async (task, seconds) => {
    const mine = ++turn;
    try {
      const answer = await ask(task, seconds);
      return mine === turn ? answer : undefined;
    } catch (error) {
      if (mine === turn) throw error;
      return undefined;
    }
  };
}

/** Why there is no answer. @param {Outcome} outcome */
export function reason(outcome) {
  if (outcome.refused) return outcome.refused.message + (outcome.refused.help ? ` (${outcome.refused.help})` : "");
  if (outcome.stopped) return `Stopped: ${outcome.stopped.why}`;
  return "It ended without an answer.";
}

/**
 * A button that starts a task, shows how it goes, and stops it. A new start ends the old task.
 * @param {{label: string, id?: string, task: () => any, seconds: () => number, tell?: (event: Event) => void, done: (outcome: Outcome) => void, clear?: () => void, keep?: (isAsked: boolean) => void}} options
 *   `keep` hears whether an answer is wanted, so that the address tells it and a reload shows the answer again
 */
export function runner({ label, id = "start", task, seconds, tell = () => {}, done, clear = () => {}, keep = () => {} }) {
  const status = el("p", { role: "status", class: "status", id: `${id}-status` });
  /** @type {string | null} */
  let current = null;
  let turn = 0;
  const start = button(label, () => go(), { class: "main", id });
  const halt = button("Stop", () => { if (current) stop(current).catch(() => {}); }, { id: `${id}-stop`, hidden: true });
  async function go() {
    const mine = ++turn;
    if (current) stop(current).catch(() => {});
    clear();
    keep(true);
    status.replaceChildren(el("span", { class: "busy" }), " Starting …");
    halt.hidden = false;
    try {
      current = await begin(task(), seconds());
      const outcome = await follow(current, (event) => {
        if (mine !== turn) return;
        if (event.queued) status.textContent = "Waiting for its turn …";
        if (event.phase) status.replaceChildren(el("span", { class: "busy" }), ` ${sentence(event)}`);
        tell(event);
      });
      if (mine !== turn) return;
      status.replaceChildren();
      if (outcome.answer === undefined) status.append(el("span", { class: "bad", id: `${id}-error` }, reason(outcome)));
      done(outcome);
    } catch (error) {
      if (mine === turn) status.replaceChildren(el("span", { class: "bad" }, error.message));
    }
    if (mine === turn) { current = null; halt.hidden = true; }
  }
  /** The input has changed: the old answer is not shown any more. */
  function forget() {
    if (current) stop(current).catch(() => {});
    turn++;
    current = null;
    halt.hidden = true;
    status.replaceChildren();
    clear();
    keep(false);
  }
  return { start, halt, status, go, forget };
}

/** @param {Event} event */
function sentence(event) {
  const counts = Object.entries(event.counts ?? {}).map(([name, value]) => `${name} ${value < 1e15 ? Math.round(value).toLocaleString("en") : value.toExponential(2)}`);
  return [event.phase, ...counts].join(", ");
}

/** What an answer rests on, in the words of the documentation. @param {any} found */
export function evidence(found) {
  if (!found) return null;
  const shown = (/** @type {any} */ value) => value ?? "unknown";
  const error = found.error === null || found.error === undefined ? "" : `, ± ${Number(Number(found.error).toPrecision(3))}`;
  /** @type {Record<string, () => string>} */
  const texts = {
    proved: () => `Proved${found.within ? ` within ${found.within}` : ""} by ${found.engine}, ${found.checked_by ? `checked by ${found.checked_by}` : "not checked"}.`,
    planned: () => `Planned by ${found.engine}, assuming that ${found.assumes}.`,
    sampled: () => `Estimated by ${found.engine} from ${found.samples} samples${error}: ${found.about}.`,
    bounded: () => `Bounded by ${found.engine || "the search"}: lower bound ${shown(found.lower)}, upper bound ${shown(found.upper)}.`,
  };
  return el("p", { class: "evidence", "data-kind": found.kind }, el("span", { class: `seal ${found.kind}` }, found.kind), " ", texts[found.kind]?.() ?? "", " ", el("a", { href: "/docs/evidence" }, "What this means"));
}
