// Plans, net benefit, policies and task networks.
import { choice, editor, el, examples, field, main, picker, picture, places, point, runner, saved } from "./studio.js";

const state = saved("plan", { search: "auto", class: "", htn: "" });
const domain = editor("domain.pddl", "Domain", state);
const problem = editor("problem.pddl", "Problem", state);
const editors = [domain, problem];

function setting(name, text, options) {
  const select = choice(options, state.get(name));
  select.onchange = () => state.set({ [name]: select.value });
  return [field(text, select), () => select.value];
}
const [searchField, search] = setting("search", "Search", ["auto", "bfs", "dijkstra", "astar", "explicit"]);
const [classField, kind] = setting("class", "Policy", [["", "strongest"], "strong", "strong-cyclic", "weak"]);
const [htnField, htn] = setting("htn", "Task networks", [["", "as it fits"], "shop", "nd", "yoyo", "network"]);

const panel = runner({
  state,
  label: "Solve",
  request: () => {
    const options = { graph: true };
    if (search() !== "auto") options.search = search();
    if (kind()) options.class = kind();
    if (htn()) options.htn = htn();
    return { offer: "solve", files: { "domain.pddl": domain.text.value, "problem.pddl": problem.text.value }, options };
  },
  show,
});

function headline(answer) {
  if (answer.verdict === "unsolvable") return ["good", "Proved: there is no solution."];
  if (answer.verdict === "stopped") return ["bad", "Stopped by a limit before an answer was proved."];
  const words = { plan: "plan", "net-benefit": "plan", policy: `${answer.class ?? ""} policy`, htn: "plan by task networks" };
  const optimal = answer.optimal ? "optimal " : "";
  const cost = answer.metric != null ? `, metric ${answer.metric}` : answer.cost != null ? `, cost ${answer.cost}` : "";
  const length = answer.length != null ? ` of ${answer.length} steps` : "";
  return ["good", `Solved: ${optimal}${words[answer.kind] ?? answer.kind}${length}${cost}, checked.`];
}

async function show(result, output) {
  const wrong = places(result.lines);
  if (result.exit === 2) {
    const first = wrong[0] && editors.find((one) => one.name === wrong[0].name);
    if (first) point(first.text, wrong[0]);
    for (const place of wrong.slice(0, 20)) {
      const one = editors.find((one) => one.name === place.name);
      if (one) output.append(el("button", { onclick: () => point(one.text, place) }, `${place.name}, line ${place.line}`), " ");
    }
    return;
  }
  const answer = result.answer;
  if (!answer) return;
  const [tone, text] = headline(answer);
  output.append(el("p", { class: `headline ${tone}`, id: "headline" }, text));
  if (answer.plan) output.append(el("h2", {}, "Plan"), el("ol", { class: "steps" }, ...answer.plan.map((step) => el("li", {}, step))));
  if (Array.isArray(answer.preferences)) output.append(el("h2", {}, "Wishes"), table(answer.preferences));
  if (Array.isArray(answer.policy)) output.append(el("h2", {}, "Policy"), policy(answer.policy));
  const image = answer.verdict === "solved" ? await picture(result.text).catch(() => null) : null;
  if (image) output.append(el("h2", {}, "Picture"), image);
  output.append(el("details", {}, el("summary", {}, "The answer as JSON"), el("pre", {}, JSON.stringify({ ...answer, graph: undefined }, null, 1))));
}

function table(rows) {
  const names = Object.keys(rows[0] ?? {});
  const cell = (value) => el("td", {}, typeof value === "object" ? JSON.stringify(value) : String(value));
  return el("table", {}, el("tr", {}, ...names.map((name) => el("th", {}, name))), ...rows.map((row) => el("tr", {}, ...names.map((name) => cell(row[name])))));
}

function policy(rules) {
  const row = (rule) => {
    const when = rule.if ?? [];
    return el("tr", {}, el("td", {}, Array.isArray(when) ? when.join(" ") || "always" : String(when)), el("td", {}, rule.do ?? ""));
  };
  return el("table", {}, el("tr", {}, el("th", {}, "when"), el("th", {}, "do")), ...rules.slice(0, 500).map(row));
}

main.append(
  el("div", { class: "columns" },
    el("section", { class: "panel", "aria-label": "Input" }, picker(await examples("plan"), editors, state), domain.element, problem.element),
    el("section", { class: "panel", "aria-label": "Answer" }, el("div", { class: "row" }, searchField, classField, htnField), panel.controls, panel.status, panel.details, panel.output)),
);
