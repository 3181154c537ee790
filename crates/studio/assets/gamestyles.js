// Style sheets for games: how the board lies, and what the pieces look like. Rules without one are drawn by what they look like.

/**
 * @typedef {{swap?: boolean, up?: boolean, drop?: boolean, checks?: boolean, stack?: boolean, pieces?: Record<string, {shape?: "disc" | "ring" | "cross" | "tile" | "lamp" | "king", colour?: string, label?: string}>,
 *   blank?: string[]}} Style `swap`: the first coordinate is the row; `up`: rows count from below; `drop`: a move names a column only; `stack`: a fluent tells how high the column is
 */

const RED = "#c8372d";
const YELLOW = "#e2b007";
const BLACK = "#26282c";
const WHITE = "#f7f5ef";

/** @type {Record<string, Style>} */
export const STYLES = {
  "connect-four": { up: true, drop: true, pieces: { red: { colour: RED }, black: { colour: YELLOW }, white: { colour: WHITE } } },
  "connect-four-4x4": { up: true, drop: true, pieces: { red: { colour: RED }, black: { colour: YELLOW } } },
  "tic-tac-toe": { pieces: { x: { shape: "cross", colour: "#0072b2" }, o: { shape: "ring", colour: "#d55e00" } } },
  "sheep-and-wolf": { up: true, checks: true, pieces: { wolf: { colour: BLACK, label: "W" }, sheep: { colour: WHITE, label: "S" } } },
  clobber: { up: true, checks: true, pieces: { black: { colour: BLACK }, white: { colour: WHITE } } },
  breakthrough: { up: true, checks: true, pieces: { black: { colour: BLACK }, white: { colour: WHITE } } },
  checkers: { up: true, checks: true, pieces: { bp: { colour: BLACK }, wp: { colour: WHITE }, rp: { colour: RED }, bk: { colour: BLACK, shape: "king" }, wk: { colour: WHITE, shape: "king" }, rk: { colour: RED, shape: "king" } } },
  reversi: { up: true, pieces: { black: { colour: BLACK }, white: { colour: WHITE }, red: { colour: RED } } },
  chomp: { up: true, pieces: { piece: { shape: "tile", colour: "#7b4a2a" } } },
  nim: { up: true, stack: true, pieces: { heap: { shape: "tile", colour: "#b58c5a" } } },
  gunslinger: { pieces: { gunslinger: { colour: "#2a6f97", label: "G" }, mib: { colour: BLACK, label: "M" } } },
  "eight-puzzle": {},
  "peg-solitaire": { pieces: { peg: { colour: "#2a6f97" } } },
  "lights-out": { pieces: { on: { shape: "lamp", colour: YELLOW }, lit: { shape: "lamp", colour: YELLOW } } },
};

/** What words commonly stand for. @type {Record<string, {shape?: string, colour?: string, label?: string}>} */
export const USUAL = {
  x: { shape: "cross", colour: "#0072b2" }, o: { shape: "ring", colour: "#d55e00" }, red: { colour: RED }, black: { colour: BLACK }, white: { colour: WHITE },
  yellow: { colour: YELLOW }, blue: { colour: "#0072b2" }, green: { colour: "#00806a" }, peg: { colour: "#2a6f97" }, on: { shape: "lamp", colour: YELLOW }, frog: { colour: "#2e8b57", label: "F" }, toad: { colour: "#8b5a2b", label: "T" },
};
/** Words for nothing. */
export const BLANKS = ["b", "blank", "empty", "e", "hole", "off", "none"];
