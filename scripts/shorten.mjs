// Gives what a WebAssembly file imports and exports names of a letter or two, in it and in the
// JavaScript that binds it. wasm-bindgen's carry hashes, which do not compress.
//
//   node scripts/shorten.mjs NAME.js NAME_bg.wasm

import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const [script, wasm] = process.argv.slice(2);
const shorten = ["--minify-imports-and-exports-and-modules", "--strip-producers", wasm, "-o", `${wasm}.new`];
const { imports, exports } = JSON.parse(execFileSync("wasm-opt", shorten, { encoding: "utf8" }));

let text = readFileSync(script, "utf8");
const replace = (from, to) => {
  if (!text.includes(from)) throw new Error(`${script} has no ${JSON.stringify(from)}: wasm-bindgen writes it otherwise now`);
  text = text.replaceAll(from, () => to);
};
for (const module of new Set(imports.map(([module]) => module))) replace(`${JSON.stringify(module)}: import0`, '"a": import0');
for (const [, name, short] of imports) replace(`        ${name}: function(`, `        ${short}: function(`);
// An export that only runs as WebAssembly starts, such as a table, may be in no script.
for (const [name, short] of exports) {
  text = text.replaceAll(new RegExp(`\\bwasm\\.${name}\\b`, "g"), () => `wasm.${short}`);
}
writeFileSync(script, text);
renameSync(`${wasm}.new`, wasm);
