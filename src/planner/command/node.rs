//! A tree of names, lists and words whose nodes know their lines: what YAML, JSON and Python
//! literals have in common.

use std::rc::Rc;

/// A node of a document.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The line where it begins, from 1.
    pub line: usize,
    /// What it is.
    pub shape: Shape,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A word or a text.
    Scalar(String, Style),
    /// Nodes in order.
    List(Vec<Rc<Node>>),
    /// Names and nodes in order; a name that stood twice has its last node.
    Map(Vec<(String, Rc<Node>)>),
}

impl Default for Shape {
    fn default() -> Self {
        Shape::Scalar(String::new(), Style::Plain)
    }
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Bare: it may stand for a number, a truth value or nothing.
    Plain,
    /// In quotes: always text.
    Quoted,
    /// A block of lines, which begins on the line after.
    Block,
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.shape {
            Shape::Scalar(text, _) => Some(text),
            Shape::List(_) | Shape::Map(_) => None,
        }
    }

    /// The text of a bare scalar, which may stand for a number, a truth value or nothing.
    pub fn plain(&self) -> Option<&str> {
        match &self.shape {
            Shape::Scalar(text, Style::Plain) => Some(text),
            Shape::Scalar(..) | Shape::List(_) | Shape::Map(_) => None,
        }
    }

    /// Whether it stands for nothing.
    pub fn is_null(&self) -> bool {
        matches!(self.plain(), Some("" | "~" | "null" | "Null" | "NULL" | "None"))
    }

    /// The truth value that it stands for.
    pub fn truth(&self) -> Option<bool> {
        match self.plain()? {
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => None,
        }
    }

    /// The nodes of a list.
    pub fn items(&self) -> &[Rc<Node>] {
        match &self.shape {
            Shape::List(items) => items,
            Shape::Scalar(..) | Shape::Map(_) => &[],
        }
    }

    /// The names and nodes of a mapping.
    pub fn entries(&self) -> &[(String, Rc<Node>)] {
        match &self.shape {
            Shape::Map(entries) => entries,
            Shape::Scalar(..) | Shape::List(_) => &[],
        }
    }

    /// The node under a path of names.
    pub fn at(&self, path: &[&str]) -> Option<&Rc<Node>> {
        let (first, rest) = path.split_first()?;
        let node = self.entries().iter().find(|(name, _)| name == first).map(|(_, node)| node)?;
        if rest.is_empty() { Some(node) } else { node.at(rest) }
    }

    /// The text under a path of names.
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.text()
    }

    /// The whole number under a path of names.
    pub fn number_at(&self, path: &[&str]) -> Option<u32> {
        self.text_at(path)?.parse().ok()
    }

    /// What an alias of it repeats: nodes, and 16 bytes of text as one more.
    pub fn weight(&self) -> usize {
        let parts: usize = match &self.shape {
            Shape::Scalar(text, _) => text.len().checked_div(16).unwrap_or_default(),
            Shape::List(items) => items.iter().map(|node| node.weight()).fold(0, usize::saturating_add),
            Shape::Map(entries) => entries.iter().map(|(_, node)| node.weight()).fold(0, usize::saturating_add),
        };
        parts.saturating_add(1)
    }
}
