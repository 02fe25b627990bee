"""A voice stage: announces the next maneuver, and repeats the last announcement by call."""

import navstack

node = navstack.Node("voice", "Announces the next maneuver of the route.")
announce = node.output("voice/announcement")
language = node.parameter("language", "en-US", "BCP 47 tag that announcements carry.")
pace = node.parameter("words_per_s", 2.5, "Speed of speech, for the expected duration.", minimum=0.5, maximum=10)


@node.input("route/active")
def route(message):
    """Remembers the texts of the maneuvers: a state, so that a restart in a drive loses nothing."""
    active = (message.payload or {}).get("route")
    node.state(message.vehicle)["texts"] = [maneuver["text"] for maneuver in active["maneuvers"]] if active else []


@node.input("guidance/maneuver")
def maneuver(message):
    event, state = message.payload, node.state(message.vehicle)
    if event["event"] == "next" and event["index"] < len(state.get("texts", [])):
        state["last"] = text = state["texts"][event["index"]]
        announce({"key": f"{event['route_id']}/{event['index']}/action", "kind": "action", "text": text,
                  "language": language.value, "expected_duration_s": len(text.split()) / pace.value})


@node.call("voice/repeat")
def repeat(request, vehicle):
    if "last" not in node.state(vehicle):
        raise navstack.CallError("nothing_to_repeat", "Nothing was announced yet.")
    return {"text": node.state(vehicle)["last"]}


if __name__ == "__main__":
    node.main()
