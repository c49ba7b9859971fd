//! The machines of a server, beside its ranks: a bar along those that one machine runs.

use super::geometry::Node;
use super::ink::Px;
use crate::planner::plan::Role;
use std::fmt::Write;

/// Neighbours on one machine, or on the same few.
pub struct Machine {
    /// The first and the last, as `--node-rank` numbers them.
    numbers: (u32, u32),
    /// Where the neighbours begin and end.
    y: (f32, f32),
}

/// The least height that has room for a name, written upwards.
const NAMED: f32 = 48.0;

/// The machines that run a column's nodes, whose height is twice `half`.
pub fn machines(nodes: &[Node], half: f32) -> Vec<Machine> {
    let mut found: Vec<Machine> = Vec::new();
    for node in nodes {
        let Some(numbers) = node.machines else { continue };
        match found.last_mut().filter(|machine| machine.numbers == numbers) {
            Some(machine) => machine.y.1 = node.y + half,
            None => found.push(Machine { numbers, y: (node.y - half, node.y + half) }),
        }
    }
    found
}

impl Machine {
    /// Draws it on the outer side of a column.
    pub fn draw(&self, out: &mut String, role: Role, left: f32, width: f32) {
        let ((first, last), (top, bottom)) = (self.numbers, self.y);
        let (bar, text) = match role {
            Role::Prefill => (left - 4.0, left - 11.0),
            Role::Decode => (left + width + 4.0, left + width + 11.0),
        };
        let number = if first == last { first.to_string() } else { format!("{first}–{last}") };
        let (name, upright) = if bottom - top < NAMED { ("", number.len() < 2) } else { ("node ", false) };
        let (x, y) = (Px(text), Px((top + bottom) / 2.0));
        let turn = if upright { String::new() } else { format!(" transform=\"rotate(-90 {x} {y})\"") };
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            "<path class=\"machine\" d=\"M{},{}V{}\"/>\
             <text class=\"small\" x=\"{x}\" y=\"{y}\" dy=\"4\" text-anchor=\"middle\"{turn}>{name}{number}</text>",
            Px(bar),
            Px(top),
            Px(bottom),
        );
    }
}
