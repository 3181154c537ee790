//! A tree of decisions, from left to right.

use std::fmt::Write;

use crate::board::plain;

/// A node of a drawn tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The text in its box.
    pub words: String,
    pub look: Look,
    /// What hangs on it, with the words at the edge.
    pub children: Vec<(String, TreeNode)>,
}

/// How a node looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A decision of the solver.
    Own,
    /// A decision of the opponent or of chance.
    Other,
    /// The end that was wanted.
    Won,
}

const COLUMN: f64 = 190.0;
const ROW: f64 = 26.0;

/// Draws a tree.
pub fn tree(title: &str, root: &TreeNode) -> String {
    let (width, height) = (COLUMN * depth(root) as f64 + 20.0, ROW * leaves(root) as f64 + 20.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        plain(title)
    );
    draw(&mut text, root, 10.0, 10.0);
    text.push_str("</svg>\n");
    text
}

fn depth(node: &TreeNode) -> usize {
    1 + node.children.iter().map(|(_, child)| depth(child)).max().unwrap_or(0)
}

fn leaves(node: &TreeNode) -> usize {
    node.children.iter().map(|(_, child)| leaves(child)).sum::<usize>().max(1)
}

/// Draws a node with its left upper corner; the height of its middle.
fn draw(text: &mut String, node: &TreeNode, x: f64, y: f64) -> f64 {
    let middle = y + ROW * leaves(node) as f64 / 2.0;
    let mut below = y;
    for (words, child) in &node.children {
        let there = draw(text, child, x + COLUMN, below);
        let (from, to) = (x + 80.0, x + COLUMN);
        let _ = writeln!(
            text,
            "<path d=\"M{from} {middle:.1} C{} {middle:.1} {} {there:.1} {to} {there:.1}\" fill=\"none\" stroke=\"#999\"/>",
            from + 30.0,
            to - 60.0
        );
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\" font-size=\"9\">{}</text>",
            to - 3.0,
            there - 3.0,
            plain(words)
        );
        below += ROW * leaves(child) as f64;
    }
    let fill = match node.look {
        Look::Own => "#dce8f8",
        Look::Other => "#f4e8d8",
        Look::Won => "#d0ecd0",
    };
    let _ = writeln!(
        text,
        "<rect x=\"{x}\" y=\"{:.1}\" width=\"80\" height=\"20\" rx=\"4\" fill=\"{fill}\" stroke=\"#666\"/>\n\
         <text x=\"{}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        middle - 10.0,
        x + 40.0,
        middle + 4.0,
        plain(&node.words)
    );
    middle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_drawn() {
        let leaf = |words: &str| TreeNode { words: words.to_owned(), look: Look::Won, children: Vec::new() };
        let root = TreeNode {
            words: "try Qa4".to_owned(),
            look: Look::Own,
            children: vec![("illegal".to_owned(), leaf("one")), ("mate & more".to_owned(), leaf("two"))],
        };
        let svg = tree("t", &root);
        assert_eq!(svg.matches("<rect x").count(), 3);
        assert_eq!(svg.matches("<path").count(), 2);
        assert!(svg.contains("mate &amp; more"));
    }
}
