// Only what is no plan at all throws, an Error whose message names the field.

import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { planner } from "./package.mjs";

const { check, commands, compare, draw, link, open, parse, text, view } = planner;

const cyclic = { prefill: { tp: 8 } };
cyclic.decode = cyclic;

const NO_PLANS = [
  [undefined, "plan: "],
  [null, "plan: "],
  [[], "plan: "],
  [["prefill"], "plan: "],
  ["#/plan?p=tp8", "plan: "],
  [8, "plan: "],
  [true, "plan: "],
  [Symbol("plan"), "plan: "],
  [() => {}, "plan: "],
  [new Set(), "plan: "],
  [new Date(), "plan: "],
  [Promise.resolve({}), "plan: "],
  [new Uint8Array(8), "plan: "],
  [new String("x"), "plan: "],

  [{ prefil: {} }, "prefil: there is no such field"],
  [{ prefill: { tq: 8 } }, "prefill.tq: there is no such field"],
  [{ decode: { "": 8 } }, "decode.: there is no such field"],
  [{ traffic: { tokens: 8 } }, "traffic.tokens: there is no such field"],
  [{ model: { attentoin: "mla" } }, "model.attentoin: there is no such field"],
  [{ model: { linear: { kinds: "kda" } } }, "model.linear.kinds: there is no such field"],

  [{ prefill: { tp: 0 } }, "prefill.tp: ", "from 1 to 65536"],
  [{ prefill: { tp: -1 } }, "prefill.tp: ", "from 1 to 65536"],
  [{ prefill: { tp: 65537 } }, "prefill.tp: ", "from 1 to 65536"],
  [{ prefill: { tp: 2 ** 53 } }, "prefill.tp: "],
  [{ prefill: { tp: 8.5 } }, "prefill.tp: "],
  [{ prefill: { tp: NaN } }, "prefill.tp: "],
  [{ prefill: { tp: Infinity } }, "prefill.tp: "],
  [{ prefill: { tp: "8" } }, "prefill.tp: "],
  [{ prefill: { tp: null } }, "prefill.tp: "],
  [{ prefill: { tp: true } }, "prefill.tp: "],
  [{ prefill: { tp: [8] } }, "prefill.tp: "],
  [{ prefill: { tp: {} } }, "prefill.tp: "],
  [{ prefill: { tp: Symbol() } }, "prefill.tp: "],
  [{ prefill: { pageSize: 0 } }, "prefill.pageSize: "],
  [{ prefill: { chunkedPrefillSize: 2 ** 31 } }, "prefill.chunkedPrefillSize: "],
  [{ prefill: { transferBackend: "pigeon" } }, "prefill.transferBackend: "],
  [{ prefill: { transferBackend: 3 } }, "prefill.transferBackend: "],
  [{ prefill: { allocationPolicy: null } }, "prefill.allocationPolicy: "],
  [{ prefill: { gpu: 100 } }, "prefill.gpu: "],
  [{ prefill: { enablePrefillCp: "yes" } }, "prefill.enablePrefillCp: "],
  [{ prefill: { env: ["A=1"] } }, "prefill.env: "],
  [{ prefill: { env: { A: 1 } } }, "prefill.env.A: "],
  [{ prefill: { extra: "--x" } }, "prefill.extra: "],
  [{ prefill: { extra: ["--x", 3] } }, "prefill.extra[1]: "],
  [{ prefill: { extra: [undefined] } }, "prefill.extra[0]: "],
  [{ prefill: [8] }, "prefill: "],
  [{ prefill: null }, "prefill: "],
  [{ release: "0.4.0" }, "release: "],
  [{ release: 5 }, "release: "],
  [{ decode: { release: "0.4.0" } }, "decode.release: "],
  [{ model: 3 }, "model: "],
  [{ model: null }, "model: "],
  [{ model: { layers: -1 } }, "model.layers: "],
  [{ model: { attention: "mha" } }, "model.attention: "],
  [{ model: { kvLayerIds: [0.5] } }, "model.kvLayerIds[0]: "],
  [{ traffic: { promptTokens: 0 } }, "traffic.promptTokens: "],
  [{ traffic: 4096 }, "traffic: "],

  [{ prefill: { tp: 65536, pp: 2 } }, "prefill.tp: ", "131072 ranks", "65536"],
  [{ decode: { tp: 65536, replicas: 65536, pp: 65536 } }, "decode.tp: ", "65536 ranks a side"],

  [cyclic, "decode.prefill: there is no such field"],
];

const refuses = (call, [beginning, ...parts]) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof Error, String(error));
    assert.ok(error.message.startsWith(beginning), `${error.message}\ndoes not begin with\n${beginning}`);
    for (const part of parts) assert.ok(error.message.includes(part), `${error.message}\nlacks\n${part}`);
    return true;
  });

test("what is no plan throws an error that names the field", () => {
  for (const [plan, ...message] of NO_PLANS) {
    refuses(() => check(plan), message);
    refuses(() => check(plan, { map: false }), message);
    refuses(() => draw(plan), message);
    refuses(() => view(plan, "commands"), message);
    refuses(() => text(plan, "ascii"), message);
    refuses(() => link(plan), message);
    refuses(() => commands(plan), message);
    refuses(() => compare("", plan), message);
  }
});

test("options and formats that are not known throw an error that names them", () => {
  const cases = [
    [() => check({}, { maps: false }), "options.maps: there is no such field", "map"],
    [() => check({}, { map: 0 }), "options.map: "],
    [() => check({}, []), "options: must be"],
    [() => check({}, "map"), "options: "],
    [() => draw({}, { theme: "pink" }), "options.theme: ", "pink", "auto", "light", "dark"],
    [() => draw({}, { colour: "red" }), "options.colour: there is no such field", "theme"],
    [() => text({}, "html"), "format: ", "html", "markdown", "mermaid", "ascii"],
    [() => text({}), "format: "],
    [() => commands({}, { format: "helm" }), "options.format: ", "shell", "kubernetes"],
    [() => compare(), "text: "],
    [() => view({}), "part: "],
    [() => view({}, "dreams"), "part: ", "dreams", "commands", "upgrade"],
    [() => view({}, "commands", { show: "all" }), "options.show: ", "shell"],
    [() => parse(), "text: "],
    [() => parse(["sglang serve"]), "text: "],
    [() => parse("", { release: "0.4.0" }), "options.release: ", "0.4.0"],
    [() => parse("", { releases: "0.5.18" }), "options.releases: there is no such field", "release"],
    [() => open(), "link: "],
    [() => open({ plan: {} }), "link: "],
    [() => open(new URL("http://localhost/#/plan")), "link: "],
  ];
  for (const [call, ...message] of cases) refuses(call, message);
});

test("a plan of another realm is a plan", () => {
  const plan = vm.runInNewContext("({ prefill: { tp: 8, extra: ['--x'] } })");
  assert.deepEqual(check(plan), check({ prefill: { tp: 8, extra: ["--x"] } }));
});

test("after every error the planner answers as before", () => {
  const before = JSON.stringify(check({ prefill: { tp: 8 } }));
  for (let round = 0; round < 200; round++) {
    for (const [plan] of NO_PLANS) assert.throws(() => check(plan), Error);
  }
  assert.equal(JSON.stringify(check({ prefill: { tp: 8 } })), before);
});
