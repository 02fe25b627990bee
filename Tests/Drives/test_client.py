"""Tests what the Python client makes of messages, without a bus: python test_client.py"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
import navstack  # noqa: E402


class Client(unittest.TestCase):
    # Round a block and on along the first road again: places come twice.
    shape = [(0.0, 0.0), (0.0, 0.001), (0.001, 0.001), (0.001, 0.0), (0.0, 0.0), (0.0, 0.001)]

    def test_progress_cuts_the_shape_in_two_that_meet__PR_4(self):
        for index in range(len(self.shape) - 1):
            for fraction in (0.0, 0.25, 1.0):
                with self.subTest(index=index, fraction=fraction):
                    behind, ahead = navstack.split_line(self.shape, index, fraction)
                    self.assertEqual(behind[-1], ahead[0])
                    (lat, lon), (to_lat, to_lon) = self.shape[index:index + 2]
                    self.assertAlmostEqual(behind[-1][0], lat + fraction * (to_lat - lat))
                    self.assertAlmostEqual(behind[-1][1], lon + fraction * (to_lon - lon))
                    self.assertEqual(behind[:-1] + ahead[1:], self.shape)

    def test_ends_of_the_shape_are_whole__PR_4(self):
        self.assertEqual(navstack.split_line(self.shape, 0, 0.0)[1][1:], self.shape[1:])
        self.assertEqual(navstack.split_line(self.shape, 99, 1.0)[0][:-1], self.shape[:-1])
        self.assertEqual(navstack.split_line([(1.0, 2.0)], 0, 0.0), ([(1.0, 2.0)], [(1.0, 2.0)]))

    def test_topics_that_the_bus_refuses_are_refused_before_they_are_sent(self):
        publisher = navstack.Publisher("ipc:///nowhere")
        fix = {"lat_deg": 47.0, "lon_deg": 9.0}
        for topic, part in (("Van 1/location/raw", "a-z 0-9 . _ -"), ("location/raw", "write ego/location/raw"),
                            ("van1", "VEHICLE/location/raw"), ("van1//raw", "refused"), ("v" * 64 + "/location/raw", "63 characters"),
                            ("van1/" + "a" * 200, "200 bytes")):
            with self.subTest(topic=topic), self.assertRaises(navstack.ContractError) as raised:
                publisher.publish(topic, fix)
            self.assertIn(part, str(raised.exception))
            self.assertEqual(raised.exception.path, "topic")
        publisher.close()

    # Two sections that meet at point 3; maneuvers at 0, 2, 3 (the stop) and 5 (the end).
    route = {
        "id": "r-1", "shape": "",
        "sections": [{"first_shape_index": 0, "last_shape_index": 3}, {"first_shape_index": 3, "last_shape_index": 5}],
        "maneuvers": [{"shape_index": index} for index in (0, 2, 3, 5)],
    }

    def lines(self, index, fraction, section, *maneuvers):
        text = "".join(polyline6_text(self.shape))
        progress = {"route_id": "r-1", "shape_index": index, "shape_fraction": fraction, "section": section,
                    "maneuvers": [{"index": maneuver} for maneuver in maneuvers]}
        return navstack.lines(self.route | {"shape": text}, progress)

    def test_lines_to_the_stop_and_the_maneuver_meet_at_the_location__PR_4__PR_15(self):
        here = (0.0005, 0.001)
        lines = self.lines(1, 0.5, 0, 1, 2)
        self.assertEqual(lines["route"], (self.shape[:2] + [here], [here] + self.shape[2:]))
        self.assertEqual(lines["stop"], (self.shape[:2] + [here], [here] + self.shape[2:4]))
        self.assertEqual(lines["maneuver"], (self.shape[:2] + [here], [here, self.shape[2]]))

    def test_in_a_later_section_the_piece_begins_at_its_stop__PR_15(self):
        here = (0.0005, 0.0)
        lines = self.lines(3, 0.5, 1, 3)
        self.assertEqual(lines["route"], (self.shape[:4] + [here], [here] + self.shape[4:]))
        self.assertEqual(lines["stop"], ([self.shape[3], here], [here] + self.shape[4:]))
        self.assertEqual(lines["maneuver"], lines["stop"])

    def test_pieces_reach_from_end_to_end_where_the_place_is_one_of_them__PR_15(self):
        stop = self.shape[3]
        for index, fraction, section, maneuver in ((2, 1.0, 0, 2), (3, 0.0, 1, 3), (2, 1.0, 1, 3)):
            with self.subTest(index=index, section=section):
                first, last = ((0, 3), (3, 5))[section]
                lines = self.lines(index, fraction, section, maneuver)
                traversed, remaining = lines["stop"]
                self.assertEqual((traversed[0], remaining[-1]), (self.shape[first], self.shape[last]))
                self.assertEqual((traversed[-1], remaining[0]), (stop, stop))
        self.assertEqual(self.lines(4, 1.0, 1)["stop"][1], [self.shape[5], self.shape[5]])

    def test_after_the_last_maneuver_there_is_no_line_to_one__PR_15(self):
        self.assertIsNone(self.lines(4, 1.0, 1)["maneuver"])

    def test_the_progress_of_another_route_is_refused(self):
        with self.assertRaises(ValueError):
            navstack.lines(self.route, {"route_id": "r-2"})


def polyline6_text(points):
    """Writes points as a polyline of 6 decimals, character by character."""
    before = [0, 0]
    for point in points:
        for axis, value in enumerate(point):
            difference = round(value * 1e6) - before[axis]
            before[axis] = round(value * 1e6)
            rest = ~(difference << 1) if difference < 0 else difference << 1
            while rest >= 0x20:
                yield chr((0x20 | rest & 0x1F) + 63)
                rest >>= 5
            yield chr(rest + 63)


if __name__ == "__main__":
    unittest.main()
