// For bundlers: the WebAssembly is part of the JavaScript. Bundlers disagree on how other files
// come along and on whether a module may wait; what is inside a module always comes along.

import { initSync as initCommands } from "./pd_commands.js";
import { initSync } from "./pd_planner.js";
import { pd_commands, pd_planner } from "./wasm.js";

const decoded = (base64) => ({ module: Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)) });

initSync(decoded(pd_planner));
initCommands(decoded(pd_commands));

export * from "./api.js";
