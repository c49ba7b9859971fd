//! A pair in, a verdict and a map out.

use pd_planner_browser_tests::{Keys, Page, story};
use serde_json::{Value, json};

use crate::{ACCEPTED, SEED};

#[tokio::test]
async fn the_seed_is_rejected_in_sglangs_own_words_and_its_first_fix_is_accepted() {
    story(async |page: &Page| {
        page.open(SEED).await;
        page.until_verdict("rejected").await;
        assert_eq!(
            page.text("#verdict .sglang-message").await,
            "PD decode DCP currently requires prefill attention CP=1, got 2."
        );
        assert_eq!(
            page.text("#verdict .sglang-error").await,
            "RuntimeError: PD decode DCP currently requires prefill attention CP=1, got 2."
        );
        page.click("#verdict .why summary").await;
        page.until("where SGLang says so", true, async || {
            page.text("#verdict .why").await.contains("CommonKVManager.try_ensure_parallel_info at v0.5.18")
        })
        .await;
        page.find("#map [data-no-map]").await;
        assert_eq!(page.count("#map [data-edge]").await, 0, "connections of a rejected pair");

        page.click("#verdict .fix").await;
        page.until_verdict("accepted").await;
        page.until("decode ranks", 8, async || page.count("#map svg [data-rank^=d]").await).await;
        assert!(page.count("#map svg [data-edge]").await > 0, "an accepted pair has connections");

        page.back().await;
        page.until_verdict("rejected").await;
        page.forward().await;
        page.until_verdict("accepted").await;
    })
    .await;
}

#[tokio::test]
async fn what_is_typed_changes_verdict_and_address_and_a_reload_restores_it() {
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.until_verdict("accepted").await;
        page.fill("prefill-attentionCp", "2").await;
        page.fill("decode-dcp", "4").await;
        page.until_verdict("rejected").await;
        page.until_address_has("cp2").await;
        page.until_address_has("dcp4").await;
        page.choose("release", "0.5.23").await;
        page.until_address_has("0.5.23").await;

        let address = page.address().await;
        page.reload().await;
        page.until_verdict("rejected").await;
        assert_eq!(page.address().await, address);
        assert_eq!(page.value("prefill-attentionCp").await, "2");
        assert_eq!(page.value("decode-dcp").await, "4");
        assert_eq!(page.value("release").await, "0.5.23");
    })
    .await;
}

/// How strongly each connection is drawn, as `prefill index, decode index, opacity`.
const CONNECTIONS: &str = "
    return [...document.querySelectorAll('#map svg [data-edge]')].map(edge => {
        let opacity = Number(getComputedStyle(edge).strokeOpacity);
        for (let at = edge; at && at.id !== 'map'; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
        return [Number(edge.dataset.p), Number(edge.dataset.d), opacity];
    });";

#[tokio::test]
async fn a_rank_in_focus_isolates_its_own_connections_and_escape_clears_that() {
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.until_verdict("accepted").await;
        let connections = async || page.run::<Vec<(i64, i64, f64)>>(CONNECTIONS, Value::Null).await;
        let before = connections().await;
        assert!(before.iter().any(|(_, decode, _)| *decode != 0), "the map has one decode rank only");

        let focus = "document.querySelector(`#map [data-rank='d0.0']`).focus()";
        page.run::<Value>(focus, Value::Null).await;
        page.press(Keys::Enter).await;
        let weakest_own_beats_others = async || {
            let now = connections().await;
            let own = now.iter().filter(|(_, decode, _)| *decode == 0).map(|one| one.2).fold(f64::MAX, f64::min);
            let other = now.iter().filter(|(_, decode, _)| *decode != 0).map(|one| one.2).fold(0.0, f64::max);
            own > other
        };
        page.until("only the connections of d0.0 stand out", true, weakest_own_beats_others).await;
        page.until("the panel speaks", true, async || page.text("#rank-panel").await.contains("node 0, GPU ")).await;

        page.press(Keys::Escape).await;
        page.until("no connection stands out", before, connections).await;
        page.until("the panel is silent", String::new(), async || page.text("#rank-panel").await).await;
    })
    .await;
}

#[tokio::test]
async fn a_value_that_is_none_is_explained_beside_its_field_and_the_last_verdict_stays() {
    const COMPLAINT: &str = "
        const field = document.getElementById(arguments[0]);
        if (field.getAttribute('aria-invalid') !== 'true') return '';
        const ids = (field.getAttribute('aria-errormessage') ?? field.getAttribute('aria-describedby') ?? '').split(' ');
        return ids.map(id => document.getElementById(id)?.innerText ?? '').join(' ').trim();";
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.until_verdict("accepted").await;
        let address = page.address().await;
        let complaint = async || page.run::<String>(COMPLAINT, json!("decode-tp")).await;
        for wrong in ["0", "-1", "abc", "70000", "99999999999999999999", "1e3", "4.5"] {
            page.paste("decode-tp", wrong).await;
            page.until(&format!("{wrong:?} is explained"), true, async || !complaint().await.is_empty()).await;
            assert_eq!(page.value("decode-tp").await, wrong, "what was typed stays to be mended");
            page.until_verdict("accepted").await;
        }
        assert_eq!(page.address().await, address, "a wrong value is no plan to share");
        page.fill("decode-tp", "8").await;
        page.until("no complaint", String::new(), complaint).await;
        page.until_address_has("d=tp8").await;
    })
    .await;
}

#[tokio::test]
async fn a_model_that_the_catalogue_does_not_know_can_be_described() {
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.23&model=Mystery-7B&p=tp8&d=tp8").await;
        page.click("#model-describe").await;
        page.choose("model-attention", "gqa").await;
        page.fill("model-layers", "32").await;
        page.fill("model-kvHeads", "8").await;
        page.fill("model-states", "none").await;
        page.until_address_has("states:").await;
        page.until_verdict("accepted").await;
        assert_eq!(page.value("model-states").await, "none");
        page.reload().await;
        assert_eq!(page.value("model-kvHeads").await, "8");
        page.until_verdict("accepted").await;
    })
    .await;
}

#[tokio::test]
async fn a_pasted_config_json_is_the_model_of_the_servers_at_hand() {
    const CONFIG: &str = r#"{"architectures": ["Qwen3MoeForCausalLM"], "num_hidden_layers": 94,
        "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128}"#;
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.23&p=tp4.pp4.n2&d=tp4").await;
        page.click("#paste").await;
        page.paste("paste-text", CONFIG).await;
        page.click("#paste-read").await;
        page.until("the model", true, async || page.text("#paste-said").await.contains("a model's config.json")).await;
        page.click("#paste-close").await;
        assert_eq!(page.value("prefill-pp").await, "4");
        page.until_verdict("breaksLater").await;
        assert!(page.text("#verdict").await.contains("values of layers 0–93"));
    })
    .await;
}

#[tokio::test]
async fn a_reason_is_that_of_the_finding_in_view() {
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.pp4.n2&d=tp4").await;
        page.click("#verdict .why summary").await;
        let tells = async |text: &str| page.text("#verdict .why").await.contains(text);
        page.until("the reason", true, async || tells("finds the values of a stage's layers").await).await;
        page.go("#/plan?sgl=0.5.21&model=gpt-oss-120b&p=tp1.gpu:H100&d=tp4.gpu:H100").await;
        page.until("another finding", true, async || page.text("#verdict").await.contains("SWA hybrid models")).await;
        page.until("the old reason is gone", false, async || tells("finds the values of a stage's layers").await).await;
        page.click("#verdict .why summary").await;
        page.until("the new reason", true, async || tells("States of sliding windows").await).await;
    })
    .await;
}

#[tokio::test]
async fn what_a_request_moves_is_counted_shown_as_width_and_follows_its_traffic() {
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.23&model=Qwen/Qwen3-8B&p=tp2.pp2&d=tp4").await;
        page.until_verdict("acceptedWithWarnings").await;
        assert_eq!(page.count("#map .w4").await, 0, "nothing is counted before it is asked for");
        page.click("#payload summary").await;
        page.until("the sums", true, async || page.text("#payload-sums").await.contains("604.0 MB")).await;
        page.until("a bar for each side's alike ranks", 3, async || page.count("#payload .bars rect").await).await;
        page.until("edges as wide as their bytes", 8, async || page.count("#map .w4").await).await;

        page.fill("traffic-promptTokens", "8192").await;
        page.press(Keys::Enter).await;
        page.until_address_has("tokens=8192").await;
        page.until("twice as much", true, async || page.text("#payload-sums").await.contains("1.21 GB")).await;
        page.fill("traffic-networkGbps", "100").await;
        page.press(Keys::Enter).await;
        page.until_address_has("gbps=100").await;
        page.until("at that speed", true, async || page.text("#payload").await.contains("at 100 Gb/s")).await;
        page.fill("traffic-networkGbps", "0").await;
        page.press(Keys::Enter).await;
        let complaint = "return document.getElementById('traffic-networkGbps').validationMessage";
        let complains = async || page.run::<String>(complaint, Value::Null).await.contains("from 1 to 65536");
        page.until("no speed of 0", true, complains).await;
        page.until_address_has("gbps=100").await;

        page.run::<Value>("document.querySelector(`#map [data-rank='d0.1']`).focus()", Value::Null).await;
        page.press(Keys::Enter).await;
        page.until("its slices", true, async || page.text("#rank-panel").await.contains("heads 2–3 into 0–1")).await;
        let focused = "return document.activeElement?.dataset?.rank ?? ''";
        assert_eq!(page.run::<String>(focused, Value::Null).await, "d0.1", "the focus stays on the rank");
    })
    .await;
}

#[tokio::test]
async fn map_matrix_and_table_share_the_chosen_rank_and_the_address_keeps_it() {
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.23&model=Qwen/Qwen3-8B&p=tp4&d=tp8&rank=d0.3").await;
        page.until_verdict("acceptedWithWarnings").await;
        page.until("the chosen rank stands out", 1, async || page.count("#map .node.d.on").await).await;
        for part in ["matrix", "ranks"] {
            page.click(&format!("#{part} summary")).await;
            page.until(part, 1, async || page.count(&format!("#{part} tbody tr.on")).await).await;
        }
        assert_eq!(page.count("#matrix td.data").await, 8, "a cell for each connection");

        page.click("#matrix [data-rank='p0.0.0']").await;
        page.until_address_has("&rank=p0.0.0").await;
        page.until("both of its connections", 2, async || page.count("#map .edge.on").await).await;
        page.until("its column", 8, async || page.count("#matrix td.on").await).await;
        page.reload().await;
        page.until("it is chosen again", 1, async || page.count("#map .node.p.on").await).await;

        page.click("#ranks summary").await;
        page.until("all rows", 8, async || page.count("#ranks tbody tr").await).await;
        page.fill("table-filter", "GPU 5").await;
        page.press(Keys::Enter).await;
        page.until("one row", 1, async || page.count("#ranks tbody tr").await).await;
        page.click("#ranks [data-rank='d0.5']").await;
        page.until_address_has("&rank=d0.5").await;
        page.click("#ranks [data-rank='d0.5']").await;
        page.until("a second time clears it", false, async || page.address().await.contains("rank")).await;
    })
    .await;
}

#[tokio::test]
async fn a_plan_goes_out_as_a_drawing_and_comes_back_from_it() {
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp16&d=tp8&tokens=512").await;
        page.until_verdict("acceptedWithWarnings").await;
        page.click("#export summary").await;
        page.until("a picture of it", true, async || page.count("#export img.preview").await == 1).await;
        let loaded = "return document.querySelector('#export img').decode().then(() => true, () => false)";
        assert!(page.run::<bool>(loaded, Value::Null).await, "the drawing is no picture");
        // A picture is made of it, and given to the browser under a name.
        let taken = "
            const made = new Promise(done => {
                HTMLAnchorElement.prototype.click = function () { done(`${this.download} ${this.href.slice(0, 22)}`); };
            });
            document.querySelector('#export [data-scale=\"2\"]').click();
            return made;";
        assert_eq!(page.run::<String>(taken, Value::Null).await, "pd-map.png data:image/png;base64,");

        let drawing: String = page.run("return document.querySelector('#export code').textContent", Value::Null).await;
        for form in ["markdown", "unicode", "ascii", "mermaid", "csv", "json"] {
            page.click(&format!("#export-{form}")).await;
            let is_there = "return document.querySelector('#export a').download + document.querySelector('#export code').textContent.length";
            page.until(form, true, async || page.run::<String>(is_there, Value::Null).await.len() > 8).await;
        }
        page.open("#/plan?p=tp1&d=tp1").await;
        page.click("#paste").await;
        page.paste("paste-text", &drawing).await;
        page.click("#paste-read").await;
        page.until_address_has("p=tp16&d=tp8&tokens=512").await;
    })
    .await;
}
