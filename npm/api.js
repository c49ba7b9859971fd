// What the package exports, whichever way its WebAssembly was loaded.

export { check, commands, draw, link, models, open, parse, releases, rules, text, version } from "./pd_planner.js";
export { schema } from "./schema.js";
