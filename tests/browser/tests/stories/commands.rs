//! Launch commands in, a form and a map out, and commands again.

use pd_planner_browser_tests::{Page, story};

use crate::ACCEPTED;

const RUNBOOK: &str = "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode prefill \
    --tp 16 --nnodes 2 --node-rank 0 --dist-init-addr H:5000\n\
    python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode prefill \
    --tp 16 --nnodes 2 --node-rank 1 --dist-init-addr H:5000\n\
    python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode decode --tp-size 8";

#[tokio::test]
async fn a_pasted_runbook_fills_the_form_and_comes_back_as_commands() {
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.until_verdict("accepted").await;
        page.click("#paste").await;
        page.paste("paste-text", RUNBOOK).await;
        page.click("#paste-read").await;
        page.until("the merged ranks are named", true, async || {
            page.text("#paste-said").await.contains("node ranks 0, 1 were merged into one server")
        })
        .await;
        page.click("#paste-close").await;
        assert_eq!(page.value("prefill-tp").await, "16");
        assert_eq!(page.value("prefill-nodes").await, "2");
        assert_eq!(page.value("decode-tp").await, "8");
        page.until_verdict("accepted").await;
        page.until("ranks in the map", 24, async || page.count("#map [data-rank]").await).await;

        page.click("#commands summary").await;
        page.until("commands", 4, async || page.count("#commands pre").await).await;
        assert!(page.text("#commands pre").await.contains("--nnodes 2 --node-rank 0"));
        page.back().await;
        page.until("the plan before", 12, async || page.count("#map [data-rank]").await).await;
    })
    .await;
}

#[tokio::test]
async fn a_text_without_commands_says_so_and_changes_nothing() {
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.until_verdict("accepted").await;
        let address = page.address().await;
        page.click("#paste").await;
        page.paste("paste-text", "<b>make me a sandwich</b>").await;
        page.click("#paste-read").await;
        page.until("an explanation", true, async || {
            page.text("#paste-said").await.contains("no command here starts a server")
        })
        .await;
        page.click("#paste-close").await;
        assert_eq!(page.address().await, address);
    })
    .await;
}
