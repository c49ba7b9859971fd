#!/usr/bin/env python3
"""Transfers to ask about: cases.py [--seed N --count M] > cases.jsonl

Without a seed, those that walk through every way in which the transfer code cuts, pairs and sends;
with one, random ones over what a plan can say.  `ranks.py` tells what a case leaves out.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from ranks import DEFAULTS

BACKENDS = ("mooncake", "nixl", "mori", "ascend")
POOLS = ("mha", "mla", "hybrid_mla")
# A recurrent state; a convolution in parts, or in rows before the channels; a copied one.
RECURRENT = {"dim": 16, "elem": 4}
IN_PARTS = {"dim": 64, "groups": [16, 16, 32]}
IN_ROWS = {"dim": 16, "outer": 3}
COPIED = {"dim": 6, "replicated": True}
TENSORS = ([RECURRENT], [IN_PARTS, RECURRENT], [IN_ROWS, RECURRENT], [COPIED, RECURRENT])
PAGED = (
    "swa swa_ring c128_state request_row dsa block_scale block_scale_swa "
    "minimax_index_k minimax_dense_kv qsa_pending qsa_compressed"
).split()

Case = dict[str, Any]


def systematic() -> Iterator[Case]:
    """Every way, on every backend, alone and where two meet."""
    for backend in BACKENDS:
        for case in (*heads(), *latents(), *stages(), *drafts(), *mamba(), *paged(), *stripes(), *senders()):
            yield {"backend": backend, **case}


def heads() -> Iterator[Case]:
    """Heads that are cut, gathered and copied."""
    for prefill, decode, count in product((1, 2, 4, 8), (1, 2, 4, 8), (1, 2, 8)):
        yield {"prefill_tp": prefill, "decode_tp": decode, "kv_heads": count, "layers": 2}
    for prefill, decode, count in ((1, 16, 8), (16, 1, 8), (16, 4, 4), (4, 16, 4), (8, 16, 4)):
        yield {"prefill_tp": prefill, "decode_tp": decode, "kv_heads": count, "layers": 1}


def latents() -> Iterator[Case]:
    """Latents that every rank holds whole."""
    for pool, prefill, decode in product(("mla", "hybrid_mla"), (1, 2, 4), (1, 2, 4)):
        ids = pool == "hybrid_mla"
        yield {"pool": pool, "prefill_tp": prefill, "decode_tp": decode, "layers": 2, "layer_ids": ids}


def stages() -> Iterator[Case]:
    """Stages against layers: those that divide, those that do not, and uneven ones."""
    shapes = ((4, 2), (8, 2), (10, 4), (94, 4), (36, 8), (61, 4), (48, 5), (3, 3))
    for (layers, pp), pool, tp in product(shapes, POOLS, ((1, 1), (2, 4), (4, 2))):
        ids = pool == "hybrid_mla"
        yield {"pool": pool, **ranks(tp), "layers": layers, "prefill_pp": pp, "layer_ids": ids}
    for pool, tp in product(POOLS, ((1, 1), (2, 1))):
        ids = pool == "hybrid_mla"
        both = {"pool": pool, **ranks(tp), "prefill_pp": 2, "decode_pp": 2, "layer_ids": ids}
        yield {**both, "layers": 5}
        yield {**both, "prefill_split": [3, 1]}
        yield {**both, "prefill_split": [3, 1], "decode_split": [3, 1]}
    for tp in ((1, 1), (2, 4)):
        yield {**ranks(tp), "layers": 10, "prefill_pp": 4, "layer_ids": True}
        yield {**ranks(tp), "layers": 4, "prefill_pp": 2, "prefill_split": [3, 1]}


def drafts() -> Iterator[Case]:
    """The KV of a draft behind the model's, on both sides or one, with stages or without."""
    for pool, (prefill, decode), pp, tp in product(POOLS, ((0, 1), (1, 0), (1, 1), (2, 2)), (1, 2), ((1, 1), (4, 2))):
        ids = pool == "hybrid_mla"
        case = {"pool": pool, **ranks(tp), "prefill_draft": prefill, "decode_draft": decode, "prefill_pp": pp}
        case |= {"layer_ids": ids, "draft_stages": "last"}
        yield case
        if pp > 1 and prefill and decode:
            yield {**case, "last_stage_first": True}
            yield {**case, "decode_pp": pp}
            if pool == "mla" and prefill == 1:
                yield {**case, "draft_stages": "all"}
                yield {**case, "draft_stages": "all", "last_stage_first": True}


def mamba() -> Iterator[Case]:
    """Linear-attention states, cut over TP and found by layer."""
    for tensors, pool, tp in product(TENSORS, ("mha", "hybrid_mla"), ((2, 2), (4, 2), (2, 4), (4, 1))):
        state = {"type": "mamba", "layers": 2, "tensors": tensors, "layer_ids": True}
        yield {"pool": pool, **ranks(tp), "layers": 2, "layer_ids": True, "state": state}
    for pool, tp, decode_pp, ids in product(("mha", "hybrid_mla"), ((1, 1), (2, 1), (1, 2)), (1, 2), (True, False)):
        state = {"type": "mamba", "layers": 4, "tensors": [RECURRENT], "layer_ids": ids}
        yield {
            "pool": pool, **ranks(tp), "prefill_pp": 2, "decode_pp": decode_pp, "layer_ids": ids, "state": state,
        }  # fmt: skip
    for tp in ((2, 2), (4, 2), (2, 4)):
        yield {**ranks(tp), "state": {"type": "mamba", "layers": 1, "tensors": [RECURRENT], "dims": False}}


def paged() -> Iterator[Case]:
    """States in pages or rows, beside each pool, over different widths and stages."""
    for kind, pool, tp in product(PAGED, POOLS, ((2, 2), (4, 2), (2, 4))):
        if pool != "hybrid_mla" or tp == (4, 2):
            case = {"pool": pool, **ranks(tp), "layers": 2, "state": {"type": kind, "layers": 2}}
            yield {**case, "layer_ids": True} if pool == "hybrid_mla" else case
    for kind, pool in product(PAGED, ("mha", "mla")):
        if kind in ("swa_ring", "c128_state", "request_row") or pool == "mla" and kind not in ("dsa", "swa"):
            continue
        with_ids = kind.startswith("qsa")
        case = {"pool": pool, "prefill_pp": 2, "layer_ids": with_ids, "state": {"type": kind, "layers": 4, "layer_ids": with_ids}}
        # The pool of a model with windows takes every stage's first layer for layer 0.
        starts = {"start_layer": 0} if kind == "swa" else {}
        yield {**case, **starts}
        yield {**case, "decode_pp": 2}
        if pool == "mha" and kind in ("swa", "qsa_pending"):
            yield {**case, **starts, **ranks((2, 1))}


def stripes() -> Iterator[Case]:
    """Decode context parallelism."""
    for pool, (prefill, decode) in product(("mla", "hybrid_mla"), ((1, 2), (1, 4), (2, 1), (2, 2), (4, 2))):
        for tp in ((4, 4), (8, 4), (4, 8)):
            case = {"pool": pool, **ranks(tp), "prefill_dcp": prefill, "decode_dcp": decode, "layers": 2}
            case["layer_ids"] = pool == "hybrid_mla"
            yield case
            if (prefill, decode) == (1, 2) and tp == (4, 4):
                yield {**case, "prefill_draft": 1, "decode_draft": 1}
                yield {**case, "prefill_draft": 1}
                yield {**case, "decode_draft": 1}
                yield {**case, "prefill_pp": 2, "layers": 4}
    yield {"pool": "mla", **ranks((2, 2)), "decode_dcp": 2, "state": {"type": "dsa", "layers": 4}}


def senders() -> Iterator[Case]:
    """Several CP ranks that send."""
    state = {"mha": ("mamba", "swa"), "mla": ("dsa",), "hybrid_mla": ("mamba",)}
    for pool, cp, tp in product(POOLS, (2, 4), ((1, 1), (2, 1), (1, 2))):
        case = {"pool": pool, **ranks(tp), "prefill_cp": cp, "layers": 2, "layer_ids": pool == "hybrid_mla"}
        yield case
        for kind in state[pool] if cp == 2 else ():
            if kind == "mamba":
                yield {**case, "layer_ids": True, "state": {"type": kind, "layers": 2, "tensors": [RECURRENT], "layer_ids": True}}
            else:
                yield {**case, "state": {"type": kind, "layers": 2}}


def ranks(tp: tuple[int, int]) -> Case:
    return {"prefill_tp": tp[0], "decode_tp": tp[1]}


def chosen(rng: random.Random) -> Case:
    """A random case over what a plan can say."""
    backend, pool = rng.choice(BACKENDS), rng.choice(("mha", *POOLS))
    widths = (1, 2, 4, 8, 16)
    prefill = rng.choice(widths)
    layers = rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 10))
    case: Case = {
        "backend": backend, "pool": pool, "layers": layers, "draft_stages": "last",
        "prefill_tp": prefill, "decode_tp": rng.choice((prefill, prefill, *widths)),
        "kv_heads": rng.choice((1, 2, 4, 8)) if pool == "mha" else 16,
        "layer_ids": pool == "hybrid_mla",
    }  # fmt: skip
    kind = rng.choice(states_of(pool))
    if kind not in ("swa_ring", "c128_state", "request_row") and not (pool == "mla" and kind == "swa"):
        choose_stages(rng, case)
    if kind:
        choose_state(rng, case, kind)
    elif rng.random() < 0.3:
        case["prefill_draft"], case["decode_draft"] = rng.choice(((1, 1), (0, 1), (1, 0), (2, 2)))
        case["last_stage_first"] = rng.random() < 0.3
    if pool != "mha" and kind in (None, "dsa") and "prefill_draft" not in case and rng.random() < 0.35:
        case.pop("state", None)
        choose_stripes(rng, case)
    elif case.get("prefill_pp", 1) == 1 and rng.random() < 0.15:
        case["prefill_cp"] = rng.choice((2, 4))
    return case


def states_of(pool: str) -> tuple[str | None, ...]:
    """The states of models with such a pool; the most common ones more than once."""
    if pool == "mha":
        return None, None, "swa", "mamba", "mamba", "block_scale", *(kind for kind in PAGED if "_" in kind and kind[0] in "mq")
    if pool == "mla":
        return None, None, "dsa", "dsa", "swa", "swa_ring", "c128_state", "request_row"
    return None, "mamba", "mamba"


def choose_stages(rng: random.Random, case: Case) -> None:
    pp, layers = rng.choice((1, 1, 1, 2, 3, 4)), case["layers"]
    if pp == 1 or pp > layers:
        return
    case["prefill_pp"], case["decode_pp"] = pp, rng.choice((pp, 1, 1))
    if rng.random() < 0.2 and not (case["backend"] == "ascend" and case["pool"] == "hybrid_mla"):
        ends = [0, *sorted(rng.sample(range(1, layers), pp - 1)), layers]
        case["prefill_split"] = [end - start for start, end in zip(ends, ends[1:], strict=False)]
        if case["decode_pp"] > 1 and rng.random() < 0.5:
            case["decode_split"] = case["prefill_split"]


def choose_state(rng: random.Random, case: Case, kind: str) -> None:
    state: Case = {"type": kind, "layers": case["layers"]}
    pp = case.get("prefill_pp", 1)
    if kind == "mamba":
        state["tensors"] = rng.choice((TENSORS[0], *TENSORS[:3], TENSORS[3]))
        state["layers"] = pp * rng.choice((1, 2, 3))
        if rng.random() < 0.1:
            state["dims"] = False
    if kind == "mamba" or kind.startswith("qsa"):
        case["layer_ids"] = state["layer_ids"] = True
    if kind == "swa" and pp > 1:
        case["start_layer"] = 0
    case["state"] = state


def choose_stripes(rng: random.Random, case: Case) -> None:
    decode = case["decode_tp"]
    case["decode_dcp"] = rng.choice([width for width in (2, 4, 8) if decode % width == 0] or [1])
    if rng.random() < 0.2 and case["backend"] != "ascend":
        fits = [width for width in (2, 4, 8) if case["prefill_tp"] % width == 0]
        case["prefill_dcp"] = rng.choice(fits or [1])


def plain(case: Case) -> Case:
    """A case without what is usual."""
    return {name: value for name, value in case.items() if name not in DEFAULTS or value != DEFAULTS[name]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    if options.seed is None:
        cases = systematic()
    else:
        rng = random.Random(options.seed)
        cases = (chosen(rng) for _ in range(options.count))
    seen = set()
    for case in cases:
        text = json.dumps(plain(case), separators=(",", ":"))
        if text not in seen:
            seen.add(text)
            print(text)


if __name__ == "__main__":
    main()
