// For bundlers: the WebAssembly is part of the JavaScript. Bundlers disagree on how other files
// come along and on whether a module may wait; what is inside a module always comes along.

import { initSync } from "./pd_planner.js";
import { base64 } from "./wasm.js";

initSync({ module: Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)) });

export * from "./api.js";
