"""What stands around SGLang's launch code: a machine without GPUs that answers as one with them.

`Machine.install` makes the GPU probes tell of another machine.  `install_packages` lets packages of
compiled GPU kernels be imported; SGLang's launch code imports them and never calls them.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

IB_DEVICES = [f"mlx5_{i}" for i in range(8)]
IB_FOLDER = "/sys/class/infiniband"

# name: compute capability, memory in MiB as nvidia-smi tells it, multiprocessors, full name
GPUS = {
    "A100": ((8, 0), 81920, 108, "NVIDIA A100-SXM4-80GB"),
    "L40S": ((8, 9), 46068, 142, "NVIDIA L40S"),
    "H20": ((9, 0), 97871, 78, "NVIDIA H20"),
    "H100": ((9, 0), 81559, 132, "NVIDIA H100 80GB HBM3"),
    "H200": ((9, 0), 143771, 132, "NVIDIA H200"),
    "B200": ((10, 0), 183359, 148, "NVIDIA B200"),
    "GB200": ((10, 0), 189471, 152, "NVIDIA GB200"),
    "B300": ((10, 3), 275040, 148, "NVIDIA B300 SXM6 AC"),
}

# Importable names of packages that hold compiled GPU kernels or need a GPU to import.
# One that is installed is used as it is.
PACKAGES = set(
    "cuda cutlass cubin deep_ep deep_gemm deepseek_recipe decord decord2 flash_attn flash_mla "
    "flashinfer humming kernels mathdx mooncake nixl nvshmem quack sgl_deep_gemm sgl_flash_mla "
    "sgl_kernel sglang_kernel tilelang tml_renderers torch_memory_saver torchaudio torchcodec "
    "triton_kernels tvm tvm_ffi".split()
)


class Machine:
    """The node that the probes describe; one for each process, changed in place."""

    def __init__(self, gpu: str) -> None:
        self.capability, self.memory_mib, self.processors, self.name = GPUS[gpu]
        self.gpus = 8
        self.ib_devices = IB_DEVICES

    def install(self) -> None:
        """Make the probes answer for this machine."""
        self._install_torch()
        self._install_nvidia_smi()
        isdir, listdir = os.path.isdir, os.listdir
        os.path.isdir = lambda path: bool(self.ib_devices) if path == IB_FOLDER else isdir(path)
        os.listdir = lambda path=".": self.ib_devices[:] if path == IB_FOLDER else listdir(path)

    def _install_torch(self) -> None:
        import torch

        memory = self.memory_mib * 2**20
        properties = types.SimpleNamespace(
            name=self.name,
            major=self.capability[0],
            minor=self.capability[1],
            total_memory=memory,
            multi_processor_count=self.processors,
            warp_size=32,
            is_integrated=False,
            shared_memory_per_block_optin=232448,
        )
        answers = {
            "is_available": lambda: self.gpus > 0,
            "is_initialized": lambda: False,
            "device_count": lambda: self.gpus,
            "current_device": lambda: 0,
            "set_device": lambda device: None,
            "get_device_name": lambda device=None: self.name,
            "get_device_capability": lambda device=None: self.capability,
            "get_device_properties": lambda device=None: properties,
            "mem_get_info": lambda device=None: (memory, memory),
            "is_bf16_supported": lambda including_emulation=True: True,
            "get_arch_list": lambda: [f"sm_{a}{b}" for a, b in {gpu[0] for gpu in GPUS.values()}],
            "synchronize": lambda device=None: None,
            "empty_cache": lambda: None,
            "_lazy_init": lambda: None,
            "init": lambda: None,
        }
        for name, answer in answers.items():
            setattr(torch.cuda, name, answer)

    def _nvidia_smi(self, command: Any) -> str | None:
        """What the command prints, if it is an nvidia-smi."""
        words = command.split() if isinstance(command, str) else list(map(str, command))
        if not words or not words[0].endswith("nvidia-smi"):
            return None
        told = {
            "memory.total": str(self.memory_mib),
            "compute_cap": "{}.{}".format(*self.capability),
            "name": self.name,
            "gpu_name": self.name,
            "driver_version": "580.95.05",
        }
        for word in words:
            if word.startswith("--query-gpu="):
                columns = word.partition("=")[2].split(",")
                return (", ".join(told.get(column, "") for column in columns) + "\n") * self.gpus
        return ""

    def _install_nvidia_smi(self) -> None:
        run, check_output, which = subprocess.run, subprocess.check_output, shutil.which

        def wants_text(options: dict[str, Any]) -> bool:
            return any(options.get(name) for name in ("text", "universal_newlines", "encoding"))

        def run_or_tell(command: Any, *args: Any, **options: Any) -> Any:
            if (told := self._nvidia_smi(command)) is None:
                return run(command, *args, **options)
            out = (told, "") if wants_text(options) else (told.encode(), b"")
            return subprocess.CompletedProcess(command, 0, *out)

        def output_or_tell(command: Any, *args: Any, **options: Any) -> Any:
            if (told := self._nvidia_smi(command)) is None:
                return check_output(command, *args, **options)
            return told if wants_text(options) else told.encode()

        def which_or_tell(name: Any, *args: Any, **options: Any) -> Any:
            return f"/usr/bin/{name}" if name == "nvidia-smi" else which(name, *args, **options)

        subprocess.run, subprocess.check_output = run_or_tell, output_or_tell
        shutil.which = which_or_tell


class StandIn(MagicMock):
    """A module in which every public name is found."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return super().__getattr__(name)


class StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins for the packages of GPU kernels, where nobody else finds the package."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] not in PACKAGES:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
        spec.origin = f"<stand-in {name}>"
        return spec

    def create_module(self, spec: Any) -> StandIn:
        module = StandIn(name=spec.name)
        module.__path__ = []
        module.__file__ = spec.origin
        module.__version__ = "999.0"
        module.__name__ = spec.name
        if spec.name == "flashinfer.decode" and numbers("flashinfer_python") >= [0, 6, 17]:
            # Kimi-K3 with DCP asks for this parameter, which came with that version.
            module.trtllm_batch_decode_with_kv_cache_mla = lambda *args, enable_dcp=False: None
        return module

    def exec_module(self, module: Any) -> None:
        pass


def numbers(distribution: str) -> list[int]:
    """A distribution's version."""
    return list(map(int, re.findall(r"\d+", importlib.metadata.version(distribution))[:3]))


def install_packages(wheel: Path) -> None:
    """Let packages that are not installed be imported, in the versions that the wheel pins."""
    sys.meta_path.append(StandInFinder())
    pins = dict(pinned(wheel))
    version = importlib.metadata.version

    def version_or_pin(name: str) -> str:
        try:
            return version(name)
        except importlib.metadata.PackageNotFoundError:
            if canonical(name) in pins:
                return pins[canonical(name)]
            raise

    importlib.metadata.version = version_or_pin


def pinned(wheel: Path) -> Iterable[tuple[str, str]]:
    """The distributions that a wheel requires, and their versions."""
    for metadata in wheel.glob("sglang-*.dist-info/METADATA"):
        for line in metadata.read_text(errors="replace").splitlines():
            match = re.match(r"Requires-Dist: ([\w.-]+)(?:\[[^]]*\])?(?:[=><~]=([\w.+]+))?", line)
            if match and "extra ==" not in line:
                yield canonical(match[1]), match[2] or "999.0"


def canonical(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
