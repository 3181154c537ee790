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
    View { name: "plan", title: "Plan", about: "Plans, policies and task networks, from PDDL and HDDL." },
    View { name: "games", title: "Games", about: "Any game whose rules are written in GDL." },
    View { name: "kriegspiel", title: "Kriegspiel", about: "Chess in which you see your own men only." },
    View { name: "bridge", title: "Bridge", about: "Card play by what each player knows." },
    View { name: "go", title: "Go", about: "Life and death, with the reason of each move." },
    View { name: "dilemma", title: "Dilemma", about: "Repeated games with noise." },
];

/// The frame around a page; its script fills `main`.
pub(crate) fn frame(current: &str, title: &str, script: Option<&str>, body: &str) -> String {
    let link = |name: &str, title: &str| {
        let here = if name == current { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"/{name}\"{here}>{title}</a>")
    };
    let links: String = VIEWS.iter().map(|view| link(view.name, view.title)).collect();
    let docs = link("docs", "Docs");
    let script = script.map_or(String::new(), |name| {
        format!("<script type=\"module\" src=\"/assets/{name}.js\"></script>\n")
    });
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Counterplay</title>\n\
         <link rel=\"icon\" href=\"data:image/svg+xml,{ICON}\">\n\
         <link rel=\"stylesheet\" href=\"/assets/studio.css\">\n{script}</head>\n<body class=\"view-{current}\">\n\
         <a class=\"skip\" href=\"#main\">To the content</a>\n\
         <header class=\"top\"><a class=\"brand\" href=\"/\">{LOGO}Counterplay</a>\
         <nav aria-label=\"Views\">{links}<span class=\"gap\"></span>{docs}</nav></header>\n\
         <main id=\"main\" tabindex=\"-1\">{body}</main>\n</body>\n</html>\n"
    )
}

const LOGO: &str = "<svg viewBox=\"0 0 32 32\" width=\"26\" height=\"26\" aria-hidden=\"true\">\
    <circle cx=\"16\" cy=\"16\" r=\"14\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2.5\"/>\
    <path d=\"M16 2a7 7 0 0 1 0 14a7 7 0 0 0 0 14a14 14 0 0 1 0-28z\" fill=\"currentColor\"/></svg>";
const ICON: &str = "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='15' fill='%23fff'/%3E\
    %3Cpath d='M16 2a7 7 0 0 1 0 14a7 7 0 0 0 0 14a14 14 0 0 1 0-28z' fill='%230b6b5d'/%3E%3C/svg%3E";

/// The page of a view.
pub(crate) fn page(view: &View) -> String {
    let View { name, title, about } = view;
    let body = format!(
        "<div class=\"head\"><h1>{title}</h1><p class=\"about\">{about}</p></div>\
         <noscript>This page needs JavaScript.</noscript>\
         <script type=\"application/json\" id=\"options\">{}</script>",
        crate::options::options(name)
    );
    frame(name, title, Some(name), &body)
}

/// The front door.
pub(crate) fn front() -> String {
    let body = "<section class=\"hero\"><h1>Plans that survive the other players</h1>\
        <p>Six kinds of problems, one question: what should I do, whatever the others do? \
        Every answer says what it rests on. Try one.</p></section>\
        <noscript>This page needs JavaScript.</noscript><div id=\"doors\" class=\"doors\"></div>\
        <section class=\"more\"><h2>Read on</h2><p><a href=\"/docs\">Documentation</a> · \
        <a href=\"/docs/evidence\">What an answer rests on</a> · <a href=\"/docs/tutorials\">Tutorials</a> · \
        <a href=\"/docs/studio\">How the studio works</a></p></section>";
    frame("", "Studio", Some("front"), body)
}

/// The page for an address of the documentation that there is not.
pub(crate) fn missing() -> String {
    frame(
        "docs",
        "Not found",
        None,
        "<h1>There is no such page</h1><p><a href=\"/docs\">Documentation</a></p>",
    )
}

macro_rules! example {
    ($name:literal, $title:literal, $($slot:literal = $path:literal),+) => {
        json!({"name": $name, "title": $title, "files": {$($slot: counterplay_examples::text($path)),+}})
    };
}

/// The examples of a view, with their texts.
pub(crate) fn examples(view: &str) -> Value {
    match view {
        "plan" => json!([
            example!(
                "blocks",
                "Blocks: two towers become one",
                "domain" = "blocks/domain.pddl",
                "problem" = "blocks/p07.pddl",
                "hint" = "blocks/picture.json"
            ),
            example!(
                "sokoban",
                "Sokoban: push the boxes",
                "domain" = "sokoban/domain.pddl",
                "problem" = "sokoban/p02.pddl",
                "hint" = "sokoban/picture.json"
            ),
            example!(
                "grid",
                "Grid: keys, locks and a gem",
                "domain" = "grid/domain.pddl",
                "problem" = "grid/p01.pddl",
                "hint" = "grid/picture.json"
            ),
            example!(
                "slippery",
                "Slippery floor: a policy",
                "domain" = "policy/slippery/domain.pddl",
                "problem" = "policy/slippery/p01.pddl"
            ),
            example!(
                "logistics",
                "Logistics: parcels, vans, a plane",
                "domain" = "logistics/domain.pddl",
                "problem" = "logistics/p01.pddl",
                "hint" = "logistics/picture.json"
            ),
            example!(
                "tyres",
                "Flat tyres: the road with spares",
                "domain" = "policy/tyres/domain.pddl",
                "problem" = "policy/tyres/p01.pddl"
            ),
            example!(
                "logistics-7",
                "Logistics, seven parcels: watch the bound close",
                "domain" = "logistics/domain.pddl",
                "problem" = "logistics/p07.pddl",
                "hint" = "logistics/picture.json"
            ),
            example!(
                "gripper",
                "Gripper: balls between rooms",
                "domain" = "gripper/domain.pddl",
                "problem" = "gripper/p04.pddl",
                "hint" = "gripper/picture.json"
            ),
            example!(
                "river",
                "Crossing the river",
                "domain" = "river/domain.pddl",
                "problem" = "river/p3.pddl"
            ),
            example!(
                "river-4",
                "Crossing with four: proved impossible",
                "domain" = "river/domain.pddl",
                "problem" = "river/p4.pddl"
            ),
            example!(
                "desert",
                "Desert, with costs",
                "domain" = "desert/costs-domain.pddl",
                "problem" = "desert/costs.pddl"
            ),
            example!(
                "club",
                "Preferences with prices: net benefit",
                "domain" = "net-benefit/club/domain.pddl",
                "problem" = "net-benefit/club/p01.pddl"
            ),
            example!(
                "errands",
                "Errands by methods (HDDL)",
                "domain" = "htn/errands/domain.hddl",
                "problem" = "htn/errands/both.hddl"
            ),
        ]),
        "games" => json!([
            example!("connect-four", "Connect four, 7 x 6", "rules" = "games/connect-four-7x6.kif"),
            example!("tic-tac-toe", "Tic-tac-toe", "rules" = "games/tic-tac-toe.kif"),
            example!("connect-four-4x4", "Connect four, 4 x 4", "rules" = "games/connect-four-4x4.kif"),
            example!("breakthrough", "Breakthrough", "rules" = "games/breakthrough.kif"),
            example!("checkers", "Checkers", "rules" = "games/checkers.kif"),
            example!("reversi", "Reversi", "rules" = "games/reversi.kif"),
            example!("sheep-and-wolf", "Sheep and wolf", "rules" = "games/sheep-and-wolf.kif"),
            example!("clobber", "Clobber, 5 x 4", "rules" = "games/clobber-5x4.kif"),
            example!("chomp", "Chomp", "rules" = "games/chomp-6x5.kif"),
            example!("eight-puzzle", "Eight puzzle", "rules" = "games/eight-puzzle.kif"),
            example!("peg-solitaire", "Peg solitaire", "rules" = "games/peg-solitaire.kif"),
            example!("lights-out", "Lights out", "rules" = "games/lights-out-3x3.kif"),
            example!("frogs", "Frogs and toads", "rules" = "games/frogs-and-toads.kif"),
            example!("nim", "Nim, 3-4-5", "rules" = "games/nim-3-4-5.kif"),
            example!("gunslinger", "The gunslinger and the man in black", "rules" = "games/gunslinger.kif"),
        ]),
        "go" => json!([
            example!("rabbity-six", "Rabbity six", "sgf" = "go/rabbity-six.sgf"),
            example!("straight-three", "Straight three", "sgf" = "go/straight-three.sgf"),
        ]),
        "bridge" => json!([
            example!("notrump", "Four notrump contracts", "text" = "bridge/notrump.pbn"),
            example!("figure-5", "A deal from the paper on Bridge Baron", "text" = "bridge/figure5.pbn"),
        ]),
        "kriegspiel" => {
            json!([example!("problems", "Checkmate problems", "lines" = "kriegspiel/problems.jsonl")])
        }
        "dilemma" => {
            json!([example!("streak", "Counts a streak", "conditions" = "dilemma/streak.conditions")])
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
