//! What the browser loads: all of it is inside the program.

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! assets {
    ($($name:literal: $kind:literal),* $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("../assets/", $name)) }),*]
    };
}

/// All of them.
pub(crate) const ASSETS: &[Asset] = assets! {
    "studio.css": "text/css; charset=utf-8",
    "studio.js": "text/javascript; charset=utf-8",
    "plan.js": "text/javascript; charset=utf-8",
    "games.js": "text/javascript; charset=utf-8",
    "kriegspiel.js": "text/javascript; charset=utf-8",
    "bridge.js": "text/javascript; charset=utf-8",
    "go.js": "text/javascript; charset=utf-8",
    "dilemma.js": "text/javascript; charset=utf-8",
};
