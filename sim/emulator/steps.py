"""Building in steps: a step runs when its inputs have changed, and prints how long it took.

The result of a step is one folder. Beside it is a stamp with the digest of all inputs; it is
written last, so that a step that was interrupted runs again.
"""

import hashlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from firmware.errors import UnderfeltError

_LAST_LINES = 12


class BuildError(UnderfeltError):
    """A step could not be done; the sentence says what to do."""


class Steps:
    """The steps of one build, with their results in one folder."""

    def __init__(self, folder: Path, tell: Callable[[str], None]) -> None:
        self.folder = folder
        self._tell = tell
        self.digests: dict[str, str] = {}

    def run(self, name: str, what: str, inputs: Iterable[str | Path], make: "Make") -> Path:
        """Run a step unless its result has the same inputs; return the result."""
        result, stamp = self.folder / name, self.folder / f"{name}.stamp"
        digest = self.digests[name] = digest_of(inputs)
        if stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
            self._tell(f"{what:<58} unchanged")
            return result
        stamp.unlink(missing_ok=True)
        shutil.rmtree(result, ignore_errors=True)
        result.mkdir(parents=True)
        started = time.monotonic()
        make(result)
        stamp.write_text(digest, encoding="ascii")
        self._tell(f"{what:<58} {time.monotonic() - started:5.1f} s")
        return result


Make = Callable[[Path], None]
"""Makes the result of a step in an empty folder."""


def digest_of(inputs: Iterable[str | Path]) -> str:
    """Return the digest of texts and files; a folder counts with every file below it."""
    digest = hashlib.sha256()
    for each in inputs:
        files = [each] if isinstance(each, str) else _files(each)
        for file in files:
            name = file if isinstance(file, str) else f"{file.name} {file.stat().st_mode}"
            digest.update(f"{len(name)} {name}".encode())
            if isinstance(file, Path):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(
        file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )


def run_program(
    *words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Run a program and return what it prints; if it fails, its last lines are the error."""
    line: Sequence[str] = [str(word) for word in words]
    try:
        done = subprocess.run(  # noqa: S603  # our own commands
            line, cwd=cwd, env=env, capture_output=True, check=False, text=True
        )
    except FileNotFoundError:
        raise BuildError(
            f"{line[0]} is not installed; as root on Debian, .ci/install-emulator or "
            f".ci/install-board-tools installs it"
        ) from None
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines()[-_LAST_LINES:]
        raise BuildError(f"{' '.join(line)} has failed:\n" + "\n".join(said))
    return done.stdout
