// For a page without a bundler: fetches the WebAssembly that lies beside this file.

import init from "./pd_planner.js";

await init({ module_or_path: new URL("./pd_planner_bg.wasm", import.meta.url) });

export * from "./api.js";
