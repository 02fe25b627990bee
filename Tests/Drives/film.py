"""`nav snapshot`, `nav film` and `nav-film`: pictures and films of drives without a browser.

The demo is recorded in one process; pictures and films are drawn from the recording, and from a stack that runs.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile

import stack

TOWN = stack.ROOT / ".cache/town.osm"


def size(path):
    """Width and height of a PNG file."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def probed(path):
    """Frames, rate and size of a film, as ffprobe counts them."""
    words = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
             "stream=nb_read_frames,r_frame_rate,width,height", "-of", "json", str(path)]
    stream = json.loads(subprocess.run(words, capture_output=True, check=True, timeout=120).stdout)["streams"][0]
    return int(stream["nb_read_frames"]), stream["r_frame_rate"], stream["width"], stream["height"]


def digest(folder):
    return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in sorted(folder.iterdir())]


SMALL = ["--map", TOWN, "--size", "320x180"]


def test_a_snapshot_shows_a_map_or_a_moment_of_a_drive__RN_5(results, folder, drive):
    code, said, why = stack.run("nav", "snapshot", "--map", TOWN, "--at", "46.99941,-30.0002", "--zoom", "15", "--pitch", "45",
                                "--size", "400x300", "--scale", "2", "--night", "-o", folder / "map.png")
    results.add(code == 0 and size(folder / "map.png") == (800, 600) and "800 x 600" in said,
                "a snapshot of a map has the size that was asked for", why)
    pictures = []
    for moment in ("60s", "2min", "60"):
        file = folder / f"drive-{moment}.png"
        code, _, why = stack.run("nav", "snapshot", drive, "--time", moment, *SMALL, "-o", file)
        pictures.append(file.read_bytes() if code == 0 else why)
    results.add(pictures[0] == pictures[2] != pictures[1], "snapshots of one moment are equal, of another one different", why)


def test_a_film_has_its_frames_and_its_duration__RN_5(results, folder, drive):
    wanted = [*SMALL, "--rate", "10", "--speed", "8", "--from", "60s", "--to", "100s"]
    runs = []
    for name in ("one", "two"):
        code, said, why = stack.run("nav", "film", drive, *wanted, "-o", folder / name, seconds=300)
        runs.append(digest(folder / name) if code == 0 else [])
    # 40 s at eight times the speed are 5 s of film, and the last moment has a frame, too.
    results.add(len(runs[0]) == 51 and "51 frames, 5.1 s" in said, "a folder has a frame for each moment", f"{len(runs[0])} {said} {why}")
    results.add(runs[0] == runs[1] != [] and len({sha for _, sha in runs[0]}) > 45, "the same recording gives the same frames", why)
    for name in ("drive.mp4", "drive.webm"):
        code, _, why = stack.run("nav", "film", drive, *wanted, "-o", folder / name, seconds=300)
        found = probed(folder / name) if code == 0 else why
        results.add(found == (51, "10/1", 320, 180), f"{name} has its frames", found)
    for name, mark in (("drive.webp", b"ANMF"), ("drive.png", b"fcTL")):
        code, _, why = stack.run("nav", "film", drive, *wanted, "-o", folder / name, seconds=300)
        count = (folder / name).read_bytes().count(mark) if code == 0 else 0
        results.add(45 <= count <= 51, f"{name} has its frames", f"{count} {why}")


def test_an_interrupted_film_leaves_nothing__RN_5(results, folder, drive):
    for name in ("drive.mp4", "drive.png", "frames"):
        place = folder / name
        command = [stack.OPTIONS.programs / "nav", "film", drive, *SMALL, "-o", place]
        film = subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, start_new_session=True)
        part = folder / f"{name}.part"
        began = stack.eventually(part.exists, 60)
        film.send_signal(signal.SIGINT)
        film.communicate(timeout=60)
        left = sorted(file.name for file in folder.iterdir())
        results.add(began and film.returncode == 130 and left == [], f"an interrupted {name} leaves nothing",
                    f"began {began}, exit code {film.returncode}, left {left}")


def test_bad_input_is_refused_with_a_reason__RN_5(results, folder, drive):
    (folder / "empty.mcap").write_bytes(b"")
    (folder / "there.png").write_bytes(b"")
    (folder / "style.json").write_text('{"palettes": {}}')
    refusals = [
        (["snapshot", "--at", "47,-30"], 64, "--map"),
        (["snapshot", "--map", "nowhere.navmap", "--at", "47,-30", "-o", folder / "a.png"], 1, "nowhere.navmap"),
        (["snapshot", "--map", TOWN, "--at", "here", "-o", folder / "a.png"], 1, "LAT,LON"),
        (["snapshot", "--map", TOWN, "--at", "47,-30", "--size", "9x9"], 64, "1280x720"),
        (["snapshot", "--map", TOWN, "--at", "47,-30", "-o", folder / "a.jpg"], 64, "PNG"),
        (["snapshot", "--map", TOWN, "--at", "47,-30", "-o", "/nowhere/a.png"], 1, "there is no folder"),
        (["snapshot", "--map", TOWN, "--at", "47,-30", "--style", folder / "style.json", "-o", folder / "a.png"], 1, "style"),
        (["snapshot", drive, "--time", "3h", *SMALL, "-o", folder / "a.png"], 1, "the drive ends after"),
        (["snapshot", folder / "empty.mcap", *SMALL, "-o", folder / "a.png"], 1, "empty.mcap"),
        (["snapshot", *SMALL, "-o", folder / "a.png"], 1, "no stack is running"),
        (["film", drive, *SMALL, "-o", folder / "drive.avi"], 64, ".mp4"),
        (["film", drive, *SMALL, "-o", folder / "there.png"], 1, "already exists"),
        (["film", drive, *SMALL, "--from", "2h", "-o", folder / "a"], 1, "the drive ends after"),
        (["film", drive, *SMALL, "--from", "20s", "--to", "10s", "-o", folder / "a"], 64, "--to"),
        (["film", drive, *SMALL, "--vehicle", "bus-7", "-o", folder / "a"], 1, "bus-7"),
    ]
    environment = {"XDG_RUNTIME_DIR": str(folder), "NAV_BUS": ""}
    for words, wanted, mark in refusals:
        code, _, why = stack.run("nav", *words, **environment)
        name = " ".join(pathlib.Path(word).name if os.sep in str(word) else str(word) for word in words)
        results.add(code == wanted and mark in why, f"refused: nav {name}", f"exit code {code}: {why}")
    code, _, why = stack.run("nav", "film", drive, *SMALL, "-o", folder / "a.mp4", PATH=str(folder))
    results.add(code == 1 and "apt-get install ffmpeg" in why, "without ffmpeg, the way out is named", why)
    left = sorted(file.name for file in folder.iterdir())
    results.add(left == ["empty.mcap", "style.json", "there.png"], "what was refused has written nothing", left)


LIVE = """
  film:
    run: nav-film
    params: {{output: "{output}", rate_hz: 5, width_px: 320, height_px: 180}}

start:"""


def test_a_stack_is_filmed_while_it_runs__RN_5(results, folder):
    demo = stack.DEMO.read_text(encoding="utf-8").replace("../.cache", str(stack.ROOT / ".cache"))
    demo = demo.replace("scenario: demo", f"scenario: {stack.DEMO.parent}/demo")
    demo = demo.replace("port: 8123", "port: 8123\n      publish_hz: 5")
    (folder / "live.yaml").write_text(demo.replace("\nstart:", LIVE.format(output=folder / "live.mp4"), 1), encoding="utf-8")
    with stack.Stack("film-live", file=folder / "live.yaml") as running:
        words = ["snapshot", *SMALL, "--bus", running.base, "-o", folder / "now.png"]
        is_shown = stack.eventually(lambda: stack.run("nav", *words)[0] == 0, 60)
        results.add(is_shown and size(folder / "now.png") == (320, 180), "a snapshot shows a running stack", running.output[-500:])
        part = folder / "live.mp4.part"
        stack.eventually(lambda: part.exists() and part.stat().st_size > 50_000, 60)
        code = running.stop()
        film = folder / "live.mp4"
        found = probed(film) if film.exists() else ()
        results.add(code == 0 and len(found) == 4 and found[0] > 50 and found[1:] == ("5/1", 320, 180),
                    "nav-film films a running stack, and ends the film with it", f"exit code {code}, {found}", log=running.log)
        results.add(not part.exists(), "nothing half is left", part)


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory(prefix="nav-") as scratch, contextlib.ExitStack() as folders:
        def folder():
            return pathlib.Path(folders.enter_context(tempfile.TemporaryDirectory(prefix="nav-")))

        drive = pathlib.Path(scratch) / "drive.mcap"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--record", drive, "--quiet", seconds=120)
        if code != 0:
            raise RuntimeError(errors)
        test_a_snapshot_shows_a_map_or_a_moment_of_a_drive__RN_5(results, folder(), drive)
        test_a_film_has_its_frames_and_its_duration__RN_5(results, folder(), drive)
        test_an_interrupted_film_leaves_nothing__RN_5(results, folder(), drive)
        test_bad_input_is_refused_with_a_reason__RN_5(results, folder(), drive)
        test_a_stack_is_filmed_while_it_runs__RN_5(results, folder())
    results.end()


if __name__ == "__main__":
    main()
