// The package as scripts/package has built it.

import { existsSync } from "node:fs";

export const folder = new URL("../../dist/npm/", import.meta.url);

if (!existsSync(new URL("node.js", folder))) {
  throw new Error("dist/npm is not there; to build it: scripts/package npm");
}

export const planner = await import(new URL("node.js", folder));

/** The variable that makes every CP rank take part in transfers. */
export const ALL_CP_RANKS = { SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER: "1" };
