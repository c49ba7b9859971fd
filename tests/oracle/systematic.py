"""Plans that walk through every rule: each alone, in its variants, and each with each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

ATTENTIONS = ("gqa", "mla", "hybridMla")
ALL_CP_RANKS = {"env": {"SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER": "1"}}
SHARDING = {"enableKvCacheSharding": True}
LAYER_SPLIT = {"enableDsaCacheLayerSplit": True}
COMPLETE = {"allocationPolicy": "prefill_complete"}
SPARK = {"speculativeAlgorithm": "DSPARK", "speculativeNumDraftTokens": 5}
SPARK_MODEL = {"states": ["swa", "swa"], "compressRatios": [0, 2, 128]}
DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(("tp", "attentionCp", "attentionDp", "replicas", "pp", "dcp"), 1),
    "kvCacheDtype": "auto",
}
# States a model of each kind can have.
STATES: dict[str, tuple[list[str], ...]] = {
    "gqa": ([], ["mamba"], ["swa"], ["minimax_index_k"], ["block_scale"], ["dsa"]),
    "mla": ([], ["dsa"], ["swa"], ["minimax_index_k"], ["block_scale"], ["mamba"]),
    "hybridMla": (["mamba"], [], ["mamba", "dsa"], ["minimax_index_k"], ["block_scale_swa"]),
}


def server(attn_tp: int = 1, cp: int = 1, dp: int = 1, **fields: Any) -> dict[str, Any]:
    """A server by its attention TP size; defaults are left out."""
    given = {"tp": attn_tp * cp * dp, "attentionCp": cp, "attentionDp": dp, "pageSize": 64}
    given |= fields
    return {name: value for name, value in given.items() if value != DEFAULTS.get(name)}


def plan(
    attention: str, prefill: dict[str, Any], decode: dict[str, Any], **facts: Any
) -> dict[str, Any]:
    """A plan of two servers for a model described by its attention and other facts."""
    return {"model": {"attention": attention, "states": []} | facts, "prefill": prefill, "decode": decode}


def sizes() -> Iterator[dict[str, Any]]:
    """Attention TP sizes that are equal, divide, and do not."""
    pairs = [(1, 1), (4, 4), (1, 4), (2, 8), (4, 2), (8, 1), (2, 4), (16, 4)]
    pairs += [(4, 6), (2, 3), (3, 8), (8, 3), (6, 4), (12, 5), (7, 7), (5, 12)]
    for attention, (prefill, decode) in itertools.product(ATTENTIONS, pairs):
        yield plan(attention, server(prefill), server(decode))


def context_parallelism() -> Iterator[dict[str, Any]]:
    """Prefill CP with everything that decides whether its ranks send."""
    settings = [({}, {}), (ALL_CP_RANKS, {}), ({}, ALL_CP_RANKS), (ALL_CP_RANKS, ALL_CP_RANKS)]
    settings += [(LAYER_SPLIT, {}), (SHARDING, {}), ({}, SHARDING), ({}, LAYER_SPLIT)]
    pairs = [(2, 2, 2), (4, 2, 1), (1, 4, 4), (3, 2, 2)]
    for attention, (on_p, on_d), (p, cp, d) in itertools.product(ATTENTIONS, settings, pairs):
        yield plan(attention, server(p, cp, **on_p), server(d, **on_d))


def sharding() -> Iterator[dict[str, Any]]:
    """KV sharding without CP, where MLA spreads pages over attention TP."""
    for attention, (p, d) in itertools.product(ATTENTIONS, [(4, 4), (4, 2), (2, 4), (1, 1)]):
        yield plan(attention, server(p, **SHARDING), server(d))
    for attention in ATTENTIONS:
        yield plan(attention, server(4, pp=2, **SHARDING), server(4))
        yield plan(attention, server(2, dp=2, **SHARDING), server(2, **SHARDING))


def stages() -> Iterator[dict[str, Any]]:
    """Pipeline stages on both sides."""
    stages = [(2, 2), (4, 1), (1, 2), (4, 2), (3, 3)]
    for attention, (p, d), tp in itertools.product(ATTENTIONS, stages, [(2, 2), (4, 2), (1, 2)]):
        yield plan(attention, server(tp[0], pp=p), server(tp[1], pp=d))
    yield plan("mla", server(2, 2, pp=2, **ALL_CP_RANKS), server(2, pp=1, **ALL_CP_RANKS))
    yield plan("hybridMla", server(2, 2, pp=2), server(2))


def data_parallelism() -> Iterator[dict[str, Any]]:
    """Attention DP and replicas."""
    pairs = [
        (server(2, dp=2), server(2, dp=4)),
        (server(1, dp=8), server(8)),
        (server(2, replicas=2), server(2)),
        (server(4), server(1, dp=4, replicas=1)),
        (server(3, dp=2), server(4)),
        (server(2, replicas=3, pp=2), server(2, replicas=2)),
        (server(2, 2, dp=2), server(4)),
    ]
    for attention, (prefill, decode) in itertools.product(ATTENTIONS, pairs):
        yield plan(attention, prefill, decode)


def decode_context() -> Iterator[dict[str, Any]]:
    """DCP of decode and of prefill, and CP of decode."""
    for attention, dcp in itertools.product(ATTENTIONS, (2, 4, 8)):
        yield plan(attention, server(1), server(8, dcp=dcp))
        yield plan(attention, server(2, 2), server(8, dcp=dcp))
    for attention in ATTENTIONS:
        yield plan(attention, server(4, dcp=2), server(4, dcp=2))
        yield plan(attention, server(4, dcp=2), server(4))
        yield plan(attention, server(2, **SHARDING), server(2, dcp=2))
        yield plan(attention, server(2, 2, **SHARDING), server(2, dcp=2))
        yield plan(attention, server(2), server(2, 2))
        yield plan(attention, server(2, 2), server(2, 2))


def states() -> Iterator[dict[str, Any]]:
    """Every state with equal and with different attention TP sizes."""
    for attention in ATTENTIONS:
        for names, (p, d) in itertools.product(STATES[attention], [(2, 2), (4, 2), (2, 4)]):
            yield plan(attention, server(p), server(d), states=names)


def dtypes() -> Iterator[dict[str, Any]]:
    """Equal and different cache dtypes; MXFP8, which adds states."""
    pairs = [("bfloat16", "bfloat16"), ("fp8_e4m3", "bfloat16"), ("auto", "fp8_e4m3")]
    for attention, (p, d) in itertools.product(ATTENTIONS, pairs):
        yield plan(attention, server(2, kvCacheDtype=p), server(2, kvCacheDtype=d))
    scaled = {"kvCacheDtype": "mxfp8"}
    for attention, names in itertools.product(ATTENTIONS, ([], ["swa"])):
        for p, d in [(2, 2), (4, 2), (2, 4)]:
            yield plan(attention, server(p, **scaled), server(d, **scaled), states=names)
    yield plan("gqa", server(2, pageSize=1), server(2, pageSize=64))
    yield plan("mla", server(2, pageSize=128), server(2, pageSize=128))


def policies() -> Iterator[dict[str, Any]]:
    """Allocation policies: mixed, and both `prefill_complete` with each peer size."""
    for attention in ATTENTIONS:
        yield plan(attention, server(**COMPLETE), server())
        yield plan(attention, server(), server(**COMPLETE))
        yield plan(attention, server(**COMPLETE), server(**COMPLETE))
        for prefill in (server(2, **COMPLETE), server(1, 2, **COMPLETE), server(pp=2, **COMPLETE)):
            yield plan(attention, prefill, server(2, **COMPLETE))
        for names in (["dsa"], ["mamba"], ["swa"], ["dsa", "mamba"]):
            yield plan(attention, server(**COMPLETE), server(**COMPLETE), states=names)
        yield plan(attention, server(**COMPLETE), server(), states=["mamba"])
        yield plan(attention, server(), server(**COMPLETE), states=["mamba"])


def layouts() -> Iterator[dict[str, Any]]:
    """KV layouts, given on one side, on both, and different."""
    for p, d in itertools.product((None, "a", "b"), repeat=2):
        yield plan("mla", server(2, kvLayout=p), server(2, kvLayout=d))


def spark() -> Iterator[dict[str, Any]]:
    """DSpark on one side and on both, with equal and different sizes."""
    other = SPARK | {"speculativeNumDraftTokens": 7}
    unset = {"speculativeAlgorithm": "dspark"}
    sides = [(SPARK, SPARK), (SPARK, {}), ({}, SPARK), (SPARK, other), (unset, unset)]
    sides += [(unset, SPARK)]
    for attention, (p, d) in itertools.product(ATTENTIONS, sides):
        yield plan(attention, server(2, **p), server(2, **d), **SPARK_MODEL)
    for attention, (p, cp, d) in itertools.product(
        ATTENTIONS, [(2, 1, 4), (4, 1, 2), (2, 2, 4), (2, 2, 2), (2, 4, 4)]
    ):
        yield plan(attention, server(p, cp, **SPARK), server(d, **SPARK), **SPARK_MODEL)
    yield plan("mla", server(2, 2, **SPARK), server(2, 2, **SPARK), **SPARK_MODEL)


# One broken rule each: fields of prefill, of decode, facts of the model.
BROKEN: tuple[tuple[dict[str, Any], dict[str, Any], dict[str, Any]], ...] = (
    ({"pageSize": 32}, {}, {}),
    ({"kvCacheDtype": "fp8_e4m3"}, {}, {}),
    ({"tp": 2}, {"tp": 4}, {"states": ["minimax_index_k"]}),
    ({"kvLayout": "a"}, {"kvLayout": "b"}, {}),
    (SPARK, {}, SPARK_MODEL),
    (SPARK | {"tp": 2}, SPARK | {"tp": 4}, SPARK_MODEL),
    ({"tp": 2}, {"tp": 4}, {"states": ["block_scale"]}),
    ({}, {"tp": 4, "dcp": 4}, {}),
    ({"tp": 4, "attentionCp": 2}, {"tp": 2, "dcp": 2}, {}),
    (SHARDING, {"tp": 2, "dcp": 2}, {}),
    (SHARDING | {"tp": 2}, {"tp": 4}, {}),
    ({}, {"tp": 4, "attentionCp": 2}, {}),
    ({"pp": 3}, {"pp": 2}, {}),
    (COMPLETE, {}, {}),
    (COMPLETE, COMPLETE, {"states": ["mamba"]}),
)


def broken_pairs() -> Iterator[dict[str, Any]]:
    """Two broken rules at once: which one does SGLang name?"""
    for place, (first, second) in enumerate(itertools.combinations(BROKEN, 2)):
        attention = ATTENTIONS[place % 2]
        names = first[2].get("states", []) + second[2].get("states", [])
        facts = first[2] | second[2] | ({"states": list(names)} if names else {})
        if "compressRatios" in facts:
            facts["states"] = [name for name in names if name != "swa"] + ["swa", "swa"]
        prefill, decode = first[0] | second[0], first[1] | second[1]
        yield plan(attention, server(**prefill), server(**decode), **facts)


def all_plans() -> Iterator[dict[str, Any]]:
    """Every systematic plan once."""
    seen: list[dict[str, Any]] = []
    groups = (sizes, context_parallelism, sharding, stages, data_parallelism, decode_context)
    groups += (states, dtypes, policies, layouts, spark, broken_pairs)
    for given in itertools.chain.from_iterable(group() for group in groups):
        if given not in seen:
            seen.append(given)
            yield given
