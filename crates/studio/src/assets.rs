//! What the browser loads: all of it is inside the program.

/// A file of the pages.
pub(crate) struct Asset {
    name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! assets {
    ($($kind:ident: $($name:literal),*;)*) => {
        &[$($(Asset { name: $name, kind: $kind, text: include_str!(concat!("../assets/", $name)) }),*),*]
    };
}

/// The asset of a name.
pub(crate) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

const ASSETS: &[Asset] = assets! {
    STYLE: "studio.css";
    SCRIPT: "front.js", "plan.js", "games.js", "kriegspiel.js", "bridge.js", "go.js", "dilemma.js",
        "dom.js", "api.js", "goals.js", "state.js", "editor.js", "scene.js", "scenes.js", "graph.js", "plot.js", "cards.js", "chess.js",
        "goban.js", "gameboard.js", "gamestyles.js";
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_import_what_is_there() {
        for asset in ASSETS.iter().filter(|asset| asset.kind == SCRIPT) {
            for import in asset.text.split("from \"./").skip(1) {
                let name = import.split('"').next().unwrap_or_default();
                assert!(find(name).is_some(), "{} imports {name}", asset.name);
            }
        }
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        for asset in ASSETS {
            let outside = asset.text.replace("http://www.w3.org/", "");
            assert!(!outside.contains("http://") && !outside.contains("https://"), "{}", asset.name);
        }
    }
}
