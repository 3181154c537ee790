//! The few SVG elements that pictures are made of.

use std::fmt::Write;

/// A picture in the making.
pub(crate) struct Svg {
    text: String,
}

/// The colour of words and axes.
pub(crate) const INK: &str = "#222";
/// The colour of lines that should not be noticed.
pub(crate) const FAINT: &str = "#ddd";
/// The font size in pixels.
pub(crate) const FONT: f64 = 12.0;

/// Where a text hangs on its point.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// An empty picture of this size, with a title that screen readers and tooltips show.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"{FONT}\">"
        );
        let _ = writeln!(text, "<title>{}</title>", escaped(title));
        let _ = writeln!(text, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        Svg { text }
    }

    /// A filled rectangle with a remark for the pointer.
    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], fill: &str, remark: &str) {
        let _ = write!(
            self.text,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\""
        );
        let _ = match remark {
            "" => writeln!(self.text, "/>"),
            remark => writeln!(self.text, "><title>{}</title></rect>", escaped(remark)),
        };
    }

    pub(crate) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], stroke: &str) {
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{stroke}\"/>"
        );
    }

    /// A line through points.
    pub(crate) fn path(&mut self, points: &[(f64, f64)], stroke: &str) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
            list.join(" ")
        );
    }

    pub(crate) fn words(&mut self, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let anchor = anchor_name(anchor);
        let words = escaped(words);
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" fill=\"{INK}\">{words}</text>"
        );
    }

    /// Text rotated by 90 degrees, read upwards.
    pub(crate) fn rotated_text(&mut self, (x, y): (f64, f64), words: &str) {
        let words = escaped(words);
        let _ = writeln!(
            self.text,
            "<text transform=\"translate({x:.2},{y:.2}) rotate(-90)\" fill=\"{INK}\">{words}</text>"
        );
    }

    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn anchor_name(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

/// Text that XML accepts.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            control if control.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

/// About how wide words are, in the absence of a font.
pub(crate) fn width_of(words: &str) -> f64 {
    words.chars().count() as f64 * FONT * 0.6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_the_picture() {
        assert_eq!(escaped("a<b & \"c\"\n"), "a&lt;b &amp; &quot;c&quot; ");
    }
}
