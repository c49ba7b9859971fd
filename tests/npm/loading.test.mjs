// The package loads in Node, in a bundle, and in a page without a bundler.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { folder, planner } from "./package.mjs";

const EXPORTS = ["check", "commands", "compare", "draw", "link", "models", "open", "parse", "releases", "rules", "schema", "text", "version", "view"];

const project = mkdtempSync(join(tmpdir(), "pd-planner-"));
mkdirSync(join(project, "node_modules"));
symlinkSync(fileURLToPath(folder), join(project, "node_modules/pd-planner"));
after(() => rmSync(project, { recursive: true }));

/** What a module in a project that has installed the package prints. */
const run = (source) => {
  const file = join(project, "main.mjs");
  writeFileSync(file, source);
  return execFileSync(process.execPath, [file], { encoding: "utf8", cwd: project });
};

const USE = `console.log(Object.keys(planner).join(), planner.check({ prefill: { tp: 8 } }).verdict);`;
const PRINTED = `${EXPORTS.join()} ${planner.check({ prefill: { tp: 8 } }).verdict}\n`;

test("Node finds it by its name", () => {
  assert.equal(run(`import * as planner from "pd-planner"; ${USE}`), PRINTED);
});

test("the entry for bundlers needs no other file", () => {
  const entry = new URL("bundler.js", folder);
  const refuse = `globalThis.fetch = () => { throw new Error("something was fetched"); };`;
  assert.equal(run(`${refuse} const planner = await import("${entry}"); ${USE}`), PRINTED);
});

test("the entry for pages fetches the WebAssembly beside it, and nothing else", () => {
  const entry = new URL("index.js", folder);
  const fetch = `
    import { readFileSync } from "node:fs";
    globalThis.fetch = async (address) => {
      console.log(String(address));
      return new Response(readFileSync(new URL(address)), { headers: { "content-type": "application/wasm" } });
    };`;
  const fetched = ["pd_planner_bg.wasm", "pd_commands_bg.wasm"].map((name) => `${new URL(name, folder)}\n`);
  const printed = fetched.join("") + PRINTED;
  assert.equal(run(`${fetch} const planner = await import("${entry}"); ${USE}`), printed);
});

test("the types declare what is exported", () => {
  const types = readFileSync(new URL("index.d.ts", folder), "utf8");
  const declared = [...types.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), EXPORTS);
});

test("package.json names files that are there, and the version that the code says", () => {
  const text = readFileSync(new URL("package.json", folder), "utf8");
  const { exports, sideEffects, types, version } = JSON.parse(text);
  const files = [types, ...sideEffects, ...Object.values(exports).flatMap((one) => (typeof one === "string" ? one : Object.values(one)))];
  for (const file of files) assert.ok(existsSync(new URL(file, folder)), file);
  assert.equal(version, planner.version());
});

test("the files beside the code say what the functions say", () => {
  const json = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  assert.deepEqual(json("rules.json"), planner.rules());
  assert.deepEqual({ plan: json("plan.schema.json"), report: json("report.schema.json") }, planner.schema());
});

test("the examples in the README print what they say", () => {
  const readme = readFileSync(new URL("README.md", folder), "utf8");
  const examples = [...readme.matchAll(/^```js\n([^]*?)^```/gm)].map(([, source]) => source);
  assert.ok(examples.length > 3);
  for (const source of examples) {
    const said = [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
    assert.equal(run(source), said.join(""), source);
  }
});
