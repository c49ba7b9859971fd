//! The page.

fn main() {
    pd_planner::ui::mount();
}
