// Times the npm package on the plans that SGLang was timed on, and prints both.
//
//   node planner.mjs RELEASE plans.jsonl sglang.json judge.cjs
//
// SGLang's time is that of a whole pair: every rank registers, every decode rank's handshake and
// look-ups. The planner's is that of a report with its map: its own work in WebAssembly (Rust
// objects in, Rust objects out, as SGLang's are Python's), and through the npm package, where
// plan and report cross to JavaScript.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { check } from "../dist/npm/node.js";

const [release, plansFile, sglangFile, judgeFile] = process.argv.slice(2);
const { judge } = createRequire(import.meta.url)(judgeFile);
const plans = readFileSync(plansFile, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const sglang = JSON.parse(readFileSync(sglangFile, "utf8"));

const ALL_CP_RANKS = { SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER: "1" };
const LLAMA = "meta-llama/Llama-3.1-70B-Instruct";
const LARGEST = [
  ["TP 2048 to TP 2048", { prefill: { tp: 2048 }, decode: { tp: 2048 } }],
  ["TP 2048 to TP 2048 of attention DP 2", { prefill: { tp: 2048 }, decode: { tp: 2048, attentionDp: 2 } }],
  ["TP 2048 of attention DP 2 to TP 2048", { prefill: { tp: 2048, attentionDp: 2 }, decode: { tp: 2048 } }],
  ["the same, heads (Llama 3.1 70B)", { model: LLAMA, prefill: { tp: 2048, attentionDp: 2 }, decode: { tp: 2048 } }],
  ["16 stages of TP 128, both", { prefill: { tp: 128, pp: 16 }, decode: { tp: 128, pp: 16 } }],
  ["16 stages of TP 128 to TP 2048", { prefill: { tp: 128, pp: 16 }, decode: { tp: 2048 } }],
  [
    "TP 2048 of CP 16, all CP ranks, to TP 2048",
    { prefill: { tp: 2048, attentionCp: 16, env: ALL_CP_RANKS }, decode: { tp: 2048, env: ALL_CP_RANKS } },
  ],
];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Median milliseconds of a call. */
const time = (call, runs) => {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
  return median(times);
};

const duration = (milliseconds) =>
  (milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} µs` : `${milliseconds.toFixed(2)} ms`).padStart(10);

const ROUNDS = 200;
const timed = plans.map(({ group, plan }, place) => {
  const asked = { ...plan, release };
  for (let warm = 0; warm < 3; warm++) check(asked);
  const once = time(() => judge(asked, 1), 5);
  const rounds = Math.max(2, Math.min(ROUNDS, Math.ceil(20 / once)));
  return {
    group,
    sglang: sglang.times[place].pair * 1000,
    alone: time(() => judge(asked, rounds), 5) / rounds,
    npm: time(() => check(asked), 15),
  };
});

console.log(`SGLang ${release} in ${sglang.python}; the planner, WebAssembly in Node ${process.versions.node}; same plans, one run`);
console.log("\n    SGLang    planner     ratio    via npm     ratio  median a plan");
const ratio = (theirs, ours) => `${(theirs / ours).toFixed(0)}×`.padStart(9);
for (const group of new Set(timed.map((one) => one.group))) {
  const own = timed.filter((one) => one.group === group);
  const [theirs, alone, npm] = ["sglang", "alone", "npm"].map((name) => median(own.map((one) => one[name])));
  const title = own.length > 1 ? `${own.length} ${group} pairs` : group;
  console.log(`${duration(theirs)} ${duration(alone)} ${ratio(theirs, alone)} ${duration(npm)} ${ratio(theirs, npm)}  ${title}`);
}

const asked = plans.filter(({ group }) => group === "random").map(({ plan }) => ({ ...plan, release }));
const pass = time(() => asked.forEach((plan) => check(plan, { map: false })), 100);
const rate = (asked.length / pass) * 1000;
console.log(`\nverdicts alone: ${Math.round(rate).toLocaleString("en-US")} pairs a second`);

console.log("\n2,048 + 2,048 ranks, the report with its map and what travels over it\n    median   without that     connections");
for (const [title, plan] of LARGEST) {
  const { map, verdict } = check(plan);
  const connections = (map?.connections.length ?? 0).toLocaleString("en-US").padStart(9);
  const [whole, verdictAlone] = [{}, { map: false }].map((options) => duration(time(() => check(plan, options), 21)));
  console.log(`${whole}     ${verdictAlone}      ${connections}  ${title}: ${verdict}`);
}
