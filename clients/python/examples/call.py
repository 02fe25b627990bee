"""Calls a stage: python call.py navigate/start '{"to": {"lat_deg": 47.1, "lon_deg": 9.5}}'."""

import json
import sys

import navstack

with navstack.Bus() as bus:
    print(json.dumps(bus.call(sys.argv[1], json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}), indent=2))
