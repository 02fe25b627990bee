"""Tests golden.py without programs: its options, and how it prints a difference."""

import contextlib
import io
import sys
import unittest
from unittest import mock

import golden


class GoldenTests(unittest.TestCase):
    def test_an_unknown_drive_is_rejected_with_the_known_names(self):
        errors = io.StringIO()
        with mock.patch.object(sys, "argv", ["golden.py", "--only", "motoway"]), contextlib.redirect_stderr(errors):
            with self.assertRaises(SystemExit) as end:
                golden.main()
        self.assertEqual(end.exception.code, 2)
        for name in ("motoway", *golden.DRIVES):
            self.assertIn(name, errors.getvalue())

    def test_a_difference_counts_changed_lines_without_headers(self):
        text = golden.difference("motorway", "a\nb\nc\n", "a\nd\nc\n")
        self.assertEqual(text.splitlines()[0], "2 changed lines")
        self.assertIn("golden/motorway.txt", text)
        self.assertEqual(golden.difference("motorway", "a\n", "a\nb\n").splitlines()[0], "1 changed line")

    def test_a_long_difference_is_cut_and_says_so(self):
        lines = golden.difference("motorway", "", "".join(f"{number}\n" for number in range(100))).splitlines()
        self.assertEqual(lines[0], "100 changed lines")
        self.assertEqual(lines[-1], "… 43 more lines")
        self.assertEqual(len(lines), 2 + golden.LONGEST_PATCH)


if __name__ == "__main__":
    unittest.main()
