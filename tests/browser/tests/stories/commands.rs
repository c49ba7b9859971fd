//! Launch commands in, a form and a map out, and commands again.

use pd_planner_browser_tests::{Keys, Page, story, story_with_broken_site};

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
async fn printed_commands_are_for_kubernetes_too_and_tell_how_they_differ_from_a_paste() {
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.click("#commands summary").await;
        page.until("views", 2, async || page.count("#commands .choices label:not(.hidden)").await).await;

        page.click("#paste").await;
        page.paste("paste-text", RUNBOOK).await;
        page.click("#paste-read").await;
        page.until("the form", "16".to_owned(), async || page.value("prefill-tp").await).await;
        page.click("#paste-close").await;
        page.click("[value=kubernetes]").await;
        let has_node_1 = async || page.text("#commands").await.contains("- name: prefill-1");
        page.until("a container of each node", true, has_node_1).await;

        page.fill("decode-tp", "4").await;
        page.click("[value=changes]").await;
        let row = "decode\t--tp-size 8\t--tp-size 4\tthe plan was changed";
        page.until("the edit", true, async || page.text("#differences").await.contains(row)).await;
        assert!(page.text("#differences").await.contains("--tp 16\t--tp-size 16\tthe same, spelled in full"));
    })
    .await;
}

#[tokio::test]
async fn another_release_s_changes_are_told_and_taken() {
    story(async |page: &Page| {
        page.open("#/plan?sgl=0.5.21&model=deepseek-ai/DeepSeek-V3&p=tp8.dp8&d=tp8.dp8").await;
        page.click("#upgrade summary").await;
        page.choose("upgrade-to", "0.5.22").await;
        page.until("the flag's new name", true, async || {
            page.text("#upgrade").await.contains("--dp-size 8 --enable-dp-attention\t--attn-dp-size 8")
        })
        .await;
        assert!(page.text("#upgrade-verdict").await.starts_with("0.5.21: accepted"));
        page.click("#upgrade-take").await;
        page.until_address_has("sgl=0.5.22").await;
        page.until("nothing left", true, async || page.text("#upgrade").await.contains("Nothing changes")).await;
    })
    .await;
}

#[tokio::test]
async fn the_flags_of_all_releases_are_a_click_away() {
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.click(".footer a").await;
        page.until("the flag", true, async || page.text("#attentionDp").await.contains("--attn-dp-size, since 0.5.22"))
            .await;
        page.back().await;
        page.until_verdict("accepted").await;
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

const MANIFEST: &str = r#"apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: deepseek-prefill
spec:
  leaderWorkerTemplate:
    size: 2
    workerTemplate:
      spec:
        containers:
          - name: sglang
            command: ["python3", "-m", "sglang.launch_server"]
            args:
              - --model-path
              - deepseek-ai/DeepSeek-V3
              - --disaggregation-mode
              - prefill
              - --tp-size=16
              - --nnodes
              - "2"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: deepseek-decode
spec:
  template:
    spec:
      containers:
        - name: sglang
          command: ["python3", "-m", "sglang.launch_server"]
          args: ["--model-path", "deepseek-ai/DeepSeek-V3", "--disaggregation-mode", "decode", "--tp-size", "8"]
"#;

#[tokio::test]
async fn a_manifest_is_read_from_a_paste_and_from_a_file() {
    let file = std::env::temp_dir().join(format!("pd-planner-{}.yaml", std::process::id()));
    std::fs::write(&file, MANIFEST).expect("a file in the temporary folder");
    story(async |page: &Page| {
        page.open(ACCEPTED).await;
        page.click("#paste").await;
        page.paste("paste-text", MANIFEST).await;
        page.click("#paste-read").await;
        let read =
            async || (page.value("prefill-tp").await, page.value("prefill-nodes").await, page.value("decode-tp").await);
        let whole = ("16".to_owned(), "2".to_owned(), "8".to_owned());
        page.until("the form holds the manifest", whole.clone(), read).await;
        page.press(Keys::Escape).await;

        page.open(ACCEPTED).await;
        page.click("#paste").await;
        let path = file.to_str().expect("a path in Unicode");
        page.find("#paste-files").await.send_keys(path).await.expect("a file that can be chosen");
        page.until("the form holds the file", whole, read).await;
        assert_eq!(page.value("paste-text").await, MANIFEST);
    })
    .await;
    let _ = std::fs::remove_file(&file);
}

#[tokio::test]
async fn where_the_reader_cannot_be_loaded_the_page_says_so_and_works() {
    story_with_broken_site(
        |file| file.contains("pd-commands"),
        async |page: &Page| {
            page.open(ACCEPTED).await;
            page.click("#paste").await;
            page.paste("paste-text", RUNBOOK).await;
            page.click("#paste-read").await;
            let told = async |css: &str| page.text(css).await.contains("could not be loaded");
            page.until("an explanation", true, async || told("#paste-said").await).await;
            page.click("#paste-close").await;
            page.click("#commands summary").await;
            page.until("an explanation", true, async || told("#commands").await).await;
            page.fill("decode-tp", "16").await;
            page.until("ranks in the map", 24, async || page.count("#map [data-rank]").await).await;
        },
    )
    .await;
}
