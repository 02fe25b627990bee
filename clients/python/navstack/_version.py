"""The version of navstack: that of all its programs (a test compares them)."""

VERSION = "0.1.0"
