#!/usr/bin/env python3
"""Print random launch commands of one server as JSON lines:
commands.py [--seed N] [--count M] [--tally]

Each departure from a plain command is rare enough that about half of the commands are accepted by
every release.  Options go by one of their names, or by a prefix of one; which there are is read
from options.txt.  `--tally` counts on stderr in how many commands each option is given.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OPTIONS = HERE.parents[2] / "src" / "planner" / "command" / "options.txt"
NAMES = {name: entry["name"] for name, entry in json.loads((HERE / "models.json").read_text()).items()}
FIRST_RELEASE = "0.5.15"  # older ones are not asked

# A model, how often it is taken, and what SGLang's launch code tells it by.
MODELS = {
    "deepseek-v3": (16, "mla"),
    "kimi-k2": (5, "mla"),
    "deepseek-v3.2": (14, "dsa"),
    "glm-5": (8, "dsa"),
    "deepseek-v4-flash": (7, "v4"),
    "deepseek-v4-pro": (4, "v4"),
    "qwen3-235b-a22b": (10, "moe"),
    "glm-4.5": (5, "moe"),
    "minimax-m2": (4, "moe"),
    "gpt-oss-120b": (5, "moe"),
    "qwen3-next-80b-a3b": (5, "moe"),
    "llama-3.1-70b": (7, "dense"),
    "llama-3.1-8b": (5, "dense"),
    "qwen3-8b": (4, "dense"),
    "kimi-linear-48b-a3b": (4, "hybrid"),
    "kimi-k3": (4, "hybrid"),
    "eagle3-llama-3.1-8b": (1, "dense"),
}
EXPERTS = {"mla", "dsa", "v4", "moe", "hybrid"}
LATENT = {"mla", "dsa", "v4", "hybrid"}
# Models with layers of their own for speculation; others need a draft model.
DRAFTING = {"deepseek-v3", "deepseek-v3.2", "glm-5", "deepseek-v4-flash", "deepseek-v4-pro", "glm-4.5", "qwen3-next-80b-a3b"}
GPUS = {"H100": 42, "H200": 12, "H20": 6, "B200": 20, "GB200": 5, "B300": 5, "A100": 6, "L40S": 4}
BLACKWELL = {"B200", "GB200", "B300"}
EVEN, ODD = (1, 2, 4, 4, 8, 8, 8, 16), (3, 5, 6, 7, 10, 12, 24)
BACKENDS = {
    "mla": ("fa3", "flashmla", "flashinfer", "triton", "trtllm_mla", "cutlass_mla", "cutedsl_mla"),
    "dsa": ("dsa", "nsa", "fa3", "flashmla"),
    "v4": ("dsv4", "compressed", "dsa", "fa3"),
    "moe": ("fa3", "flashinfer", "triton", "trtllm_mha", "fa4"),
    "dense": ("fa3", "flashinfer", "triton", "trtllm_mha", "torch_native"),
    "hybrid": ("fa3", "flashinfer", "triton", "trtllm_mla", "flashmla"),
}
SHARDING_ENV = {"SGLANG_UNIFIED_RADIX_TREE_CORE_BACKEND": "python"}  # 0.5.22 wants it


class Dice:
    """Random choices."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pick = self.random.choice

    def rarely(self, percent: float) -> bool:
        return self.random.random() * 100 < percent

    def weighted(self, weights: dict[Any, int]) -> Any:
        return self.random.choices(list(weights), list(weights.values()))[0]

    def part(self, whole: int) -> int:
        """A size that mostly divides another one, and is mostly not 1."""
        if self.rarely(7):
            return self.pick((0, *ODD, 2 * whole))
        return self.pick([n for n in range(1, whole + 1) if whole % n == 0 and (n > 1 or whole == 1)] or [1])


class Server:
    """A command in the making: the machine, and each option with its value, None for a switch."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.model = dice.weighted({name: weight for name, (weight, _) in MODELS.items()})
        self.kind = MODELS[self.model][1]
        self.gpu = dice.weighted(GPUS)
        self.gpus = dice.pick((8, 8, 8, 8, 8, 4, 16, 2, 1)) if self.gpu != "GB200" else dice.pick((4, 4, 8))
        self.role = dice.pick(("prefill", "prefill", "decode", "decode", "null"))
        self.flags: dict[str, Any] = {}
        self.env: dict[str, str] = {}
        self.tp = self.attn_dp = self.attn_cp = self.pp = 1

    def build(self) -> None:
        self.widths()
        self.context()
        self.decode_context()
        self.experts()
        self.memory()
        self.disaggregation()
        self.special()
        if self.dice.rarely(8):
            self.speculation()
        self.nodes()
        if self.dice.rarely(45):
            self.flags["--trust-remote-code"] = None

    def widths(self) -> None:
        """TP, PP, attention DP and replicas."""
        dice, flags = self.dice, self.flags
        self.tp = dice.pick(ODD) if dice.rarely(9) else dice.pick(EVEN)
        if self.kind != "dense" and dice.rarely(60):
            self.tp = max(self.tp, 8)
        if self.tp > 1 or dice.rarely(30):
            flags["--tp-size"] = self.tp
        if dice.rarely(14):
            self.pp = flags["--pp-size"] = dice.pick((2, 2, 2, 3, 4, 1))
        if dice.rarely(36 if self.kind in LATENT else 22):
            self.attn_dp = dice.part(self.tp)
            new, both = dice.rarely(16), dice.rarely(4)
            if new or both:
                flags["--attn-dp-size"] = self.attn_dp
            if not new:
                flags["--dp-size"] = self.attn_dp
                flags["--enable-dp-attention"] = None
            if dice.rarely(8):
                flags["--enable-dp-lm-head"] = None
        elif dice.rarely(10):
            flags["--dp-size"] = dice.pick((2, 2, 4, 3, 1, 8))
        elif dice.rarely(2):
            flags["--enable-dp-attention"] = None

    def context(self) -> None:
        """Attention CP, prefill CP, its strategy, and the layer split that needs it."""
        dice, flags = self.dice, self.flags
        if not dice.rarely({"prefill": 30, "null": 18, "decode": 7}[self.role] * (0.6 if self.kind == "dense" else 1)):
            return
        if not dice.rarely(15):
            group = max(1, self.tp // max(1, self.attn_dp))
            self.attn_cp = flags["--attn-cp-size"] = dice.part(group)
        if dice.rarely(75):
            flags["--enable-prefill-cp"] = None
        elif dice.rarely(10):  # until 0.5.19
            old = ("--enable-prefill-context-parallel", "--enable-dsa-prefill-context-parallel")
            flags[dice.pick((*old, "--enable-nsa-prefill-context-parallel"))] = None
        if dice.rarely(70):
            likely = "interleave" if self.kind in ("dsa", "v4", "mla") else "zigzag"
            flags["--cp-strategy"] = dice.pick(("zigzag", "interleave")) if dice.rarely(25) else likely
        if dice.rarely(28 if self.kind == "dsa" else 3):
            flags["--enable-dsa-cache-layer-split"] = None

    def decode_context(self) -> None:
        """Decode CP."""
        dice, flags = self.dice, self.flags
        if "--enable-prefill-cp" in flags and not dice.rarely(15):
            return
        if dice.rarely({"prefill": 5, "null": 8, "decode": 20}[self.role] * (1 if self.kind in LATENT else 0.6)):
            flags["--dcp-size"] = dice.part(max(1, self.tp // max(1, self.attn_dp)) if dice.rarely(60) else self.tp)

    def experts(self) -> None:
        """Expert parallelism and its all-to-all backend."""
        dice, flags = self.dice, self.flags
        often = 1 if self.kind in EXPERTS else 0.15
        if dice.rarely(18 * often):
            flags["--ep-size"] = dice.part(self.tp)
        if dice.rarely(12 * often):
            flags["--moe-a2a-backend"] = dice.pick(("deepep", "deepep", "deepep", "none"))
        if dice.rarely(4 * often + (12 if self.attn_cp > 1 else 0)):
            flags["--moe-dp-size"] = self.attn_cp if dice.rarely(70) and self.attn_cp else dice.pick((1, 2, 2, 4, 3))

    def memory(self) -> None:
        """Pages, their type, chunks and the attention backend."""
        dice, flags = self.dice, self.flags
        if dice.rarely(40):
            flags["--page-size"] = dice.pick((1, 16, 32, 64, 64, 64, 64, 128, 256, dice.pick((5, 48, 100, 512))))
        if dice.rarely(28):
            common, rare = ("auto", "bfloat16", "fp8_e4m3", "fp8_e4m3", "bf16", "fp8_e5m2"), ("mxfp8", "nvfp4", "fp4_e2m1", "fp4_mx_block16", "int8")
            flags["--kv-cache-dtype"] = dice.pick(rare if dice.rarely(7) else common)
        if dice.rarely(24):
            flags["--chunked-prefill-size"] = dice.pick((2048, 4096, 4096, 8192, 16384, 32768, 1024, 256, 1000, -1))
        if dice.rarely(12):
            every = sorted({backend for backends in BACKENDS.values() for backend in backends})
            fitting = BACKENDS[self.kind]
            if dice.rarely(70):  # trtllm and CuTe DSL want Blackwell, fa3 does not
                fitting = [b for b in fitting if b.startswith(("trtllm", "cut", "fa4")) <= (self.gpu in BLACKWELL)]
            if dice.rarely(70) and self.gpu in BLACKWELL:
                fitting = [b for b in fitting if b not in ("fa3", "flashmla")] or fitting
            which = "" if dice.rarely(80) else dice.pick(("prefill-", "decode-"))
            flags[f"--{which}attention-backend"] = dice.pick(every if dice.rarely(10) else fitting)

    def disaggregation(self) -> None:
        """The role, the transfer backend, and how requests are spread and placed."""
        dice, flags = self.dice, self.flags
        if self.role != "null" or dice.rarely(10):
            flags["--disaggregation-mode"] = self.role
        if dice.rarely(35):
            backends = {"mooncake": 6, "nixl": 6, "mori": 2, "mooncake_tcp": 2, "ascend": 1, "fake": 1}
            flags["--disaggregation-transfer-backend"] = dice.weighted(backends)
        if dice.rarely(12):
            flags["--load-balance-method"] = dice.pick(
                ("auto", "round_robin", "follow_bootstrap_room", "total_requests", "total_tokens")
            )
        if dice.rarely(4):
            flags["--disaggregation-decode-allocation-policy"] = dice.pick(("early", "prefill_complete", "prefill_complete"))

    def special(self) -> None:
        """KV sharding, mostly where it can work."""
        dice, flags = self.dice, self.flags
        if not dice.rarely(9 if self.role == "prefill" else 1):
            return
        flags["--enable-kv-cache-sharding"] = None
        if dice.rarely(70):
            self.env.update(SHARDING_ENV)
        if dice.rarely(80):
            flags["--page-size"] = 64
        if dice.rarely(70) and self.kind == "mla":
            for flag in ("--enable-prefill-cp", "--attn-cp-size", "--dp-size", "--enable-dp-attention", "--moe-dp-size"):
                flags.pop(flag, None)
            self.attn_dp = self.attn_cp = 1
        elif dice.rarely(70) and self.kind in ("moe", "dense", "dsa"):
            self.attn_cp = flags["--attn-cp-size"] = dice.part(max(1, self.tp // max(1, self.attn_dp)))
            flags["--enable-prefill-cp"] = None
            flags["--cp-strategy"] = "interleave" if self.kind == "dsa" else "zigzag"
            if self.kind == "dsa":
                self.gpu = "B200"
                flags["--kv-cache-dtype"] = "fp8_e4m3"

    def speculation(self) -> None:
        """EAGLE, mostly with everything it needs."""
        dice, flags = self.dice, self.flags
        flags["--speculative-algorithm"] = dice.pick(("EAGLE", "EAGLE", "EAGLE", "NEXTN"))
        if self.model in ("llama-3.1-8b", "llama-3.1-70b") and not dice.rarely(15):
            flags["--speculative-algorithm"] = "EAGLE3"
            flags["--speculative-draft-model-path"] = "eagle3-llama-3.1-8b"
        elif self.model not in DRAFTING and not dice.rarely(25):
            del flags["--speculative-algorithm"]
            return
        if dice.rarely(80):
            steps, topk = dice.pick((1, 2, 3, 3, 5)), dice.pick((1, 1, 1, 4))
            drafts = steps + 1 if topk == 1 else dice.pick((8, 16))
            if dice.rarely(10):
                drafts += dice.pick((1, 2, -1))
            flags["--speculative-num-steps"] = steps
            flags["--speculative-eagle-topk"] = topk
            flags["--speculative-num-draft-tokens"] = drafts
            if dice.rarely(6):
                del flags[dice.pick([f for f in flags if f.startswith(("--speculative-num", "--speculative-eagle"))])]

    def nodes(self) -> None:
        """As many nodes as the ranks need, mostly, and their address, mostly."""
        dice, flags = self.dice, self.flags
        wanted = -(-self.tp * self.pp // self.gpus)
        count = dice.pick((2, 2, 3, 4, 6, 8)) if dice.rarely(5) else wanted if dice.rarely(85) else 1
        if count > 1 or dice.rarely(4):
            flags["--nnodes"] = count
            if not dice.rarely(10):
                flags["--dist-init-addr"] = dice.pick(("10.0.0.1:5000", "10.0.0.1:20000", "node0:5000"))

    def command(self, spelling: Spelling) -> dict[str, Any]:
        """The command as the oracle takes it."""
        dice = self.dice
        flags = list(self.flags.items())
        if dice.rarely(50):
            dice.random.shuffle(flags)
        if sizes := [flag for flag in self.flags if flag in ("--tp-size", "--page-size", "--chunked-prefill-size")]:
            if dice.rarely(1.5):  # given twice: the last one counts
                flags.insert(0, (dice.pick(sizes), 2))
        argv = []
        if dice.rarely(6):
            argv = ["--model-path", dice.pick((self.model, NAMES[self.model]))]
        for flag, value in flags:
            argv += spelling.spell(flag, value)
        made: dict[str, Any] = {"model": self.model, "gpu": self.gpu, "gpus_per_node": self.gpus, "argv": argv}
        return made | ({"env": self.env} if self.env else {})


class Spelling:
    """The names and prefixes of options, as all releases that are asked understand them."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.main: dict[str, str] = {}
        first = version(FIRST_RELEASE)
        for line in OPTIONS.read_text().splitlines():
            name, kind, *ranges = line.split()
            ends = [span.partition("-")[2] for span in ranges[0].split(",")] if ranges else [""]
            if name != "#" and any(not end or version(end) > first for end in ends):
                # A prefix is ambiguous if it fits two names, be they of one option.
                self.main[name] = kind[1:] if kind.startswith("=") else name

    def spell(self, flag: str, value: Any) -> list[str]:
        """An option and its value, as words of a command line."""
        if self.dice.rarely(20):
            flag = self.dice.pick([name for name, main in self.main.items() if main == flag] or [flag])
        if self.dice.rarely(8):
            flag = self.dice.pick(list(self.prefixes(flag)) or [flag])
        if value is None:
            return [flag]
        return [f"{flag}={value}"] if self.dice.rarely(6) else [flag, str(value)]

    def prefixes(self, flag: str) -> Iterator[str]:
        """The prefixes that fit this name only, and at times one that fits more."""
        for end in range(4, len(flag)):
            fitting = [name for name in self.main if name.startswith(flag[:end])]
            exact = flag[:end] in self.main
            if not exact and (fitting == [flag] or self.dice.rarely(1)):
                yield flag[:end]


def version(release: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", release)]


def random_commands(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """As many commands, numbered."""
    dice = Dice(seed)
    spelling = Spelling(dice)
    for place in range(count):
        server = Server(dice)
        server.build()
        yield {"id": f"r{seed}-{place}"} | server.command(spelling)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--tally", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for command in random_commands(options.seed, options.count):
        print(json.dumps(command, separators=(",", ":")))
        counts.update(word.partition("=")[0] for word in command["argv"] if word.startswith("--"))
        counts.update(f"{key} {command[key]}" for key in ("model", "gpu", "gpus_per_node"))
    if options.tally:
        for name, count in sorted(counts.items()):
            print(f"{count:6} {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
