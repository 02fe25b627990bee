"""Asks a stage: python call.py BASE navigate/start '{"to": {"lat_deg": 47.1, "lon_deg": 9.5}}'."""
import json, os, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import navstack

request = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}
print(json.dumps(navstack.call(sys.argv[1], sys.argv[2], request), indent=2))
