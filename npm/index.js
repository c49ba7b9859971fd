// For a page without a bundler: fetches the WebAssembly that lies beside this file.

import initCommands from "./pd_commands.js";
import init from "./pd_planner.js";

const at = (name) => ({ module_or_path: new URL(name, import.meta.url) });

await Promise.all([init(at("./pd_planner_bg.wasm")), initCommands(at("./pd_commands_bg.wasm"))]);

export * from "./api.js";
