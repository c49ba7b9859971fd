// The budgets, and what is held against them: every file that a first visit to the page loads, and
// the WebAssembly that validates. Printed too: what reads and prints commands, which the page fetches
// when it is asked to, and the JavaScript, since texts of rules lie in it.

import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const PAGE_BUDGET = 200_000;
const NPM_BUDGET = 100_000;

const brotli = (file) => brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

const number = (bytes) => bytes.toLocaleString("en-US").padStart(9);

/** The files that a page names: in its attributes, and where its inline script imports and fetches. */
const firstLoad = (folder) => {
  const page = readFileSync(`${folder}/index.html`, "utf8");
  const named = [...page.matchAll(/["']\.\/([^"'?#]+\.\w+)["']/g)].map(([, file]) => file);
  return ["index.html", ...new Set(named)];
};

const BESIDE = ["pd_commands_bg.wasm", "pd_planner.js", "pd_commands.js", "api.js", "rules.js", "schema.js"];

const weigh = (title, folder, files, budget) => {
  console.log(`${title}, in bytes`);
  let sum = 0;
  for (const file of files) {
    const bytes = brotli(`${folder}/${file}`);
    sum += bytes;
    console.log(`${number(bytes)}  ${file}`);
  }
  const fits = sum <= budget;
  console.log(`${number(sum)}  of ${budget.toLocaleString("en-US")}: ${fits ? "fits" : "TOO LARGE"}\n`);
  return fits;
};

const fits = [
  weigh("The page's first load", "dist/site", firstLoad("dist/site"), PAGE_BUDGET),
  weigh("The npm package's validator", "dist/npm", ["pd_planner_bg.wasm"], NPM_BUDGET),
];
console.log("What comes with it, in bytes");
for (const file of BESIDE) console.log(`${number(brotli(`dist/npm/${file}`))}  ${file}`);
process.exit(fits.every(Boolean) ? 0 : 1);
