//! How many problems are solved within a time: one rising curve for each method, time on a logarithmic axis.

use std::fmt::Write;

use crate::board::plain;

/// The times of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub label: String,
    /// Seconds for each solved problem, in any order.
    pub seconds: Vec<f64>,
    /// All problems, solved or not.
    pub problems: usize,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 40.0;
const COLOURS: [&str; 12] = [
    "#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c", "#ccb974",
    "#64b5cd", "#2f4b7c", "#a05195",
];

/// The height of a panel.
const PANEL: usize = 430;

/// Draws panels with a title and curves each, one below the other.
pub fn survival(unit: &str, panels: &[(&str, Vec<Curve>)]) -> String {
    let height = PANEL * panels.len();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"{height}\" viewBox=\"0 0 760 {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, (title, curves)) in panels.iter().enumerate() {
        let _ = writeln!(text, "<g transform=\"translate(0,{})\">", PANEL * i);
        panel(&mut text, title, unit, curves);
        text.push_str("</g>\n");
    }
    text.push_str("</svg>\n");
    text
}

/// One panel; the legend is in the order of the curves.
fn panel(text: &mut String, title: &str, unit: &str, curves: &[Curve]) {
    let times = || curves.iter().flat_map(|curve| curve.seconds.iter().copied()).filter(|time| *time > 0.0);
    let low = times().fold(f64::INFINITY, f64::min).clamp(1e-7, 1.0).log10().floor();
    let high = times().fold(0.0, f64::max).max(1e-6).log10().ceil().max(low + 1.0);
    let x = |time: f64| LEFT + WIDTH * (time.max(1e-9).log10() - low).max(0.0) / (high - low);
    let y = |part: f64| TOP + HEIGHT * (1.0 - part);
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"22\">{}</text>", plain(title));
    for step in 0..=4 {
        let part = f64::from(step) / 4.0;
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{part}</text>",
            LEFT + WIDTH,
            y(part),
            LEFT - 6.0,
            y(part) + 4.0
        );
    }
    for power in low as i32..=high as i32 {
        let at = x(10f64.powi(power));
        let _ = writeln!(
            text,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{0}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{1}\" text-anchor=\"middle\">1e{power}</text>",
            TOP + HEIGHT,
            TOP + HEIGHT + 18.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        LEFT + WIDTH,
        TOP + HEIGHT + 36.0,
        plain(unit)
    );
    for (i, curve) in curves.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        let mut seconds = curve.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let mut points = format!("{LEFT},{:.1}", y(0.0));
        let mut part = 0.0;
        for (solved, time) in seconds.iter().enumerate() {
            let _ = write!(points, " {:.1},{:.1}", x(*time), y(part));
            part = (solved + 1) as f64 / curve.problems.max(1) as f64;
            let _ = write!(points, " {:.1},{:.1}", x(*time), y(part));
        }
        let _ = write!(points, " {:.1},{:.1}", LEFT + WIDTH, y(part));
        let _ = writeln!(
            text,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>",
            LEFT + WIDTH + 12.0,
            TOP + 12.0 + 18.0 * i as f64,
            plain(&curve.label)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_method_has_a_curve() {
        let curve = |label: &str| Curve { label: label.to_owned(), seconds: vec![0.1, 0.001], problems: 3 };
        let svg =
            survival("CPU seconds", &[("a", vec![curve("dfs"), curve("dbu")]), ("b", vec![curve("dfs")])]);
        assert_eq!(svg.matches("<polyline").count(), 3);
        assert!(svg.contains(">dbu<"));
    }
}
