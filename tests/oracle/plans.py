"""From a plan, in the planner's JSON, to what SGLang's ranks would see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

ALL_CP_RANKS = "SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER"
TRUE = frozenset({"1", "true", "yes", "y"})
BLOCK_SCALES = ("block_scale", "block_scale_swa")


class Rank(NamedTuple):
    """One scheduler process of a server."""

    replica: int
    attn_dp: int
    pp: int
    cp: int
    tp: int


@dataclass(frozen=True)
class Side:
    """One server."""

    attn_tp: int
    attn_cp: int
    attn_dp: int
    replicas: int
    pp: int
    dcp: int
    page_size: int
    kv_cache_dtype: str
    layer_split: bool
    kv_sharding: bool
    allocation_policy: str
    kv_layout: str | None
    spec_layout: dict[str, Any] | None
    states: tuple[str, ...]
    all_cp_ranks: bool

    @property
    def tp(self) -> int:
        return self.attn_tp * self.attn_cp * self.attn_dp

    def ranks(self, one_group: bool = False) -> Iterator[Rank]:
        """All ranks, or those of one DP group, in the order pp, cp, tp."""
        for replica in range(1 if one_group else self.replicas):
            for attn_dp in range(1 if one_group else self.attn_dp):
                for pp in range(self.pp):
                    for cp in range(self.attn_cp):
                        for tp in range(self.attn_tp):
                            yield Rank(replica, attn_dp, pp, cp, tp)


@dataclass(frozen=True)
class Pair:
    """A prefill and a decode server, and the kind of model that both serve."""

    prefill: Side
    decode: Side
    mla: bool
    hybrid_mla: bool


def pair(plan: dict[str, Any]) -> Pair:
    """What SGLang sees of a plan, whose model is a description."""
    model = plan["model"]
    return Pair(
        prefill=side(plan.get("prefill", {}), model),
        decode=side(plan.get("decode", {}), model),
        mla=model["attention"] == "mla",
        hybrid_mla=model["attention"] == "hybridMla",
    )


def side(server: dict[str, Any], model: dict[str, Any]) -> Side:
    """What SGLang sees of a server."""
    attn_dp, attn_cp = server.get("attentionDp", 1), server.get("attentionCp", 1)
    return Side(
        attn_tp=server.get("tp", 1) // attn_dp // attn_cp,
        attn_cp=attn_cp,
        attn_dp=attn_dp,
        replicas=server.get("replicas", 1),
        pp=server.get("pp", 1),
        dcp=server.get("dcp", 1),
        page_size=server["pageSize"],
        kv_cache_dtype=server.get("kvCacheDtype", "auto"),
        layer_split=server.get("enableDsaCacheLayerSplit", False),
        kv_sharding=server.get("enableKvCacheSharding", False),
        allocation_policy=server.get("allocationPolicy", "early"),
        kv_layout=server.get("kvLayout"),
        spec_layout=spec_layout(server, model),
        states=states(server, model),
        all_cp_ranks=server.get("env", {}).get(ALL_CP_RANKS, "0").lower() in TRUE,
    )


def states(server: dict[str, Any], model: dict[str, Any]) -> tuple[str, ...]:
    """The states that a server transfers: the model's, and the scales of an MXFP8 cache."""
    own = tuple(model.get("states", []))
    if server.get("kvCacheDtype") != "mxfp8" or model["attention"] != "gqa":
        return own
    if "swa" in own:
        return own + tuple(scale for scale in BLOCK_SCALES if scale not in own)
    return own if "block_scale" in own else ("block_scale", *own)


def spec_layout(server: dict[str, Any], model: dict[str, Any]) -> dict[str, Any] | None:
    """The DSpark layout that a server publishes and compares.

    Only the number of draft tokens differs between servers of one model: the sizes stand for
    those that both read from the same checkpoint.
    """
    if 2 not in model.get("compressRatios", []):
        return None
    if (server.get("speculativeAlgorithm") or "").upper() != "DSPARK":
        return None
    return {
        "num_draft_tokens": server.get("speculativeNumDraftTokens"),
        "compression_ratios": list(model["compressRatios"]),
        "kv_layer_ids": [1, 2],
        "kv_item_lens": [64, 64],
        "state_types": list(model.get("states", [])),
        "state_item_lens": [[64], [64]],
    }
