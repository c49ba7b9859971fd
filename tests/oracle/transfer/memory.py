"""Memory whose bytes say what they are; what an engine writes are copies of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

NOTHING = 0
# An address is a buffer's number and a place in it.
SHIFT = 32


class Labels:
    """A number for each byte that there is of a request, the same on whichever rank it lies."""

    def __init__(self) -> None:
        self.starts: dict[Hashable, int] = {}
        self.next = NOTHING + 1

    def of(self, what: Hashable, count: int) -> np.ndarray:
        """The labels of the `count` bytes of something."""
        start = self.starts.setdefault(what, self.next)
        self.next = max(self.next, start + count)
        return np.arange(start, start + count)


class Buffer:
    """Memory that a rank registers: items of equal size, some of which belong to the request."""

    SLOTS = 16

    def __init__(self, name: str, items: np.ndarray, slots: list[int]) -> None:
        self.name, self.items, self.slots = name, items, slots
        self.item_bytes: int = items.shape[1]
        self.bytes = np.full(self.SLOTS * self.item_bytes, NOTHING)
        self.address = 0

    @property
    def is_state(self) -> bool:
        return self.name.startswith("S")

    def filled(self) -> np.ndarray:
        """The bytes once everything that belongs here is in place."""
        out = np.full(self.SLOTS * self.item_bytes, NOTHING)
        for item, slot in zip(self.items, self.slots, strict=False):
            out[slot * self.item_bytes : (slot + 1) * self.item_bytes] = item
        return out


class Memory:
    """All registered buffers, and what moved between their ranks."""

    def __init__(self) -> None:
        self.buffers: list[tuple[str, Buffer]] = []
        self.moved: Counter[tuple[str, str, bool]] = Counter()  # (from, to, is a state): bytes
        self.has_overrun = False
        self.is_refused = False  # descriptors that a real agent does not take

    def register(self, rank: str, buffer: Buffer) -> None:
        """Give a buffer its address."""
        self.buffers.append((rank, buffer))
        buffer.address = len(self.buffers) << SHIFT

    def _at(self, address: Any) -> tuple[str, Buffer, int]:
        number, place = divmod(int(address), 1 << SHIFT)
        rank, buffer = self.buffers[number - 1]
        return rank, buffer, place

    def copy(self, source: Any, target: Any, length: Any) -> None:
        """Write `length` bytes; what reaches beyond either buffer is told, and left out."""
        (from_rank, from_buffer, i), (to_rank, to_buffer, j) = self._at(source), self._at(target)
        length = int(length)
        self.moved[from_rank, to_rank, from_buffer.is_state] += length
        fits = min(length, from_buffer.bytes.size - i, to_buffer.bytes.size - j)
        if fits < length:
            self.has_overrun, length = True, max(0, fits)
        to_buffer.bytes[j : j + length] = from_buffer.bytes[i : i + length]

    def prepare(self, rows: list[list[int]]) -> list[list[int]]:
        """Take a list of descriptors as an agent would, which wants some, inside of a buffer."""
        self.is_refused |= not rows or any(not self._holds(row[0], row[1]) for row in rows)
        return rows

    def _holds(self, address: int, length: int) -> bool:
        number, place = divmod(address, 1 << SHIFT)
        return 0 < number <= len(self.buffers) and place + length <= self.buffers[number - 1][1].bytes.size


def joined(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Labels one after the other."""
    return np.concatenate([*parts, np.array([], dtype=np.int64)])
