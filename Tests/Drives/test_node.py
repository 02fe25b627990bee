"""The Python client alone: patterns, joined form, sequence numbers, parameters, manifests and nodes without a bus."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients/python"
sys.path[:0] = [str(CLIENT), str(CLIENT / "examples")]
import navstack  # noqa: E402
from navstack import wire  # noqa: E402
from navstack.environment import Environment, StackTime  # noqa: E402
from navstack.manifest import Parameter, read_parameters  # noqa: E402
from navstack.patterns import parse, topic_hash  # noqa: E402
from navstack.sequence import SequenceCheck  # noqa: E402


class PatternTests(unittest.TestCase):
    """Which topics a pattern takes, and what it asks of the bus."""

    def test_patterns_take_what_they_say__BUS_2(self):
        cases = {
            "ego/location/matched": (["ego/location/matched"], ["ego/location/raw", "car/location/matched"]),
            "*/location/matched": (["ego/location/matched", "car.7/location/matched"], ["ego/location/raw", "_location/matched"]),
            "ego/*": (["ego/location/raw", "ego/session"], ["ego2/location/raw", "_node/ego/status"]),
            "ego/": (["ego/session"], ["ego2/session"]),
            "ego/guidance/*": (["ego/guidance/progress"], ["ego/location/raw"]),
            "_node/*": (["_node/voice/status"], ["ego/_node", "_nodes/x"]),
            "_clock": (["_clock"], ["_clock/x"]),
            "*": (["ego/session", "_clock"], []),
            "": (["ego/session", "_clock"], []),
        }
        for pattern, (taken, left) in cases.items():
            for topic in taken:
                self.assertTrue(parse(pattern).matches(topic), f"{pattern} takes {topic}")
            for topic in left:
                self.assertFalse(parse(pattern).matches(topic), f"{pattern} leaves {topic}")

    def test_a_pattern_that_is_not_understood_is_refused_in_a_sentence__BUS_2(self):
        wrong = {
            "location/matched": "ego/location/matched", "ego": "ego/*", "*/guidance/*": "name each topic", "e*o/session": "not understood",
            "*/": "is no topic", "ego/*/matched": "not understood", "Ego/session": "not understood", "ego/Session": "not understood",
            "**": "not understood", "*/*": "name each topic", "ego//x": "not understood", "x" * 201: "200 bytes"}
        for pattern, words in wrong.items():
            with self.subTest(pattern=pattern), self.assertRaises(navstack.PatternError) as refused:
                parse(pattern)
            self.assertIn(words, str(refused.exception))

    def test_joined_subscriptions_begin_as_control_md_says__BUS_8(self):
        self.assertEqual(topic_hash(""), bytes.fromhex("811c9dc5"))
        self.assertEqual(topic_hash("a"), bytes.fromhex("e40c292c"))
        self.assertEqual(topic_hash("foobar"), bytes.fromhex("bf9cf968"))
        mark = topic_hash("location/raw")
        self.assertEqual(parse("*/location/raw").joined, mark)
        self.assertEqual(parse("ego/location/raw").joined, mark + b"ego/location/raw")
        self.assertEqual(parse("_node/*").joined, bytes(4) + b"_node/")
        self.assertEqual(parse("_clock").joined, bytes(4) + b"_clock")
        self.assertEqual(parse("ego/*").joined, b"")

    def test_a_joined_message_comes_apart_or_is_refused__BUS_5(self):
        header, payload = wire.pack({"seq": 1}), wire.pack({"x": 1})
        data = topic_hash("session") + b"ego/session\0" + len(header).to_bytes(4, "big") + header + payload
        self.assertEqual(wire.split_joined(data), (b"ego/session", header, payload))
        for wrong in (b"", data[:6], data[:-len(payload) - 3], b"x" * 300, topic_hash("a") + b"a/b\0\xff\xff\xff\xff"):
            with self.assertRaises(ValueError):
                wire.split_joined(wrong)

    def test_values_that_are_no_messagepack_raise_one_kind_of_error__BUS_5(self):
        for wrong in (b"", b"\xc1", b"\x81", b"\x92\x01", b"\xd9\xff"):
            with self.assertRaises(ValueError):
                wire.unpack(wrong)


class SequenceTests(unittest.TestCase):
    """What a reader drops, and what it counts as lost."""

    def test_repeated_and_missing_messages_are_counted__BUS_4(self):
        check = SequenceCheck()

        def admit(seq, run=1, src="a", **more):
            return check.admit("ego/x", {"seq": seq, "run": run, "src": src, "stamp": seq, **more})

        self.assertEqual([admit(5), admit(6), admit(6), admit(9)], [True, True, False, True])
        self.assertEqual((check.lost, check.duplicates), (2, 1))
        self.assertTrue(admit(3, run=2), "a new run begins at 1")
        self.assertEqual(check.lost, 4)
        self.assertTrue(admit(1, src="b"), "another source has numbers of its own")

    def test_last_values_come_once_however_often_they_are_given_again__BUS_3(self):
        check = SequenceCheck()

        def admit(seq, key=None, latched=False, src="a", stamp=0):
            header = {"seq": seq, "run": 1, "src": src, "stamp": stamp} | ({"key": key} if key else {})
            return check.admit("ego/s", header | ({"latched": True} if latched else {}))

        self.assertTrue(admit(7, "x", latched=True))
        self.assertTrue(admit(3, "y", latched=True), "an older number of another key")
        self.assertFalse(admit(7, "x", latched=True))
        self.assertTrue(admit(8, "x"))
        self.assertFalse(admit(7, "x", latched=True), "older than the live one")
        self.assertFalse(admit(2, "x", latched=True, src="b", stamp=-1), "another source's older value")
        self.assertTrue(admit(2, "x", latched=True, src="b", stamp=9))
        self.assertEqual(check.lost, 0)


    def test_events_that_come_again_after_a_brokers_restart_are_dropped_or_close_the_gap__BUS_6(self):
        check = SequenceCheck()

        def admit(seq, latched=False):
            header = {"seq": seq, "run": 1, "src": "a", "stamp": seq}
            return check.admit("ego/e", header | ({"latched": True} if latched else {}))

        self.assertTrue(admit(1) and admit(2) and admit(5))
        self.assertEqual(check.lost, 2)
        again = [admit(seq, latched=True) for seq in (1, 2, 3, 4, 5, 3)]
        self.assertEqual(again, [False, False, True, True, False, False])
        self.assertEqual((check.lost, check.duplicates), (0, 4))
        self.assertTrue(admit(6, latched=True), "one that only the new broker had")
        self.assertTrue(admit(7))
        self.assertEqual(check.lost, 0)


class ParameterTests(unittest.TestCase):
    """Parameters by the launcher's file, with every fault named."""

    @staticmethod
    def read(given, *declared):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(given if isinstance(given, str) else json.dumps(given))
            file.flush()
            read_parameters(file.name, list(declared))

    def test_values_are_read_in_their_kind__BUS_1(self):
        rate, name, on = Parameter("rate", 1.0, maximum=10), Parameter("name", "a", values=["a", "b"]), Parameter("on", False)
        words = Parameter("words", ["x"])
        self.read({"rate": 3, "name": "b", "on": True, "words": ["y"]}, rate, name, on, words)
        self.assertEqual((rate.value, name.value, on.value, words.value), (3.0, "b", True, ["y"]))
        self.assertIsInstance(rate.value, float)

    def test_every_fault_is_named_at_once__BUS_1(self):
        with self.assertRaises(navstack.NodeError) as refused:
            self.read({"rate": 30, "nam": "b", "on": 1, "words": [1]}, Parameter("rate", 1.0, unit="Hz", maximum=10),
                      Parameter("name", "a"), Parameter("on", False), Parameter("words", ["x"]),
                      Parameter("file", None, kind="path", required=True, about="The file."))
        text = str(refused.exception)
        for part in ("30 Hz is outside …10 Hz", 'unknown parameter "nam"; did you mean "name"?', '"on": 1 is not a bool',
                     '"words": [1] is not a list of strings', '"file" is missing: The file.'):
            self.assertIn(part, text)
        self.assertEqual(refused.exception.exit_code, 78)
        with self.assertRaises(navstack.NodeError):
            self.read("{", Parameter("rate", 1.0))
        with self.assertRaises(navstack.NodeError):
            self.read("[]", Parameter("rate", 1.0))
        with self.assertRaises(navstack.NodeError):
            Parameter("rate", 20.0, maximum=10)

    def test_the_environment_is_read_or_refused_by_name__BUS_1(self):
        base = {"NAV_BUS": "ipc:///tmp/x"}
        read = Environment.read("voice.py", base | {"NAV_NODE": "voice", "NAV_VEHICLE": "a,b", "NAV_WIRE": "a/b=c/d", "WATCHDOG_USEC": "600000"})
        self.assertEqual((read.name, read.vehicles, read.wiring, read.watchdog_s), ("voice", ["a", "b"], {"a/b": "c/d"}, 0.2))
        fleet = Environment.read("voice", base | {"NAV_VEHICLE": "any"})
        self.assertEqual((fleet.vehicles, fleet.forget_s, read.forget_s), ([], 900, None))
        self.assertIsNone(Environment.read("voice", base | {"NAV_VEHICLE": "any", "NAV_FORGET_S": "0"}).forget_s)
        for wrong in ({"NAV_NODE": "Voice"}, {"NAV_VEHICLE": "A"}, {"NAV_WIRE": "a"}, {"NAV_STANDBY": "1"}, {"NAV_GROUP": "g"},
                      {"NAV_FORGET_S": "x", "NAV_VEHICLE": "any"}):
            with self.assertRaises(navstack.NodeError) as refused:
                Environment.read("voice", base | wrong)
            self.assertIn(next(iter(wrong)), str(refused.exception))


def example(name):
    """The module of an example, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", CLIENT / f"examples/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class NodeTests(unittest.TestCase):
    """A stage without a bus."""

    def setUp(self):
        self.node = navstack.Node("counter", "Counts fixes.")
        count = self.node.output("own/count", delivery="event", schema="count/1.0")

        @self.node.input("location/raw", required=True)
        def fix(message):
            state = self.node.state(message.vehicle)
            state["n"] = state.get("n", 0) + 1
            count({"n": state["n"]})

        @self.node.call("own/last")
        def last(request, vehicle):
            if request.get("no"):
                raise navstack.CallError("refused", "As asked.", "no")
            return self.node.state(vehicle)

    def test_a_stage_is_tested_without_a_bus__BUS_1(self):
        fix = {"lat_deg": 47.0, "lon_deg": 9.5}
        first, = self.node.feed("ego/location/raw", fix, stamp=5)
        second, = self.node.feed("car/location/raw", fix, stamp=6)
        third, = self.node.feed("ego/location/raw", fix, stamp=7)
        self.assertEqual([(m.topic, m.payload["n"], m.stamp) for m in (first, second, third)],
                         [("ego/own/count", 1, 5), ("car/own/count", 1, 6), ("ego/own/count", 2, 7)])
        self.assertEqual(first.header["cause"], ["location/raw", "test", 1, 1])
        self.assertEqual(self.node.ask("own/last"), {"n": 2})
        with self.assertRaises(navstack.CallError) as refused:
            self.node.ask("own/last", {"no": True})
        self.assertEqual((refused.exception.code, refused.exception.field), ("refused", "no"))
        with self.assertRaises(navstack.ContractError):
            self.node.feed("ego/location/raw", {"lat_deg": 470.0, "lon_deg": 9.5})

    def test_the_manifest_is_what_was_declared__BUS_1(self):
        self.node.parameter("rate", 2.0, "Rate.", unit="Hz", minimum=1, maximum=5)
        self.node.uses("route/calculate")
        manifest = self.node.manifest()
        self.assertEqual((manifest["inputs"], manifest["outputs"], manifest["serves"], manifest["calls"], manifest["requires"]),
                         (["location/raw"], ["own/count"], ["own/last"], ["route/calculate"], ["location/raw"]))
        self.assertEqual(manifest["parameters"], [{
            "name": "rate", "kind": "double", "about": "Rate.", "isRequired": False, "values": [], "defaultValue": 2.0, "unit": "Hz",
            "minimum": 1, "maximum": 5}])

    def test_wrong_declarations_are_refused_at_once__BUS_1(self):
        for topic in ("*/location/raw", "guidance/", "", "ego/location/raw"):
            with self.subTest(topic=topic), self.assertRaises(navstack.NodeError):
                self.node.input(topic)
        with self.assertRaises(navstack.NodeError):
            self.node.call("own/last")
        with self.assertRaises(navstack.NodeError):
            navstack.Node("x").output("own/x")({"a": 1})

    def test_event_time_follows_the_clock_and_never_goes_back__BUS_1(self):
        time = StackTime()
        self.assertIsNone(time.now_ns)
        time.observe_stamp(1_000)
        self.assertGreaterEqual(time.now_ns, 1_000)
        time.set_clock(5_000_000_000, 0.0, False, 1)
        self.assertEqual(time.now_ns, 5_000_000_000)
        time.observe_stamp(9_000_000_000)
        time.set_clock(4_000_000_000, 1.0, True, 1)
        self.assertEqual(time.now_ns, 5_000_000_000, "one run never goes back")
        time.set_clock(2_000_000_000, 1.0, True, 2)
        self.assertEqual(time.now_ns, 2_000_000_000, "another run may")

    def test_manifests_of_the_examples_are_current__BUS_1(self):
        files = sorted((CLIENT / "examples").glob("*.json"))
        self.assertGreaterEqual(len(files), 7)
        for file in files:
            with self.subTest(file=file.name):
                self.assertEqual(file.read_text(encoding="utf-8"), example(file.stem).node.manifest_text(),
                                 f"run: python {file.with_suffix('.py').name} --manifest")

    def test_a_program_writes_and_prints_its_manifest__BUS_1(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "my_voice.py"
            program.write_text((CLIENT / "examples/voice.py").read_text(encoding="utf-8"), encoding="utf-8")
            env = {"PYTHONPATH": str(CLIENT), "PATH": "/usr/bin:/bin"}
            command = [sys.executable, str(program)]
            subprocess.run([*command, "--manifest"], env=env, check=True, stdout=subprocess.DEVNULL)
            printed = subprocess.run([*command, "--describe"], env=env, check=True, capture_output=True, text=True).stdout
            self.assertEqual(program.with_suffix(".json").read_text(encoding="utf-8"), printed)
            done = subprocess.run(command, env=env | {"XDG_RUNTIME_DIR": folder}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 78)
            self.assertIn("NAV_BUS is not set", done.stderr)


class ProjectTests(unittest.TestCase):
    """What the package and the rest of the project must agree on."""

    def test_the_version_is_that_of_the_programs__BUS_2(self):
        text = (ROOT / "Sources/Edges/NodeKit/NodeVersion.swift").read_text(encoding="utf-8")
        version = re.search(r'enum NodeVersion \{\s*public static let text = "([^"]+)"', text)[1]
        self.assertEqual(navstack.__version__, version)

    def test_a_shape_survives_its_polyline__PR_4(self):
        points = [(47.0, -30.0), (46.999999, -29.976451), (-0.000001, 0.0)]
        self.assertEqual(navstack.polyline6(navstack.polyline6_text(points)), points)


if __name__ == "__main__":
    unittest.main()
