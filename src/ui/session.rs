//! What the page knows: one signal holds the plan, everything else follows from it.

use crate::planner::draw::Room;
use crate::planner::link::Diagnostic;
use crate::planner::pair::Pair;
use crate::planner::plan::Problem;
use crate::planner::report::Fix;
use crate::planner::value::Value;
use crate::planner::{Plan, Report, check, draw};
use crate::ui::reader::{self, Pasted};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The page's state and what is derived from it. Copies share it.
#[derive(Clone, Copy)]
pub struct Session {
    /// The plan that is judged.
    pub plan: RwSignal<Plan>,
    /// What was said of the link or the commands that the plan was read from.
    pub notes: RwSignal<Vec<Diagnostic>>,
    /// The commands that the plan was read from, before later edits of it.
    pub pasted: RwSignal<Option<Pasted>>,
    /// The rank that was chosen.
    pub chosen: RwSignal<Option<String>>,
    /// The rank under the pointer.
    pub pointed: RwSignal<Option<String>>,
    /// How much room the window has.
    pub room: RwSignal<Room>,
    /// Why the plan is none.
    pub problem: Memo<Option<Problem>>,
    /// What the planner says.
    pub report: Memo<Report>,
    /// The drawing; with the bytes of the connections once they are counted.
    pub drawing: Memo<String>,
    /// The field that was edited last: further edits of it make no new step in the history.
    last_edited: StoredValue<Option<String>>,
}

impl Session {
    /// A session with the plan of the address.
    pub fn start() -> Session {
        let (plan, notes) = super::address::read();
        let plan = RwSignal::new(plan);
        let report = Memo::new(move |_| plan.with(check));
        let room = RwSignal::new(room());
        let weighed = weighed(plan, room);
        Session {
            plan,
            notes: RwSignal::new(notes),
            pasted: RwSignal::new(None),
            chosen: RwSignal::new(super::address::chosen()),
            pointed: RwSignal::new(None),
            problem: Memo::new(move |_| plan.with(Plan::problem)),
            report,
            room,
            drawing: Memo::new(move |_| match weighed.get() {
                Some((of, drawing)) if of == (plan.get(), room.get()) => drawing,
                _ => report.with(|report| plan.with(|plan| draw::inline(&Pair::of(plan), report, room.get(), None))),
            }),
            last_edited: StoredValue::new(None),
        }
    }

    /// Writes a value into a field, or says what would fit.
    pub fn edit(self, field: &str, value: &Value) -> Result<(), Problem> {
        let mut plan = self.plan.get_untracked();
        plan.write(field, value)?;
        self.take(plan, Some(field.to_owned()));
        Ok(())
    }

    /// Changes the plan as a whole; a new step in the history.
    pub fn change(self, change: impl FnOnce(&mut Plan)) {
        let mut plan = self.plan.get_untracked();
        change(&mut plan);
        self.take(plan, None);
    }

    /// Applies a fix; the browser's back undoes it.
    pub fn apply(self, fix: &Fix) {
        // A fix that does not fit is excluded by the rules' tests; then nothing changes.
        if let Ok(plan) = fix.apply(&self.plan.get_untracked()) {
            self.take(plan, None);
        }
    }

    /// Chooses a rank, or none; the chosen one a second time is none.
    pub fn choose(self, rank: Option<String>) {
        self.chosen.update(|chosen| *chosen = if *chosen == rank { None } else { rank });
        let write = |plan: &Plan| {
            self.chosen
                .with_untracked(|chosen| super::address::write(plan, chosen.as_deref(), super::address::Step::Same));
        };
        self.plan.with_untracked(write);
    }

    /// Takes the plan of the address, after back, forward or a link.
    pub fn reread(self) {
        let (plan, notes) = super::address::read();
        self.last_edited.set_value(None);
        self.notes.set(notes);
        self.show(plan);
    }

    fn take(self, plan: Plan, field: Option<String>) {
        if plan == self.plan.get_untracked() {
            return;
        }
        let same_field = field.is_some() && self.last_edited.get_value() == field;
        self.last_edited.set_value(field);
        self.notes.set(Vec::new());
        super::address::write(
            &plan,
            None,
            if same_field { super::address::Step::Same } else { super::address::Step::New },
        );
        self.show(plan);
    }

    fn show(self, plan: Plan) {
        self.chosen.set(None);
        self.pointed.set(None);
        self.plan.set(plan);
    }
}

/// The drawing with bytes, and what it is of, as soon as what counts them is there: it comes when a part
/// of the page asks for it.
fn weighed(plan: RwSignal<Plan>, room: RwSignal<Room>) -> RwSignal<Option<((Plan, Room), String)>> {
    let weighed = RwSignal::new(None);
    Effect::new(move |_| {
        if !reader::is_here() {
            return;
        }
        let of = (plan.get(), room.get());
        spawn_local(async move {
            let asked = [("room".to_owned(), of.1.word().to_owned())];
            // Without bytes the map is as right as before.
            if let Ok(drawing) = reader::view(&of.0, "map", &asked, None).await {
                weighed.set(Some((of, drawing)));
            }
        });
    });
    weighed
}

/// How much room the window has for a drawing.
pub fn room() -> Room {
    let width = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(f64::INFINITY);
    if width < 700.0 { Room::Narrow } else { Room::Wide }
}
