//! The options that the pages offer, as the library declares them: the same lists as on the command line.

use clap::ValueEnum;
use counterplay::{bridge, game, go, kriegspiel, planning};
use serde_json::{Value, json};

/// The lists of a view by name: each value with what it means.
pub(crate) fn options(view: &str) -> Value {
    match view {
        "plan" => json!({
            "search": values::<planning::Search>(),
            "quality": values::<planning::Quality>(),
            "class": values::<planning::Class>(),
            "htn": values::<planning::Decomposition>(),
        }),
        "games" => json!({"player": values::<game::PlayerKind>()}),
        "kriegspiel" => json!({"player": values::<kriegspiel::PlayerKind>()}),
        "bridge" => json!({
            "declarer": values::<bridge::Declarer>(),
            "defence": values::<bridge::Defence>(),
        }),
        "go" => json!({"search": values::<go::Method>()}),
        _ => json!({}),
    }
}

/// The person at the page is none of the programs.
const PERSON: &str = "you";

fn values<T: ValueEnum>() -> Vec<(String, String)> {
    let described = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    described
        .filter(|value| !value.is_hide_set() && value.get_name() != PERSON)
        .map(|value| {
            let help = value.get_help().map_or_else(|| value.get_name().to_owned(), ToString::to_string);
            (value.get_name().to_owned(), help)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_those_of_the_library_without_the_person() {
        let names = |view: &str, list: &str| -> Vec<String> {
            let list = options(view)[list].as_array().cloned().unwrap_or_default();
            list.iter().map(|pair| pair[0].as_str().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(names("plan", "class"), ["strong", "strong-cyclic", "weak"]);
        assert!(names("bridge", "defence").contains(&"double-dummy".to_owned()));
        assert!(!names("kriegspiel", "player").contains(&PERSON.to_owned()));
    }
}
