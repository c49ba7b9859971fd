#!/usr/bin/env python3
"""Ask a released SGLang about plans: ask.py WHEEL_DIR < plans.jsonl > answers.jsonl

WHEEL_DIR is an unpacked wheel, the folder that holds `sglang/`.  A line of input is
`{"id": …, "plan": …}`: a plan in the planner's JSON, whose model is a description and whose
servers name their page size.  Its release is ignored.

A line of output:

    {"id": …,
     "rejected": null | {"type": …, "message": …,
                         "stage": "prefill registration" | "decode start" | "handshake"},
     "ranks": [[pp, tp, target_tp_rank, target_tp_ranks, target_cp_ranks, target_pp_ranks,
                required_dst_info_num, required_prefill_response_num,
                [[cp, tp, pp, dummy], …], missing, failed], …],
     "starved": null | [[pp, cp, tp], …],
     "short": null | [[pp, tp], …]}

`ranks` are those of one decode DP group; their peers, in SGLang's order, are those of prefill DP
group 0.  `missing` is the text of a look-up that fails, `failed` that of a request that fails
before any look-up; either leaves the peers empty.  `starved` are the prefill ranks of DP group 0
that wait for a decode rank and never hear of one, `short` the decode ranks that wait for more
prefill ranks than will answer; both are null where a rank has no peers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import plans
from plans import Rank
from wheel import ADDRESS, FIRST_PORT, Wheel

LOOK_UP = "Could not fetch bootstrap info"
# What SGLang itself raises; anything else is a fault of the stand-ins.
RAISED = (RuntimeError, AssertionError, ValueError)


def answer(wheel: Wheel, plan: dict[str, Any]) -> dict[str, Any]:
    """What the release does with a plan."""
    pair = plans.pair(plan)
    stage, ranks = "prefill registration", []
    try:
        prefill = wheel.register(pair)
        for rank in pair.decode.ranks(one_group=True):
            stage = "decode start"
            manager = wheel.decode_manager(pair, rank)
            stage = "handshake"
            if not manager.try_ensure_parallel_info(ADDRESS):
                raise SystemExit(f"a release does not understand itself: {wheel.log.errors}")
            ranks.append(mapping(wheel, manager, rank, prefill))
    except RAISED as error:
        rejected = {**raised(error), "stage": stage}
        return {"rejected": rejected, "ranks": [], "starved": None, "short": None}
    return {"rejected": None, "ranks": ranks, **waiting(prefill, ranks)}


def raised(error: Exception) -> dict[str, str]:
    """An exception's type and text; SGLang's assertions wrap theirs in a tuple."""
    text = error.args[0] if error.args else ""
    return {
        "type": type(error).__name__,
        "message": str(text[0] if isinstance(text, tuple) else text),
    }


def mapping(wheel: Wheel, manager: Any, rank: Rank, prefill: list[tuple[Rank, Any]]) -> list[Any]:
    """A decode rank's mapping and peers."""
    info = manager.prefill_info_table[ADDRESS]
    found, failure = wheel.look_up(manager)
    missing = failure is not None and failure.startswith(LOOK_UP)
    peers = []
    for peer in found:
        at = prefill[peer["rank_port"] - FIRST_PORT][0]
        assert (at.replica, at.attn_dp, at.pp) == (0, 0, peer.get("pp_rank", at.pp))
        peers.append([at.cp, at.tp, at.pp, int(peer["is_dummy"])])
    return [
        rank.pp,
        rank.tp,
        info.target_tp_rank,
        list(info.target_tp_ranks),
        list(info.target_cp_ranks),
        list(info.target_pp_ranks),
        info.required_dst_info_num,
        info.required_prefill_response_num,
        peers,
        failure if missing else None,
        None if missing else failure,
    ]


def waiting(prefill: list[tuple[Rank, Any]], ranks: list[list[Any]]) -> dict[str, Any]:
    """Who waits for somebody who never comes."""
    if any(missing or failed for *_, missing, failed in ranks):
        return {"starved": None, "short": None}
    group = [(rank, manager) for rank, manager in prefill if rank[:2] == (0, 0)]
    silent = {
        (rank.cp, rank.tp, rank.pp)
        for rank, manager in group
        if getattr(manager, "is_dummy_cp_rank", False)
    }
    contacted = {tuple(peer[:3]) for rank in ranks for peer in rank[8]}
    starved = [
        [rank.pp, rank.cp, rank.tp]
        for rank, _ in group
        if (rank.cp, rank.tp, rank.pp) not in contacted | silent
    ]
    short = [
        rank[:2]
        for rank in ranks
        if rank[7] > sum(not dummy and (*at,) not in silent for *at, dummy in rank[8])
    ]
    return {"starved": starved, "short": short}


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "sglang").is_dir():
        sys.exit(__doc__)
    wheel = Wheel(Path(sys.argv[1]))
    for line in filter(str.strip, sys.stdin):
        question = json.loads(line)
        given = {"id": question["id"], **answer(wheel, question["plan"])}
        print(json.dumps(given, separators=(",", ":")))


if __name__ == "__main__":
    main()
