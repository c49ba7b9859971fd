#!/usr/bin/env python3
"""Ask a released SGLang what it makes of launch commands, without a GPU:
oracle.py WHEEL_DIR < commands.jsonl > answers.jsonl

WHEEL_DIR is an unpacked wheel, the folder that holds `sglang/` and `sglang-*.dist-info/`.  Its own
code parses the options, resolves them (every hook, every adjustment to a model), checks the result
and lays out the process groups.  torch, transformers and other libraries are real; `machine.py`
holds what is not.

A command, one JSON object a line, with its defaults but for `argv`:

    {"id": null, "argv": ["--tp-size", "8"], "model": "deepseek-v3",
     "gpu": "H100", "gpus_per_node": 8, "ib_devices": ["mlx5_0", …], "env": {}}

`model` is a name of models.json, here or on the Hugging Face Hub, and counts if `argv` has no
--model-path.  Names in `argv` are found in the same way.  `env` is set before parsing.

An answer:

    {"id": …, "release": "0.5.23", "verdict": "accepted" | "rejected" | "unknown",
     "error": {"type": "AssertionError", "message": "…", "stage": "check",
               "where": "sglang/srt/arg_groups/validation_hook.py:178: assert (…"} | null,
     "resolved": {"tp_size": 8, …} | null,
     "groups": {"tp": [[0, 1, …]], "attn_tp": […], …} | null}

Stages, in the order in which a server runs them:

    parse    argparse (an exit of argparse has the type "SystemExit")
    resolve  what turns raw options into settings
    check    ServerArgs.check_server_args
    publish  what the launcher installs for its own process, from 0.5.17
    ports    PortArgs.init_new; every port is free
    groups   parallel_state.initialize_model_parallel, which a scheduler process runs next

`resolved` is what is known when the answer is made, so that an error of `check` comes with it too.
A name that the release does not have is absent.  "unknown": the oracle has no answer, since the
model is not here, or since it erred itself.

Resolution changes the environment and the process, and probes of the GPU keep their answers.  So
each command runs in a fork of its own, taken from a process that imported SGLang for that GPU.
"""

from __future__ import annotations

import argparse
import contextlib
import enum
import functools
import gc
import importlib
import inspect
import io
import json
import logging
import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from machine import GPUS, IB_DEVICES, Machine, install_packages

MODELS = json.loads((Path(__file__).resolve().parent / "models.json").read_text())
DEFAULT_MODEL = "deepseek-v3"
MODEL_FLAGS = ("--model-path", "--model")
OTHER_MODEL_FLAGS = (
    "--speculative-draft-model-path",
    "--speculative-draft-model",
    "--tokenizer-path",
)

RESOLVED = (
    "tp_size dp_size attn_dp_size pp_size ep_size attn_cp_size dcp_size moe_dp_size max_ep_size "
    "shared_experts_tp_size moe_dense_tp_size base_gpu_id gpu_id_step nnodes node_rank "
    "dist_init_addr page_size kv_cache_dtype enable_dp_attention enable_dp_lm_head "
    "load_balance_method enable_dp_attention_local_control_broadcast disaggregation_mode "
    "disaggregation_transfer_backend disaggregation_bootstrap_port disaggregation_decode_tp "
    "disaggregation_decode_dp disaggregation_prefill_pp disaggregation_decode_allocation_policy "
    "disaggregation_decode_enable_radix_cache disaggregation_decode_enable_offload_kvcache "
    "disaggregation_decode_retraction_backup disaggregation_ib_device num_reserved_decode_tokens "
    "optimistic_prefill_attempts enable_pd_role_switch chunked_prefill_size max_prefill_tokens "
    "max_running_requests disable_radix_cache disable_overlap_schedule enable_hierarchical_cache "
    "enable_unified_memory enable_hisparse enable_page_major_kv_layout hicache_mem_layout "
    "mem_fraction_static quantization dtype speculative_algorithm speculative_num_steps "
    "speculative_eagle_topk speculative_num_draft_tokens speculative_draft_model_path "
    "speculative_draft_attention_backend enable_multi_layer_eagle enable_kv_cache_sharding "
    "enable_dsa_cache_layer_split enable_nsa_cache_layer_split enable_cp_tp_group_sharing "
    "enable_prefill_cp cp_strategy enable_prefill_context_parallel prefill_cp_mode "
    "enable_dsa_prefill_context_parallel enable_nsa_prefill_context_parallel dsa_prefill_cp_mode "
    "nsa_prefill_cp_mode dcp_comm_backend dcp_kv_cache_interleave_size dcp_replicate_q_proj "
    "attention_backend prefill_attention_backend decode_attention_backend dsa_prefill_backend "
    "dsa_decode_backend nsa_prefill_backend nsa_decode_backend moe_a2a_backend moe_runner_backend "
    "deepep_mode enable_two_batch_overlap enable_eplb ep_num_redundant_experts elastic_ep_backend "
    "enable_dwdp dwdp_size mamba_radix_cache_strategy mamba_scheduler_strategy"
).split()

# Only some releases have all of these.
OPTIONAL_MODULES = (
    "sglang.srt.arg_groups.overrides",
    "sglang.srt.arg_groups.model_override_base",
    "sglang.srt.runtime_context",
    "sglang.srt.layers.dp_attention",
)
PORT_USERS = (
    "sglang.srt.server_args",
    "sglang.srt.utils.network",
    "sglang.srt.utils.common",
    "sglang.srt.utils",
)
# What `initialize_model_parallel` calls the sizes.
GROUP_SIZES = {
    "tensor_model_parallel_size": "tp_size",
    "pipeline_model_parallel_size": "pp_size",
    "expert_model_parallel_size": "ep_size",
    "attention_data_parallel_size": "attn_dp_size",
    "attention_context_model_parallel_size": "attn_cp_size",
    "moe_data_model_parallel_size": "moe_dp_size",
    "decode_context_parallel_size": "dcp_size",
}
GROUPS = "tp pp dcp attn_tp attn_cp moe_ep moe_tp moe_dp shared_experts_tp".split()

Answer = dict[str, Any]


# A release.


class Sglang:
    """The launch code of a release, with the differences between releases levelled out."""

    def __init__(self, wheel: Path) -> None:
        sys.path.insert(0, str(wheel))
        self.server_args = importlib.import_module("sglang.srt.server_args")
        (info,) = wheel.glob("sglang-*.dist-info")
        self.release = info.name[len("sglang-") : -len(".dist-info")]
        self.groups: dict[str, Any] | None = None
        self.optional: dict[str, Any] = {}
        for name in OPTIONAL_MODULES:
            try:
                self.optional[name.rpartition(".")[2]] = importlib.import_module(name)
            except ModuleNotFoundError as error:
                if not f"{name}.".startswith(f"{error.name}."):
                    raise
        for module in (sys.modules[name] for name in PORT_USERS if name in sys.modules):
            for name in ("wait_port_available", "is_port_available"):
                if hasattr(module, name):
                    setattr(module, name, lambda *args, **options: True)
        self._prepare()

    def _prepare(self) -> None:
        """Do once what every command would repeat with the same outcome."""
        structs = importlib.import_module("msgspec.structs")
        structs.fields = functools.lru_cache(maxsize=None)(structs.fields)
        server_args = self.server_args.ServerArgs
        self.add_cli_args = server_args.add_cli_args
        built = argparse.ArgumentParser()
        self.add_cli_args(built)

        def add_cli_args(parser: argparse.ArgumentParser) -> None:
            parser.__dict__.update(built.__dict__, prog=parser.prog)

        server_args.add_cli_args = staticmethod(add_cli_args)

    def set_environment(self, env: dict[str, Any]) -> None:
        """Set variables, on which options may depend."""
        if env:
            os.environ.update({name: str(value) for name, value in env.items()})
            self.server_args.ServerArgs.add_cli_args = staticmethod(self.add_cli_args)

    def stages(self, argv: list[str]) -> Iterator[tuple[str, Callable[[Any], Any]]]:
        """Every stage with its function, which takes the server arguments and returns them."""
        yield "parse", lambda _: self._parse(argv)
        for stage in (self._resolve, self._check, self._publish, self._ports, self._groups):

            def step(args: Any, stage: Callable[[Any], None] = stage) -> Any:
                stage(args)
                return args

            yield stage.__name__[1:], step

    def _parse(self, argv: list[str]) -> Any:
        module = self.server_args
        if hasattr(module.ServerArgs, "resolve_once"):
            return module.prepare_server_args(argv)
        # Up to 0.5.18 the constructor resolves: hold that back until parsing is over.
        resolve = module.ServerArgs.__post_init__
        module.ServerArgs.__post_init__ = lambda args: None
        try:
            return module.prepare_server_args(argv)
        finally:
            module.ServerArgs.__post_init__ = resolve

    def _resolve(self, args: Any) -> None:
        args.resolve_once() if hasattr(args, "resolve_once") else args.__post_init__()

    def _check(self, args: Any) -> None:
        args.check_server_args()

    def _publish(self, args: Any) -> None:
        publish = getattr(self.optional.get("runtime_context"), "publish", None)
        if publish is not None:
            publish(args, role="tokenizer")

    def _ports(self, args: Any) -> None:
        self.server_args.PortArgs.init_new(args)

    def _groups(self, args: Any) -> None:
        """Let SGLang lay out its process groups, as rank 0 sees them."""
        import torch.distributed

        resolved = self.resolved(args)
        state = importlib.import_module("sglang.srt.distributed.parallel_state")
        ranks = resolved["tp_size"] * resolved["pp_size"]
        world = Group([list(range(ranks))], ranks)
        torch.distributed.is_initialized = lambda: True
        torch.distributed.get_world_size = lambda group=None: ranks
        torch.distributed.get_rank = lambda group=None: 0
        torch.distributed.get_backend = lambda group=None: "nccl"
        state._WORLD = world
        state.get_world_group = lambda: world
        state.init_model_parallel_group = lambda lists, *args, **options: Group(lists, ranks)
        known = inspect.signature(state.initialize_model_parallel).parameters
        sizes = {name: resolved.get(key, 1) for name, key in GROUP_SIZES.items() if name in known}
        state.initialize_model_parallel(**sizes)
        built = {name: getattr(state, f"_{name.upper()}", None) for name in GROUPS}
        self.groups = {name: group.lists for name, group in built.items() if group is not None}

    def resolved(self, args: Any) -> dict[str, Any]:
        """The settings as far as they are resolved."""
        # From 0.5.19 on they are kept beside the raw options.
        read = getattr(self.optional.get("overrides"), "resolution_result", getattr)
        found: dict[str, Any] = {}
        for name in RESOLVED:
            with contextlib.suppress(AttributeError):
                getattr(args, name)
                found[name] = plain(read(args, name))
        found["replicas"] = found["dp_size"]
        if "attn_dp_size" not in found:  # up to 0.5.21 there is one size for both
            found["attn_dp_size"] = found["dp_size"] if found["enable_dp_attention"] else 1
            found["replicas"] = 1 if found["enable_dp_attention"] else found["dp_size"]
        return found | self._widths(args, found)

    def _widths(self, args: Any, found: dict[str, Any]) -> dict[str, Any]:
        """The widths of the attention and MoE groups, from the release's own functions."""
        context = self.optional.get("runtime_context")
        if hasattr(context, "parallel_widths_of"):
            view = self.optional["model_override_base"].resolving_view(args)
            return {name: plain(width) for name, width in context.parallel_widths_of(view).items()}
        sizes = (found[name] for name in ("tp_size", "dp_size", "attn_cp_size"))
        world_info = self.optional["dp_attention"].compute_dp_attention_world_info
        return {
            "attn_tp_size": world_info(found["enable_dp_attention"], 0, *sizes)[1],
            "moe_ep_size": found["ep_size"],
            "moe_tp_size": found["tp_size"] // found["ep_size"] // found["moe_dp_size"],
        }


class Group:
    """What stands in for a communicator: the lists of ranks, and the one that rank 0 is in."""

    pynccl_comm = device_group = cpu_group = None
    local_rank = rank = rank_in_group = 0

    def __init__(self, lists: list[list[int]], ranks: int) -> None:
        for rank in range(ranks):
            # A real one looks its own rank up, and fails in the same way.
            homes = sum(rank in members for members in lists)
            if homes != 1:
                raise AssertionError(f"rank {rank} is in {homes} groups of {lists}")
        self.lists = lists
        self.ranks = next(members for members in lists if 0 in members)
        self.world_size = len(self.ranks)


def plain(value: Any) -> Any:
    """A setting as JSON has it."""
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    return str(value)


# A command.


def answer(sglang: Sglang, folder: Path, command: dict[str, Any]) -> Answer:
    """What the release makes of a command; runs once in a process."""
    sglang.set_environment(command.get("env", {}))
    argv = with_models(folder, command["argv"], command.get("model", DEFAULT_MODEL))
    logging.getLogger("sglang").addHandler(logging.NullHandler())
    logging.getLogger("sglang").propagate = False
    args, error, doubtful = None, None, False
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        for stage, step in sglang.stages(argv):
            try:
                args = step(args)
            except BaseException as raised:  # noqa: BLE001 - SGLang raises anything, argparse exits
                error = fault(raised, stage, said.getvalue())
                doubtful = is_doubtful(raised)
                break
    resolved = None
    if args is not None:
        try:
            resolved = sglang.resolved(args)
        except Exception as raised:  # noqa: BLE001 - of a rejected command nothing may be readable
            if error is None:
                error, doubtful = fault(raised, "read", ""), True
    told = {
        "verdict": "unknown" if doubtful else "rejected" if error else "accepted",
        "error": error,
        "resolved": resolved,
        "groups": sglang.groups,
    }
    return {"id": command.get("id"), "release": sglang.release, **told}


def crashed(sglang: Sglang, command: dict[str, Any]) -> Answer:
    """The answer of a process that died."""
    error = {"type": "Crash", "message": "the process died", "stage": None, "where": None}
    told = {"verdict": "unknown", "error": error, "resolved": None, "groups": None}
    return {"id": command.get("id"), "release": sglang.release, **told}


def with_models(folder: Path, argv: list[str], default: str) -> list[str]:
    """The command line with the folders of its models in place of their names."""
    argv, given = list(argv), False
    for place, word in enumerate(argv):
        flag, equals, value = word.partition("=")
        if flag not in MODEL_FLAGS + OTHER_MODEL_FLAGS:
            continue
        given = given or flag in MODEL_FLAGS
        if equals:
            argv[place] = f"{flag}={model_folder(folder, value)}"
        elif place + 1 < len(argv):
            argv[place + 1] = model_folder(folder, argv[place + 1])
    return argv if given else ["--model-path", model_folder(folder, default), *argv]


def model_folder(folder: Path, name: str) -> str:
    """Where a model is, if it is here."""
    for here, model in MODELS.items():
        if name in (here, model["name"]):
            return str(folder / "models" / here)
    return name


def write_models(folder: Path) -> None:
    """Write the models' configurations to where `model_folder` says they are."""
    for name, model in MODELS.items():
        (folder / "models" / name).mkdir(parents=True)
        (folder / "models" / name / "config.json").write_text(json.dumps(model["config"]))


def fault(error: BaseException, stage: str, said: str) -> dict[str, Any]:
    """An error, and SGLang's innermost line on the way to it."""
    frames = traceback.extract_tb(error.__traceback__)
    frame = ([frame for frame in frames if "/sglang/" in frame.filename] or frames)[-1]
    file = frame.filename.rpartition("/sglang/")[2]
    message = str(error)
    if isinstance(error, SystemExit):
        message = said.strip().rpartition("error: ")[2] or message
    return {
        "type": type(error).__name__,
        "message": message,
        "stage": stage,
        "where": f"sglang/{file}:{frame.lineno}: {frame.line}",
    }


def is_doubtful(error: BaseException) -> bool:
    """Whether what stands around SGLang may be at fault."""
    by_sglang = "/sglang/" in traceback.extract_tb(error.__traceback__)[-1].filename
    slip = isinstance(error, (AttributeError, TypeError, NameError)) and not by_sglang
    offline = "huggingface.co" in str(error)  # no such model here, or a file of it is missing
    return slip or offline or isinstance(error, ImportError) or "StandIn" in repr(error)


# Processes.


def in_child(work: Callable[[TextIO, TextIO], None]) -> tuple[int, TextIO, TextIO]:
    """Fork, run `work(read, write)` there, and return its id and the other ends."""
    down_read, down_write = os.pipe()
    up_read, up_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(down_write)
            os.close(up_read)
            with os.fdopen(down_read) as read, os.fdopen(up_write, "w") as write:
                work(read, write)
            code = 0
        except BaseException:  # noqa: BLE001 - leave without the clean-up of the parent
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(down_read)
    os.close(up_write)
    return pid, os.fdopen(down_write, "w"), os.fdopen(up_read)


def serve(wheel: Path, folder: Path, gpu: str, read: TextIO, write: TextIO) -> None:
    """Import SGLang for one kind of GPU, then answer the commands that come in."""
    machine = Machine(gpu)
    machine.install()
    install_packages(wheel)
    with contextlib.redirect_stdout(sys.stderr):
        sglang = Sglang(wheel)
    unimportable: set[str] = set()

    def work(commands: TextIO, out: TextIO) -> None:
        if not (line := commands.readline()):
            return
        command = json.loads(line)
        machine.gpus = command.get("gpus_per_node", 8)
        machine.ib_devices = command.get("ib_devices", IB_DEVICES)
        known = set(sys.modules)
        told = answer(sglang, folder, command)
        json.dump([told, [name for name in sys.modules if name not in known]], out)

    gc.freeze()
    spare = in_child(work)
    for line in read:
        pid, to_child, from_child = spare
        to_child.write(line)
        to_child.close()
        spare = in_child(work)  # while the other works: a fork takes as long as an answer
        text = from_child.read()
        from_child.close()
        os.waitpid(pid, 0)
        told, imported = json.loads(text) if text else (crashed(sglang, json.loads(line)), [])
        print(json.dumps(told), file=write, flush=True)
        if preload(imported, unimportable):
            gc.collect()
            gc.freeze()
    spare[1].close()
    os.waitpid(spare[0], 0)


def preload(names: list[str], unimportable: set[str]) -> bool:
    """Import what a fork had to import, for those to come; says whether any was new."""
    fresh = [name for name in names if name not in sys.modules and name not in unimportable]
    for name in fresh:
        try:
            with contextlib.redirect_stdout(sys.stderr), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                importlib.import_module(name)
        except Exception:  # noqa: BLE001 - only the speed of later forks is at stake
            unimportable.add(name)
    return bool(fresh)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel.resolve()
    offline = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    os.environ.update(dict.fromkeys(offline, "1"), TOKENIZERS_PARALLELISM="false")

    import torch  # noqa: F401 - once for all kinds of GPU
    import transformers  # noqa: F401

    with tempfile.TemporaryDirectory() as scratch:
        tempfile.tempdir = scratch
        write_models(Path(scratch))
        servers: dict[str, tuple[int, TextIO, TextIO]] = {}
        for line in sys.stdin:
            gpu = json.loads(line).get("gpu", "H100")
            if gpu not in GPUS:
                sys.exit(f"unknown gpu {gpu!r}; known: {', '.join(GPUS)}")
            if gpu not in servers:
                work = functools.partial(serve, wheel, Path(scratch), gpu)
                servers[gpu] = in_child(work)
            _, to_server, from_server = servers[gpu]
            print(line.strip(), file=to_server, flush=True)
            if not (told := from_server.readline()):
                sys.exit(f"the {gpu} process ended; see its error above")
            print(told.replace(f"{scratch}/", ""), end="", flush=True)
        # Later servers hold earlier ones' ends, so close all before waiting for any.
        for _, to_server, from_server in servers.values():
            to_server.close()
            from_server.close()
        for pid, _, _ in servers.values():
            os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
