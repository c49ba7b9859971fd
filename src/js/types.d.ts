// The package's types. A test holds every name in them against the Rust tables.

/** A prefill and a decode server, a model, a release, the traffic. What is left out has its default. */
export interface Plan {
  /** The SGLang release that both sides run; the newest known by default. */
  release?: Release;
  /** A name of the catalogue (`models()`), or a description. */
  model?: string | Model;
  prefill?: Server;
  decode?: Server;
  traffic?: Traffic;
}

export interface Traffic {
  /** The tokens of one request's prompt. */
  promptTokens?: number;
  /** The speed of each GPU's network, in gigabits a second. */
  networkGbps?: number;
}

/** One side as launched. */
export interface Server {
  tp?: number;
  /** Attention data parallelism, inside `tp`. */
  attentionDp?: number;
  /** Data-parallel copies of the whole server, without attention DP. */
  replicas?: number;
  /** Attention context parallelism, inside `tp`. */
  attentionCp?: number;
  pp?: number;
  dcp?: number;
  ep?: number;
  moeDp?: number;
  nodes?: number;
  gpusPerNode?: number;
  gpu?: string | null;
  /** Unset: what the release resolves for the model, or unknown. */
  pageSize?: number | null;
  kvCacheDtype?: string;
  transferBackend?: TransferBackend;
  enablePrefillCp?: boolean;
  cpStrategy?: string | null;
  enableKvCacheSharding?: boolean;
  enableDsaCacheLayerSplit?: boolean;
  allocationPolicy?: AllocationPolicy;
  loadBalanceMethod?: string;
  speculativeAlgorithm?: string | null;
  speculativeNumDraftTokens?: number | null;
  kvLayout?: string | null;
  chunkedPrefillSize?: number | null;
  /** The release that this side runs, if not the plan's. */
  release?: Release | null;
  /** The environment variables that SGLang reads for PD. */
  env?: Record<string, string>;
  /** Flags that have no field here: carried through, and judged where a rule names them. */
  extra?: string[];
}

/** What is known of a model; what depends on a missing fact is unknown. */
export interface Model {
  attention?: Attention | null;
  architecture?: string | null;
  layers?: number | null;
  kvLayers?: number | null;
  kvLayerIds?: number[] | null;
  queryHeads?: number | null;
  kvHeads?: number | null;
  headDim?: number | null;
  vHeadDim?: number | null;
  kvLoraRank?: number | null;
  qkRopeHeadDim?: number | null;
  qkNopeHeadDim?: number | null;
  indexHeadDim?: number | null;
  indexHeads?: number | null;
  indexTopk?: number | null;
  indexLayers?: number | null;
  indexKpool?: number | null;
  compressRatios?: number[] | null;
  swaLayers?: number | null;
  window?: number | null;
  swaPool?: boolean | null;
  swaQueryHeads?: number | null;
  swaKvHeads?: number | null;
  swaHeadDim?: number | null;
  swaVHeadDim?: number | null;
  /** SGLang's wire names of the newest release, in its order. */
  states?: string[] | null;
  linear?: Linear | null;
}

/** Linear-attention layers, and the state that a request holds in each at TP 1. */
export interface Linear {
  kind?: string | null;
  layers?: number | null;
  convKernel?: number | null;
  kHeads?: number | null;
  vHeads?: number | null;
  kHeadDim?: number | null;
  vHeadDim?: number | null;
  heads?: number | null;
  headDim?: number | null;
  stateSize?: number | null;
  groups?: number | null;
  convElemsPerLayer?: number | null;
  ssmElemsPerLayer?: number | null;
  ssmDtype?: string | null;
  convDtype?: string | null;
}

/** A release as SGLang names it, such as `0.5.18`; `releases()` lists them. */
export type Release = string;
export type Attention = "gqa" | "mla" | "hybridMla";
export type TransferBackend = "mooncake" | "nixl" | "ascend" | "fake" | "mori" | "mooncake_tcp";
export type AllocationPolicy = "early" | "prefill_complete";

/** The answer to a plan. A later version may add fields. */
export interface Report {
  /** The plan's worst outcome. */
  verdict: Verdict;
  /** The verdict in one sentence. */
  headline: string;
  /** In the order in which a person would meet them. */
  findings: Finding[];
  prefill: Widths;
  decode: Widths;
  /** What start-up makes of settings, where that is not what the plan says; known from 0.5.15 on. */
  resolved: Edit[];
  /** Null when the handshake rejects, when it was not asked for, and when it is too large to list. */
  map: RankMap | null;
  /** What a request moves over the map; null where that is not counted, or the map was not asked for. */
  payload: Payload | null;
  /** Why it is not counted. */
  uncounted: Uncounted | null;
}

export type Verdict = "accepted" | "acceptedWithWarnings" | "breaksLater" | "rejected" | "unknown";
export type Stage = "launch" | "registration" | "handshake" | "mapping" | "connection" | "transfer" | "routing";
export type Outcome = "rejects" | "fails" | "hangs" | "corrupts" | "warns" | "notes" | "needs";
export type Evidence = "executed" | "read" | "reported";
export type Place = "prefill" | "decode" | "both";

/** One rule's word on a plan. */
export interface Finding {
  /** The rule's id; `rules()` lists them. */
  rule: string;
  stage: Stage;
  side: Place;
  outcome: Outcome;
  error: SglangError | null;
  /** What is wrong, in our words. */
  message: string;
  why: string;
  /** Who sees what, and when. */
  seen: string;
  /** The fields at fault, such as `decode.dcp`. */
  fields: string[];
  fixes: Fix[];
  evidence: Evidence;
  sources: Source[];
}

/** SGLang's own error, to the letter. */
export interface SglangError {
  /** The Python exception. */
  type: string;
  /** Its text, without the tuple or the traceback around it. */
  message: string;
}

/** Edits after which the rule holds. */
export interface Fix {
  title: string;
  edits: Edit[];
}

export interface Edit {
  /** Such as `prefill.attentionCp`. */
  field: string;
  value: Value;
}

/** What stands in one field of a plan. */
export type Value = null | boolean | number | string | string[] | number[] | Record<string, string>;

/** A place in SGLang's source. */
export interface Source {
  repository: string;
  tag: string;
  path: string;
  symbol: string;
  url: string;
}

/** What follows from a server's sizes. */
export interface Widths {
  attentionTp: number;
  attentionCp: number;
  attentionDp: number;
  replicas: number;
  pp: number;
  dcp: number;
  worldSize: number;
  gpus: number;
  nodes: number;
  placement: Placement;
}

/** Which node starts which ranks on which GPUs, as SGLang computes it. */
export interface Placement {
  /** In the order of `--node-rank`. */
  nodes: PlacedNode[];
  /** Ranks of one copy that no node starts. */
  missingRanks: number;
  /** How many GPUs more each node would need. */
  missingGpus: number;
}

/** The first and the last, or nothing. */
export interface PlacedNode {
  ppRanks: number[];
  tpRanks: number[];
  /** Of all replicas. */
  gpus: number[];
}

/** The ranks of one prefill and one decode DP group, and their connections. */
export interface RankMap {
  /** By pipeline stage, then TP rank. */
  decodeRanks: DecodeRank[];
  connections: Connection[];
}

/** One decode rank, with what SGLang stores on `PrefillServerInfo`. */
export interface DecodeRank {
  ppRank: number;
  /** Inside the attention-TP group. */
  tpRank: number;
  targetTpRank: number | null;
  targetTpRanks: number[];
  targetCpRanks: number[];
  targetPpRanks: number[];
  requiredDstInfoNum: number;
  requiredPrefillResponseNum: number;
  /** In SGLang's own order. */
  peers: Peer[];
  /** The text of the look-up that fails. */
  missing: string | null;
}

export interface Peer {
  cp: number;
  tp: number;
  pp: number;
  /** Whether the connection carries no KV. */
  dummy: boolean;
}

export interface Connection {
  prefill: PrefillRank;
  decode: DecodeAt;
  dummy: boolean;
  /** Null for dummies, and where it is not counted. */
  payload: Share | null;
}

export interface PrefillRank {
  pp: number;
  cp: number;
  tp: number;
}

export interface DecodeAt {
  pp: number;
  tp: number;
}

/** What one connection carries. Connections that carry the same share one object. */
export interface Share {
  /** The first layer of the prefill stage, and the one after its last. */
  layers: number[];
  /** How many of them have KV that is sent. */
  kvLayers: number;
  /** Null where the KV is a latent, which is sent whole. */
  kvHeads: KvHeads | null;
  tokens: Tokens;
  /** States beside the KV. */
  states: StateShare[];
  bytes: number;
}

export interface StateShare {
  /** SGLang's name of the state. */
  kind: string;
  bytes: number;
}

/** What one request moves from one prefill to one decode DP group. */
export interface Payload {
  promptTokens: number;
  networkGbps: number;
  /** Its KV and states, once. */
  requestBytes: number;
  /** What the ranks of decode must hold of it, together. */
  neededBytes: number;
  movedBytes: number;
  /** What ranks of decode get more than once. */
  repeatedBytes: number;
  /** What the busiest rank needs at least, at the speed of the network. */
  seconds: number;
  senders: RankBytes[];
  /** Their `cp` is 0. */
  receivers: RankBytes[];
  /** What is assumed, and what is left out. */
  notes: string[];
}

export interface RankBytes {
  pp: number;
  cp: number;
  tp: number;
  bytes: number;
}

/** Why nothing is counted. */
export interface Uncounted {
  reason: string;
  /** The fields that would tell. */
  fields: string[];
}

export interface KvHeads {
  source: number;
  count: number;
  destination: number;
}

export interface Tokens {
  count: number;
  every: number;
  offset: number;
}

export interface CheckOptions {
  /** False leaves the map out; the verdict is the same. */
  map?: boolean | null;
}

export interface DrawOptions {
  /** `auto`, the default, follows the reader's system. */
  theme?: Theme;
}

export interface ParseOptions {
  /** The release that the text is for, unless it names an image of another; default: the newest. */
  release?: Release | null;
  /** Which of a recipe's variants to read, from 0. */
  variant?: number;
}

export interface CommandOptions {
  /** What they are printed for; default: a shell. */
  format?: CommandFormat;
}

/** `kubernetes`: items of a `containers` list. */
export type CommandFormat = "shell" | "kubernetes";

export type Theme = "auto" | "light" | "dark";
export type Format = "markdown" | "mermaid" | "ascii" | "unicode" | "csv" | "json";

/** Something to say about a text that was read as a plan. */
export interface Diagnostic {
  /** The part of the text that it is about. */
  place: string;
  /** The line of the text, from 1, where it is known. */
  line: number | null;
  message: string;
}

/** A plan that was read from a link. */
export interface Opened {
  /** Every field is there; those that the link does not name have their defaults. */
  plan: Plan;
  diagnostics: Diagnostic[];
}

/** A plan that was read from a pasted text. */
export interface Parsed {
  /** Every field is there; those that the text does not name have their defaults. */
  plan: Plan;
  diagnostics: Diagnostic[];
  /** What the text was taken for. */
  format: TextFormat;
  /** The names of its variants, where it has several. */
  variants: string[];
  /** The variant that was read. */
  variant: number;
  /** The plan's address. */
  link: string;
}

export type TextFormat = "commands" | "manifest" | "recipe" | "config" | "python" | "plan" | "link" | "model";

/** Launch commands. Names in capitals are placeholders. */
export interface Commands {
  /** One for each node. */
  prefill: string[];
  /** One for each node. */
  decode: string[];
  /** The router's. */
  router: string;
}

/** An option that one of two commands has and the other has not, or has otherwise. */
export interface Change {
  side: "prefill" | "decode";
  /** The option with its values, or the variable, as it was pasted. */
  pasted: string | null;
  /** As it is printed. */
  printed: string | null;
  why: ChangeWhy;
}

/**
 * `default`: it is SGLang's own value. `placeholder`: a placeholder stands for it, or each node has its own.
 * `spelling`: it is the same, spelled in full. `understood`: it was understood as what other options print.
 * `overruled`: a later one overrules it. `edited`: the plan was changed. `notKept`: by its name it is a
 * secret, or no plan has such a value.
 */
export type ChangeWhy = "default" | "placeholder" | "spelling" | "understood" | "overruled" | "edited" | "notKept";

/** A rule. */
export interface Rule {
  id: string;
  summary: string;
  why: string;
  stage: Stage;
  outcome: Outcome;
  /** The first release that has it, and the first that no longer does. */
  releases: Releases;
  /** The Python exception with which SGLang tells; null when it does not tell. */
  raises: string | null;
  seen: string;
  evidence: Evidence;
  sources: Source[];
  /** The same, in every release that has the rule. */
  places: { path: string; symbol: string; releases: Releases }[];
  /** A plan that breaks it, as a link. */
  breaks: string;
  /** A near neighbour that holds it, as a link. */
  holds: string;
}

export interface Releases {
  from: Release;
  until: Release | null;
}

/** A model of the catalogue. */
export interface KnownModel {
  name: string;
  aliases: string[];
  facts: Model;
  /** Where the facts are from. */
  source: string;
}

/** A part of a plan's page. */
export type Part = "commands" | "upgrade" | "ranks" | "map" | "rank" | "payload" | "matrix" | "export" | "why";

/** A form to take along: a drawing with the plan in it, or a text. */
export type Export = "svg" | "markdown" | "unicode" | "ascii" | "mermaid" | "csv" | "json";

/** How much room a drawing has: a window of ordinary width, or a phone. */
export type Room = "wide" | "narrow";

/** What is shown of launch commands; `changes` needs a paste. */
export type Show = "shell" | "kubernetes" | "changes";

/** What a part's controls say. */
export interface ViewOptions {
  show?: Show;
  /** The release to compare with; the newest, if left out. */
  release?: Release;
  /** The rank that is asked for, by its name in the drawing: `p0.0.3` (stage, CP, TP), `d0.3` (stage, TP). */
  rank?: string;
  /** A text that the table's rows must have. */
  filter?: string;
  /** The number of the column that the table is sorted by, from `1`; else SGLang's order. */
  sort?: string;
  /** The room that the map has. */
  room?: Room;
  /** The form to take along. */
  export?: Export;
  /** The colours of a drawing to take along. */
  theme?: Theme;
  /** The rule whose reasons are asked for. */
  rule?: string;
  /** The text that the plan was read from, to compare its commands with. */
  paste?: string | null;
  /** The release that it was read for. */
  pasteRelease?: Release | null;
  /** Which of its variants. */
  variant?: number;
}

/** JSON Schemas (2020-12). */
export interface Schemas {
  plan: object;
  report: object;
}

/**
 * The verdict on a plan, with its rank map.
 * @throws {Error} when it is no plan; the message names the field.
 */
export function check(plan: Plan, options?: CheckOptions | null): Report;

/**
 * The rank map of a plan as an SVG document.
 * @throws {Error} when it is no plan; the message names the field.
 */
export function draw(plan: Plan, options?: DrawOptions | null): string;

/**
 * The report on a plan as text.
 * @throws {Error} when it is no plan, or the format is not known.
 */
export function text(plan: Plan, format: Format): string;

/**
 * The address of a plan in the planner's page, from the `#` on.
 * @throws {Error} when it is no plan; the message names the field.
 */
export function link(plan: Plan): string;

/** The plan of an address: a whole URL, or the part from `#` on. What cannot be read is a diagnostic. */
export function open(link: string): Opened;

/** The plan of pasted launch commands, a manifest, a recipe or a link. What cannot be read is a diagnostic. */
export function parse(text: string, options?: ParseOptions | null): Parsed;

/**
 * The commands that launch a plan: those of the prefill's and the decode's nodes, and the router's.
 * @throws {Error} when it is no plan; the message names the field.
 */
export function commands(plan: Plan, options?: CommandOptions | null): Commands;

/**
 * What differs between pasted commands and those that are printed for a plan, which may be the one
 * that was read from them or a later one.
 * @throws {Error} when it is no plan; the message names the field.
 */
export function compare(text: string, plan: Plan, options?: ParseOptions | null): Change[];

/**
 * A part of a plan's page as an HTML fragment with its own controls: ask again with a changed
 * control's name and value; `data-copy` copies the `<pre>` beside it, `data-plan` is a link to open.
 * @throws {Error} when it is no plan, or the part or the options are not known.
 */
export function view(plan: Plan, part: Part, options?: ViewOptions | null): string;

/** The rules, in the order in which a person would meet them. */
export function rules(): Rule[];

/** The names of the releases that the planner knows, oldest first. */
export function releases(): Release[];

/** The models that the planner knows. */
export function models(): KnownModel[];

/** The JSON Schemas of plans and reports. */
export function schema(): Schemas;

/** The version of this package. */
export function version(): string;
