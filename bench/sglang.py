#!/usr/bin/env python3
"""Time a released SGLang on plans: sglang.py WHEEL_DIR < plans.jsonl > times.json

For each plan, in seconds, the median of a few runs of:

    handshake  one decode rank's `CommonKVManager.try_ensure_parallel_info`: it asks the bootstrap
               server, checks the pair and resolves this rank's mapping.  Sockets and HTTP are
               stand-ins that answer at once.
    pair       what the oracle does for a whole pair: every prefill rank registers, every decode
               rank of a DP group checks, resolves its mapping and looks its peers up.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests/oracle"))

import plans  # noqa: E402
from ask import RAISED, answer  # noqa: E402
from wheel import ADDRESS, Wheel  # noqa: E402

HANDSHAKES, PAIRS = 9, 3


def timed(call: Callable[[], object]) -> float:
    """Seconds that a call takes, whether it returns or SGLang raises."""
    start = perf_counter()
    try:
        call()
    except RAISED:
        pass
    return perf_counter() - start


def handshake(wheel: Wheel, plan: dict[str, Any]) -> float | None:
    """One decode rank's handshake; None where no rank comes to it."""
    pair = plans.pair(plan)
    try:
        wheel.register(pair)
        rank = next(pair.decode.ranks(one_group=True))
        managers = [wheel.decode_manager(pair, rank) for _ in range(HANDSHAKES)]
    except RAISED:
        return None
    return median(timed(lambda: manager.try_ensure_parallel_info(ADDRESS)) for manager in managers)


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "sglang").is_dir():
        sys.exit(__doc__)
    wheel = Wheel(Path(sys.argv[1]))
    given = [json.loads(line)["plan"] for line in sys.stdin]
    for plan in given[:20]:  # Not timed: imports and caches.
        answer(wheel, plan)
    times = [
        {
            "handshake": handshake(wheel, plan),
            "pair": median(timed(lambda: answer(wheel, plan)) for _ in range(PAIRS)),
        }
        for plan in given
    ]
    json.dump({"python": f"CPython {platform.python_version()}", "times": times}, sys.stdout)


if __name__ == "__main__":
    main()
