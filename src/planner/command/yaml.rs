//! YAML and JSON as a tree whose nodes know their lines.
//!
//! Never fails: what stands before a mistake is kept, and the mistake is told with its line.
//! The tree is bounded, in depth, in nodes and in what aliases repeat, so that walking it is
//! cheap whatever was pasted. Tags are not read.

use super::node::{Node, Shape, Style};
use crate::planner::link::Diagnostic;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How deep a node may stand.
const MOST_DEPTH: usize = 64;
/// How many nodes are read, and how much more aliases may repeat.
const MOST_NODES: usize = 20_000;
/// How many marks that separate nodes in flow style are read: the parser looks ahead to the end
/// of a flow before it says anything.
const MOST_MARKS: usize = 30_000;

/// The documents of a text, and what there is to say about it.
pub fn documents(text: &str) -> (Vec<Rc<Node>>, Vec<Diagnostic>) {
    let mut tree = Tree::default();
    for (count, event) in Parser::new_from_str(start_of(text)).enumerate() {
        let taken = match event {
            Ok((_, span)) if count > MOST_NODES => Err((line(&span), "the planner reads no further".to_owned())),
            Ok((event, span)) => tree.take(event, line(&span)),
            Err(error) => Err((error.marker().line(), mistake(&error))),
        };
        if let Err((line, message)) = taken {
            tree.said.push(Diagnostic::at(line, format!("{message}; what stands before it was read")));
            break;
        }
    }
    while tree.close() {}
    (tree.documents, tree.said)
}

/// A text up to the limit of marks; where it is cut, the parser misses what it was to close.
fn start_of(text: &str) -> &str {
    let marks = text.match_indices([',', ':', '[', '{', ']', '}']);
    let end = marks.map(|(at, _)| at).nth(MOST_MARKS).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

fn mistake(error: &ScanError) -> String {
    format!("this is not YAML ({} in column {})", error.info(), error.marker().col().saturating_add(1))
}

fn line(span: &Span) -> usize {
    span.start.line().max(1)
}

#[derive(Default)]
struct Tree {
    documents: Vec<Rc<Node>>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, (Rc<Node>, usize)>,
    /// What aliases have repeated.
    repeated: usize,
    /// Whether an alias repeated too much.
    is_repeating: bool,
    said: Vec<Diagnostic>,
}

/// A list or a mapping that is not closed yet.
struct Open {
    anchor: usize,
    node: Node,
    /// The name whose node comes next.
    name: Option<Rc<Node>>,
    /// Where the names of a mapping stand in it.
    places: BTreeMap<String, usize>,
    /// Mappings that fill in what this one does not name itself (`<<`).
    merged: Vec<Rc<Node>>,
}

impl Tree {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), (usize, String)> {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
                    ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                };
                self.add(Node { line, shape: Shape::Scalar(text.into_owned(), style) }, anchor);
            }
            Event::Alias(anchor) => self.repeat(anchor, line),
            Event::SequenceStart(anchor, _) => return self.open(anchor, Node { line, shape: Shape::List(Vec::new()) }),
            Event::MappingStart(anchor, _) => return self.open(anchor, Node { line, shape: Shape::Map(Vec::new()) }),
            Event::SequenceEnd | Event::MappingEnd => {
                self.close();
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn open(&mut self, anchor: usize, node: Node) -> Result<(), (usize, String)> {
        if self.open.len() >= MOST_DEPTH {
            return Err((node.line, format!("this is nested deeper than {MOST_DEPTH} levels")));
        }
        self.open.push(Open { anchor, node, name: None, places: BTreeMap::new(), merged: Vec::new() });
        Ok(())
    }

    /// Closes the innermost list or mapping; false if none is open.
    fn close(&mut self) -> bool {
        let Some(mut closed) = self.open.pop() else { return false };
        closed.merge();
        self.add(closed.node, closed.anchor);
        true
    }

    fn add(&mut self, node: Node, anchor: usize) {
        let node = Rc::new(node);
        if anchor > 0 {
            let weight = node.weight();
            self.anchors.insert(anchor, (Rc::clone(&node), weight));
        }
        self.place(node);
    }

    fn repeat(&mut self, anchor: usize, line: usize) {
        let (node, weight) = self.anchors.get(&anchor).cloned().unwrap_or_default();
        let repeated = self.repeated.saturating_add(weight);
        if repeated > MOST_NODES {
            if !std::mem::replace(&mut self.is_repeating, true) {
                self.said
                    .push(Diagnostic::at(line, "aliases repeat too much; this one and others were taken as nothing"));
            }
            self.place(Rc::new(Node { line, ..Node::default() }));
        } else {
            self.repeated = repeated;
            self.place(node);
        }
    }

    /// Puts a complete node where it belongs: into the innermost list or mapping.
    fn place(&mut self, node: Rc<Node>) {
        match self.open.last_mut() {
            None => self.documents.push(node),
            Some(open) => open.take(node, &mut self.said),
        }
    }
}

impl Open {
    fn merge(&mut self) {
        let Shape::Map(entries) = &mut self.node.shape else { return };
        for (name, node) in self.merged.iter().flat_map(|mapping| mapping.entries()) {
            if self.places.insert(name.clone(), entries.len()).is_none() {
                entries.push((name.clone(), Rc::clone(node)));
            }
        }
    }

    fn take(&mut self, node: Rc<Node>, said: &mut Vec<Diagnostic>) {
        match &mut self.node.shape {
            Shape::Scalar(..) => {}
            Shape::List(items) => items.push(node),
            Shape::Map(entries) => match self.name.take() {
                None => self.name = Some(node),
                Some(name) => match name.text() {
                    None => said.push(Diagnostic::at(name.line, "a name that is no word was left out")),
                    Some("<<") => self.merged.push(node),
                    Some(text) => match self.places.get(text).and_then(|at| entries.get_mut(*at)) {
                        Some(earlier) => {
                            said.push(Diagnostic::at(
                                name.line,
                                format!("{text} stands here again; the last one counts"),
                            ));
                            earlier.1 = node;
                        }
                        None => {
                            self.places.insert(text.to_owned(), entries.len());
                            entries.push((text.to_owned(), node));
                        }
                    },
                },
            },
        }
    }
}
