//! The documentation inside the studio: Markdown made to pages.

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, html};

use crate::pages::frame;

/// A page of the documentation by its name without ending; none if there is no such page.
pub(crate) fn page(name: &str) -> Option<String> {
    let text = counterplay_docs::page(&format!("{name}.md"))?;
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Documentation");
    let body = format!("<article class=\"document\">{}</article>", render(text));
    Some(frame("docs", title, None, &body))
}

/// A picture of the documentation with its type.
pub(crate) fn picture(name: &str) -> Option<(&'static str, &'static [u8])> {
    let kind = if name.ends_with(".svg") { "image/svg+xml" } else { "image/png" };
    counterplay_docs::picture(name).map(|bytes| (kind, bytes))
}

fn render(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: inside(link_type, dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = match dest_url.strip_prefix("pictures/") {
                Some(name) => format!("/docs/pictures/{name}").into(),
                None => dest_url,
            };
            Event::Start(Tag::Image { link_type, dest_url, title, id })
        }
        other => other,
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    body
}

/// Links between pages stay in the studio.
fn inside(kind: LinkType, url: CowStr<'_>) -> CowStr<'_> {
    if matches!(kind, LinkType::Autolink | LinkType::Email) {
        return url;
    }
    let (path, place) = match url.split_once('#') {
        Some((path, place)) => (path, format!("#{place}")),
        None => (&*url, String::new()),
    };
    match path.strip_suffix(".md").filter(|page| !page.contains('/')) {
        Some(page) => format!("/docs/{page}{place}").into(),
        None => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pages_are_shown_and_their_links_lead_to_pages() {
        for (name, _) in counterplay_docs::PAGES {
            let text = page(name.trim_end_matches(".md")).expect("it is a page");
            assert!(text.contains("<h1>"), "{name}");
            for link in text.split("href=\"/docs/").skip(1) {
                let target = link.split(['"', '#']).next().unwrap_or_default();
                assert!(page(target).is_some(), "{name} links to {target}");
            }
        }
        assert!(page("../README").is_none() && page("nonsense").is_none());
    }
}
