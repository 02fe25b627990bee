import MessagePack
import Testing

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("max_snap", "max_snap_m"), ("mpa", "map"), ("historx", "history"),
  ])
  func `the nearest word is suggested`(written: String, meant: String) {
    let known = ["map", "max_snap_m", "history", "poll_interval_s"]
    #expect(Suggestion.nearest(to: written, among: known) == meant)
  }

  @Test func `a misspelling is nearer than a beginning`() {
    let programs = ["nav", "nav-map-matcher", "navlaunch"]
    #expect(Suggestion.nearest(to: "nav-map-macther", among: programs) == "nav-map-matcher")
  }

  @Test func `a word like none is left alone`() {
    #expect(Suggestion.nearest(to: "colour", among: ["map", "history"]) == nil)
  }

  @Test func `a swap of neighbours is one step`() {
    #expect(Suggestion.distance("ready", "raedy") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
    #expect(Suggestion.distance("kitten", "sitting") == 3)
  }
}
