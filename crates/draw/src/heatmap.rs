//! A matrix of numbers as coloured squares.

use crate::svg::{Anchor, FONT, Svg, width_of};

/// A matrix with names for its rows and columns.
#[derive(Clone, Debug)]
pub struct HeatMap<'a> {
    pub title: &'a str,
    /// The names of the rows, and of the columns.
    pub names: &'a [String],
    /// `values[row][column]`; what is unknown stays grey.
    pub values: &'a [Vec<Option<f64>>],
}

/// The side of a square.
const CELL: f64 = 14.0;

/// Draws a heat map, with a scale of its colours below.
pub fn draw(map: &HeatMap<'_>) -> String {
    let margin = 10.0 + map.names.iter().map(|name| width_of(name)).fold(40.0, f64::max);
    let side = CELL * map.names.len() as f64;
    let known = || map.values.iter().flatten().flatten().copied().filter(|value| value.is_finite());
    let low = known().fold(f64::INFINITY, f64::min);
    let high = known().fold(f64::NEG_INFINITY, f64::max);
    let mut svg = Svg::new(margin + side.max(260.0) + 20.0, margin + side + 80.0, map.title);
    svg.words((10.0, 20.0), Anchor::Start, map.title);
    let top = margin + 20.0;
    for (i, name) in map.names.iter().enumerate() {
        let at = CELL * (i as f64 + 0.5) + FONT / 3.0;
        svg.words((margin - 4.0, top + at), Anchor::End, name);
        svg.rotated_text((margin + at, top - 4.0), name);
    }
    for (i, row) in map.values.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            let place = [margin + CELL * j as f64, top + CELL * i as f64, CELL, CELL];
            let (fill, told) = match value {
                Some(value) if value.is_finite() => (colour(share(*value, low, high)), format!("{value:.2}")),
                _ => ("#ccc".to_owned(), "unknown".to_owned()),
            };
            svg.rect(place, &fill, &format!("{} against {}: {told}", map.names[i], map.names[j]));
        }
    }
    if low.is_finite() {
        legend(&mut svg, (margin, top + side + 16.0), low, high);
    }
    svg.finish()
}

fn legend(svg: &mut Svg, (x, y): (f64, f64), low: f64, high: f64) {
    let steps = 50;
    for step in 0..steps {
        let fill = colour(f64::from(step) / f64::from(steps - 1));
        svg.rect([x + 4.0 * f64::from(step), y, 4.5, 12.0], &fill, "");
    }
    svg.words((x, y + 28.0), Anchor::Start, &format!("{low:.1}"));
    svg.words((x + 200.0, y + 28.0), Anchor::End, &format!("{high:.1}"));
}

/// Where a value lies between the least and the greatest.
fn share(value: f64, low: f64, high: f64) -> f64 {
    if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
}

/// From dark blue over green to yellow, growing evenly in lightness, so that it also reads in grey.
fn colour(share: f64) -> String {
    const STOPS: [[f64; 3]; 5] = [
        [68.0, 1.0, 84.0],
        [59.0, 82.0, 139.0],
        [33.0, 145.0, 140.0],
        [94.0, 201.0, 98.0],
        [253.0, 231.0, 37.0],
    ];
    let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let from = (at.floor() as usize).min(STOPS.len() - 2);
    let part = at - from as f64;
    let mix = |i: usize| (STOPS[from][i] + part * (STOPS[from + 1][i] - STOPS[from][i])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_dark_to_light() {
        assert_eq!(colour(0.0), "#440154");
        assert_eq!(colour(1.0), "#fde725");
        assert_eq!(colour(7.0), "#fde725");
    }

    #[test]
    fn every_cell_is_drawn() {
        let names = ["A".to_owned(), "B & C".to_owned()];
        let values = vec![vec![Some(1.0), None], vec![Some(3.0), Some(2.0)]];
        let picture = draw(&HeatMap { title: "Scores", names: &names, values: &values });
        assert!(picture.contains("B &amp; C against A: 3.00"));
        assert!(picture.contains("A against B &amp; C: unknown"));
        let empty = draw(&HeatMap { title: "Nothing", names: &[], values: &[] });
        assert!(empty.ends_with("</svg>\n"));
    }
}
