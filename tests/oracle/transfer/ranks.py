"""What the ranks of both sides hold of one request.

A case says how two servers are cut; `DEFAULTS` are what it leaves out.  Widths are those of
attention.  A request has `PAGES` pages; every rank of the decode side has the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from memory import NOTHING, Buffer, Labels, Memory, joined

PAGE_SIZE, HEAD_BYTES = 2, 32
# A run of two pages, then single ones, elsewhere on either side; and a request's own slot.
PAGES = {"prefill": [3, 4, 9, 6], "decode": [11, 12, 1, 5]}
SLOT = {"prefill": [2], "decode": [5]}
TOKENS = PAGE_SIZE * len(PAGES["prefill"])

DEFAULTS: dict[str, Any] = dict(
    pool="mha",  # mha, mla, hybrid_mla
    prefill_tp=1, decode_tp=1, prefill_pp=1, decode_pp=1, prefill_dcp=1, decode_dcp=1,
    prefill_cp=1,  # above 1, every CP rank sends
    kv_heads=4, layers=4,
    prefill_split=None, decode_split=None,  # layers of each stage; else SGLang's split
    layer_ids=False,  # both sides say of which layer each KV entry is
    prefill_draft=0, decode_draft=0,  # layers of a draft's KV behind the model's
    draft_stages="all",  # or "last": the prefill stages that hold it
    last_stage_first=False,
    start_layer=None,  # what every prefill stage takes for its first layer; else the truth
    state=None,  # type, layers, layer_ids; of mamba also tensors, dims
)  # fmt: skip

# States of which a request has one slot, and those that are cut by heads.
PER_REQUEST = ("mamba", "request_row", "c128_state")
BY_HEADS = ("swa", "block_scale", "block_scale_swa")


def stage_sizes(layers: int, stages: int) -> list[int]:
    """Layers of each stage; the last ones have one more."""
    base, more = divmod(layers, stages)
    return [base + (stage >= stages - more) for stage in range(stages)]


def heads_of(rank: int, tp: int, heads: int) -> range:
    """The heads of a rank; where ranks outnumber heads, neighbours have the same one."""
    if heads < tp:
        head = rank // (tp // heads)
        return range(head, head + 1)
    return range(rank * heads // tp, (rank + 1) * heads // tp)


def channels_of(tensor: dict[str, Any], rank: int, tp: int) -> list[int]:
    """The channels of a rank; each group of them is split on its own."""
    if tensor.get("replicated"):
        return list(range(tensor["dim"]))
    held, start = [], 0
    for size in tensor.get("groups") or [tensor["dim"]]:
        share = size // tp
        held += range(start + rank * share, start + (rank + 1) * share)
        start += size
    return held


class Rank:
    """One rank of one side, and the buffers that it registers."""

    def __init__(self, labels: Labels, memory: Memory, case: dict[str, Any], side: str, pp: int, cp: int, tp: int):
        self.case, self.side, self.labels = case, side, labels
        self.pp, self.cp, self.tp = pp, cp, tp
        self.name = f"{pp}.{cp}.{tp}" if side == "prefill" else f"{pp}.{tp}"
        self.tp_size, self.pp_size, self.dcp = self._of("tp"), self._of("pp"), self._of("dcp")
        split = self._of("split") or stage_sizes(case["layers"], self.pp_size)
        self.layers = range(sum(split[:pp]), sum(split[: pp + 1]))
        self.kv, self.kv_layer_ids = self._kv()
        self.state: list[Buffer] = []
        self.state_layer_ids: list[int] = []
        self.dims: list[int] = []
        self.groups: list[Any] = []
        self.rows: list[int] = []
        if case["state"]:
            self._add_state(case["state"])
        for buffer in self.kv + self.state:
            memory.register(self.name, buffer)
            if side == "prefill":
                buffer.bytes = buffer.filled()

    def _of(self, name: str) -> Any:
        return self.case[f"{self.side}_{name}"]

    @property
    def pages(self) -> list[int]:
        """The request's pages; with DCP a page spans more tokens."""
        return PAGES[self.side][: -(-TOKENS // (PAGE_SIZE * self.dcp))]

    def state_slots(self) -> list[int]:
        """Where the request's state lies."""
        state = self.case["state"]
        if not state:
            return []
        return SLOT[self.side] if state["type"] in PER_REQUEST else PAGES[self.side]

    def _paged(self, kind: str, layer: int, heads: Iterable[int], share: slice = slice(None)) -> Buffer:
        """A buffer of pages; of the tokens that a page spans, those of `share`."""
        heads, span = list(heads), PAGE_SIZE * self.dcp
        rows = [
            joined(
                self.labels.of((kind, layer, token, head), HEAD_BYTES)
                if token < TOKENS
                else np.full(HEAD_BYTES, NOTHING)
                for token in range(page * span, (page + 1) * span)[share]
                for head in heads
            )
            for page in range(len(self.pages))
        ]
        return Buffer(f"{kind}{layer}", np.array(rows), self.pages)

    def _kv(self) -> tuple[list[Buffer], list[int]]:
        case, draft = self.case, self._of("draft")
        if self.side == "prefill" and case["draft_stages"] == "last" and self.pp < self.pp_size - 1:
            draft = 0
        kinds, heads = ["L"], range(1)
        if case["pool"] == "mha":
            kinds, heads = ["K", "V"], heads_of(self.tp, self.tp_size, case["kv_heads"])
        # A rank has every n-th token of the model's KV, but all of a draft's.
        stripe = slice(self.tp % self.dcp, None, self.dcp)
        buffers = [self._paged(kind, layer, heads, stripe) for kind in kinds for layer in self.layers]
        buffers += [self._paged(f"D{kind}", layer, heads) for kind in kinds for layer in range(draft)]
        ids = [*self.layers] * len(kinds) + [case["layers"] + layer for _ in kinds for layer in range(draft)]
        return buffers, ids if case["layer_ids"] else []

    def _add_state(self, state: dict[str, Any]) -> None:
        total, own = state.get("layers", 2), self._of("split")
        follows = own and total == self.case["layers"] and state["type"] != "mamba"
        split = [total] if self.pp_size == 1 else own if follows else stage_sizes(total, self.pp_size)
        layers = range(sum(split[: self.pp]), sum(split[: self.pp + 1]))
        if state["type"] == "mamba":
            for number, tensor in enumerate(state["tensors"]):
                for layer in layers:
                    self._add_tensor(tensor, number, layer)
            self.dims = self.dims if state.get("dims", True) else []
        elif state["type"] in BY_HEADS and self.case["pool"] == "mha":
            heads = heads_of(self.tp, self.tp_size, self.case["kv_heads"])
            self.state = [self._flat(kind, layer, heads) for kind in ("SK", "SV") for layer in layers]
            self.state_layer_ids = [*layers, *layers]
        else:
            self.state = [self._flat("S", layer, range(1)) for layer in layers]
            self.state_layer_ids = [*layers]
        if not state.get("layer_ids"):
            self.state_layer_ids = []

    def _flat(self, kind: str, layer: int, heads: Iterable[int]) -> Buffer:
        """A state in pages, or in one row; whole, whatever becomes of the KV."""
        heads, slots = list(heads), self.state_slots()
        rows = [
            joined(self.labels.of((kind, layer, row, token, head), HEAD_BYTES) for token in range(PAGE_SIZE) for head in heads)
            for row in range(len(slots))
        ]
        return Buffer(f"{kind}{layer}", np.array(rows), slots)

    def _add_tensor(self, tensor: dict[str, Any], number: int, layer: int) -> None:
        channels, rows = channels_of(tensor, self.tp, self.tp_size), tensor.get("outer", 1)
        name = f"S{layer * 10 + number}"
        item = joined(self.labels.of((name, row, channel), tensor.get("elem", 2)) for row in range(rows) for channel in channels)
        self.state.append(Buffer(name, item[np.newaxis], self.state_slots()))
        self.dims.append(0 if tensor.get("replicated") else len(channels))
        self.groups.append(tensor.get("groups"))
        self.rows.append(rows)
        self.state_layer_ids.append(layer)
