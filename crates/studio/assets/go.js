// Go: a life-and-death problem, its answer, and the tree that proves it.
import { drawn, editor, el, examples, main, picker, runner, saved } from "./studio.js";

const state = saved("go", { path: [] });
const problem = editor("problem.sgf", "Problem (SGF)", state);

const panel = runner({
  state,
  label: "Solve",
  request: () => { state.set({ path: [] }); return { offer: "go-solve", files: { "problem.sgf": problem.text.value } }; },
  show: (result, output) => {
    const answer = result.answer;
    if (!answer) return;
    const how = answer.evidence?.kind ?? answer.tier;
    const none = answer.verdict === "unsolvable" ? `No move works (${answer.status}; ${how})` : `No move was found (${how})`;
    output.append(el("p", { class: `headline ${answer.verdict === "solved" ? "good" : "bad"}`, id: "headline" },
      answer.move ? `${answer.move}: ${answer.result} (${answer.status}; ${how})` : none));
    output.append(el("p", {}, `${answer.moves_tried} moves tried in ${answer.cycles} cycles; line ${(answer.line ?? []).join(" ")}`));
    if (answer.svg) output.append(drawn(answer.svg));
    if (answer.why?.length) output.append(el("h2", {}, "Why"), el("ul", {}, ...answer.why.map((line) => el("li", {}, line))));
    if (answer.contingency) output.append(el("h2", {}, answer.verdict === "solved" ? "What proves it" : "What may follow"), walk(answer.contingency));
  },
});

/** One step at a time through the tree: the moves so far, and the answers from here. */
function walk(tree) {
  const view = el("div", { class: "tree", id: "walk" });
  const at = (path) => path.reduce((node, index) => node?.then?.[index], { then: tree });
  const go = (path) => {
    state.set({ path });
    const node = at(path) ?? { then: tree };
    const trail = path.map((_, depth) => at(path.slice(0, depth + 1)));
    const crumbs = trail.map((step, depth) => el("button", { onclick: () => go(path.slice(0, depth + 1)) }, `${step.by ?? ""} ${step.move}`));
    const next = (node.then ?? []).map((step, index) => el("li", {}, el("button", { onclick: () => go([...path, index]) }, `${step.by ?? ""} ${step.move}`), step.goal ? ` ${step.goal}` : ""));
    view.replaceChildren(
      el("div", { class: "moves" }, el("button", { onclick: () => go([]) }, "start"), ...crumbs),
      el("p", {}, trail.at(-1)?.goal ?? ""),
      next.length > 0 ? el("ul", {}, ...next) : el("p", {}, trail.at(-1)?.end ?? "The end of this line."),
    );
  };
  go(at(state.get("path") ?? []) ? state.get("path") ?? [] : []);
  return view;
}

main.append(el("div", { class: "columns" },
  el("section", { class: "panel", "aria-label": "Problem" }, picker(await examples("go"), [problem], state), problem.element),
  el("section", { class: "panel", "aria-label": "Answer" }, panel.controls, panel.status, panel.details, panel.output)));
