#!/usr/bin/env python3
"""Print random launch commands, each of one server, as JSON lines:
commands.py [--seed N] [--count M] [--tally]

Each departure from a plain command is rare enough that about half of the commands are accepted.
Options go by any of their names, or by a prefix of one; options.txt says which there are.
`--tally` counts on stderr in how many commands each option, model and GPU is.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
OPTIONS = HERE.parents[2] / "src" / "planner" / "command" / "options.txt"
HUB = {
    name: model["name"] for name, model in json.loads((HERE / "models.json").read_text()).items()
}
FIRST_RELEASE = "0.5.15"  # older ones are not asked

# Each model: how often it is taken, and the kind of attention and layers it has.
MODELS = {
    "deepseek-v3": (15, "mla"),
    "kimi-k2": (5, "mla"),
    "deepseek-v3.2": (14, "dsa"),
    "glm-5": (8, "dsa"),
    "deepseek-v4-flash": (6, "v4"),
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
    "kimi-k3": (3, "hybrid"),
    "eagle3-llama-3.1-8b": (1, "dense"),
}
LATENT = ("mla", "dsa", "v4", "hybrid")
# Models with layers for speculation; others need a draft model.
DRAFTING = (
    "deepseek-v3",
    "deepseek-v3.2",
    "deepseek-v4-flash",
    "deepseek-v4-pro",
    "glm-4.5",
    "glm-5",
    "qwen3-next-80b-a3b",
)
GPUS = {"H100": 42, "H200": 12, "H20": 6, "B200": 20, "GB200": 5, "B300": 5, "A100": 6, "L40S": 4}
BLACKWELL = ("B200", "GB200", "B300")
GPUS_PER_NODE = {8: 75, 4: 10, 16: 5, 2: 5, 1: 5}
EVEN, ODD = (1, 2, 4, 4, 8, 8, 8, 16), (3, 5, 6, 7, 10, 12, 24)
# Attention backends that a kind of model takes, on Hopper and on Blackwell.
BACKENDS = {
    "mla": (
        ("fa3", "flashmla", "flashinfer", "triton"),
        ("trtllm_mla", "cutlass_mla", "cutedsl_mla"),
    ),
    "dsa": (("dsa", "nsa", "fa3", "flashmla"), ("dsa", "nsa", "trtllm_mla")),
    "v4": (("dsv4", "compressed", "dsa"), ("dsv4", "compressed")),
    "moe": (("fa3", "flashinfer", "triton"), ("trtllm_mha", "fa4", "triton", "flashinfer")),
    "dense": (("fa3", "flashinfer", "triton", "torch_native"), ("trtllm_mha", "fa4", "triton")),
    "hybrid": (("fa3", "flashinfer", "triton", "flashmla"), ("trtllm_mla", "triton", "flashinfer")),
}
DTYPES = ("auto", "bfloat16", "fp8_e4m3", "fp8_e4m3", "bf16", "fp8_e5m2")
RARE_DTYPES = ("mxfp8", "nvfp4", "fp4_e2m1", "fp4_mx_block16", "int8")
TRANSFERS = {"mooncake": 6, "nixl": 6, "mori": 2, "mooncake_tcp": 2, "ascend": 1, "fake": 1}
BALANCES = ("auto", "round_robin", "follow_bootstrap_room", "total_requests", "total_tokens")
FORMER_PREFILL_CP = (  # until 0.5.19
    "--enable-prefill-context-parallel",
    "--enable-dsa-prefill-context-parallel",
    "--enable-nsa-prefill-context-parallel",
)
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
        if self.rarely(13):
            return self.pick((0, 1, *ODD, 2 * whole))
        return self.pick([n for n in range(2, whole + 1) if whole % n == 0] or [1])


class Server:
    """A server's command: its machine, and every option with its value, None for a switch."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.model = dice.weighted({name: often for name, (often, _) in MODELS.items()})
        self.kind = MODELS[self.model][1]
        self.gpu = dice.weighted(GPUS)
        self.gpus = 4 if self.gpu == "GB200" and dice.rarely(70) else dice.weighted(GPUS_PER_NODE)
        self.role = dice.pick(("prefill", "prefill", "decode", "decode", "null"))
        self.flags: dict[str, Any] = {}
        self.env: dict[str, str] = {}
        self.tp = self.pp = self.attn_dp = self.attn_cp = 1
        for decide in (
            self.widths,
            self.prefill_context,
            self.decode_context,
            self.experts,
            self.memory,
            self.disaggregation,
            self.sharding,
            self.speculation,
            self.nodes,
        ):
            decide()
        if dice.rarely(45):
            self.flags["--trust-remote-code"] = None

    def attn_tp(self) -> int:
        return max(1, self.tp // max(1, self.attn_dp))

    def widths(self) -> None:
        """TP, PP, attention DP and replicas."""
        dice, flags = self.dice, self.flags
        self.tp = dice.pick(ODD) if dice.rarely(13) else dice.pick(EVEN)
        if self.kind != "dense" and dice.rarely(60):
            self.tp = max(self.tp, 8)
        if self.tp > 1 or dice.rarely(30):
            flags["--tp-size"] = self.tp
        if dice.rarely(17):
            self.pp = flags["--pp-size"] = dice.pick((2, 2, 2, 3, 4, 1))
        if dice.rarely(36 if self.kind in LATENT else 22):
            self.attn_dp = dice.part(self.tp)
            former = dice.rarely(85)
            if former:
                flags |= {"--dp-size": self.attn_dp, "--enable-dp-attention": None}
            if not former or dice.rarely(3):
                flags["--attn-dp-size"] = self.attn_dp
            if dice.rarely(8):
                flags["--enable-dp-lm-head"] = None
        elif dice.rarely(10):
            flags["--dp-size"] = dice.pick((2, 2, 4, 3, 1, 8))
        elif dice.rarely(2):
            flags["--enable-dp-attention"] = None

    def prefill_context(self) -> None:
        """Attention CP, prefill CP, its strategy, and the layer split that needs it."""
        dice, flags = self.dice, self.flags
        often = {"prefill": 36, "null": 22, "decode": 9}[self.role]
        if not dice.rarely(often / 2 if self.kind == "dense" else often):
            return
        if not dice.rarely(15):
            self.attn_cp = flags["--attn-cp-size"] = dice.part(self.attn_tp())
        if dice.rarely(75):
            flags["--enable-prefill-cp"] = None
        elif dice.rarely(15):
            flags[dice.pick(FORMER_PREFILL_CP)] = None
        if dice.rarely(75):
            usual = "interleave" if self.kind in ("dsa", "v4", "mla") else "zigzag"
            flags["--cp-strategy"] = (
                dice.pick(("zigzag", "interleave")) if dice.rarely(25) else usual
            )
        if dice.rarely(30 if self.kind == "dsa" else 3):
            flags["--enable-dsa-cache-layer-split"] = None

    def decode_context(self) -> None:
        """Decode CP."""
        dice, flags = self.dice, self.flags
        if "--enable-prefill-cp" in flags and not dice.rarely(15):
            return
        often = {"prefill": 7, "null": 12, "decode": 28}[self.role]
        if dice.rarely(often if self.kind in LATENT else often / 2):
            flags["--dcp-size"] = dice.part(self.attn_tp() if dice.rarely(60) else self.tp)

    def experts(self) -> None:
        """Expert parallelism and its all-to-all backend."""
        dice, flags = self.dice, self.flags
        often = 0.15 if self.kind == "dense" else 1
        if dice.rarely(22 * often):
            flags["--ep-size"] = dice.part(self.tp)
        if dice.rarely(12 * often):
            flags["--moe-a2a-backend"] = dice.pick(("deepep", "deepep", "deepep", "none"))
        if dice.rarely(4 * often + (12 if self.attn_cp > 1 else 0)):
            flags["--moe-dp-size"] = self.attn_cp if dice.rarely(70) else dice.pick((1, 2, 2, 3, 4))

    def memory(self) -> None:
        """Pages, their type, chunks and the attention backend."""
        dice, flags = self.dice, self.flags
        if dice.rarely(40):
            odd = dice.pick((5, 48, 100, 512))
            flags["--page-size"] = dice.pick((1, 16, 32, 64, 64, 64, 64, 128, 256, odd))
        if dice.rarely(34):
            flags["--kv-cache-dtype"] = dice.pick(RARE_DTYPES if dice.rarely(12) else DTYPES)
        if dice.rarely(24):
            flags["--chunked-prefill-size"] = dice.pick(
                (2048, 4096, 4096, 8192, 16384, 32768, 1024, 256, 1000, -1)
            )
        if dice.rarely(18):
            kind = dice.pick(list(BACKENDS)) if dice.rarely(12) else self.kind
            fitting = BACKENDS[kind][(self.gpu in BLACKWELL) != dice.rarely(10)]
            which = "" if dice.rarely(80) else dice.pick(("prefill-", "decode-"))
            flags[f"--{which}attention-backend"] = dice.pick(fitting)

    def disaggregation(self) -> None:
        """The role, the transfer backend, and how requests are spread and placed."""
        dice, flags = self.dice, self.flags
        if self.role != "null" or dice.rarely(10):
            flags["--disaggregation-mode"] = self.role
        if dice.rarely(35):
            flags["--disaggregation-transfer-backend"] = dice.weighted(TRANSFERS)
        if dice.rarely(12):
            flags["--load-balance-method"] = dice.pick(BALANCES)
        if dice.rarely(4):
            policy = dice.pick(("early", "prefill_complete", "prefill_complete"))
            flags["--disaggregation-decode-allocation-policy"] = policy

    def sharding(self) -> None:
        """KV sharding, mostly where it can work."""
        dice, flags = self.dice, self.flags
        if not dice.rarely(10 if self.role == "prefill" else 1):
            return
        flags["--enable-kv-cache-sharding"] = None
        if dice.rarely(70):
            self.env = SHARDING_ENV
        if dice.rarely(85):
            flags["--page-size"] = 64
        if dice.rarely(25):
            return
        if self.kind == "mla":
            self.attn_dp = self.attn_cp = 1
            for flag in ("--attn-cp-size", "--enable-prefill-cp", "--cp-strategy", "--moe-dp-size"):
                flags.pop(flag, None)
            for flag in ("--attn-dp-size", "--dp-size", "--enable-dp-attention"):
                flags.pop(flag, None)
            return
        self.attn_cp = flags["--attn-cp-size"] = dice.part(self.attn_tp())
        flags["--enable-prefill-cp"] = None
        flags["--cp-strategy"] = "interleave" if self.kind == "dsa" else "zigzag"
        if self.kind == "dsa":
            self.gpu = "B200"
            flags["--kv-cache-dtype"] = "fp8_e4m3"

    def speculation(self) -> None:
        """EAGLE, mostly with everything that it needs."""
        dice, flags = self.dice, self.flags
        if not dice.rarely(14):
            return
        if self.kind == "dense" and not dice.rarely(20):
            flags["--speculative-algorithm"] = "EAGLE3"
            flags["--speculative-draft-model-path"] = "eagle3-llama-3.1-8b"
        elif self.model in DRAFTING or dice.rarely(25):
            flags["--speculative-algorithm"] = dice.pick(("EAGLE", "EAGLE", "EAGLE", "NEXTN"))
        else:
            return
        if dice.rarely(20):
            return
        steps, topk = dice.pick((1, 2, 3, 3, 5)), dice.pick((1, 1, 1, 4))
        drafts = steps + 1 if topk == 1 else dice.pick((8, 16))
        sizes = {
            "--speculative-num-steps": steps,
            "--speculative-eagle-topk": topk,
            "--speculative-num-draft-tokens": drafts + (dice.rarely(10) and dice.pick((1, 2, -1))),
        }
        if dice.rarely(6):
            del sizes[dice.pick(list(sizes))]
        flags |= sizes

    def nodes(self) -> None:
        """As many nodes as the ranks need, mostly, and their address, mostly."""
        dice, flags = self.dice, self.flags
        count = -(-self.tp * self.pp // self.gpus) if dice.rarely(85) else 1
        if dice.rarely(5):
            count = dice.pick((2, 2, 3, 4, 6, 8))
        if count > 1 or dice.rarely(4):
            flags["--nnodes"] = count
            if not dice.rarely(10):
                flags["--dist-init-addr"] = dice.pick(("10.0.0.1:5000", "node0:20000"))

    def command(self, spelling: Spelling) -> dict[str, Any]:
        """The command as the oracle takes it."""
        dice = self.dice
        flags = list(self.flags.items())
        if dice.rarely(50):
            dice.random.shuffle(flags)
        if "--page-size" in self.flags and dice.rarely(3):
            flags.insert(0, ("--page-size", 2))  # of two the last one counts
        argv = []
        if dice.rarely(6):
            argv = ["--model-path", dice.pick((self.model, HUB[self.model]))]
        for flag, value in flags:
            argv += spelling.spell(flag, value)
        machine = {"gpu": self.gpu, "gpus_per_node": self.gpus}
        return {"model": self.model, **machine, "argv": argv} | (
            {"env": self.env} if self.env else {}
        )


class Spelling:
    """The names and prefixes that options go by."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        # Name: the option's first name, of every option of the releases that are asked.
        self.main: dict[str, str] = {}
        for line in OPTIONS.read_text().splitlines()[1:]:
            name, kind, *ranges = line.split()
            ends = [span.partition("-")[2] for span in ",".join(ranges).split(",")]
            if any(not end or version(end) > version(FIRST_RELEASE) for end in ends):
                self.main[name] = kind[1:] if kind.startswith("=") else name

    def spell(self, flag: str, value: Any) -> list[str]:
        """An option and its value, as words of a command line."""
        dice = self.dice
        if dice.rarely(20):
            flag = dice.pick([name for name, main in self.main.items() if main == flag] or [flag])
        if dice.rarely(8):
            flag = dice.pick(self.prefixes(flag) or [flag])
        if value is None:
            return [flag]
        return [f"{flag}={value}"] if dice.rarely(6) else [flag, str(value)]

    def prefixes(self, flag: str) -> list[str]:
        """The prefixes that mean this name and no other, or rarely all prefixes.

        To argparse a prefix of two names of one option is ambiguous, too.
        """
        every = [flag[:end] for end in range(4, len(flag)) if flag[:end] not in self.main]
        if self.dice.rarely(4):
            return every
        return [cut for cut in every if [n for n in self.main if n.startswith(cut)] == [flag]]

    def option(self, word: str) -> str:
        """The first name of the option that a word means, or the word."""
        word = word.partition("=")[0]
        fitting = [word] if word in self.main else [n for n in self.main if n.startswith(word)]
        return self.main[fitting[0]] if len(fitting) == 1 else word


def version(release: str) -> list[int]:
    """A release, to be compared."""
    return [int(part) for part in re.findall(r"\d+", release)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--tally", action="store_true")
    options = parser.parse_args()
    dice = Dice(options.seed)
    spelling = Spelling(dice)
    counts: Counter[str] = Counter()
    for place in range(options.count):
        command = {"id": f"random-{options.seed}-{place}"} | Server(dice).command(spelling)
        print(json.dumps(command, separators=(",", ":")))
        words = [word for word in command["argv"] if word.startswith("--")]
        counts.update({spelling.option(word) for word in words})
        counts.update(f"{name}={command[name]}" for name in ("model", "gpu", "gpus_per_node"))
    if options.tally:
        for name, count in sorted(counts.items()):
            print(f"{count:6} {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
