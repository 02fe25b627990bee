// A voice stage in C++: announces the next maneuver, and repeats the last announcement by call.
//
//     g++ -std=c++17 -O2 -o voice voice.cpp -lzmq && ./voice --manifest voice.json
#include <sstream>

#include "navstack.hpp"

using navstack::Message;
using navstack::Value;

int main(int count, char** words) {
  navstack::Node node("voice", "Announces the next maneuver of the route, in C++.");
  node.output("voice/announcement", "event", "voice_announcement/1.0");
  const Value& language = node.parameter("language", "en-US", "BCP 47 tag that announcements carry.");
  const Value& pace = node.parameter("words_per_s", 2.5, "Speed of speech, for the expected duration.", 0.5, 10);

  node.input("route/active", [&](const Message& message) {
    Value texts = Value::list();
    for (const Value& maneuver : message.payload["route"]["maneuvers"].items()) texts.push_back(maneuver["text"]);
    node.state(message.vehicle).set("texts", texts);
  });

  node.input("guidance/maneuver", [&](const Message& message) {
    const Value& event = message.payload;
    const auto index = event["index"].as_int(-1);
    Value& state = node.state(message.vehicle);
    if (event["event"].as_text() != "next" || index < 0 || static_cast<std::size_t>(index) >= state["texts"].size()) return;
    const std::string text = state["texts"].at(static_cast<std::size_t>(index)).as_text();
    state.set("last", text);
    std::istringstream stream(text);
    const auto spoken = std::distance(std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>());
    node.publish("voice/announcement",
                 Value::map({{"key", event["route_id"].as_text() + "/" + std::to_string(index) + "/action"},
                             {"kind", "action"},
                             {"text", text},
                             {"language", language},
                             {"expected_duration_s", static_cast<double>(spoken) / pace.as_double()}}));
  });

  node.serve("voice/repeat", [&](const Value&, const std::string& vehicle) {
    const Value& last = node.state(vehicle)["last"];
    if (last.is_nil()) throw navstack::CallError("nothing_to_repeat", "Nothing was announced yet.");
    return Value::map({{"text", last}});
  });

  return node.main(count, words);
}
