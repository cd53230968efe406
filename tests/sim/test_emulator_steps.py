"""The build of the emulated Pi, step by step: what is made again, and what is said."""

from pathlib import Path

import pytest

from sim.emulator.steps import BuildError, Steps, run_program


class Builder:
    """A build of one step that is made from a text and a file, and counts how often it is."""

    def __init__(self, folder: Path) -> None:
        self.made = 0
        self.said: list[str] = []
        self.source = folder / "source"
        self.source.write_text("as it was", encoding="utf-8")
        self._folder = folder / "build"

    def run(self, setting: str = "one") -> Path:
        """Build, as a new process would."""
        steps = Steps(self._folder, self.said.append)
        return steps.run("part", "a part", [setting, self.source], self._make)

    def _make(self, result: Path) -> None:
        self.made += 1
        (result / "file").write_text(str(self.made), encoding="utf-8")


def test_a_step_is_made_once_while_nothing_changes(tmp_path: Path) -> None:
    builder = Builder(tmp_path)
    assert builder.run() == builder.run()
    assert builder.made == 1
    assert builder.said[0].endswith(" s")
    assert builder.said[1].endswith("unchanged")


@pytest.mark.parametrize("change", ["setting", "file", "mode"])
def test_a_step_is_made_again_when_what_it_is_made_from_changes(
    change: str, tmp_path: Path
) -> None:
    builder = Builder(tmp_path)
    builder.run()
    if change == "file":
        builder.source.write_text("another", encoding="utf-8")
    if change == "mode":
        builder.source.chmod(0o755)
    result = builder.run("two" if change == "setting" else "one")
    assert (result / "file").read_text(encoding="utf-8") == "2"


def test_a_step_that_was_interrupted_is_made_again_from_nothing(tmp_path: Path) -> None:
    steps = Steps(tmp_path, lambda _line: None)

    def interrupted(result: Path) -> None:
        (result / "half").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        steps.run("part", "a part", ["one"], interrupted)
    result = steps.run("part", "a part", ["one"], lambda result: (result / "whole").touch())
    assert [file.name for file in result.iterdir()] == ["whole"]


def test_a_command_that_fails_is_told_with_its_last_lines() -> None:
    with pytest.raises(BuildError, match=r"(?s)has failed:.*the disk is full"):
        run_program("sh", "-c", "echo the disk is full >&2; exit 3")


def test_a_program_that_is_missing_is_told_with_the_remedy() -> None:
    with pytest.raises(BuildError, match=r"no-such-program is not installed.*install-emulator"):
        run_program("no-such-program")
