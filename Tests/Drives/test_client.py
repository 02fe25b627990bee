"""Tests what the Python client makes of messages, without a bus: python test_client.py"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Protocols/python"))
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


if __name__ == "__main__":
    unittest.main()
