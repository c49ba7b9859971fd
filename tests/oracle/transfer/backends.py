"""The KV managers of a released SGLang, without their runtime.

A manager is built without its constructor and given what it would have from a loaded server.  Its
own code runs from the registration of the decode ranks (for nixl, from where it prepares its lists
of descriptors) to the end of its transfer worker.  The engine below it copies labels.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
import types
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
from memory import Memory
from ranks import PAGE_SIZE, PAGES, TOKENS, Rank
from standins import ABSENT, Record, Variables, WheelFinder

ROOM = 7
PACKAGE = "sglang.srt.disaggregation"
# Names that a state had in earlier releases.
FORMER_NAMES = {"dsa": "nsa"}
FIRST_STATES = ("mamba", "swa", "nsa")  # of releases that name them by text

Case = dict[str, Any]
Fault = dict[str, Any]


class Mode(Enum):
    """Stands for SGLang's `DisaggregationMode`."""

    PREFILL = "prefill"


class No:
    """False, as an attribute and as a method."""

    def __bool__(self) -> bool:
        return False

    def __call__(self) -> bool:
        return False


class QueueEnded(BaseException):
    """Ends a worker's endless loop; no `Exception`, so that SGLang does not take it for a fault."""


class OneChunk:
    """A worker's queue that holds one chunk."""

    def __init__(self, chunk: Any) -> None:
        self.chunks = [chunk]

    def get(self, *args: Any, **kwargs: Any) -> Any:
        if not self.chunks:
            raise QueueEnded
        return self.chunks.pop()


def accepted(function: Callable[..., Any], values: dict[str, Any], skip: int = 0) -> dict[str, Any]:
    """Those of the values that a function of this release takes."""
    names = list(inspect.signature(function).parameters)[skip:]
    return {name: value for name, value in values.items() if name in names}


class Backend:
    """One backend of one release.  A process can hold only one, since it imports it."""

    def __init__(self, wheel: Path, name: str) -> None:
        real = tuple(f"{PACKAGE}.{module}" for module in ("mooncake", "nixl", "mori", "ascend", "utils"))
        sys.meta_path.insert(0, WheelFinder(wheel, real, frozenset({"mori", "prometheus_client"})))
        self.name = name
        base = importlib.import_module(f"{PACKAGE}.base.conn")
        common = importlib.import_module(f"{PACKAGE}.common.conn")
        self.states = getattr(base, "StateType", None)
        self.statuses = {getattr(base.KVPoll, name): name for name in dir(base.KVPoll) if name[0].isupper()}
        self.waiting = base.KVPoll.WaitingForInput
        # Ascend's manager is Mooncake's with other ways to send.
        names = ["mooncake", "ascend"] if name == "ascend" else [name]
        self.modules = [importlib.import_module(f"{PACKAGE}.{module}.conn") for module in names]
        self.module = self.modules[-1]
        for module in [*self.modules, common]:
            replace_runtime(module)
        self.manager_type = next(
            value for key, value in vars(self.module).items() if key.lower() == f"{name}kvmanager"
        )
        self.executor = ThreadPoolExecutor(1)

    def state(self, name: str) -> str | None:
        """The release's name of a state, if it knows it."""
        known = [state.value for state in self.states] if self.states else FIRST_STATES
        return next((each for each in (name, FORMER_NAMES.get(name)) if each in known), None)

    # A prefill rank.

    def send(
        self, memory: Memory, case: Case, rank: Rank, peers: list[tuple[Rank, int]]
    ) -> tuple[list[Fault], list[str]]:
        """Let a prefill rank send to those that meet it: what escapes, and how the request failed."""
        if not peers:
            return [], []
        manager = self._manager(case, rank)
        self._prepare(manager, memory)
        try:
            for peer, waits_for in peers:
                self._register(manager, case, peer)
                manager.transfer_infos[ROOM][peer.name] = self._request(case, peer, waits_for)
        except Exception as error:
            return [fault("registration", error)], []
        errors = []
        try:
            getattr(self, f"_send_{self.name}")(manager, self._chunk(manager, case, rank), memory)
        except Exception as error:
            errors.append(fault("worker", error))
        reason = manager.failure_records.get(ROOM) or manager.exceptions.get(ROOM)
        return errors, [str(reason)] if reason else []

    def _listed(self, case: Case, values: Any) -> Any:
        """A state's values: one list a state, or those of the only one."""
        if self.states is None:
            return values
        return [values] if case["state"] else []

    def _kv_args(self, case: Case, rank: Rank) -> Record:
        state = case["state"]
        start = rank.layers.start if case["start_layer"] is None else case["start_layer"]
        kind = state and (self.states(state["type"]) if self.states else state["type"])
        return Record(
            engine_rank=rank.tp,
            gpu_id=0,
            pp_rank=rank.pp,
            page_size=PAGE_SIZE,
            prefill_start_layer=start,
            prefill_end_layer=start + len(rank.layers),
            kv_data_ptrs=[buffer.address for buffer in rank.kv],
            kv_data_lens=[buffer.bytes.size for buffer in rank.kv],
            kv_item_lens=[buffer.item_bytes for buffer in rank.kv],
            kv_layer_ids=rank.kv_layer_ids,
            kv_data_mem_kinds=["VRAM"] * len(rank.kv),
            num_draft_entries=sum(buffer.name.startswith("D") for buffer in rank.kv),
            kv_head_num=max(1, case["kv_heads"] // rank.tp_size),
            total_kv_head_num=case["kv_heads"],
            aux_data_ptrs=[],
            aux_data_lens=[],
            aux_item_lens=[],
            mla_compression_ratios=None,
            kv_buf_groups=1,
            hidden_kv_layers=case["layers"],
            draft_kv_layers=0,
            state_type=kind if state and not self.states else "none",
            state_types=[kind] if state else [],
            state_data_ptrs=self._listed(case, [buffer.address for buffer in rank.state]),
            state_data_lens=self._listed(case, [buffer.bytes.size for buffer in rank.state]),
            state_item_lens=self._listed(case, [buffer.item_bytes for buffer in rank.state]),
            state_layer_ids=self._listed(case, rank.state_layer_ids),
            state_dim_per_tensor=self._listed(case, rank.dims),
            state_conv_shard_groups=self._listed(case, rank.groups),
            state_slice_outer_counts=self._listed(case, rank.rows),
            swa_kv_cache_layout="nhd",
            is_hybrid_mla_backend=case["pool"] == "hybrid_mla",
        )

    def _manager(self, case: Case, rank: Rank) -> Any:
        nothing = lambda *args, **kwargs: None  # noqa: E731
        outside = {
            "__init__": nothing,
            "send_aux": lambda *args, **kwargs: 0,
            "_connect": lambda *args, **kwargs: Record(),
            "_init_dcp_pack_buffers_once": nothing,
            "sync_status_to_decode_endpoint": nothing,
            "send_kv_status_message": nothing,
            "notify_decode_status": nothing,
        }
        bare = type("Bare", (self.manager_type,), outside)
        bare.__abstractmethods__ = frozenset()
        manager = bare()
        mode = getattr(sys.modules[self.manager_type.__module__], "DisaggregationMode", None)
        known: dict[str, Any] = {
            "kv_args": self._kv_args(case, rank),
            "disaggregation_mode": mode.PREFILL if mode is not None else Mode.PREFILL,
            "server_args": Record(),
            "local_ip": "127.0.0.1",
            "bootstrap_port": 8998,
            # The rank.
            "attn_tp_size": rank.tp_size,
            "attn_tp_rank": rank.tp,
            "state_tp_size": rank.tp_size,
            "attn_dp_rank": 0,
            "attn_cp_size": case["prefill_cp"],
            "attn_cp_rank": rank.cp,
            "pp_size": rank.pp_size,
            "pp_rank": rank.pp,
            "pp_group": Record(is_last_rank=True),
            "dcp_size": rank.dcp,
            "dcp_rank": rank.tp % rank.dcp,
            "kv_shard_size": 1,
            "transfer_source_rank": 0,
            "is_mla_backend": case["pool"] == "mla",
            "is_hybrid_mla_backend": case["pool"] == "hybrid_mla",
            # The request and its peers.
            "request_status": {ROOM: self.waiting},
            "transfer_infos": {ROOM: {}},
            "decode_kv_args_table": {},
            "req_to_decode_prefix_len": {},
            "failure_records": {},
            "exceptions": {},
            "failed_sessions": set(),
            "failed_session_probes": {},
            "session_failures": defaultdict(int),
            "state_layout_rejections": {},
            "_state_layout_rejections": {},
            "state_strides_validated": set(),
            "_room_status_notified": {},
            "_deferred_ack_targets": {},
            "_deferred_ack_poisoned_rooms": set(),
            "_staging_outstanding": defaultdict(int),
            "_submission_local": Record(statuses=None),
            "transfer_queues": [None],
            "session_lock": threading.Lock(),
            "failure_lock": threading.Lock(),
            "transfer_lock": threading.Lock(),
            "_room_notify_lock": threading.RLock(),
            # Mori's descriptors, nixl's lists of them.
            "kv_mem_descs": [],
            "aux_mem_descs": [],
            "state_mem_descs": [],
            "src_mem_kind": "VRAM",
            "prep_handles": {},
            "prep_handles_slice_dst": {},
            "prep_handle_slice_src": None,
            "prep_handles_segment_src": {},
            "_num_slots_src": 16,
            "_prepared_state_plans": {},
            "_prepared_state_components": frozenset(),
        }
        off = (
            "enable_staging enable_trace enable_custom_mem_pool enable_deferred_decode_kv_release is_dummy_cp_rank "
            "enable_all_cp_ranks_for_transfer _use_strided_descs"
        )
        absent = "custom_mem_pool_type deferred_bootstrap _staging_ctx _dcp_pack_buffers _dcp_pack_max_tokens"
        known |= dict.fromkeys(off.split(), False) | dict.fromkeys(absent.split()) | {"max_transfer_batch_indices": 0}
        for name, value in known.items():
            try:
                setattr(manager, name, value)
            except AttributeError:  # of some releases a property
                continue
        return manager

    def _prepare(self, manager: Any, memory: Memory) -> None:
        if self.name == "nixl":
            manager.agent = agent(memory)
            if hasattr(manager, "_prepared_state_component_indices"):
                manager._use_strided_descs = True
                manager._prepared_state_components = manager._prepared_state_component_indices("UCX")
        if self.name == "mori":
            manager.engine = Record(register_remote_engine=lambda *args: None)

    # The decode ranks.

    def _register(self, manager: Any, case: Case, peer: Rank) -> None:
        """What a bootstrap thread does when a decode rank registers."""
        registration = self._registration(case, peer)
        if self.name in ("nixl", "mori"):
            manager._add_remote_peer(registration)
            return
        if case["prefill_dcp"] * case["decode_dcp"] > 1 and hasattr(manager, "requires_dcp_relayout"):
            join_dcp(manager, registration)
        if hasattr(manager, "_publish_peer_registration"):
            manager._publish_peer_registration(peer.name, registration)
        else:
            manager.decode_kv_args_table[peer.name] = registration

    def _registration(self, case: Case, peer: Rank) -> Record:
        """What a decode rank tells of itself, by the names that backends and releases use for it."""
        lens = [buffer.item_bytes for buffer in peer.kv]
        addresses = [buffer.address for buffer in peer.kv]
        states = self._listed(case, [buffer.address for buffer in peer.state])
        return Record(
            room=str(ROOM),
            endpoint="decode",
            dst_port=1,
            gpu_id=0,
            agent_name=peer.name,
            agent_metadata=b"",
            mooncake_session_id=peer.name,
            engine_key=peer.name,
            engine_desc=None,
            dst_kv_ptrs=addresses,
            dst_kv_mem_descs=addresses,
            dst_kv_item_len=(lens or [0])[0],
            dst_kv_item_lens=lens,
            dst_kv_mem_kinds=["VRAM"] * len(lens),
            dst_kv_layer_ids=peer.kv_layer_ids,
            dst_num_slots=16,
            dst_aux_ptrs=[],
            dst_aux_mem_descs=[],
            dst_state_data_ptrs=states,
            dst_state_mem_descs=states,
            dst_state_data_lens=self._listed(case, [buffer.bytes.size for buffer in peer.state]),
            dst_state_item_lens=self._listed(case, [buffer.item_bytes for buffer in peer.state]),
            dst_state_dim_per_tensor=self._listed(case, peer.dims),
            dst_state_layer_ids=self._listed(case, peer.state_layer_ids),
            dst_tp_rank=peer.tp,
            dst_attn_tp_size=peer.tp_size,
            decode_tp_rank=peer.tp,
            decode_tp_size=peer.tp_size,
            dst_dcp_size=peer.dcp,
            dst_dcp_rank=peer.tp % peer.dcp,
            requires_dcp_relayout=False,
            kv_xfer_segments=None,
            dst_homogeneous_mem_kind=None,
            staging=None,
            staging_base_ptr=0,
            staging_total_size=0,
        )

    def _request(self, case: Case, peer: Rank, waits_for: int) -> Record:
        """What a decode rank asks for."""
        slots = peer.state_slots()
        return Record(
            room=ROOM,
            endpoint="decode",
            dst_port=1,
            mooncake_session_id=peer.name,
            agent_name=peer.name,
            engine_key=peer.name,
            dst_kv_indices=np.array(PAGES["decode"], dtype=np.int32),
            dst_device_kv_indices=None,
            dst_aux_index=0,
            dst_state_indices=self._listed(case, list(slots)),
            is_dummy=No(),
            required_dst_info_num=waits_for,
            decode_prefix_len=0,
        )

    def _chunk(self, manager: Any, case: Case, rank: Rank) -> dict[str, Any]:
        """The request as the scheduler hands it to the manager, by all names it has had."""
        states = self._listed(case, list(rank.state_slots())) if case["state"] else None
        pages = np.array(rank.pages, dtype=np.int32)
        where = slice(0, len(pages))
        if case["prefill_cp"] > 1:
            keep = importlib.import_module(f"{PACKAGE}.utils").filter_kv_indices_for_cp_rank
            more = [len(pages)] if "total_pages" in inspect.signature(keep).parameters else []
            pages, where = keep(manager, pages, where, *more)
            if prepare := getattr(manager, "prepare_send_state_indices", None):
                states = prepare(states)
        return {
            "room": ROOM,
            "bootstrap_room": ROOM,
            "prefill_kv_indices": pages,
            "kv_indices": pages,
            "index_slice": where,
            "is_last": True,
            "is_last_chunk": True,
            "chunk_id": 0,
            "prefill_aux_index": 0,
            "aux_index": 0,
            "state_indices": states,
            "num_kv_tokens": TOKENS,
            "trace_ctx": None,
        }

    # One backend each.

    def _work(self, manager: Any, chunk: dict[str, Any]) -> None:
        """Run the transfer worker on one chunk."""
        modules = [self.module, *self.modules]
        chunk_type = next(module.TransferKVChunk for module in modules if hasattr(module, "TransferKVChunk"))
        one = chunk_type(**accepted(chunk_type, chunk))
        one.trace_ctx = Record()
        worker = getattr(manager, "transfer_worker", None) or manager._transfer_worker
        more = accepted(worker, {"executor": self.executor, "staging_buffer": None})
        try:
            worker(OneChunk(one), **more)
        except QueueEnded:
            return

    def _send_mooncake(self, manager: Any, chunk: dict[str, Any], memory: Memory) -> None:
        def write(session: str, sources: list[int], targets: list[int], lengths: list[int]) -> int:
            for block in zip(sources, targets, lengths, strict=False):
                memory.copy(*block)
            return 0

        manager.engine = types.SimpleNamespace(
            batch_transfer_sync=write,
            transfer_sync=lambda session, source, target, length: write(session, [source], [target], [length]),
        )
        manager.executors = [self.executor]
        self._work(manager, chunk)

    _send_ascend = _send_mooncake

    def _send_nixl(self, manager: Any, chunk: dict[str, Any], memory: Memory) -> None:
        manager.send_aux = lambda *args, **kwargs: "handle"
        if hasattr(manager, "transfer_worker"):
            self._work(manager, chunk)
        else:
            manager.add_transfer_request(**accepted(manager.add_transfer_request, chunk))

    def _send_mori(self, manager: Any, chunk: dict[str, Any], memory: Memory) -> None:
        def write(sources: Any, starts: Any, targets: Any, places: Any, sizes: Any, uids: Any) -> list[Any]:
            for source, froms, target, tos, lengths in zip(sources, starts, targets, places, sizes, strict=False):
                for start, place, length in zip(froms, tos, lengths, strict=False):
                    memory.copy(source + start, target + place, length)
            return []

        manager.engine = types.SimpleNamespace(
            batch_write=write, allocate_transfer_uid=lambda: 1, register_memory=lambda address, *args: address
        )
        manager.send_aux = lambda *args, **kwargs: []
        manager._register_local_buffers()
        if manager.state_mem_descs and not isinstance(manager.state_mem_descs[0], list):
            # The first releases keep one list, whatever the states.
            for peer in manager.decode_kv_args_table.values():
                if self.states:
                    peer.dst_state_mem_descs = sum(peer.dst_state_mem_descs, [])
        arrays = lambda lists: [np.array(each, dtype=np.int32) for each in lists]  # noqa: E731
        if chunk["state_indices"] is not None:
            chunk = {**chunk, "state_indices": arrays(chunk["state_indices"])}
        for request in manager.transfer_infos[ROOM].values():
            request.dst_state_indices = arrays(request.dst_state_indices)
        if hasattr(manager, "_process_transfer_chunk"):
            self._work(manager, chunk)
        else:
            manager.add_transfer_request(**accepted(manager.add_transfer_request, chunk))


def fault(where: str, error: Exception) -> Fault:
    """What escapes SGLang's code."""
    return {"where": where, "type": type(error).__name__, "message": str(error)}


def join_dcp(manager: Any, peer: Any) -> None:
    """How Mooncake's bootstrap thread finds out whether stripes have to be cut for a decode rank."""
    peer.requires_dcp_relayout = manager.requires_dcp_relayout(peer.dst_dcp_size, peer.dst_dcp_rank)
    if not peer.requires_dcp_relayout:
        return
    prepare, draft = manager.prepare_dcp_token_item_lens, manager.kv_args.num_draft_entries
    target = len(manager.kv_args.kv_item_lens) - draft
    # Up to 0.5.19 the target's length is taken for the draft as well.
    more = [peer.dst_dcp_size] if len(inspect.signature(prepare).parameters) > 1 else []
    lens = [peer.dst_kv_item_len] * target + [None if more else peer.dst_kv_item_len] * draft
    peer.dcp_token_item_lens = prepare(lens, *more)


def agent(memory: Memory) -> Any:
    """A nixl agent."""

    def rows(descriptors: Any) -> list[list[int]]:
        table = np.asarray(descriptors, dtype=np.uint64)
        if table.ndim == 2 and table.shape[1] == 5:  # address, length, device, stride, count
            return [
                [address + turn * stride, length, device]
                for address, length, device, stride, count in table.tolist()
                for turn in range(count)
            ]
        return table.reshape(-1, 3).tolist()

    def move(sources: list[list[int]], targets: list[list[int]]) -> str:
        for (source, length, _), (target, room, _) in zip(sources, targets, strict=True):
            assert length == room, f"descriptors of {length} and {room} bytes"
            memory.copy(source, target, length)
        return "handle"

    return types.SimpleNamespace(
        name="prefill",
        add_remote_agent=lambda metadata: None,
        get_xfer_descs=lambda descriptors, kind=None, *args: descriptors,
        prep_xfer_dlist=lambda peer, descriptors, kind=None: memory.prepare(rows(descriptors)),
        make_prepped_xfer=lambda kind, source, i, target, j, *args: move(
            [source[int(at)] for at in i], [target[int(at)] for at in j]
        ),
        initialize_xfer=lambda kind, source, target, *args: move(rows(source), rows(target)),
        transfer=lambda handle: "DONE",
        check_xfer_state=lambda handle: "DONE",
        release_xfer_handle=lambda handle: None,
        send_notif=lambda *args, **kwargs: None,
    )


def replace_runtime(module: Any) -> None:
    """Switch off what a module asks of a running server."""
    settings = lambda: Record(pp_group=Record(is_last_rank=True), device="cuda")  # noqa: E731
    for name in ("parallel", "memory", "schedule", "observability", "disagg", "spec", "device"):
        if hasattr(module, f"get_{name}"):
            setattr(module, f"get_{name}", settings)
    stand_ins = {
        "envs": Variables(),
        "get_int_env_var": lambda *args: 0,
        "get_bool_env_var": lambda *args: False,
        "NetworkAddress": lambda host, port: Record(to_host_port_str=lambda: f"{host}:{port}"),
        "torch": types.SimpleNamespace(Tensor=type("Tensor", (), {})),
        "logger": ABSENT,
    }
    for name, stand_in in stand_ins.items():
        if hasattr(module, name):
            setattr(module, name, stand_in)
