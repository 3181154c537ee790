//! Bars with intervals, and lines over time.

use crate::svg::{Anchor, FAINT, FONT, INK, Svg, width_of};

#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    /// The ends of its interval, if there is one.
    pub interval: Option<(f64, f64)>,
    /// Whether it is to stand out.
    pub marked: bool,
}

/// The height of a row.
const ROW: f64 = 18.0;
/// The length of the longest bar in pixels.
const LENGTH: f64 = 520.0;
/// Room above for the title.
const HEAD: f64 = 40.0;

/// A ranking as horizontal bars, first on top. `unit` says what the numbers are.
pub fn bars(title: &str, unit: &str, bars: &[Bar]) -> String {
    let left = 12.0 + bars.iter().map(|bar| width_of(&bar.label)).fold(60.0, f64::max);
    let ends = bars.iter().flat_map(|bar| [bar.value, bar.interval.map_or(bar.value, |(_, high)| high)]);
    let scale = Scale::new(ends, LENGTH);
    let height = HEAD + ROW * bars.len() as f64 + 40.0;
    let mut svg = Svg::new(left + LENGTH + 70.0, height, title);
    svg.words((left, 20.0), Anchor::Start, title);
    for tick in scale.ticks() {
        let x = left + scale.place(tick);
        svg.line([x, HEAD, x, height - 36.0], FAINT);
        svg.words((x, height - 20.0), Anchor::Middle, &format!("{tick}"));
    }
    svg.words((left + LENGTH, height - 4.0), Anchor::End, unit);
    for (row, bar) in bars.iter().enumerate() {
        let y = HEAD + ROW * row as f64;
        let middle = y + ROW / 2.0;
        let fill = if bar.marked { "#c44e52" } else { "#4c72b0" };
        let remark = format!("{}: {:.1}", bar.label, bar.value);
        svg.rect([left, y + 2.0, scale.place(bar.value).max(0.0), ROW - 4.0], fill, &remark);
        if let Some((low, high)) = bar.interval {
            let [low, high] = [low, high].map(|value| left + scale.place(value));
            svg.line([low, middle, high, middle], INK);
            for x in [low, high] {
                svg.line([x, middle - 3.0, x, middle + 3.0], INK);
            }
        }
        svg.words((left - 6.0, middle + FONT / 3.0), Anchor::End, &bar.label);
        let end = scale.place(bar.interval.map_or(bar.value, |(_, high)| high).max(bar.value));
        svg.words((left + end + 5.0, middle + FONT / 3.0), Anchor::Start, &format!("{:.1}", bar.value));
    }
    svg.finish()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub label: String,
    /// Its heights, one step apart.
    pub values: Vec<f64>,
}

const COLOURS: [&str; 10] = [
    "#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c", "#ccb974",
    "#64b5cd",
];

/// Lines over steps, with their labels at the right.
pub fn lines(title: &str, unit: &str, lines: &[Line]) -> String {
    let (left, height) = (60.0, 360.0);
    let right = 16.0 + lines.iter().map(|line| width_of(&line.label)).fold(60.0, f64::max);
    let scale = Scale::new(lines.iter().flat_map(|line| line.values.iter().copied()), height);
    let mut svg = Svg::new(left + LENGTH + right, HEAD + height + 40.0, title);
    svg.words((left, 20.0), Anchor::Start, title);
    let bottom = HEAD + height;
    for tick in scale.ticks() {
        let y = bottom - scale.place(tick);
        svg.line([left, y, left + LENGTH, y], FAINT);
        svg.words((left - 6.0, y + FONT / 3.0), Anchor::End, &format!("{tick}"));
    }
    svg.words((left + LENGTH, bottom + 20.0), Anchor::End, unit);
    for (number, line) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let steps = line.values.len().saturating_sub(1).max(1) as f64;
        let point =
            |(i, value): (usize, &f64)| (left + LENGTH * i as f64 / steps, bottom - scale.place(*value));
        let points: Vec<(f64, f64)> = line.values.iter().enumerate().map(point).collect();
        svg.path(&points, colour);
        // Labels stand below each other in the order given, with the colour of their line.
        let y = HEAD + ROW * number as f64 + 8.0;
        svg.rect([left + LENGTH + 6.0, y - 6.0, 8.0, 8.0], colour, "");
        svg.words((left + LENGTH + 18.0, y + 2.0), Anchor::Start, &line.label);
    }
    svg.finish()
}

/// From zero to a round number above the largest value.
struct Scale {
    top: f64,
    step: f64,
    length: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, length: f64) -> Scale {
        let most = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let power = 10f64.powf((most / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|step| step * 5.0 >= most);
        let step = step.unwrap_or(10.0 * power);
        Scale { top: (most / step).ceil() * step, step, length }
    }

    fn place(&self, value: f64) -> f64 {
        self.length * (value / self.top).clamp(0.0, 1.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let step = self.step;
        let count = (self.top / step).round() as usize;
        // Rounded to what a person would write.
        (0..=count).map(move |i| (i as f64 * step * 1e9).round() / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_a_round_number() {
        let scale = Scale::new([12.0, 433.8].into_iter(), 100.0);
        assert_eq!(scale.ticks().collect::<Vec<_>>(), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        assert_eq!(scale.place(250.0), 50.0);
        let empty = Scale::new(std::iter::empty(), 100.0);
        assert!(empty.ticks().count() > 1);
    }

    #[test]
    fn every_bar_and_line_is_drawn() {
        let bar = |label: &str, value| Bar {
            label: label.to_owned(),
            value,
            interval: Some((value - 1.0, value + 1.0)),
            marked: false,
        };
        let picture = bars("Ranking", "score", &[bar("A<B", 3.0), bar("C", 2.0)]);
        assert!(picture.contains("A&lt;B") && picture.ends_with("</svg>\n"));
        assert_eq!(picture.matches("<rect x=").count(), 2);
        let picture =
            lines("Shares", "generation", &[Line { label: "A".to_owned(), values: vec![0.5, 0.7] }]);
        assert_eq!(picture.matches("<polyline").count(), 1);
    }
}
