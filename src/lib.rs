//! The PD planner: whether a prefill and a decode server of SGLang fit together.
//!
//! # The house
//!
//! One package, three folders, one arrow: `ui → planner ← js`.
//!
//! | where | what |
//! |---|---|
//! | [`planner`] | pure Rust: no browser, clock, randomness or network; nothing panics |
//! | `js` (features `js`, `commands`) | the functions of the npm package, two WebAssembly files: plain data in and out |
//! | `ui` (feature) | the page, Leptos |
//!
//! # How an answer comes about
//!
//! A [`planner::Plan`] (`plan.rs`, `catalog/`) comes from JSON (`json.rs`), from a link (`link.rs`), from
//! pasted launch commands, manifests and recipes (`command/`, which also prints commands and
//! manifests, and tells how a paste and a printed command differ) or from
//! the form; its servers and quantities are in `server.rs`, `quantity.rs` and `names.rs`. Each server is started
//! ([`planner::startup::Startup`], `startup/`): the launch rules, in SGLang's order, refuse it or
//! change its settings, and what comes out is what the other side will see.
//! [`planner::pair::Pair`] adds what follows from both: widths (`widths.rs`), nodes and GPUs
//! (`placement.rs`), what each release does differently (`behaviour.rs`), the rank mapping in
//! closed form (`mapping.rs`), and what becomes of KV and states on the way (`transfer/`, over
//! `layers.rs` and `heads.rs`). Each rule of the table (`rules/`, one file a rule) looks at the pair
//! and says [`planner::report::Finding`]s; [`planner::check`] puts them into a [`planner::Report`]
//! with a verdict and, where ranks meet, a map (`map.rs`). What a request moves over that map is counted
//! apart from the verdict ([`planner::payload::count`], `payload/`, with sizes from the model's facts), so that
//! who wants a verdict alone carries no code for it. A report has forms: SVG, Mermaid and
//! plain text (`draw/`), Markdown (`text.rs`). [`planner::upgrade`] judges the same plan under another
//! release and tells what changes. What the page unfolds comes as HTML (`view/`);
//! single ranks are put into words in `ranks.rs`.
//!
//! # What holds everywhere
//!
//! * Tables, not branches: releases (`release.rs`), fields (`record.rs`), models (`catalog/`),
//!   rules. Form, links, JSON, schema and types derive from them or are tested against them.
//! * SGLang is the judge: `tests/oracle` holds every answer against what the released wheels'
//!   own code says.
//! * Every input is hostile: a link, JSON, typed text become a plan or a sentence that names the
//!   place, never a panic.

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// The functions of the npm package.
#[cfg(any(feature = "js", feature = "commands"))]
pub mod js;
pub mod planner;
#[cfg(feature = "ui")]
pub mod ui;
