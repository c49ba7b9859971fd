//! Pasted text as a plan: shell commands, manifests, recipes, configuration files, Python's
//! arguments, a plan, a link.
//!
//! Reading never fails: it returns a plan and what it has to say, with the place in the text.
//! Each format only finds words and what stands around them ([`super::start`]); the options are
//! read in one place, whatever the format.

use super::expand::Variables;
use super::format::{Format, Syntax, is_config, of_documents, syntax};
use super::node::Node;
use super::shell::Word;
use super::start::{Around, Gathered, Hint, MOST_SAID, Start};
use super::yaml::documents;
use super::{flags, manifest, model_config, plan_text, python, recipe, script, sides, sweep};
use crate::planner::catalog::ModelName;
use crate::planner::link::{Diagnostic, open};
use crate::planner::plan::{Plan, Role};
use crate::planner::release::Release;
use serde::Serialize;
use std::rc::Rc;

/// The most text that is read.
pub const MOST_BYTES: usize = 1 << 20;

/// What was made of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// The plan; the default where nothing was understood.
    pub plan: Plan,
    /// What there is to say about the text.
    #[serde(rename = "diagnostics")]
    pub said: Vec<Diagnostic>,
    /// What the text was taken to be.
    pub format: Format,
    /// The names of the variants that the text has, where it has several.
    pub variants: Vec<String>,
    /// The variant that was read.
    pub variant: usize,
    /// The words of each side's first command, its variables before them.
    #[serde(skip)]
    pub typed: Vec<(Role, Vec<Word>)>,
}

/// The plan of a pasted text, and what there is to say about it.
pub fn parse(text: &str, release: Release) -> (Plan, Vec<Diagnostic>) {
    let reading = read(text, release);
    (reading.plan, reading.said)
}

/// The plan that a drawing of the planner holds.
fn drawing(text: &str) -> (Plan, Vec<Diagnostic>) {
    let held = text.split_once("<metadata>").and_then(|(_, rest)| rest.split_once("</metadata>"));
    match held {
        Some((link, _)) => {
            let link = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
                .iter()
                .fold(link.to_owned(), |link, (written, meant)| link.replace(written, meant));
            open(&link)
        }
        None => (Plan::default(), vec![Diagnostic::of("text", "this drawing holds no plan of the planner")]),
    }
}

/// Reads a pasted text; of several variants, the first.
pub fn read(text: &str, release: Release) -> Reading {
    read_variant(text, release, 0)
}

/// Reads a variant of a pasted text, by its place among [`Reading::variants`].
pub fn read_variant(text: &str, release: Release, variant: usize) -> Reading {
    let mut reading = nothing(named_release(text).unwrap_or(release), variant);
    if text.len() > MOST_BYTES {
        let text = format!("this is {} bytes; at most {MOST_BYTES} are read", text.len());
        reading.said.push(Diagnostic::of("text", text));
        return reading;
    }
    let mut out = Gathered::default();
    if text.trim_start().starts_with("<svg") {
        let (plan, said) = drawing(text);
        return Reading { plan, said, format: Format::Link, ..reading };
    }
    let unfenced = unfenced(text);
    let text = unfenced.as_deref().unwrap_or(text);
    match syntax(text) {
        Syntax::Link => {
            let (plan, said) = open(text);
            return Reading { plan, said, format: Format::Link, ..reading };
        }
        Syntax::Shell => script::gather(text, 1, Variables::default(), &Around::default(), &mut out),
        Syntax::Python => {
            reading.format = Format::Python;
            python::servers(text, &mut out);
        }
        Syntax::Yaml => {
            let (documents, said) = documents(text);
            out.said = said;
            reading.format = of_documents(&documents);
            if reading.format == Format::Plan {
                return plan_of(&documents, reading, out.said);
            }
            if reading.format == Format::Model {
                return model_of(&documents, reading, out.said);
            }
            gather(&documents, &mut reading, &mut out);
        }
    }
    finish(reading, out)
}

/// What is made of a text in which nothing is understood.
fn nothing(release: Release, variant: usize) -> Reading {
    Reading {
        plan: Plan { release, ..Plan::default() },
        said: Vec::new(),
        format: Format::Commands,
        variants: Vec::new(),
        variant,
        typed: Vec::new(),
    }
}

/// The text inside a Markdown fence that is all around it, its lines where they were.
fn unfenced(text: &str) -> Option<String> {
    let (_, inside) = text.trim_start().strip_prefix("```")?.split_once('\n')?;
    let inside = inside.trim_end().strip_suffix("```").unwrap_or(inside);
    let before = text.strip_suffix(text.trim_start()).unwrap_or_default();
    Some(format!("{before}\n{inside}"))
}

fn plan_of(documents: &[Rc<Node>], mut reading: Reading, mut said: Vec<Diagnostic>) -> Reading {
    if let Some(document) = documents.iter().find(|document| plan_text::is_plan(document)) {
        let (plan, mut problems) = plan_text::plan(document);
        said.append(&mut problems);
        said.extend(plan.problem().map(|problem| Diagnostic::of(&problem.field, problem.message)));
        reading.plan = plan;
    }
    Reading { said, ..reading }
}

/// A plan whose model is the one that a document describes.
fn model_of(documents: &[Rc<Node>], mut reading: Reading, mut said: Vec<Diagnostic>) -> Reading {
    if let Some(document) = documents.iter().find(|document| model_config::is_model_config(document)) {
        let (facts, more) = model_config::facts(document);
        said.extend(more);
        reading.plan.model = ModelName::Described(Box::new(facts));
    }
    Reading { said, ..reading }
}

/// Adds the servers of YAML documents: of one variant, where they are recipes.
fn gather(documents: &[Rc<Node>], reading: &mut Reading, out: &mut Gathered) {
    let mut variants = sweep::variants(documents);
    let is_sweep = !variants.is_empty();
    variants.extend(documents.iter().filter(|document| recipe::is_recipe(document)).flat_map(recipe::variants));
    if let Some((name, chosen)) = variants.get(reading.variant).or(variants.first()) {
        if variants.len() > 1 {
            let text = format!("this recipe has {} variants; {name} was read", variants.len());
            out.say(chosen.line, text);
        }
        if is_sweep {
            sweep::servers(chosen, out)
        } else {
            recipe::servers(chosen, out)
        }
        reading.variants = variants.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty()).collect();
        return;
    }
    for document in documents {
        if reading.format == Format::Config {
            config(document, out);
        } else {
            manifest::objects(document, &Around::default(), out);
        }
    }
}

/// Adds the server of a mapping of options, or those under `prefill` and `decode`.
fn config(document: &Node, out: &mut Gathered) {
    let add = |options: &Node, role: Option<Role>, out: &mut Gathered| {
        let role = role.map(|role| Hint { role, from: format!("\"{role}\""), sets_mode: false });
        let arguments = flags::words(options, out);
        let around = Around { role, ..Around::default() };
        out.add(Start { line: options.line, arguments, around, ..Start::default() });
    };
    let sides = [Role::Prefill, Role::Decode].map(|role| (role, document.at(&[role.word()])));
    if sides.iter().any(|(_, side)| side.is_some_and(|side| is_config(side))) {
        sides.iter().for_each(|(role, side)| side.iter().for_each(|side| add(side, Some(*role), out)));
    } else if is_config(document) {
        add(document, None, out);
    }
}

/// The plan of what was gathered.
fn finish(mut reading: Reading, mut out: Gathered) -> Reading {
    if out.starts.is_empty() {
        let text = "no command here starts a server: neither sglang.launch_server nor sglang serve is in it";
        out.said.push(Diagnostic::of("text", text));
    } else {
        (reading.plan, reading.typed) = sides::plan(&mut out, reading.plan.release);
    }
    out.said.extend(reading.plan.problem().map(|problem| Diagnostic::of(&problem.field, problem.message)));
    if let Some(more) = out.said.len().checked_sub(MOST_SAID).filter(|more| *more > 0) {
        out.said.truncate(MOST_SAID);
        out.said.push(Diagnostic::of("more", format!("there are {more} more things to say of this text")));
    }
    Reading { said: out.said, ..reading }
}

/// The release of an image tag such as `sglang:v0.5.18`.
fn named_release(text: &str) -> Option<Release> {
    let tag = text.split("sglang:").nth(1)?;
    let name: String = tag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
    Release::named(&name)
}
