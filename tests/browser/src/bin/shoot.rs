//! Takes the pictures in `docs/screenshots/`: each kind of verdict, in light and dark, wide and narrow.
//!
//! `scripts/package`, then `cargo run --manifest-path tests/browser/Cargo.toml --bin shoot`.

use std::fs;
use std::path::Path;

use pd_planner_browser_tests::{Page, story};

/// A name, the verdict, the plan; of what is moved the part is opened and a rank chosen.
const PLANS: [(&str, &str, &str); 4] = [
    ("accepted", "accepted", "#/plan?sgl=0.5.23&model=deepseek-ai/DeepSeek-V3&p=tp8&d=tp4"),
    ("rejected", "rejected", "#/plan?sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8"),
    ("breaks-later", "breaksLater", "#/plan?sgl=0.5.23&model=Qwen/Qwen3-235B-A22B&p=tp4.pp4.n2&d=tp4"),
    (
        "moves",
        "acceptedWithWarnings",
        "#/plan?sgl=0.5.23&model=Qwen3-Next&p=tp4.pp2.page64.via:nixl&d=tp2.page64.via:nixl",
    ),
];
const SIZES: [(u32, u32); 2] = [(1440, 900), (390, 844)];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/screenshots");
    fs::create_dir_all(&folder).expect("a folder for the pictures");
    story(async |page: &Page| {
        for (name, verdict, address) in PLANS {
            for scheme in ["light", "dark"] {
                for (width, height) in SIZES {
                    page.prefer(scheme).await;
                    page.resize(width, height).await;
                    page.open(address).await;
                    page.until_verdict(verdict).await;
                    if name == "moves" {
                        page.click("#payload summary").await;
                        page.until("the bars", true, async || page.count("#payload .bars").await == 2).await;
                        page.click("#map [data-rank='d0.1']").await;
                        page.until("its slices", true, async || page.count("#rank-panel li").await > 0).await;
                    }
                    page.picture(&folder.join(format!("{name}-{scheme}-{width}.png"))).await;
                }
            }
        }
    })
    .await;
}
