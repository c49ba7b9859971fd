//! Links from strangers, hosts that lack a file, and nothing sent anywhere.

use pd_planner_browser_tests::{Page, story, story_with_broken_site};
use serde_json::{Value, json};

use crate::{ACCEPTED, SEED};

#[tokio::test]
async fn a_broken_or_foreign_link_explains_itself_and_the_page_still_works() {
    let links = [
        ("#/plan?sgl=9.9.9&p=tp8&d=tp4", "9.9.9"),
        ("#/plan?v=99&p=tp8&d=tp4", "99"),
        ("#/plan?p=tp8.warp9&d=tp4", "warp9"),
        ("#/plan?p=tp0&d=tp4", "tp0"),
        ("#/plan?p=tp99999999999999999999&d=tp4", "tp99999999999999999999"),
        ("#/plan?colour=blue", "colour"),
        ("#/nowhere?p=tp8", "nowhere"),
        ("#/plan?model=%ff%zz", "model"),
        ("#%F0%9F%92%A9", ""),
        ("#/plan?p=....&d=:::&&&===", ""),
    ];
    story(async |page: &Page| {
        for (link, named) in links {
            page.open(link).await;
            let told = async || page.text("#link-notes").await;
            let names_it = async || told().await.to_lowercase().contains(named) && !told().await.is_empty();
            page.until(&format!("a note that names {named:?} of {link}"), true, names_it).await;
        }
        page.fill("prefill-tp", "8").await;
        page.fill("decode-tp", "4").await;
        page.until_address_has("p=tp8").await;
        page.until("the note is gone", String::new(), async || page.text("#link-notes").await).await;
    })
    .await;
}

#[tokio::test]
async fn nothing_is_requested_after_the_page_has_loaded_but_what_reads_commands() {
    story(async |page: &Page| {
        page.open(SEED).await;
        page.until_verdict("rejected").await;
        // A browser asks for a page's icon late, and no part of the page has a say in that.
        let of_the_page =
            |requests: Vec<String>| requests.into_iter().filter(|path| !path.ends_with(".svg")).collect::<Vec<_>>();
        let loaded = of_the_page(page.requests());
        assert!(loaded.iter().all(|path| path.starts_with("/some/where/")), "outside of its folder: {loaded:?}");

        page.click("#verdict .fix").await;
        page.fill("prefill-tp", "16").await;
        page.fill("decode-pp", "2").await;
        page.choose("release", "0.5.12").await;
        page.click("#theme").await;
        page.open(ACCEPTED).await;
        page.back().await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        assert_eq!(of_the_page(page.requests()), loaded);

        // What reads pasted commands comes when the dialog opens, before there is a text to read.
        page.click("#paste").await;
        let late = async || of_the_page(page.requests()).split_off(loaded.len());
        page.until("the reader's two files", 2, async || late().await.len()).await;
        page.paste("paste-text", "sglang serve --model-path secret --tp 8").await;
        page.click("#paste-read").await;
        page.until("it is read", true, async || page.text("#paste-said").await.contains("Read as")).await;
        page.click("#paste-close").await;
        page.click("#commands summary").await;
        page.until("the commands", true, async || page.count("#commands pre").await > 0).await;
        let late = late().await;
        assert!(late.len() == 2 && late.iter().all(|path| path.starts_with("/some/where/pd-commands-")), "{late:?}");
        let foreign: Vec<String> = page
            .run(
                "return performance.getEntriesByType('resource').map(one => one.name)
                    .filter(name => !name.startsWith(location.origin + '/some/where/'))",
                Value::Null,
            )
            .await;
        assert_eq!(foreign, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn markup_in_a_link_is_shown_as_text() {
    let names = ["<script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "\"><svg onload=window.hit=1>"];
    story(async |page: &Page| {
        for name in names {
            let name: String = page.run("return encodeURIComponent(arguments[0])", json!(name)).await;
            page.open(&format!("#/plan?sgl=0.5.18&model={name}&p=tp8&d=tp4")).await;
            page.open(&format!("#/plan?sgl={name}&{name}={name}&p={name}&d=kvdtype:{name}.gpu:{name}")).await;
            page.reload().await;
            assert!(page.run::<bool>("return window.hit === undefined", Value::Null).await, "{name} ran");
            let injected = page
                .count(
                    "#verdict img, #verdict script, #link-notes img, #link-notes script, #map img, [onload], [onerror]",
                )
                .await;
            assert_eq!(injected, 0, "{name} became an element");
        }
        page.open("#/plan?sgl=0.5.18&model=<b>bold</b>&p=tp8&d=tp4").await;
        let told = async || page.text("body").await.contains("<b>bold</b>");
        page.until("the model's name, as it is", true, told).await;
    })
    .await;
}

#[tokio::test]
async fn a_page_that_cannot_start_says_why() {
    let parts: [fn(&str) -> bool; 2] =
        [|path| path.ends_with(".wasm"), |path| path.ends_with(".js") && !path.contains("boot")];
    for missing in parts {
        story_with_broken_site(missing, async |page: &Page| {
            page.go("").await;
            let told = async || page.text("#boot").await.contains("could not start");
            page.until("an explanation", true, told).await;
        })
        .await;
    }
}
