//! The page for everyone: keyboard, screen reader, phone, dark and light.

use pd_planner_browser_tests::{Keys, Page, story};
use serde_json::Value;

use crate::{ACCEPTED, SEED};

#[tokio::test]
async fn every_control_has_a_name_for_those_who_cannot_see_it() {
    story(async |page: &Page| {
        page.open(SEED).await;
        let controls = page.controls().await;
        assert!(controls.len() > 20, "only {} controls", controls.len());
        let nameless: Vec<_> = controls.iter().filter(|(_, name)| name.trim().is_empty()).collect();
        assert!(nameless.is_empty(), "controls without a name: {nameless:?}");
    })
    .await;
}

/// Unfolds every part.
const UNFOLD: &str = "document.querySelectorAll('details').forEach(part => part.open = true)";

/// Numbers every control in reading order; tells how many there are.
const NUMBER_CONTROLS: &str = "
    const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
    // Of a group of choices Tab reaches the chosen one, arrow keys the others.
    const stops = one => one.tabIndex >= 0 && !one.disabled && !one.matches('[type=radio]:not(:checked)');
    const reached = [...all].filter(one => stops(one) && one.getClientRects().length);
    reached.forEach((one, at) => one.dataset.at = at);
    return reached.length;";

/// The number of the control in focus, whether it or what is close around it looks different without
/// the focus, and its markup.
const FOCUS: &str = "return (async () => {
    const focused = document.activeElement;
    const near = [focused, focused.firstElementChild, focused.parentElement, focused.parentElement?.parentElement];
    const looks = async () => {
        await new Promise(requestAnimationFrame);
        return near.filter(Boolean).map(one => {
            const style = getComputedStyle(one);
            return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.stroke, style.strokeWidth].join();
        }).join();
    };
    const marked = await looks();
    focused.blur();
    const plain = await looks();
    focused.focus();
    return [Number(focused.dataset.at ?? -1), marked !== plain, focused.outerHTML.slice(0, 120)];
})()";

#[tokio::test]
async fn the_tab_key_reaches_every_control_in_order_and_shows_where_it_is() {
    story(async |page: &Page| {
        page.open(SEED).await;
        page.run::<Value>(UNFOLD, Value::Null).await;
        for part in ["#payload input", "#commands pre", "#upgrade select", "#ranks p"] {
            page.until(part, true, async || page.count(part).await > 0).await;
        }
        let count: i64 = page.run(NUMBER_CONTROLS, Value::Null).await;
        let mut reached = Vec::new();
        // A browser also stops where there is something to scroll, which is no control.
        for _ in 0..count + 10 {
            page.press(Keys::Tab).await;
            let (at, shown, what): (i64, bool, String) = page.run(FOCUS, Value::Null).await;
            if at >= 0 {
                assert!(shown, "the focus cannot be seen on {what}");
                reached.push(at);
            }
            if reached.len() == usize::try_from(count).expect("a count") {
                break;
            }
        }
        assert_eq!(reached, (0..count).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test]
async fn a_plan_is_made_and_mended_with_the_keyboard_alone() {
    story(async |page: &Page| {
        page.open(SEED).await;
        page.until_verdict("rejected").await;
        for _ in 0..80 {
            page.press(Keys::Tab).await;
            if page.run("return document.activeElement.matches('#verdict .fix')", Value::Null).await {
                break;
            }
        }
        page.press(Keys::Enter).await;
        page.until_verdict("accepted").await;
    })
    .await;
}

#[tokio::test]
async fn on_a_phone_nothing_scrolls_sideways_and_the_verdict_comes_before_the_form() {
    const SIDEWAYS: &str = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    const VERDICT_IS_FIRST: &str = "
        const top = id => document.getElementById(id).getBoundingClientRect().top;
        const field = document.getElementById('prefill-tp');
        return !field.checkVisibility() || top('verdict') < top('prefill-tp');";
    let plans = [
        SEED,
        ACCEPTED,
        "#/plan?sgl=0.5.23&model=deepseek-ai/DeepSeek-V3&p=tp64.dp8&d=tp32.dp4",
        "#/plan?sgl=9.9.9-a-release-that-nobody-knows-and-whose-name-is-very-long&p=tp8.warp9&d=tp4",
    ];
    story(async |page: &Page| {
        for width in [320, 390] {
            page.resize(width, 844).await;
            for plan in plans {
                page.open(plan).await;
                let over = async || page.run::<i64>(SIDEWAYS, Value::Null).await;
                page.until(&format!("pixels beyond {width} with {plan}"), 0, over).await;
                let first: bool = page.run(VERDICT_IS_FIRST, Value::Null).await;
                assert!(first, "at {width} pixels the form stands before the verdict of {plan}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn the_page_follows_the_system_to_dark_and_light_and_can_be_set() {
    const BRIGHTNESS: &str = "
        const channels = getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number);
        return channels.reduce((sum, one) => sum + one, 0) / 3";
    story(async |page: &Page| {
        let is_dark = async || page.run::<f64>(BRIGHTNESS, Value::Null).await < 128.0;
        page.prefer("light").await;
        page.open(ACCEPTED).await;
        page.until("dark", false, is_dark).await;
        page.prefer("dark").await;
        page.until("dark", true, is_dark).await;

        for _ in 0..3 {
            if !is_dark().await {
                break;
            }
            page.click("#theme").await;
        }
        page.until("dark, though set to light", false, is_dark).await;
        page.reload().await;
        page.until("dark, though set to light before the reload", false, is_dark).await;
    })
    .await;
}

/// What keeps people out of the page as it stands, by rule, with the elements at fault.
const BARRIERS: &str = "return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(one => `${one.id}: ${one.nodes.map(node => node.target.join(' ')).slice(0, 4).join(', ')}`))";

#[tokio::test]
async fn nothing_keeps_anybody_out_of_any_view_light_or_dark() {
    let script = std::env::var("PD_AXE").expect("scripts/test says where axe-core is, in PD_AXE");
    let axe = std::fs::read_to_string(script).expect("axe-core");
    story(async |page: &Page| {
        let broken = "#/plan?sgl=0.5.23&model=Qwen/Qwen3-235B-A22B&p=tp4.pp4.n2&d=tp4";
        for address in [SEED, ACCEPTED, broken] {
            for scheme in ["light", "dark"] {
                page.prefer(scheme).await;
                page.open(address).await;
                page.reload().await;
                page.run::<Value>(UNFOLD, Value::Null).await;
                for part in
                    ["#payload input", "#commands pre", "#export pre", "#upgrade select", "#ranks p, #ranks table"]
                {
                    page.until(part, true, async || page.count(part).await > 0).await;
                }
                page.run::<Value>(&format!("{axe}; return null"), Value::Null).await;
                let barriers: Vec<String> = page.run(BARRIERS, Value::Null).await;
                assert!(barriers.is_empty(), "{address}, {scheme}: {barriers:#?}");
            }
        }
    })
    .await;
}
