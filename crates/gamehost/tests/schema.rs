//! The JSON Schemas of matches in `docs/schema` are those of the types.

use std::fs;
use std::path::Path;

use counterplay_gamehost::manager::{MatchRecord, MatchSeries};
use schemars::schema_for;

/// Writes the files anew if `UPDATE_SCHEMA` is set.
#[test]
fn committed_schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    for (name, schema) in
        [("game-match", schema_for!(MatchRecord)), ("game-match-series", schema_for!(MatchSeries))]
    {
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let file = folder.join(format!("{name}.json"));
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&file, &text).expect("it can be written");
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == text,
            "docs/schema/{name}.json is not what the types say; run the tests with UPDATE_SCHEMA=1"
        );
    }
}
