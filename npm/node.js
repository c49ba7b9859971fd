// For Node: reads the WebAssembly from the package's folder.

import { readFileSync } from "node:fs";
import { initSync } from "./pd_planner.js";

initSync({ module: readFileSync(new URL("./pd_planner_bg.wasm", import.meta.url)) });

export * from "./api.js";
