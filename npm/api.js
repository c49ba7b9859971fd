// What the package exports, whichever way its WebAssembly was loaded.

import { check as judge, releases } from "./pd_planner.js";
import { payload } from "./pd_commands.js";
import { rules } from "./rules.js";

export { commands, compare, draw, link, models, open, parse, text, view } from "./pd_commands.js";
export { releases, version } from "./pd_planner.js";
export { schema } from "./schema.js";
export { rules };

const known = new Map(rules().map((rule) => [rule.id, rule]));
// The WebAssembly is there only once this module has been read.
let order;
const place = (release) => (order ??= new Map(releases().map((name, at) => [name, at]))).get(release);
const repository = "sgl-project/sglang";

// The release that a finding is about: of the side that it names; of what travels, prefill's.
const releaseOf = (plan, { side, stage }) => {
  const server = side === "prefill" || stage === "transfer" ? plan.prefill : plan.decode;
  return server?.release ?? plan.release ?? releases().at(-1);
};

const linked = (release, { path, symbol }) => {
  const tag = `v${release}`;
  return { repository, tag, path, symbol, url: `https://github.com/${repository}/blob/${tag}/${path}` };
};

// What travels no verdict needs: the other WebAssembly counts it.
const count = (plan, report) => {
  const counted = payload(plan);
  report.payload = counted.payload;
  report.uncounted = counted.uncounted;
  if (report.payload === null) return;
  counted.of.forEach((share, index) => {
    report.map.connections[index].payload = counted.shares[share] ?? null;
  });
  report.payload.senders = ranks(counted.senders);
  report.payload.receivers = ranks(counted.receivers);
};

const ranks = (numbers) =>
  Array.from({ length: numbers.length / 4 }, (_, index) => {
    const [pp, cp, tp, bytes] = numbers.subarray(4 * index, 4 * index + 4);
    return { pp, cp, tp, bytes };
  });

// Numbers cross from WebAssembly at once, objects one by one.
const unpacked = ({ numbers, missing }) => {
  let at = 0;
  const next = () => numbers[at++];
  const list = (one) => {
    const items = new Array(next());
    for (let index = 0; index < items.length; index++) items[index] = one();
    return items;
  };
  const decodeRanks = [];
  const connections = [];
  while (at < numbers.length) {
    const [ppRank, tpRank, target] = [next(), next(), next()];
    const rank = {
      ppRank,
      tpRank,
      targetTpRank: target === 0xffffffff ? null : target,
      targetTpRanks: list(next),
      targetCpRanks: list(next),
      targetPpRanks: list(next),
      requiredDstInfoNum: next(),
      requiredPrefillResponseNum: next(),
      peers: list(() => ({ cp: next(), tp: next(), pp: next(), dummy: next() === 1 })),
      missing: null,
    };
    const decode = { pp: ppRank, tp: tpRank };
    for (const { cp, tp, pp, dummy } of rank.peers) connections.push({ prefill: { pp, cp, tp }, decode, dummy, payload: null });
    decodeRanks.push(rank);
  }
  for (const [place, text] of missing) decodeRanks[place].missing = text;
  return { decodeRanks, connections };
};

// What each rule says on why, and where SGLang says so, no judging needs: it lies in rules.js alone.
export const check = (plan, options) => {
  const report = judge(plan, options);
  for (const finding of report.findings) {
    const { why, places } = known.get(finding.rule);
    const release = releaseOf(plan, finding);
    const has = ({ from, until }) => place(from) <= place(release) && (until === null || place(release) < place(until));
    finding.why = why;
    finding.sources = places.filter(({ releases }) => has(releases)).map((one) => linked(release, one));
  }
  if (report.map !== null) report.map = unpacked(report.map);
  Object.assign(report, { payload: null, uncounted: null });
  if (options?.map !== false) count(plan, report);
  return report;
};
