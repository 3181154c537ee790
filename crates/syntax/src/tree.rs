//! S-expressions as one flat tree.
//!
//! The nodes stand in the order of the text, and each knows where its own part ends. So a list's items are
//! found by skipping from one to the next, and a tree of any depth is built and dropped without recursion.

use crate::{FileId, Span};

/// The expressions of one file.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) nodes: Vec<SexprNode>,
}

/// One atom or list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SexprNode {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: Kind,
    /// Index of the first node that is not part of this one.
    pub(crate) next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Atom,
    List,
}

/// One expression of a tree: an atom or a list. Small, and freely copied.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'t> {
    tree: &'t Tree<'t>,
    node: u32,
}

/// Expressions that stand side by side.
#[derive(Clone, Debug)]
pub struct Items<'t> {
    tree: &'t Tree<'t>,
    node: u32,
    end: u32,
}

impl<'a> Tree<'a> {
    /// The outermost expressions.
    pub fn items(&self) -> Items<'_> {
        Items { tree: self, node: 0, end: self.nodes.len() as u32 }
    }

    /// The whole file, as a place.
    pub fn span(&self) -> Span {
        Span { file: self.file, start: 0, end: self.text.len() as u32 }
    }
}

impl<'t> Expr<'t> {
    /// Where it stands, parentheses included.
    pub fn span(self) -> Span {
        let node = &self.tree.nodes[self.node as usize];
        Span { file: self.tree.file, start: node.start, end: node.end }
    }

    /// The text of an atom as it was written; `None` for a list.
    pub fn atom(self) -> Option<&'t str> {
        let node = &self.tree.nodes[self.node as usize];
        (node.kind == Kind::Atom).then(|| &self.tree.text[node.start as usize..node.end as usize])
    }

    /// The items of a list; `None` for an atom.
    pub fn list(self) -> Option<Items<'t>> {
        let node = &self.tree.nodes[self.node as usize];
        (node.kind == Kind::List).then_some(Items { tree: self.tree, node: self.node + 1, end: node.next })
    }

    /// The first item of a list if it is an atom, and the items after it.
    pub fn form(self) -> Option<(Expr<'t>, &'t str, Items<'t>)> {
        let mut items = self.list()?;
        let head = items.next()?;
        Some((head, head.atom()?, items))
    }
}

impl<'t> Iterator for Items<'t> {
    type Item = Expr<'t>;

    fn next(&mut self) -> Option<Expr<'t>> {
        if self.node == self.end {
            return None;
        }
        let found = Expr { tree: self.tree, node: self.node };
        self.node = self.tree.nodes[self.node as usize].next;
        Some(found)
    }
}
