//! The views: one address each, one frame for all, and the examples that can be picked there.

use serde_json::{Value, json};

/// A view of the studio.
pub(crate) struct View {
    pub(crate) name: &'static str,
    title: &'static str,
    about: &'static str,
}

/// All of them, in the order of the navigation.
pub(crate) const VIEWS: &[View] = &[
    View { name: "plan", title: "Plan", about: "A plan, a policy or a task network, from PDDL or HDDL." },
    View { name: "games", title: "Games", about: "Any game whose rules are written in GDL." },
    View { name: "kriegspiel", title: "Kriegspiel", about: "Chess against an opponent you cannot see." },
    View { name: "bridge", title: "Bridge", about: "Declarer play by what declarer knows." },
    View { name: "go", title: "Go", about: "Life and death, with the reason of each move." },
    View { name: "dilemma", title: "Dilemma", about: "Repeated games with noise." },
];

/// The frame with one view; its script fills `main`.
pub(crate) fn page(view: &View) -> String {
    let link = |other: &View| {
        let here = if other.name == view.name { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"/{}\"{here}>{}</a>", other.name, other.title)
    };
    let links: String = VIEWS.iter().map(link).collect();
    let View { name, title, about } = view;
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Counterplay</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"/assets/studio.css\">\n\
         <script type=\"module\" src=\"/assets/{name}.js\"></script>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">To the content</a>\n\
         <header><strong>Counterplay</strong><nav aria-label=\"Views\">{links}</nav></header>\n\
         <main id=\"main\" tabindex=\"-1\"><h1>{title}</h1><p class=\"about\">{about}</p>\
         <noscript>This page needs JavaScript.</noscript></main>\n</body>\n</html>\n"
    )
}

macro_rules! example {
    ($title:literal, $($name:literal = $path:literal),+) => {
        json!({"title": $title, "files": {$($name: counterplay_examples::text($path)),+}})
    };
}

/// The examples of a view, with their texts.
pub(crate) fn examples(view: &str) -> Value {
    match view {
        "plan" => json!([
            example!("Blocks", "domain.pddl" = "blocks/domain.pddl", "problem.pddl" = "blocks/p07.pddl"),
            example!(
                "Crossing the river",
                "domain.pddl" = "river/domain.pddl",
                "problem.pddl" = "river/p3.pddl"
            ),
            example!(
                "Crossing with four: proved impossible",
                "domain.pddl" = "river/domain.pddl",
                "problem.pddl" = "river/p4.pddl"
            ),
            example!(
                "Desert, with costs",
                "domain.pddl" = "desert/costs-domain.pddl",
                "problem.pddl" = "desert/costs.pddl"
            ),
            example!(
                "Wishes with prices: net benefit",
                "domain.pddl" = "net-benefit/desert/domain.pddl",
                "problem.pddl" = "net-benefit/desert/p01.pddl"
            ),
            example!(
                "A slippery floor: a policy",
                "domain.pddl" = "policy/slippery/domain.pddl",
                "problem.pddl" = "policy/slippery/p01.pddl"
            ),
            example!(
                "Errands by methods",
                "domain.pddl" = "htn/errands/domain.hddl",
                "problem.pddl" = "htn/errands/both.hddl"
            ),
            example!("Sokoban", "domain.pddl" = "sokoban/domain.pddl", "problem.pddl" = "sokoban/p02.pddl"),
        ]),
        "games" => json!([
            example!("Connect four, 4 x 4", "game.kif" = "games/connect-four-4x4.kif"),
            example!("Tic-tac-toe", "game.kif" = "games/tic-tac-toe.kif"),
            example!("Nim, 3-4-5", "game.kif" = "games/nim-3-4-5.kif"),
            example!("Sheep and wolf", "game.kif" = "games/sheep-and-wolf.kif"),
            example!("The gunslinger and the man in black", "game.kif" = "games/gunslinger.kif"),
        ]),
        "go" => json!([
            example!("Rabbity six", "problem.sgf" = "go/rabbity-six.sgf"),
            example!("Straight three", "problem.sgf" = "go/straight-three.sgf"),
        ]),
        "bridge" => json!([
            example!("A notrump contract", "deal.pbn" = "bridge/notrump.pbn"),
            example!("The deal of Figure 5", "deal.pbn" = "bridge/figure5.pbn"),
        ]),
        "kriegspiel" => {
            json!([example!("Checkmate problems", "problem.jsonl" = "kriegspiel/problems.jsonl")])
        }
        _ => json!([]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_links_to_all_views_and_marks_its_own() {
        for view in VIEWS {
            let text = page(view);
            for other in VIEWS {
                assert!(text.contains(&format!("href=\"/{}\"", other.name)));
            }
            assert!(text.contains(&format!("href=\"/{}\" aria-current", view.name)));
        }
    }
}
