#!/usr/bin/env python3
"""Print plans as JSON lines: generate.py [--systematic] [--seed N] [--count M] [--tally]

`--systematic` prints the plans of `systematic.py`; a count prints as many random ones, where
each deviation from a plain pair is rare enough that about half of the pairs are accepted.
`--tally` counts on stderr in how many plans each field deviates.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from typing import Any

import systematic
from plans import ALL_CP_RANKS
from systematic import ATTENTIONS, COMPLETE, SHARDING, SPARK, SPARK_MODEL, STATES, plan, server

MOST_PREFILL_RANKS, MOST_DECODE_RANKS = 32, 24
EVEN, ODD = (1, 2, 2, 4, 4, 8, 16), (3, 5, 6, 7, 12)
DTYPES = ("auto", "bfloat16", "fp8_e4m3")


class Dice:
    """Random choices."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pick = self.random.choice

    def rarely(self, percent: int) -> bool:
        return self.random.randrange(100) < percent


def sizes(dice: Dice) -> tuple[dict[str, int], dict[str, int]]:
    """Attention TP, CP, DP and replicas of both sides."""
    p, d = dice.pick(EVEN), dice.pick(EVEN)
    if dice.rarely(40):
        d = p
    if dice.rarely(10):
        p, d = dice.pick(ODD), dice.pick(EVEN + ODD)
    elif dice.rarely(8):
        d = dice.pick(ODD)
    prefill, decode = {"attn_tp": p}, {"attn_tp": d}
    if dice.rarely(35):
        prefill["cp"] = dice.pick((2, 2, 3, 4))
        if dice.rarely(25):
            decode["attn_tp"] = p * prefill["cp"]
    if dice.rarely(5):
        decode["cp"] = 2
    for side in (prefill, decode):
        if dice.rarely(15):
            side["dp"] = dice.pick((2, 2, 4))
        elif dice.rarely(8):
            side["replicas"] = dice.pick((2, 3))
    return prefill, decode


def stages(dice: Dice, prefill: dict[str, Any], decode: dict[str, Any]) -> None:
    """Pipeline stages and DCP."""
    if dice.rarely(20):
        prefill["pp"] = dice.pick((2, 2, 3, 4))
        decode["pp"] = dice.pick((1, prefill["pp"]))
    if dice.rarely(5):
        decode["pp"] = dice.pick((2, 3, 4))
    if dice.rarely(25):
        decode["dcp"] = dice.pick([n for n in (1, 2, 4, 8) if decode["attn_tp"] % n == 0])
        if dice.rarely(60):
            prefill.pop("cp", None)
    if dice.rarely(3):
        prefill["dcp"] = dice.pick([n for n in (1, 2, 4) if prefill["attn_tp"] % n == 0])


def settings(dice: Dice, prefill: dict[str, Any], decode: dict[str, Any]) -> None:
    """What both servers should agree on, and mostly do, and what only one of them has."""
    page, dtype = dice.pick((1, 16, 64, 64, 128)), dice.pick(DTYPES)
    layout = dice.pick((None, None, None, "a", "b"))
    for side in (prefill, decode):
        side["pageSize"], side["kvCacheDtype"], side["kvLayout"] = page, dtype, layout
        if dice.rarely(22):
            side["env"] = {ALL_CP_RANKS: dice.pick(("1", "true", "1", "0"))}
    if dice.rarely(4):
        prefill["pageSize"] = dice.pick((32, 256))
    if dice.rarely(8):
        decode["kvCacheDtype"] = dice.pick(DTYPES)
    if dice.rarely(12):
        dice.pick((prefill, decode))["kvLayout"] = dice.pick((None, "a", "b"))
    if dice.rarely(7):
        prefill["enableDsaCacheLayerSplit"] = True
    if dice.rarely(12):
        prefill |= SHARDING
    if dice.rarely(3):
        decode |= SHARDING


def policy(dice: Dice, prefill: dict[str, Any], decode: dict[str, Any]) -> None:
    """Allocation policies; `prefill_complete` mostly where it can work."""
    if dice.rarely(6):
        prefill |= COMPLETE
        decode |= COMPLETE
        if dice.rarely(60):
            for name in ("cp", "pp"):
                prefill.pop(name, None)
            decode.pop("pp", None)
            prefill["attn_tp"] = 1
    if dice.rarely(4):
        dice.pick((prefill, decode)).update(COMPLETE)


def model(
    dice: Dice, prefill: dict[str, Any], decode: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """The attention and other facts; DSpark and MXFP8 also change the servers."""
    attention = dice.pick(ATTENTIONS)
    if dice.rarely(8):
        for side in (prefill, decode):
            side |= SPARK if not dice.rarely(8) else {}
            if dice.rarely(8):
                side["speculativeNumDraftTokens"] = 7
        if dice.rarely(60) and "cp" not in prefill:
            decode["attn_tp"] = prefill["attn_tp"]
        return attention, SPARK_MODEL
    if attention == "gqa" and dice.rarely(20):
        prefill["kvCacheDtype"] = decode["kvCacheDtype"] = "mxfp8"
        if dice.rarely(50):
            decode["attn_tp"] = prefill["attn_tp"]
        return attention, {"states": dice.pick(([], ["swa"]))}
    names = dice.pick(STATES[attention]) if dice.rarely(50) else []
    return attention, {"states": names}


def fits(given: dict[str, Any]) -> bool:
    """Small enough to be answered fast, and sizes that exist."""
    p, d = given["prefill"], given["decode"]
    prefill = p.get("tp", 1) * p.get("pp", 1) * p.get("replicas", 1)
    decode = d.get("tp", 1) * d.get("pp", 1) // d.get("attentionDp", 1)
    attn_tp = d.get("tp", 1) // d.get("attentionDp", 1) // d.get("attentionCp", 1)
    divides = attn_tp % d.get("dcp", 1) == 0
    return prefill <= MOST_PREFILL_RANKS and decode <= MOST_DECODE_RANKS and divides


def random_plan(dice: Dice) -> dict[str, Any]:
    """One random plan."""
    while True:
        prefill, decode = sizes(dice)
        for deviate in (stages, settings, policy):
            deviate(dice, prefill, decode)
        attention, facts = model(dice, prefill, decode)
        given = plan(attention, server(**prefill), server(**decode), **facts)
        if fits(given):
            return given


def tally(given: list[dict[str, Any]]) -> Counter[str]:
    """In how many plans each field is set."""
    counts: Counter[str] = Counter()
    for one in given:
        counts.update(f"{part}.{name}" for part in ("prefill", "decode") for name in one[part])
        counts[f"model.attention={one['model']['attention']}"] += 1
        counts[f"model.states={'+'.join(one['model'].get('states', [])) or 'none'}"] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systematic", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--tally", action="store_true")
    options = parser.parse_args()
    dice = Dice(options.seed)
    given = list(systematic.all_plans()) if options.systematic else []
    given += [random_plan(dice) for _ in range(options.count)]
    for place, one in enumerate(given):
        print(json.dumps({"id": place, "plan": one}, separators=(",", ":")))
    if options.tally:
        for name, count in sorted(tally(given).items()):
            print(f"{count:6} {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
