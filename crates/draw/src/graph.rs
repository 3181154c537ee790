//! A directed graph from left to right: what leads where, and what leads back.

use std::fmt::Write;

use crate::board::plain;
use crate::tree::Look;

/// A node of a drawn graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Lines of text in it.
    pub lines: Vec<String>,
    pub look: Look,
}

/// An edge between nodes, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    pub from: usize,
    pub to: usize,
}

const COLUMN: f64 = 230.0;
const BOX: f64 = 170.0;
const LINE: f64 = 12.0;
const GAP: f64 = 18.0;

/// Draws a graph. Nodes stand in columns by their distance from the first one; edges that lead to the same or an earlier
/// column are the ones that can close a cycle, and are drawn in another colour, below the others.
pub fn graph(title: &str, nodes: &[GraphNode], edges: &[GraphEdge]) -> String {
    let column = columns(nodes.len(), edges);
    let many = column.iter().max().map_or(0, |most| most + 1);
    let height = |node: &GraphNode| LINE * node.lines.len().max(1) as f64 + 8.0;
    let mut next = vec![30.0; many];
    let mut place = Vec::new();
    for (node, &column) in nodes.iter().zip(&column) {
        place.push((10.0 + COLUMN * column as f64, next[column]));
        next[column] += height(node) + GAP;
    }
    let (width, tall) =
        (COLUMN * many as f64 + 10.0, next.iter().fold(60.0, |most: f64, &own| most.max(own)) + 20.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{tall:.0}\" \
         viewBox=\"0 0 {width:.0} {tall:.0}\" font-family=\"sans-serif\" font-size=\"9\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"10\" y=\"16\" font-size=\"12\">{}</text>\n",
        plain(title),
        plain(title)
    );
    for &GraphEdge { from, to } in edges {
        let (start, end) = (place[from], place[to]);
        let (from_y, to_y) = (start.1 + height(&nodes[from]) / 2.0, end.1 + height(&nodes[to]) / 2.0);
        let is_back = column[to] <= column[from];
        let (colour, path) = if from == to {
            let (x, y) = (start.0 + BOX, start.1 + height(&nodes[from]) - 4.0);
            ("#c0392b", format!("M{x:.1} {y:.1} c28 0 28 18 -18 {:.1}", GAP / 2.0))
        } else if is_back {
            let low = from_y.max(to_y) + 30.0;
            let (from_x, to_x) = (start.0 + BOX, end.0);
            (
                "#c0392b",
                format!(
                    "M{from_x:.1} {from_y:.1} C{:.1} {low:.1} {:.1} {low:.1} {to_x:.1} {to_y:.1}",
                    from_x + 40.0,
                    to_x - 40.0
                ),
            )
        } else {
            let (from_x, to_x) = (start.0 + BOX, end.0);
            (
                "#888",
                format!(
                    "M{from_x:.1} {from_y:.1} C{:.1} {from_y:.1} {:.1} {to_y:.1} {to_x:.1} {to_y:.1}",
                    from_x + 30.0,
                    to_x - 30.0
                ),
            )
        };
        let _ = writeln!(text, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"/>");
        let _ = writeln!(text, "<circle cx=\"{:.1}\" cy=\"{to_y:.1}\" r=\"2\" fill=\"{colour}\"/>", end.0);
    }
    for (node, &(x, y)) in nodes.iter().zip(&place) {
        let (fill, border) = match node.look {
            Look::Own => ("#dce8f8", "#7a94b8"),
            Look::Other => ("#f4e8d8", "#b89a7a"),
            Look::Won => ("#d0ecd0", "#3a8a3a"),
        };
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{BOX}\" height=\"{:.1}\" rx=\"4\" fill=\"{fill}\" stroke=\"{border}\"/>",
            height(node)
        );
        for (line, number) in node.lines.iter().zip(1..) {
            let y = y + LINE * f64::from(number);
            let _ = writeln!(text, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", x + 5.0, plain(line));
        }
    }
    text.push_str("</svg>\n");
    text
}

/// The distance of each node from the first; nodes that cannot be reached stand with it.
fn columns(count: usize, edges: &[GraphEdge]) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    edges.iter().for_each(|edge| next[edge.from].push(edge.to));
    let mut column: Vec<Option<usize>> = vec![None; count];
    let mut open: Vec<usize> = (0..count.min(1)).collect();
    open.iter().for_each(|&first| column[first] = Some(0));
    let mut at = 0;
    while at < open.len() {
        let node = open[at];
        at += 1;
        for &to in &next[node] {
            if column[to].is_none() {
                column[to] = column[node].map(|own| own + 1);
                open.push(to);
            }
        }
    }
    column.into_iter().map(Option::unwrap_or_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(word: &str, look: Look) -> GraphNode {
        GraphNode { lines: vec![word.to_owned()], look }
    }

    #[test]
    fn what_leads_back_has_another_colour() {
        let nodes = [node("a", Look::Own), node("b <", Look::Own), node("goal", Look::Won)];
        let edge = |from, to| GraphEdge { from, to };
        let forward = graph("t", &nodes, &[edge(0, 1), edge(1, 2)]);
        assert!(!forward.contains("#c0392b") && forward.contains("b &lt;"));
        for back in [edge(1, 0), edge(1, 1)] {
            let cyclic = graph("t", &nodes, &[edge(0, 1), back, edge(1, 2)]);
            assert_eq!(cyclic.matches("stroke=\"#c0392b\"").count(), 1);
        }
        assert_eq!(columns(3, &[edge(0, 1), edge(1, 2), edge(2, 0)]), [0, 1, 2]);
        assert!(graph("nothing", &[], &[]).ends_with("</svg>\n"));
    }
}
