//! A picture of any answer, from its JSON.
//!
//! Answers have different shapes, but most are steps under steps: a plan, the pairs of a policy, a plan that branches, a
//! decomposition, a proof tree, a contingency tree, a line of play. Those become an outline; a ranking becomes bars.

use std::collections::HashMap;

use counterplay_draw::chart::{self, Bar};
use counterplay_draw::outline::{Row, outline};
use counterplay_draw::tree::Look;
use serde_json::Value;

/// So many rows are drawn; an outline says how many more there are.
const MOST: usize = 600;

/// The picture (SVG) of an answer in its JSON form; `None` if there is nothing to see.
pub fn picture(answer: &Value) -> Option<String> {
    if let Some(svg) = answer["svg"].as_str().or_else(|| answer["graph"].as_str()) {
        return Some(svg.to_owned());
    }
    if let Some(ranking) = answer["ranking"].as_array() {
        return Some(bars(ranking));
    }
    let (title, rows) = rows(answer)?;
    Some(outline(&title, &shortened(rows)))
}

fn rows(answer: &Value) -> Option<(String, Vec<Row>)> {
    let mut rows = Vec::new();
    if let Some(text) = answer["decomposition"].as_str() {
        rows.extend(text.lines().map(task));
        return Some((format!("plan of {} steps by task networks", answer["length"]), rows));
    }
    if let Some(plan) = answer["plan"].as_array() {
        rows.extend(
            plan.iter()
                .enumerate()
                .map(|(at, step)| row(0, &words(step), &format!("step {}", at + 1), Look::Own)),
        );
        let value = if answer["metric"].is_null() { &answer["cost"] } else { &answer["metric"] };
        return Some((format!("plan of {} steps, {value}", plan.len()), rows));
    }
    if let Some(policy) = answer["policy"].as_array() {
        let title = match answer["class"].as_str() {
            Some(class) => format!("{class} policy, {} parts", policy.len()),
            None => format!("policy, {} parts", policy.len()),
        };
        policy_rows(policy, &mut rows);
        return Some((title, rows));
    }
    if let Some(plans) = answer["plans"].as_array() {
        for (at, found) in plans.iter().enumerate() {
            let remark = format!("costs {}", found["cost"]);
            rows.push(row(0, &format!("plan {}", at + 1), &remark, Look::Other));
            let steps = found["plan"].as_array().into_iter().flatten();
            rows.extend(steps.map(|step| row(1, &words(step), "", Look::Own)));
        }
        return Some((format!("{} plans", plans.len()), rows));
    }
    if let (Some(actions), Some(end)) = (answer["actions"].as_array(), answer["end"].as_str()) {
        for (at, taken) in actions.iter().enumerate() {
            let remark = format!("step {}, outcome {}", at + 1, taken[1]);
            rows.push(row(0, &words(&taken[0]), &remark, Look::Own));
        }
        let look = if answer["reached"] == true { Look::Won } else { Look::Other };
        rows.push(row(0, end, "", look));
        return Some((format!("a run of {} steps", actions.len()), rows));
    }
    if answer["proof"].is_object() {
        proof(&answer["proof"], 0, &mut rows);
        return Some((format!("{}: mate within {} plies", words(&answer["id"]), answer["plies"]), rows));
    }
    if let Some(steps) = answer["contingency"].as_array() {
        contingency(steps, 0, &mut rows);
        return Some((format!("{}: {}", words(&answer["move"]), words(&answer["status"])), rows));
    }
    let line = answer["line"].as_array()?;
    for step in line {
        let text = words(step);
        let depth = usize::from(text.starts_with(' '));
        let look = if depth == 0 { Look::Own } else { Look::Other };
        rows.push(row(depth, text.trim(), "", look));
    }
    Some((format!("{}, about {} tricks", words(&answer["contract"]), answer["tricks"]), rows))
}

fn row(depth: usize, words: &str, remark: &str, look: Look) -> Row {
    Row { depth, words: words.to_owned(), remark: remark.to_owned(), look }
}

/// Text as it is, anything else as JSON.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A line of a decomposition: two blanks for each level, `!` before actions, the method after `<-`.
fn task(line: &str) -> Row {
    let text = line.trim_start();
    let depth = (line.len() - text.len()) / 2;
    match text.strip_prefix("! ") {
        Some(action) => row(depth, action, "", Look::Own),
        None => {
            let (name, method) = text.split_once("  <- ").unwrap_or((text, ""));
            row(depth, name, method, Look::Other)
        }
    }
}

/// The parts of a policy: pairs of condition and action, states with actions, places of a plan that branches, or lines.
fn policy_rows(policy: &[Value], rows: &mut Vec<Row>) {
    if policy.first().is_some_and(|first| first["node"].is_u64()) {
        return places(policy, rows);
    }
    for part in policy {
        if let Some(condition) = part["if"].as_array() {
            let condition: Vec<String> = condition.iter().map(words).collect();
            let condition = if condition.is_empty() { "always".to_owned() } else { condition.join(" ") };
            rows.push(row(0, &condition, "", Look::Other));
            rows.push(row(1, &words(&part["do"]), "", Look::Own));
        } else if part["state"].is_string() {
            rows.push(row(0, &words(&part["state"]), "", Look::Other));
            rows.push(row(1, &words(&part["action"]), &format!("worth {}", part["value"]), Look::Own));
        } else {
            let line = words(part);
            let depth = (line.len() - line.trim_start().len()) / 2;
            rows.push(row(depth, line.trim(), "", Look::Own));
        }
    }
}

/// A plan that branches on what is seen, from its first place on. A place that is reached again is named, not drawn again.
fn places(policy: &[Value], rows: &mut Vec<Row>) {
    let number = |place: &Value| place["node"].as_u64();
    let known = policy.iter().enumerate().filter_map(|(at, place)| number(place).map(|node| (node, at)));
    let place_of: HashMap<u64, usize> = known.collect();
    let mut drawn = vec![false; policy.len()];
    // Where to go on, how deep it lies, and what was seen on the way, which comes before the place.
    let mut open: Vec<(u64, usize, String)> = vec![(number(&policy[0]).unwrap_or(0), 0, String::new())];
    while let Some((node, mut depth, seen)) = open.pop() {
        if !seen.is_empty() {
            rows.push(row(depth, &seen, "", Look::Other));
            depth += 1;
        }
        let Some(&at) = place_of.get(&node) else { continue };
        if std::mem::replace(&mut drawn[at], true) {
            rows.push(row(depth, &format!("as at place {node}"), "", Look::Other));
            continue;
        }
        let steps = policy[at]["do"].as_array().map_or(&[][..], Vec::as_slice);
        if steps.is_empty() {
            rows.push(row(depth, "the goal is reached", &format!("place {node}"), Look::Won));
        }
        // What is put aside last is drawn next. Where there are several steps, their branches follow the last of them.
        let mut branches = Vec::new();
        for step in steps {
            rows.push(row(depth, &words(&step["action"]), &format!("place {node}"), Look::Own));
            let next = step["next"].as_array().map_or(&[][..], Vec::as_slice);
            for branch in next {
                let literals: Vec<String> =
                    branch["if"].as_array().into_iter().flatten().map(words).collect();
                let told =
                    if literals.is_empty() { String::new() } else { format!("if {}", literals.join(" ")) };
                let below = if told.is_empty() { depth } else { depth + 1 };
                branches.push((number(branch).unwrap_or(u64::MAX), below, told));
            }
        }
        open.extend(branches.into_iter().rev());
    }
}

/// A proof tree of Kriegspiel.
fn proof(plan: &Value, depth: usize, rows: &mut Vec<Row>) {
    let after = plan["after"].as_array().map_or(&[][..], Vec::as_slice);
    let look = if after.is_empty() { Look::Won } else { Look::Own };
    rows.push(row(depth, &format!("try {}", words(&plan["try"])), "", look));
    for case in after {
        for reply in case["replies"].as_array().into_iter().flatten() {
            let heard = format!("hear {}, then {}", percept(&case["heard"]), percept(&reply["heard"]));
            rows.push(row(depth + 1, &heard, "", Look::Other));
            proof(&reply["then"], depth + 2, rows);
        }
    }
    if plan["illegal"].is_object() {
        rows.push(row(depth + 1, "if that is illegal", "", Look::Other));
        proof(&plan["illegal"], depth + 2, rows);
    }
}

fn percept(heard: &Value) -> String {
    let mut parts = Vec::new();
    if let Some(square) = heard["capture"].as_str() {
        parts.push(format!("capture on {square}"));
    }
    for check in heard["checks"].as_array().into_iter().flatten() {
        parts.push(format!("check by {}", words(check)));
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// A contingency tree of Go.
fn contingency(steps: &[Value], depth: usize, rows: &mut Vec<Row>) {
    for step in steps {
        let look = if step["wins"] == true { Look::Own } else { Look::Other };
        rows.push(row(
            depth,
            &format!("{} {}", words(&step["by"]), words(&step["move"])),
            &words(&step["goal"]),
            look,
        ));
        contingency(step["then"].as_array().map_or(&[][..], Vec::as_slice), depth + 1, rows);
    }
}

fn bars(ranking: &[Value]) -> String {
    let bar = |one: &Value| Bar {
        label: words(&one["strategy"]),
        value: one["mean"].as_f64().unwrap_or(0.0),
        interval: one["low"].as_f64().zip(one["high"].as_f64()),
        marked: false,
    };
    chart::bars("Ranking", "points per match", &ranking.iter().map(bar).collect::<Vec<_>>())
}

/// No more rows than can be looked at.
fn shortened(mut rows: Vec<Row>) -> Vec<Row> {
    let left = rows.len().saturating_sub(MOST);
    if left > 0 {
        rows.truncate(MOST);
        rows.push(row(0, &format!("and {left} more"), "", Look::Other));
    }
    rows
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn words_of(answer: &Value) -> Vec<(usize, String)> {
        let (_, rows) = rows(answer).expect("there is something to see");
        rows.into_iter().map(|row| (row.depth, row.words)).collect()
    }

    #[test]
    fn a_plan_that_branches_is_drawn_once_from_place_to_place() {
        let step = |action: &str, next: Value| json!([{"action": action, "next": next}]);
        let answer = json!({"class": "strong", "policy": [
            {"node": 0, "do": step("(look)", json!([{"if": ["(open)"], "node": 1}, {"if": ["(not (open))"], "node": 2}]))},
            {"node": 1, "do": step("(enter)", json!([{"if": [], "node": 3}]))},
            {"node": 2, "do": step("(unlock)", json!([{"if": [], "node": 1}]))},
            {"node": 3, "do": []},
        ]});
        let expected = [
            (0, "(look)"),
            (1, "if (open)"),
            (2, "(enter)"),
            (2, "the goal is reached"),
            (1, "if (not (open))"),
            (2, "(unlock)"),
            (2, "as at place 1"),
        ];
        assert_eq!(words_of(&answer), expected.map(|(depth, words)| (depth, words.to_owned())));
    }

    #[test]
    fn policies_of_every_form_are_drawn() {
        let pairs = json!({"class": "strong", "policy": [{"if": ["(a)", "(b)"], "do": "(go)"}, {"if": [], "do": "(stay)"}]});
        assert_eq!(words_of(&pairs).last(), Some(&(1, "(stay)".to_owned())));
        let states = json!({"policy": [{"state": "(at home)", "action": "(cross)", "value": 0.875}]});
        assert_eq!(words_of(&states), [(0, "(at home)".to_owned()), (1, "(cross)".to_owned())]);
        let lines = json!({"class": "strong", "policy": ["first", "  second"]});
        assert_eq!(words_of(&lines), [(0, "first".to_owned()), (1, "second".to_owned())]);
    }

    #[test]
    fn what_has_no_shape_has_no_picture() {
        for answer in
            [json!({"policy": []}), json!({"policy": [{"node": 7}]}), json!({"policy": [[], 3, null]})]
        {
            assert!(picture(&answer).is_some(), "{answer}");
        }
        assert_eq!(picture(&json!({"states": 3})), None);
        assert_eq!(picture(&json!([])), None);
    }
}
