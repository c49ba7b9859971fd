#!/usr/bin/env python3
"""Let a released SGLang send requests: send.py WHEEL_DIR BACKEND < cases.jsonl > answers.jsonl

WHEEL_DIR is an unpacked wheel, the folder that holds `sglang/`.  A line of input is a case of that
backend (mooncake, nixl, mori, ascend), see `ranks.py`.  Each prefill rank is a real KV manager;
decode ranks register with it, and its transfer worker sends one request between buffers that are
labelled byte by byte.  A line of output says how that ends:

    {"outcome": "right", "moved": [[kv bytes, state bytes, "FROM>TO …"], …]}
    {"outcome": "fails", "where": "registration" | "worker" | "room", "type": …, "message": …}
    {"outcome": "refused"}              nixl: descriptors that a real agent does not take
    {"outcome": "corrupts", "wrong": [["RANK …", "BUFFER …"], …]}
    {"outcome": "unknownState"}         the release has no such state

FROM is a prefill rank, `pp.cp.tp` or its tp alone where the others are 0, TO a decode rank, `pp.tp`
or its tp.  `worker` is what escapes SGLang's own code, `room` what it notes as the request's failure.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from backends import Backend  # noqa: E402
from memory import NOTHING, Labels, Memory  # noqa: E402
from ranks import DEFAULTS, Rank  # noqa: E402

Answer = dict[str, Any]


def targets(case: dict[str, Any], tp: int) -> tuple[list[int], int]:
    """The prefill TP ranks that a decode rank takes from, and how many ranks one of them serves."""
    prefill, decode = case["prefill_tp"], case["decode_tp"]
    if decode >= prefill:
        return [tp // (decode // prefill)], decode // prefill
    group = range(tp * (prefill // decode), (tp + 1) * (prefill // decode))
    return list(group[:1] if case["pool"] == "mla" else group), 1


def send(backend: Backend, given: dict[str, Any]) -> Answer:
    """How a case ends."""
    case, labels, memory = {**DEFAULTS, **given}, Labels(), Memory()
    if case["state"]:
        known = backend.state(case["state"]["type"])
        if known is None:
            return {"outcome": "unknownState"}
        case["state"] = {**case["state"], "type": known}
    decode = [
        Rank(labels, memory, case, "decode", pp, 0, tp)
        for pp in range(case["decode_pp"])
        for tp in range(case["decode_tp"])
    ]
    rooms: list[str] = []
    errors: list[Answer] = []
    stages = range(case["prefill_pp"])
    for pp in reversed(stages) if case["last_stage_first"] else stages:
        for cp in range(case["prefill_cp"]):
            for tp in range(case["prefill_tp"]):
                rank = Rank(labels, memory, case, "prefill", pp, cp, tp)
                error, room = backend.send(memory, case, rank, peers(case, rank, decode))
                errors += error
                rooms += room
    if errors:
        # All ranks register before the first request is sent.
        return {"outcome": "fails", **min(errors, key=lambda error: error["where"] != "registration")}
    if rooms:
        return {"outcome": "fails", "where": "room", "message": rooms[0]}
    if memory.is_refused:
        return {"outcome": "refused"}
    wrong = [(rank.name, buffer.name) for rank in decode for buffer in rank.kv + rank.state if not holds(case, buffer)]
    if wrong or memory.has_overrun:
        return {"outcome": "corrupts", "wrong": by_buffers(wrong)}
    return {"outcome": "right", "moved": moved(memory)}


def peers(case: dict[str, Any], rank: Rank, decode: list[Rank]) -> list[tuple[Rank, int]]:
    """The decode ranks that meet a prefill rank, each with how many that rank waits for."""
    met = []
    for peer in decode:
        sources, waits_for = targets(case, peer.tp)
        if rank.tp in sources and (case["decode_pp"] == 1 or peer.pp == rank.pp):
            met.append((peer, waits_for))
    return met


def holds(case: dict[str, Any], buffer: Any) -> bool:
    """Whether a decode buffer holds what it must, and nothing else."""
    expected = buffer.filled()
    layer = int("".join(filter(str.isdigit, buffer.name)))
    if buffer.name.startswith("D") and layer >= case["prefill_draft"]:
        expected[:] = NOTHING
    return bool((buffer.bytes == expected).all())


def by_buffers(wrong: list[tuple[str, str]]) -> list[list[str]]:
    """Ranks that are wrong alike, and their buffers."""
    of_rank: dict[str, list[str]] = {}
    for rank, buffer in wrong:
        of_rank.setdefault(rank, []).append(buffer)
    groups: dict[str, list[str]] = {}
    for rank, buffers in of_rank.items():
        groups.setdefault(" ".join(sorted(buffers)), []).append(rank)
    return [[" ".join(ranks), buffers] for buffers, ranks in groups.items()]


def moved(memory: Memory) -> list[list[Any]]:
    """The bytes of each connection; connections that carry as many are listed together."""
    pairs = sorted({(source, target) for source, target, _ in memory.moved})
    groups: dict[tuple[int, int], list[str]] = {}
    for source, target in pairs:
        kv, state = (memory.moved[source, target, is_state] for is_state in (False, True))
        groups.setdefault((kv, state), []).append(f"{short(source)}>{short(target)}")
    return [[kv, state, " ".join(edges)] for (kv, state), edges in groups.items()]


def short(rank: str) -> str:
    """A rank without what is 0 in it, but for its TP rank."""
    return rank.removeprefix("0.0.") if rank.count(".") == 2 else rank.removeprefix("0.")


def main() -> None:
    if len(sys.argv) != 3 or not (Path(sys.argv[1]) / "sglang").is_dir():
        sys.exit(__doc__)
    logging.disable(logging.CRITICAL)
    backend = Backend(Path(sys.argv[1]), sys.argv[2])
    for line in sys.stdin:
        print(json.dumps(send(backend, json.loads(line)), separators=(",", ":")))


if __name__ == "__main__":
    main()
