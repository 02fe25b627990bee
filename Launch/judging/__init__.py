"""The parts of judge.py: what it remembers, its rules, and the roads of an OSM file."""
