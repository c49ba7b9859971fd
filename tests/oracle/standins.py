"""What stands around SGLang's handshake modules when a wheel is asked without a GPU.

The modules under `REAL` come unchanged from an unpacked wheel; every other module that they
import from SGLang or from the GPU stack is a mock.  Objects that the code reads at run time are
`Absent` unless they are known: a setting that is left off.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import json
import types
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

PACKAGES = frozenset({"sglang", "sglang.srt", "sglang.srt.disaggregation"})
REAL = ("sglang.srt.disaggregation.base", "sglang.srt.disaggregation.common")
MOCKED_ROOTS = frozenset(
    {"sglang", "torch", "triton", "zmq", "transformers", "psutil", "orjson", "uvloop"}
)


class WheelFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the real modules in the wheel and mocks what they import."""

    def __init__(
        self, wheel: Path, real: tuple[str, ...] = (), mocked: frozenset[str] = frozenset()
    ) -> None:
        self.wheel, self.real, self.mocked = wheel, REAL + real, MOCKED_ROOTS | mocked

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in self.mocked:
            return None
        place = self.wheel / name.replace(".", "/")
        if name.startswith(self.real) and (place.is_dir() or place.with_suffix(".py").is_file()):
            return importlib.machinery.PathFinder.find_spec(name, [str(place.parent)])
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        if spec.name in PACKAGES:
            return types.ModuleType(spec.name)
        module = MagicMock(name=spec.name)
        module.__name__, module.__spec__, module.__path__ = spec.name, spec, []
        return module

    def exec_module(self, module: Any) -> None:
        """A package or a mock has no code to run."""


class Absent:
    """Something that is not there: false, empty, and so is all that it is asked for."""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Absent:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __enter__(self) -> Absent:
        return self

    def __exit__(self, *args: Any) -> None:
        return None


ABSENT = Absent()


class Record:
    """An object with the given attributes; every other attribute is absent."""

    def __init__(self, **known: Any) -> None:
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return ABSENT


class Variables:
    """SGLang's environment: each variable answers `get()`."""

    def __init__(self, **values: Any) -> None:
        self.values = values

    def __getattr__(self, name: str) -> Record:
        value = self.values.get(name, False)
        return Record(get=lambda: value)


class ErrorLog:
    """A logger that keeps what is logged as an error and drops the rest."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def error(self, text: str, *args: Any, **kwargs: Any) -> None:
        self.errors.append(text % args if args else text)

    def __getattr__(self, name: str) -> Absent:
        return ABSENT


class HttpResponse:
    """What the HTTP client of a rank gets."""

    def __init__(self, status: int, text: str) -> None:
        self.status_code, self.text = status, text

    def json(self) -> Any:
        return json.loads(self.text)


class HttpRequest:
    """What a handler of the bootstrap server gets."""

    def __init__(self, query: dict[str, str] | None = None, body: str = "null") -> None:
        self.query, self.body = query or {}, body

    async def json(self) -> Any:
        return json.loads(self.body)


def run(handler: Coroutine[Any, Any, Any]) -> HttpResponse:
    """Run a handler, which nothing ever makes wait, to its end."""
    try:
        handler.send(None)
    except StopIteration as end:
        return HttpResponse(end.value.status, end.value.text)
    raise RuntimeError("a handler of the bootstrap server waited for something")
