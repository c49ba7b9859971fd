// What the package exports, whichever way its WebAssembly was loaded.

export { check, draw, link, models, open, releases, rules, text, version } from "./pd_planner.js";
export { schema } from "./schema.js";
