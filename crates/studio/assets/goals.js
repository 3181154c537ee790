// The goals of the Go planner in the words of players: `take-vital D6` is "take the vital point D6".

/** What each aim means; `#` stands for the point. @type {Record<string, string>} */
const WORDS = {
  "kill-group": "kill the group at #", "save-group": "save the group at #", "capture-string": "capture the stones at #", "rescue-string": "rescue the stones at #",
  "connect-groups": "connect with #", "separate-groups": "cut off #", "surround-group": "close the group at # in", "squeeze-space": "make the eye space of # smaller",
  "prevent-eye-formation": "keep the group at # from two eyes", "break-up-group": "break the group at # up", "make-eye-space": "make room for eyes at #", "make-eyes": "make two eyes for #",
  "escape-group": "run out with the group at #", "connect-out": "connect the group at # to the outside", "counter-attack": "attack the stones around #", "live-by-seki": "live in seki at #",
  "kill-by-ko": "kill by winning a ko at #", "live-by-ko": "live by winning a ko at #", "remove-wall-stone": "take a stone of the wall at #", "close-exit": "close the way out at #",
  "block-connection": "block the link at #", "reduce-from-edge": "push in along the edge at #", "reduce-through-gap": "push in through the gap at #", "reduce-from-inside": "make the space smaller from the inside at #",
  "occupy-vital": "be first at the vital point #", "take-vital": "take the vital point # to prevent two eyes", "falsify-eye": "make the eye at # false", "take-eye-point": "take the eye point #",
  "split-space": "split the space into two eyes at #", "large-extend": "take more room with a wide step to #", "creep-extend": "take more room along #", "consolidate-space": "make the room at # safe",
  "form-eye": "make an eye at #", "secure-eye": "make the eye at # real", "run-sequence": "run by way of #", "secure-escape": "make the way out at # safe", "link-at": "link up at #",
  "keep-link": "keep the link at #", "keep-cut": "keep the cut at #", "shorten-liberties": "take liberties from #", "gain-liberties": "gain liberties for #", "capture-or-gain": "capture at # or gain from the threat",
  "capture-or-isolate": "capture # or cut it off", "squeeze-play": "squeeze at #", "attack-string": "attack the stones at #", "defend-string": "defend the stones at #", ladder: "chase # in a ladder",
  net: "catch # in a net", "cut-at": "cut at #", "connect-at": "connect at #", "ladder-breaker": "break the ladder with #", "take-ko": "take the ko at #", "ko-threat": "make a ko threat at #",
  "fill-liberty": "fill a liberty at #", capture: "capture by playing #", extend: "extend to #", "block-at": "block at #", hane: "turn around the corner at #", descend: "go down to the edge at #",
  placement: "place a stone inside at #", "throw-in": "throw a stone in at #", "eye-move": "play the eye point #", "guard-diagonal": "guard the corner of the eye at #", "hand-move": "play #", wait: "wait",
};

/** One goal: `critic: take-vital D6 (play it)`. @param {string} text */
export function goalWords(text) {
  const found = /^(?:critic:\s*)?([a-z-]+)\s+([A-Z]\d+)(?:\s*\(.*\))?$/.exec(text.trim());
  const words = found ? WORDS[found[1]] : undefined;
  return words && found ? words.replace("#", found[2]) : text;
}

/** A chain of goals as one sentence, the most general first. @param {string[]} goals */
export function goalSentence(goals) {
  const words = goals.map(goalWords).filter((one, index, all) => all.indexOf(one) === index);
  if (words.length === 0) return "";
  const sentence = words.length === 1 ? words[0] : `${words[0]}: ${words.slice(1).join(", so ")}`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1) + ".";
}
