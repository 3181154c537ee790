// Cards and a table for four.

import { el } from "./dom.js";

/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
/** @type {Record<string, string>} */
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
/** @type {Record<string, string>} */
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
const ORDER = "SHCD";

/** @param {string} suit */
export const sign = (suit) => SIGNS[suit] ?? suit;
/** @param {string} card */
export const isRed = (card) => "HD".includes(card[0]);
/** `the queen of hearts`. @param {string} card */
export const spoken = (card) => `${RANKS[card[1]] ?? card.slice(1)} of ${SUITS[card[0]] ?? card[0]}`;
/** @param {string} card */
const rank = (card) => (card[1] === "T" ? "10" : card.slice(1));

/** A card in a line of text. @param {string} card */
export const inline = (card) => el("span", { class: `inline-card${isRed(card) ? " red" : ""}` }, sign(card[0]), rank(card));

/**
 * A card on the table; a button if it can be played.
 * @param {string} card @param {{play?: () => void, legal?: boolean, note?: string, tone?: string}} [options]
 */
export function cardFace(card, { play, legal = false, note, tone } = {}) {
  const face = [el("span", { class: "rank" }, rank(card)), el("span", { class: "suit" }, sign(card[0])), note ? el("span", { class: `note ${tone ?? ""}` }, note) : null];
  const attributes = { class: `card${isRed(card) ? " red" : ""}${legal ? " legal" : ""}`, "data-card": card };
  if (!play) return el("span", { ...attributes, role: "img", "aria-label": spoken(card) }, face);
  return el("button", { ...attributes, type: "button", disabled: !legal, onclick: play, "aria-label": spoken(card) + (note ? `, ${note}` : "") }, face);
}

/** A card that lies face down. */
export const cardBack = () => el("span", { class: "card back", "aria-hidden": "true" });

/** A hand sorted for the eye: black and red suits in turn. @param {string[]} cards */
export function sorted(cards) {
  const ranks = "AKQJT98765432";
  return [...cards].sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]) || ranks.indexOf(a[1]) - ranks.indexOf(b[1]));
}

/**
 * A hand: a fan of cards, a column of suits beside the table, or backs.
 * @param {{seat: string, cards: string[] | null, count: number, side: boolean, legal: Set<string>, play?: (card: string) => void, notes?: Map<string, {note: string, tone: string}>}} options
 */
export function hand({ seat, cards, count, side, legal, play, notes = new Map() }) {
  if (!cards) return el("div", { class: `hand backs${side ? " side" : ""}`, role: "img", "aria-label": `${seat} holds ${count} cards` }, Array.from({ length: count }, cardBack));
  const face = (/** @type {string} */ card) => cardFace(card, { legal: legal.has(card), play: play ? () => play(card) : undefined, ...notes.get(card) });
  const list = sorted(cards);
  if (!side) return el("div", { class: "hand fan", role: "group", "aria-label": `Cards of ${seat}` }, list.map(face));
  return el("div", { class: "hand columns", role: "group", "aria-label": `Cards of ${seat}` },
    [...ORDER].map((suit) => el("div", { class: "suit-row" }, list.filter((card) => card[0] === suit).map(face))));
}
