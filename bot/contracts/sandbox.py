"""Work that may not end: done in a process of its own, with limits that the system keeps.

Neither the CEL library nor a regular expression can be interrupted from within, and both may take for ever or
all memory on a few lines of hostile input. A child process inherits all that it needs, sees nothing else, and
is ended by the kernel: one second of processor time for each task, a gibibyte on top of what was there.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import selectors
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

T = TypeVar("T")
ReadFile = Callable[[str], bytes | None]
Share = Callable[[int], Sequence[Sequence[int]]]

SECONDS = 1.0  # of processor time, for one task; the slowest honest one takes 0.05
SEND_SECONDS = 0.05  # answers are sent together; those that an end takes along are asked for again
STILL_SECONDS = 30  # of no answer at all: a child that neither works nor ends
BYTES = 1024**3
_OUT_OF_MEMORY = 71
_HEAD = struct.Struct("<I")


class Stopped(Struct, frozen=True):
    """A task that was ended before it had an answer."""

    why: str


@dataclass(eq=False)
class _Worker:
    """A child process and the tasks it was given. `mark` is memory shared with it: the task it is at."""

    pid: int
    inbox: int
    outbox: int
    todo: list[int]
    mark: mmap.mmap
    buffer: bytearray = field(default_factory=bytearray)
    fault: str = ""  # what our own code raised

    @property
    def at(self) -> int:
        return int(struct.unpack_from("<q", self.mark)[0])

    def messages(self) -> list[tuple[str, Any]]:
        found = []
        while len(self.buffer) >= _HEAD.size:
            size = _HEAD.unpack_from(self.buffer)[0]
            if len(self.buffer) < _HEAD.size + size:
                break
            found.append(pickle.loads(bytes(self.buffer[_HEAD.size : _HEAD.size + size])))
            del self.buffer[: _HEAD.size + size]
        return found


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def available() -> bool:
    """Whether this system can do it. Where not (Windows), work is done here, without limits."""
    return hasattr(os, "fork")


def run(
    count: int,
    make: Callable[[ReadFile], Callable[[int], T]],
    *,
    read_file: ReadFile,
    jobs: int = 1,
    group: Callable[[int], Hashable] = lambda index: index,
    seconds: float = SECONDS,
    tick: Callable[[int], None] | None = None,
    share: Share | None = None,
) -> Sequence[T | Stopped]:
    """The answers of `count` tasks, in order.

    `make` is called once in each child with its way to read files of the tree, and gives the function that
    does one task. After a task is stopped, the rest of its `group` is stopped with it, unasked. `share` says
    which tasks each of so many children gets; they are dealt out in turn without it.
    """
    if not available():
        work = make(read_file)
        return [work(index) for index in range(count)]
    return _Pool(count, make, read_file, group, seconds, tick).run(max(1, min(jobs, count)), share)


class _Pool:
    def __init__(
        self,
        count: int,
        make: Callable[[ReadFile], Callable[[int], Any]],
        read_file: ReadFile,
        group: Callable[[int], Hashable],
        seconds: float,
        tick: Callable[[int], None] | None,
    ) -> None:
        self._count, self._make, self._read_file = count, make, read_file
        self._group, self._seconds, self._tick = group, seconds, tick
        self._answers: dict[int, Any] = {}
        self._selector = selectors.DefaultSelector()

    def run(self, jobs: int, share: Share | None) -> Sequence[Any]:
        for todo in share(jobs) if share is not None else (range(job, self._count, jobs) for job in range(jobs)):
            if todo:
                self._start([*todo])
        try:
            while self._selector.get_map():
                self._turn()
        finally:
            for key in list(self._selector.get_map().values()):
                self._end(key.data)
            self._selector.close()
        return [self._answers[index] for index in range(self._count)]

    def _turn(self) -> None:
        ready = self._selector.select(STILL_SECONDS)
        if not ready:
            for key in list(self._selector.get_map().values()):
                os.kill(key.data.pid, signal.SIGKILL)
        for key, _ in ready:
            worker: _Worker = key.data
            data = os.read(worker.inbox, 1 << 16)
            if not data:
                self._ended(worker)
                continue
            worker.buffer += data
            for kind, payload in worker.messages():
                self._heard(worker, kind, payload)

    def _heard(self, worker: _Worker, kind: str, payload: Any) -> None:
        if kind == "file":
            _send(worker.outbox, self._read_file(payload))
            return
        if kind == "fault":
            worker.fault = payload
            return
        self._answers.update(payload)
        if self._tick is not None:
            self._tick(len(self._answers))

    def _start(self, todo: list[int]) -> None:
        mark = mmap.mmap(-1, 8)
        from_child, to_parent = os.pipe()
        from_parent, to_child = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Other threads do not matter: the child evaluates and ends, and takes no lock of theirs.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            os.close(from_child)
            os.close(to_child)
            self._child(todo, mark, to_parent, from_parent)
        os.close(to_parent)
        os.close(from_parent)
        worker = _Worker(pid, from_child, to_child, todo, mark)
        self._selector.register(from_child, selectors.EVENT_READ, worker)

    def _end(self, worker: _Worker) -> int:
        self._selector.unregister(worker.inbox)
        os.close(worker.inbox)
        os.close(worker.outbox)
        _, status = os.waitpid(worker.pid, 0)
        return status

    def _ended(self, worker: _Worker) -> None:
        """A child is gone: with all its tasks done, or at one that ended it; then another goes on."""
        at = worker.at
        status = self._end(worker)
        rest = [index for index in worker.todo if index not in self._answers]
        if not rest:
            return
        culprit = at if at in rest else rest[0]
        self._answers[culprit] = Stopped(worker.fault or _why(status, self._seconds))
        group = self._group(culprit)
        for index in rest:
            if index != culprit and self._group(index) == group:
                self._answers[index] = Stopped("")
        rest = [index for index in rest if index not in self._answers]
        if rest:
            self._start(rest)

    def _child(self, todo: list[int], mark: mmap.mmap, to_parent: int, from_parent: int) -> NoReturn:
        code = 70
        try:
            _limit()
            gc.disable()  # short work without cycles; looking through what was inherited would copy its pages

            def read_file(path: str) -> bytes | None:
                _send(to_parent, ("file", path))
                found: bytes | None = _receive(from_parent)
                return found

            work = self._make(read_file)
            answers: dict[int, Any] = {}
            sent = time.monotonic()
            for index in todo:
                struct.pack_into("<q", mark, 0, index)
                signal.setitimer(signal.ITIMER_PROF, self._seconds)
                answers[index] = work(index)
                signal.setitimer(signal.ITIMER_PROF, 0)
                if time.monotonic() - sent > SEND_SECONDS:
                    _send(to_parent, ("done", answers))
                    answers, sent = {}, time.monotonic()
            _send(to_parent, ("done", answers))
            code = 0
        except MemoryError:
            code = _OUT_OF_MEMORY
        finally:
            fault = sys.exc_info()[1]
            if fault is not None:
                says = f"a fault of this program: {type(fault).__name__}: {fault}"
                _send(to_parent, ("fault", says))
            os._exit(code)


def _limit() -> None:
    import resource

    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 2)  # an allocation that fails is reported there, and to the parent by our end
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = _mapped(used) + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit if most < 0 else min(limit, most), most))


def _mapped(default: int) -> int:
    """The address space in use, in bytes."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * mmap.PAGESIZE
    except OSError:  # not Linux
        return default


def _send(fd: int, message: Any) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    view = memoryview(_HEAD.pack(len(data)) + data)
    while view:
        view = view[os.write(fd, view) :]


def _receive(fd: int) -> Any:
    size = _HEAD.unpack(_exactly(fd, _HEAD.size))[0]
    return pickle.loads(_exactly(fd, size))


def _exactly(fd: int, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        data = os.read(fd, size - len(found))
        if not data:
            raise EOFError
        found += data
    return bytes(found)


def _why(status: int, seconds: float) -> str:
    number = os.waitstatus_to_exitcode(status)
    if number == -signal.SIGPROF or number == -signal.SIGKILL:
        return f"it was stopped after {seconds:g} s without an answer"
    if number in (_OUT_OF_MEMORY, -signal.SIGABRT):
        return "it needs too much memory"
    if number in (-signal.SIGSEGV, -signal.SIGBUS):
        return "it is nested too deeply"
    return f"its evaluation ended without an answer ({number})"
