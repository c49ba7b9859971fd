// What the functions answer, against the contract.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ALL_CP_RANKS, planner } from "./package.mjs";

const { check, commands, compare, draw, link, models, open, parse, releases, rules, schema, text, version, view } = planner;

const SEED = {
  release: "0.5.18",
  model: "deepseek-ai/DeepSeek-V3",
  prefill: { tp: 8, attentionCp: 2 },
  decode: { tp: 8, dcp: 8 },
};

test("the case that started the project is answered to the letter", () => {
  const report = check(SEED);
  assert.equal(report.verdict, "rejected");
  assert.equal(report.map, null);
  assert.deepEqual(report.findings[0].error, {
    type: "RuntimeError",
    message: "PD decode DCP currently requires prefill attention CP=1, got 2.",
  });
  assert.deepEqual(report.findings[0].fields, ["decode.dcp", "prefill.attentionCp"]);
});

test("a finding says why, in the rule's own words", () => {
  for (const { id, why, breaks } of rules()) {
    const own = check(open(breaks).plan).findings.filter((finding) => finding.rule === id);
    assert.ok(why.length > 40 && own.length > 0 && own.every((finding) => finding.why === why), id);
  }
});

test("a report is plain data with every field of the contract", () => {
  const report = check({ prefill: { tp: 4, attentionCp: 2 }, decode: { tp: 8, attentionDp: 2 } });
  assert.deepEqual(Object.keys(report), ["verdict", "headline", "findings", "prefill", "decode", "resolved", "map", "payload", "uncounted"]);
  assert.deepEqual(report.resolved, [
    { field: "prefill.loadBalanceMethod", value: "follow_bootstrap_room" },
    { field: "decode.loadBalanceMethod", value: "round_robin" },
  ]);
  assert.deepEqual(report.prefill, {
    attentionTp: 2,
    attentionCp: 2,
    attentionDp: 1,
    replicas: 1,
    pp: 1,
    dcp: 1,
    worldSize: 4,
    gpus: 4,
    nodes: 1,
    placement: { nodes: [{ ppRanks: [0, 0], tpRanks: [0, 3], gpus: [0, 3] }], missingRanks: 0, missingGpus: 0 },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
  assert.deepEqual(structuredClone(report), report);
});

test("a map lists ranks and connections in SGLang's order", () => {
  const { map } = check({ prefill: { tp: 4, pp: 2 }, decode: { tp: 2 } });
  assert.deepEqual(map.decodeRanks[1], {
    ppRank: 0,
    tpRank: 1,
    targetTpRank: 2,
    targetTpRanks: [2, 3],
    targetCpRanks: [0],
    targetPpRanks: [0, 1],
    requiredDstInfoNum: 1,
    requiredPrefillResponseNum: 2,
    peers: [
      { cp: 0, tp: 2, pp: 1, dummy: false },
      { cp: 0, tp: 2, pp: 0, dummy: false },
      { cp: 0, tp: 3, pp: 1, dummy: true },
      { cp: 0, tp: 3, pp: 0, dummy: true },
    ],
    missing: null,
  });
  const { prefill, decode, dummy, payload } = map.connections[7];
  const dummied = { prefill: { pp: 0, cp: 0, tp: 3 }, decode: { pp: 0, tp: 1 }, dummy: true, payload: null };
  assert.deepEqual({ prefill, decode, dummy, payload }, dummied);
});

test("maps and sums are those of the planner, whichever way they crossed", () => {
  for (const { link, report } of JSON.parse(readFileSync(new URL("reports.json", import.meta.url), "utf8"))) {
    const answered = check(open(link).plan);
    answered.findings = answered.findings.map(({ rule }) => rule);
    assert.deepEqual(answered, report, link);
  }
});

test("a connection says what it carries, and the sums agree with it", () => {
  const { map, payload, uncounted } = check({ model: "deepseek-ai/DeepSeek-V3", prefill: { tp: 8 }, decode: { tp: 8 } });
  assert.deepEqual(map.connections[3].payload, {
    layers: [0, 61],
    kvLayers: 61,
    kvHeads: null,
    tokens: { count: 4096, every: 1, offset: 0 },
    states: [],
    bytes: 287834112,
  });
  assert.equal(uncounted, null);
  assert.equal(payload.movedBytes, 8 * 287834112);
  assert.equal(payload.senders[7].bytes, 287834112);
  const heads = check({ model: "Qwen/Qwen3-8B", prefill: { tp: 2 }, decode: { tp: 4 }, traffic: { promptTokens: 100, networkGbps: 100 } });
  assert.deepEqual(heads.map.connections[1].payload.kvHeads, { source: 2, count: 2, destination: 0 });
  const sum = heads.map.connections.reduce((sum, { payload }) => sum + (payload?.bytes ?? 0), 0);
  assert.equal(heads.payload.movedBytes, sum);
  assert.deepEqual(check({ model: { attention: "gqa", layers: 4, kvHeads: 4, states: [] } }).uncounted.fields, ["model.headDim"]);
});

test("without its map a report is the same", () => {
  for (const plan of [SEED, {}, { prefill: { tp: 5 }, decode: { tp: 2 } }]) {
    assert.deepEqual(check(plan, { map: false }), { ...check(plan), map: null, payload: null, uncounted: null });
    for (const options of [undefined, null, {}, { map: true }, { map: null }, { map: undefined }]) {
      assert.deepEqual(check(plan, options), check(plan));
    }
  }
});

test("what is left out, null or undefined has its default", () => {
  const report = check({});
  assert.deepEqual(check({ release: undefined, prefill: undefined, decode: { tp: 1, gpu: null, pageSize: undefined } }), report);
  assert.deepEqual(check(Object.assign(Object.create(null), { prefill: {} })), report);
  assert.deepEqual(check(Object.freeze({ traffic: { promptTokens: 4096 } })), report);
  assert.deepEqual(check(new Proxy({ prefill: new Proxy({ tp: 1 }, {}) }, {})), report);
});

test("a plan that was checked is as it was", () => {
  const plan = structuredClone(SEED);
  check(plan);
  assert.deepEqual(plan, SEED);
});

test("a model can be described, and a missing fact is asked for", () => {
  const linear = { kind: "kda", layers: 20 };
  const model = { attention: "hybridMla", layers: 27, states: ["mamba"], kvLayerIds: [3, 7], swaPool: false, linear };
  const plan = { model, prefill: { tp: 4 }, decode: { tp: 4, env: ALL_CP_RANKS } };
  assert.deepEqual(open(link(plan)).plan.model.linear.layers, 20);
  assert.deepEqual(open(link(plan)).plan.model.kvLayerIds, [3, 7]);
  const report = check({ model: {}, prefill: { tp: 4 }, decode: { tp: 2 } });
  assert.equal(report.verdict, "unknown");
  assert.ok(report.findings.some((one) => one.outcome === "needs" && one.fields.includes("model.attention")));
});

test("a link holds a plan, and a plan that was opened is a plan", () => {
  for (const plan of [SEED, {}, { model: "nobody's/model & more", decode: { env: { __proto__x: "a=b,c%" }, extra: ["--x", ""] } }]) {
    const address = link(plan);
    const opened = open(address);
    assert.deepEqual(opened.diagnostics, []);
    assert.equal(link(opened.plan), address);
    assert.deepEqual(check(opened.plan), check(plan));
  }
  assert.equal(open("https://example.org/x/" + link(SEED)).plan.decode.dcp, 8);
});

test("a name such as constructor is a name like any other", () => {
  const env = JSON.parse('{"__proto__": {"polluted": "1"}, "constructor": "2"}');
  assert.throws(() => link({ prefill: { env } }), /env.__proto__/);
  delete env.__proto__;
  const opened = open(link({ prefill: { env: { constructor: "2" } } })).plan.prefill.env;
  assert.deepEqual(Object.entries(opened), [["constructor", "2"]]);
  assert.equal({}.polluted, undefined);
});

test("any text is a link or explains itself", () => {
  for (const address of ["", "#", "%", "#/plan?p=tp0", "\ud800", "x".repeat(100_000), "#/plan?v=9", "javascript:alert(1)"]) {
    const { plan, diagnostics } = open(address);
    assert.equal(typeof check(plan).verdict, "string");
    assert.ok(diagnostics.every((one) => one.message.length > 0 && typeof one.place === "string"));
  }
  assert.match(open("#/plan?p=tp0").diagnostics[0].message, /from 1 to 65536/);
});

const LAUNCHES = `
  MC_TE_METRIC=1 python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode prefill --tp 8 &
  python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode decode --tp-size=8 --dcp-size 8`;

test("launch commands are read as a plan", () => {
  const { plan, diagnostics } = parse(LAUNCHES, { release: "0.5.18" });
  assert.deepEqual(diagnostics, []);
  assert.equal(plan.release, "0.5.18");
  assert.deepEqual(check(plan), check({ ...SEED, prefill: { tp: 8, env: { MC_TE_METRIC: "1" } } }));
  for (const options of [undefined, null, {}, { release: null }, { release: undefined }]) {
    assert.equal(parse(LAUNCHES, options).plan.release, releases().at(-1));
  }
});

test("what is printed is told from what was pasted", () => {
  const { plan } = parse(LAUNCHES, { release: "0.5.18" });
  const changes = compare(LAUNCHES, { ...plan, decode: { ...plan.decode, dcp: 4 } }, { release: "0.5.18" });
  const told = changes.map(({ side, pasted, printed, why }) => [side, pasted, printed, why]);
  assert.ok(told.some((one) => one.join() === "prefill,--tp 8,--tp-size 8,spelling"), JSON.stringify(told));
  assert.ok(told.some((one) => one.join() === "decode,--dcp-size 8,--dcp-size 4,edited"), JSON.stringify(told));
});

test("any text is commands or explains itself", () => {
  for (const source of ["", "hello", "'", "sglang serve --tp 0", "\ud800", "x\n".repeat(100_000), "$(rm -rf /)", link(SEED)]) {
    const { plan, diagnostics } = parse(source);
    assert.equal(typeof check(plan).verdict, "string");
    assert.ok(diagnostics.every((one) => one.message.length > 0 && typeof one.place === "string"));
    assert.ok(diagnostics.length > 0 || source === link(SEED), source.slice(0, 40));
  }
});

test("a plan has commands for each node, which read back as the plan", () => {
  const plan = { ...SEED, prefill: { tp: 16, nodes: 2 }, decode: { tp: 8, attentionDp: 2, extra: ["--mem-fraction-static", "0.8"] } };
  const { prefill, decode, router } = commands(plan);
  assert.deepEqual([prefill.length, decode.length], [2, 1]);
  assert.match(prefill[1], /--node-rank 1/);
  assert.match(router, /launch_router/);
  const read = parse([...prefill, ...decode].join("\n"), { release: "0.5.18" }).plan;
  assert.equal(link(read), link(plan));
  const kubernetes = commands(plan, { format: "kubernetes" });
  const containers = [...kubernetes.prefill, ...kubernetes.decode].join("");
  assert.equal(link(parse(`containers:\n${containers}`).plan), link(plan));
});

test("a drawing is an SVG document, in the theme that was asked for", () => {
  for (const plan of [{ prefill: { tp: 8 }, decode: { tp: 4 } }, SEED, { prefill: { tp: 65536 } }]) {
    for (const options of [undefined, {}, { theme: "light" }, { theme: "dark" }]) {
      assert.match(draw(plan, options), /^<svg[^]*<\/svg>\s*$/);
    }
  }
  assert.notEqual(draw(SEED, { theme: "dark" }), draw(SEED, { theme: "light" }));
});

test("words from outside do not become markup", () => {
  const model = '"><script>alert(1)</script>';
  assert.doesNotMatch(draw({ model, prefill: { gpu: model } }), /<script/);
  assert.doesNotMatch(text({ model, prefill: { gpu: model } }, "markdown"), /(?<!\\)<script/);
});

test("a part of the page is HTML with its own controls", () => {
  const plan = { release: "0.5.21", prefill: { tp: 8, attentionDp: 8 }, decode: { tp: 8, attentionDp: 8 } };
  assert.match(view(plan, "commands"), /<code>python -m sglang\.launch_server \\/);
  assert.match(view(plan, "commands", { show: "kubernetes" }), /value="kubernetes" checked[^]*- name: prefill/);
  assert.match(view(plan, "upgrade", { release: "0.5.22" }), /0\.5\.21: <b>accepted<\/b>[^]*<td>--attn-dp-size 8<\/td>/);
  const paste = "sglang serve --model-path <b> --disaggregation-mode prefill --tp 4";
  const changes = view(parse(paste).plan, "commands", { show: "changes", paste });
  assert.match(changes, /<td>--tp 4<\/td><td>--tp-size 4<\/td><td>the same, spelled in full<\/td>/);
  assert.doesNotMatch(changes, /<b>/);
});

test("a report has three forms of text", () => {
  assert.match(text(SEED, "markdown"), /PD decode DCP currently requires prefill attention CP=1, got 2\./);
  assert.match(text({ prefill: { tp: 2 } }, "mermaid"), /flowchart/);
  assert.match(text(SEED, "ascii"), /^[\x00-\x7f]*$/);
});

test("the tables are there", () => {
  assert.equal(releases().at(-1), open("").plan.release);
  assert.ok(releases().includes("0.5.18"));
  assert.ok(models().some((row) => row.name === "deepseek-ai/DeepSeek-V3" && row.facts.attention === "mla"));
  for (const row of models()) {
    assert.ok(row.source.length > 0);
    assert.equal(typeof check({ model: row.facts }).verdict, "string");
  }
  const ids = rules().map((rule) => rule.id);
  assert.equal(new Set(ids).size, ids.length);
  assert.match(version(), /^\d+\.\d+\.\d+$/);
});

test("every rule's examples are links that break and hold it", () => {
  for (const rule of rules()) {
    const speaks = (address) => check(open(address).plan).findings.some((finding) => finding.rule === rule.id);
    assert.ok(speaks(rule.breaks), rule.id);
    assert.ok(!speaks(rule.holds), rule.id);
  }
});

test("the schemas name what plans and reports have", () => {
  const { plan, report } = schema();
  assert.deepEqual(Object.keys(plan.properties), Object.keys(open("").plan));
  assert.deepEqual(Object.keys(plan.$defs.server.properties), Object.keys(open("").plan.prefill));
  assert.deepEqual(report.$defs.report.required, Object.keys(check({})));
  schema().plan.properties = null;
  assert.notEqual(schema().plan.properties, null);
});

test("a large plan is answered with its map", () => {
  const { map } = check({ prefill: { tp: 128, pp: 16 }, decode: { tp: 2048 } });
  assert.equal(map.decodeRanks.length, 2048);
  assert.equal(map.connections.length, 32768);
  assert.deepEqual(map.connections.at(-1).prefill, { pp: 0, cp: 0, tp: 127 });
});
