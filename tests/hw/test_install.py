"""`make install-device` into a scratch folder: what a Pi would have, without root.

The package is built from this tree and installed without its dependencies, so that nothing is
fetched; the installed firmware is then run with the dependencies of the tests. What only a
running system does (users, udev, starting the service) is not tested here.
"""

import os
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from firmware.settings.staff import EXAMPLE_HASHES, hash_pin

ROOT = Path(__file__).parents[2]


def make(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run make as somebody does by hand."""
    return subprocess.run(
        ["make", "install-device", f"PYTHON={sys.executable}", *arguments],  # noqa: S607  # any make
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install into a scratch folder, twice: the second time is an update."""
    folder = tmp_path_factory.mktemp("device")
    wheels = folder / "wheels"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            wheels,
            _copied(folder / "source"),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    (wheel,) = wheels.glob("*.whl")
    root = folder / "root"
    (root / "etc/underfelt").mkdir(parents=True)
    (root / "etc/underfelt/table.toml").write_text("mine", encoding="utf-8")
    for _ in range(2):
        done = make(f"DESTDIR={root}", PACKAGE=str(wheel), PIP_OPTIONS="--no-deps --no-index")
        assert done.returncode == 0, done.stderr
    return root


def _copied(folder: Path) -> Path:
    """Copy what git knows of this tree, since building leaves files behind."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607  # any git
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def test_everything_is_where_the_unit_expects_it(installed: Path) -> None:
    unit = (installed / "etc/systemd/system/underfelt-table.service").read_text(encoding="utf-8")
    (command,) = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
    program = installed / command.removeprefix("ExecStart=/").split()[0]
    assert program.read_text(encoding="utf-8").startswith("#!/opt/underfelt/bin/python")
    assert os.access(program, os.X_OK)
    wanted = installed / "etc/systemd/system/multi-user.target.wants/underfelt-table.service"
    assert wanted.resolve() == (installed / "etc/systemd/system/underfelt-table.service").resolve()
    for name in (
        "etc/systemd/system.conf.d/underfelt-watchdog.conf",
        "etc/udev/rules.d/99-underfelt.rules",
        "etc/underfelt/table.example.toml",
        "usr/lib/sysusers.d/underfelt.conf",
        "usr/lib/tmpfiles.d/underfelt.conf",
        "opt/underfelt/share/README.md",
    ):
        assert (installed / name).is_file(), name


def test_an_update_leaves_the_table_file_alone_and_nothing_lying_about(installed: Path) -> None:
    assert (installed / "etc/underfelt/table.toml").read_text(encoding="utf-8") == "mine"
    assert [path.name for path in (installed / "opt").iterdir()] == ["underfelt"]


def test_secrets_are_closed_to_others(installed: Path) -> None:
    for name in ("etc/underfelt", "var/lib/underfelt", "etc/underfelt/table.example.toml"):
        assert stat.S_IMODE((installed / name).stat().st_mode) & stat.S_IRWXO == 0


def test_nobody_but_the_firmware_may_read_the_hashes_of_the_pins(installed: Path) -> None:
    rules = (installed / "usr/lib/tmpfiles.d/underfelt.conf").read_text(encoding="utf-8")
    assert "\nz /etc/underfelt/table.toml 0600 underfelt underfelt -\n" in rules


def test_no_script_knows_the_scratch_folder(installed: Path) -> None:
    scripts = [
        path for path in (installed / "opt/underfelt/bin").iterdir() if not path.is_symlink()
    ]
    assert len(scripts) > 3
    assert [path for path in scripts if str(installed).encode() in path.read_bytes()] == []


def test_the_installed_firmware_has_the_boards_and_runs_as_far_as_the_pins(
    installed: Path, tmp_path: Path
) -> None:
    text = (ROOT / "hw/table.example.toml").read_text(encoding="utf-8")
    table = tmp_path / "table.toml"
    for pin in EXAMPLE_HASHES:
        text = text.replace(pin, hash_pin("135790", bytes(16)))
    table.write_text(text.replace("/var/lib/underfelt", str(tmp_path)), encoding="utf-8")
    dependencies = sysconfig.get_path("purelib")
    code = (
        "import sys; import firmware; "
        f"sys.path.append({dependencies!r}); "
        "from firmware.__main__ import main; print(firmware.__file__); sys.exit(main())"
    )
    done = subprocess.run(
        [installed / "opt/underfelt/bin/python", "-c", code, "--config", table],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.startswith(str(installed))
    assert done.returncode == 3, done.stderr
    assert "version " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root is allowed to install")
def test_without_root_it_says_so() -> None:
    done = make()
    assert done.returncode != 0
    assert "must run as root; use 'sudo make install-device'" in done.stderr
