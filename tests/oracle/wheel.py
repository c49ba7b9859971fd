"""A released SGLang, asked through its own code.

`Wheel` imports `sglang.srt.disaggregation.common.conn` from an unpacked wheel and lets its KV
managers, its bootstrap server and its receivers talk to each other in this process.
"""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from typing import Any

from plans import Pair, Rank, Side
from standins import ABSENT, ErrorLog, HttpRequest, HttpResponse, Record, Variables, WheelFinder, run

ADDRESS = "127.0.0.1:8998"
ROOM = 7
FIRST_PORT = 20000
# Names that a state had in earlier releases.
FORMER_NAMES = {"dsa": "nsa"}


class Mode(Enum):
    """Stands for SGLang's `DisaggregationMode`."""

    NULL = "null"
    PREFILL = "prefill"
    DECODE = "decode"


class Wheel:
    """One release.  A process can hold only one, since it imports it."""

    def __init__(self, folder: Path) -> None:
        sys.meta_path.insert(0, WheelFinder(folder))
        import sglang.srt.disaggregation.common.conn as conn

        self.conn = conn
        self.log = ErrorLog()
        self.server: Any = None
        self.served: str | None = None  # served instead of the bootstrap server's own answers
        self.here = Record()  # what the runtime accessors answer in the current rank
        self._replace_runtime()
        self.bootstrap_type = type(
            "Bootstrap", (conn.CommonKVBootstrapServer,), {"run": lambda server: None}
        )
        self.manager_type = concrete(conn.CommonKVManager)
        self.receiver_type = concrete(conn.CommonKVReceiver)

    # What SGLang's code calls.

    def _replace_runtime(self) -> None:
        """Put stand-ins where the runtime, sockets and HTTP would be."""
        here = self.here
        client = Record(get=self._get, put=self._put)
        stand_ins = {
            "DisaggregationMode": Mode,
            "requests": Record(get=self._get, put=self._put, Session=lambda: client),
            "zmq": ABSENT,
            "logger": self.log,
            "PPConsensusStore": lambda *args, **kwargs: {},
            "NetworkAddress": lambda host, port: Record(to_url=lambda: f"http://{host}:{port}"),
            "get_local_ip_auto": lambda *args, **kwargs: "127.0.0.1",
            "get_zmq_socket_on_host": lambda *args, **kwargs: (here.port, ABSENT),
            "get_parallel": lambda: here.parallel,
            "get_serving": lambda: Record(host="127.0.0.1", port=30000),
            "get_disagg": lambda: here.disagg,
            "get_attention_tp_size": lambda: here.parallel.attn_tp_size,
            "get_attention_tp_rank": lambda: here.parallel.attn_tp_rank,
            "get_attention_cp_size": lambda: here.parallel.attn_cp_size,
            "get_attention_cp_rank": lambda: here.parallel.attn_cp_rank,
            "get_attention_dp_size": lambda: here.parallel.attn_dp_size,
            "get_attention_dp_rank": lambda: here.parallel.attn_dp_rank,
            "linear_attn_tp_size": lambda: here.parallel.attn_tp_size,
            "get_dsv41_spec_layout": lambda args: args.dsv41_spec_layout,
            "get_kv_shard_group": lambda mla: here.shard_group[bool(mla)],
        }
        for name, stand_in in stand_ins.items():
            if hasattr(self.conn, name):
                setattr(self.conn, name, stand_in)

    def _put(self, url: str, json: Any = None, timeout: float | None = None) -> HttpResponse:
        response = run(self.server._handle_route_put(HttpRequest(body=dumps(json))))
        if response.status_code != 200:
            raise SystemExit(f"the bootstrap server refused a prefill rank: {response.text}")
        return response

    def _get(self, url: str, timeout: float | None = None) -> HttpResponse:
        if self.served is not None:
            return HttpResponse(200, self.served)
        query = dict(part.split("=") for part in url.partition("?")[2].split("&"))
        return run(self.server._handle_route_get(HttpRequest(query=query)))

    # The ranks of a pair.

    def _enter(self, side: Side, rank: Rank, port: int) -> Record:
        """Become a rank; returns its server arguments."""
        dp_attention = side.attn_dp > 1
        common = dict(
            pp_size=side.pp,
            nnodes=1,
            dist_init_addr=None,
            enable_dp_attention=dp_attention,
            enable_dsa_cache_layer_split=side.layer_split,
            enable_kv_cache_sharding=side.kv_sharding,
            load_balance_method="follow_bootstrap_room",
        )
        self.here.__dict__.update(
            port=port,
            parallel=Record(
                attn_tp_size=side.attn_tp,
                attn_tp_rank=rank.tp,
                attn_cp_size=side.attn_cp,
                attn_cp_rank=rank.cp,
                attn_dp_size=side.attn_dp,
                attn_dp_rank=rank.attn_dp,
                attn_dcp_size=side.dcp,
                attn_dcp_rank=rank.tp % side.dcp,
                dcp_size=side.dcp,
                dcp_rank=rank.tp % side.dcp,
                dp_size=side.replicas,
                **common,
            ),
            disagg=Record(
                disaggregation_bootstrap_port=8998,
                disaggregation_decode_allocation_policy=side.allocation_policy,
            ),
            shard_group={mla: shard_group(side, rank, mla) for mla in (False, True)},
        )
        self.conn.envs = Variables(
            SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=side.all_cp_ranks,
            SGLANG_DISAGGREGATION_HEARTBEAT_INTERVAL=5.0,
            SGLANG_DISAGGREGATION_HEARTBEAT_MAX_FAILURE=2,
            SGLANG_DISAGGREGATION_WAITING_TIMEOUT=300,
            SGLANG_DISAGGREGATION_BOOTSTRAP_TIMEOUT=300,
            SGLANG_DISAGGREGATION_ZMQ_MAX_SOCKETS=65536,
        )
        return Record(
            host="127.0.0.1",
            port=30000,
            disaggregation_bootstrap_port=8998,
            tp_size=side.tp,
            dp_size=side.attn_dp if dp_attention else side.replicas,
            dcp_size=side.dcp,
            page_size=side.page_size,
            kv_cache_dtype=side.kv_cache_dtype,
            **common,
        )

    def _manager(self, mode: Mode, pair: Pair, rank: Rank, port: int) -> Any:
        """The KV manager of a rank; that of a prefill rank registers itself."""
        side = pair.prefill if mode is Mode.PREFILL else pair.decode
        server_args = self._enter(side, rank, port)
        tp_rank = (rank.attn_dp * side.attn_cp + rank.cp) * side.attn_tp + rank.tp
        kv_args = Record(
            engine_rank=tp_rank if mode is Mode.PREFILL else tp_rank % side.attn_tp,
            pp_rank=rank.pp,
            system_dp_rank=rank.replica,
            page_size=side.page_size,
            kv_item_lens=[1],
            state_item_lens=[],
            state_types=self._states(side),
            kv_cache_dtype_str=side.kv_cache_dtype,
            kv_layout=side.kv_layout,
            dsv41_spec_layout=side.spec_layout,
            rust_http_port=None,
            is_hybrid_mla_backend=pair.hybrid_mla,
        )
        return self.manager_type(kv_args, mode, server_args, pair.mla)

    def _states(self, side: Side) -> list[Any]:
        """A side's states as this release knows them."""
        known = {state.value: state for state in getattr(self.conn, "StateType", [])}
        names = [name if name in known else FORMER_NAMES.get(name) for name in side.states]
        return [known[name] for name in names if name in known]

    def register(self, pair: Pair) -> list[tuple[Rank, Any]]:
        """Start a bootstrap server and let every prefill rank register.

        A rank's port is `FIRST_PORT` plus its place in the answer.
        """
        self.server = self.bootstrap_type("127.0.0.1", 8998)
        return [
            (rank, self._manager(Mode.PREFILL, pair, rank, FIRST_PORT + place))
            for place, rank in enumerate(pair.prefill.ranks())
        ]

    def decode_manager(self, pair: Pair, rank: Rank) -> Any:
        """The KV manager of a decode rank."""
        return self._manager(Mode.DECODE, pair, rank, FIRST_PORT - 1)

    def look_up(self, manager: Any) -> tuple[list[Any], str | None]:
        """What a receiver of a decode rank finds in prefill DP group 0, or why it fails."""
        receiver = self.receiver_type(manager, ADDRESS, ROOM)
        receiver.init(0)
        failure = manager.failure_records.get(ROOM)
        return ([] if failure else list(receiver.bootstrap_infos)), failure

    # Two releases.

    def published(self, pair: Pair) -> str:
        """The text that the bootstrap server serves about the whole prefill server."""
        self.register(pair)
        keys = ("prefill_dp_rank", "prefill_cp_rank", "target_tp_rank", "target_pp_rank")
        return run(self.server._handle_route_get(HttpRequest(dict.fromkeys(keys, "-1")))).text

    def read(self, pair: Pair, served: str) -> tuple[bool, list[str]]:
        """Whether a decode rank understands a served text, and the errors that it logs."""
        self.served, self.log.errors = served, []
        try:
            manager = self.decode_manager(pair, Rank(0, 0, 0, 0, 0))
            return manager.try_ensure_parallel_info(ADDRESS), self.log.errors
        finally:
            self.served = None


def dumps(body: Any) -> str:
    """A request's body; what is absent is null."""
    return json.dumps(body, default=lambda absent: None)


def concrete(cls: type) -> type:
    """A subclass without the backend: it can be built, and registers its memory nowhere."""
    made = type("Concrete" + cls.__name__, (cls,), {"_register_kv_args": lambda receiver: True})
    made.__abstractmethods__ = frozenset()
    return made


def shard_group(side: Side, rank: Rank, mla: bool) -> Record:
    """The ranks over which SGLang spreads KV pages: the axis that would hold copies."""
    if side.attn_cp == 1 and mla:
        return Record(rank_in_group=rank.tp, world_size=side.attn_tp)
    return Record(rank_in_group=rank.cp, world_size=side.attn_cp)
