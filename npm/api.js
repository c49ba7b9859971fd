// What the package exports, whichever way its WebAssembly was loaded.

import { check as judge } from "./pd_planner.js";
import { rules } from "./rules.js";

export { commands, compare, draw, link, models, open, parse, text, view } from "./pd_commands.js";
export { releases, version } from "./pd_planner.js";
export { schema } from "./schema.js";
export { rules };

const whys = new Map(rules().map(({ id, why }) => [id, why]));

// What each rule says on why is text that no judging needs: it lies in rules.js alone.
export const check = (plan, options) => {
  const report = judge(plan, options);
  for (const finding of report.findings) finding.why = whys.get(finding.rule);
  return report;
};
