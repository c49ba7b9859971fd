// For Node: reads the WebAssembly from the package's folder.

import { readFileSync } from "node:fs";
import { initSync as initCommands } from "./pd_commands.js";
import { initSync } from "./pd_planner.js";

const read = (name) => ({ module: readFileSync(new URL(name, import.meta.url)) });

initSync(read("./pd_planner_bg.wasm"));
initCommands(read("./pd_commands_bg.wasm"));

export * from "./api.js";
