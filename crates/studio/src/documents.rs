//! The documentation: Markdown made to pages, inside the studio and as a site of its own.

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, html};

use crate::pages::frame;

/// Where the pages stand, which decides what their links look like.
#[derive(Clone, Copy)]
enum Place {
    /// Under `/docs` of the studio.
    Studio,
    /// Files in one folder.
    Site,
}

impl Place {
    /// The address of a page by its name without ending.
    fn page(self, name: &str) -> String {
        match (self, name) {
            (Place::Studio, "README") => "/docs".to_owned(),
            (Place::Studio, name) => format!("/docs/{name}"),
            (Place::Site, "README") => "index.html".to_owned(),
            (Place::Site, name) => format!("{name}.html"),
        }
    }

    fn picture(self, name: &str) -> String {
        match self {
            Place::Studio => format!("/docs/pictures/{name}"),
            Place::Site => format!("pictures/{name}"),
        }
    }
}

/// A page of the documentation by its name without ending; none if there is no such page.
pub(crate) fn page(name: &str) -> Option<String> {
    let (title, body) = parts(name, Place::Studio)?;
    Some(frame("docs", title, None, &body))
}

/// The title of a page, and the page with the contents of the whole documentation beside it.
fn parts(name: &str, place: Place) -> Option<(&'static str, String)> {
    let text = counterplay_docs::page(&format!("{name}.md"))?;
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Documentation");
    let contents = counterplay_docs::page("SUMMARY.md").unwrap_or_default();
    let contents = render(contents.trim_start_matches("# Summary"), place).replace("h1>", "h2>");
    let here = format!("href=\"{}\"", place.page(name));
    let contents = contents.replacen(&here, &format!("{here} aria-current=\"page\""), 1);
    let body = format!(
        "<div class=\"book\"><nav class=\"contents\" aria-label=\"Contents\">{contents}</nav>\
         <article class=\"document\">{}</article></div>",
        render(text, place)
    );
    Some((title, body))
}

/// The documentation as files of a site: their paths, and what is in them. Nothing else is needed to serve it.
pub fn site() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![(
        "studio.css".to_owned(),
        crate::assets::find("studio.css").map_or(Vec::new(), |asset| asset.text.as_bytes().to_vec()),
    )];
    for (file, _) in counterplay_docs::PAGES {
        let name = file.trim_end_matches(".md");
        if name == "SUMMARY" {
            continue;
        }
        let Some((title, body)) = parts(name, Place::Site) else { continue };
        let text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} · Counterplay</title>\n\
             <link rel=\"stylesheet\" href=\"studio.css\">\n</head>\n<body>\n\
             <header class=\"top\"><a class=\"brand\" href=\"index.html\">Counterplay</a></header>\n\
             <main>{body}</main>\n</body>\n</html>\n"
        );
        files.push((Place::Site.page(name), text.into_bytes()));
    }
    let pictures = counterplay_docs::PICTURES;
    files.extend(pictures.iter().map(|(name, bytes)| (format!("pictures/{name}"), bytes.to_vec())));
    files
}

/// A picture of the documentation with its type.
pub(crate) fn picture(name: &str) -> Option<(&'static str, &'static [u8])> {
    let kind = if name.ends_with(".svg") { "image/svg+xml" } else { "image/png" };
    counterplay_docs::picture(name).map(|bytes| (kind, bytes))
}

fn render(text: &str, place: Place) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: inside(link_type, dest_url, place), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = match dest_url.strip_prefix("pictures/") {
                Some(name) => place.picture(name).into(),
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

/// Links between pages stay in the studio, or in the site.
fn inside(kind: LinkType, url: CowStr<'_>, place: Place) -> CowStr<'_> {
    if matches!(kind, LinkType::Autolink | LinkType::Email) {
        return url;
    }
    let (path, anchor) = match url.split_once('#') {
        Some((path, anchor)) => (path, format!("#{anchor}")),
        None => (&*url, String::new()),
    };
    match path.strip_suffix(".md").filter(|page| !page.contains('/')) {
        Some(page) => format!("{}{anchor}", place.page(page)).into(),
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

    #[test]
    fn the_contents_list_every_page() {
        let contents = counterplay_docs::page("SUMMARY.md").expect("it is there");
        for (name, _) in counterplay_docs::PAGES.iter().filter(|(name, _)| *name != "SUMMARY.md") {
            assert!(contents.contains(&format!("({name})")), "{name} is not listed in docs/SUMMARY.md");
        }
    }

    #[test]
    fn links_and_pictures_of_the_site_are_files_of_it() {
        let files = site();
        for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
            let text = String::from_utf8_lossy(bytes);
            let targets = ["href=\"", "src=\""].into_iter().flat_map(|sign| text.split(sign).skip(1));
            for target in targets.filter_map(|rest| rest.split(['"', '#']).next()) {
                let elsewhere = target.is_empty() || target.contains("://") || target.starts_with("../");
                assert!(elsewhere || files.iter().any(|(own, _)| own == target), "{name} leads to {target}");
            }
        }
    }
}
