//! The documentation as texts, so that the studio can show it without files.
//!
//! ```
//! assert!(counterplay_docs::page("README.md").is_some_and(|text| text.starts_with("# Documentation")));
//! ```

/// The names of the pages, sorted, and their texts in Markdown.
pub static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The names of the pictures, sorted, and their bytes.
pub static PICTURES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/pictures.rs"));

/// The text of a page by its name, such as `go.md`.
pub fn page(name: &str) -> Option<&'static str> {
    PAGES.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}

/// The bytes of a picture by its name.
pub fn picture(name: &str) -> Option<&'static [u8]> {
    PICTURES.iter().find(|(known, _)| *known == name).map(|&(_, bytes)| bytes)
}
