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
  const { shares, of, ...counted } = payload(plan);
  Object.assign(report, counted);
  of.forEach((share, index) => {
    report.map.connections[index].payload = shares[share] ?? null;
  });
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
  Object.assign(report, { payload: null, uncounted: null });
  if (options?.map !== false) count(plan, report);
  return report;
};
