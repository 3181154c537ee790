//! A picture of any answer, from its JSON.
//!
//! Answers have different shapes, but most are steps under steps: a plan, the pairs of a policy, a decomposition, a
//! proof tree, a contingency tree, a line of play. Those become an outline; a ranking becomes bars.

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
        for pair in policy {
            let condition: Vec<String> = pair["if"].as_array()?.iter().map(words).collect();
            let condition = if condition.is_empty() { "always".to_owned() } else { condition.join(" ") };
            rows.push(row(0, &condition, "", Look::Other));
            rows.push(row(1, &words(&pair["do"]), "", Look::Own));
        }
        return Some((format!("{} policy of {} pairs", words(&answer["class"]), policy.len()), rows));
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
