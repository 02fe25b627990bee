import Messages
import StackFile
import Stage
import Testing

/// `wire` of a stack file: other names on the bus.
@Suite struct WireTests {
  private static func text(_ wire: String, rest: String = "") -> String {
    """
    stack: s
    nodes:
      location: {run: x}
      matcher: {run: y, params: {map: a.osm}}
      second:
        run: y
        params: {map: a.osm}
        wire: \(wire)
    \(rest)
    """
  }

  private var manifests: [String: Manifest] {
    var manifests = StackCheckTests.manifests
    manifests["second"] = manifests["matcher"]
    return manifests
  }

  private func check(_ yaml: String) throws -> (stack: CheckedStack, problems: [String]) {
    let (stack, problems) = StackFile.parse(yaml)
    let (checked, found) = StackCheck.check(
      try #require(stack, "\(problems)"), manifests: manifests, folder: "/maps")
    return (checked, (problems + found).inOrder.map { $0.text(file: "s.yaml") })
  }

  private static let apart = "{location/matched: second/matched, match/trace: second/trace}"

  @Test func `a second matcher may write beside the first under other names, BUS-1`() throws {
    let (stack, problems) = try check(Self.text(Self.apart))
    #expect(problems.isEmpty, "\(problems)")
    #expect(stack.manifests["second"]?.outputs == ["second/matched"])
    #expect(stack.manifests["second"]?.serves == ["second/trace"])
    #expect(stack.manifests["second"]?.inputs == ["location/raw"])
    #expect(stack.declared["second"]?.outputs == ["location/matched"])
    #expect(
      stack.text.contains(
        "wire: {location/matched: second/matched, match/trace: second/trace}"))
    #expect(stack.order.waits["second"] == ["location"])
    // Without it two write one topic.
    let (_, twice) = try check(Self.text("{match/trace: second/trace}"))
    #expect(
      twice == [
        "s.yaml:5:3: error: nodes.second: matcher and second both publish \"location/matched\", "
          + "which only one may"
      ])
  }

  @Test(arguments: [
    (
      "{location/machted: second/matched}",
      "8:12: error: nodes.second.wire: nav-map-matcher neither reads nor publishes, serves or calls "
        + "\"location/machted\" (did you mean \"location/matched\"?)"
    ),
    (
      "{location/matched: Second}",
      "8:30: error: nodes.second.wire.location/matched: \"Second\" is not a valid name: words of a-z 0-9 . _ - "
        + "separated by /, no system name"
    ),
    (
      "{location/matched: _own}",
      "8:30: error: nodes.second.wire.location/matched: \"_own\" is not a valid name: words of a-z 0-9 . _ - "
        + "separated by /, no system name"
    ),
    (
      "{location/matched: guidance/progress}",
      "8:30: error: nodes.second.wire.location/matched: guidance/progress carries "
        + "\(GuidanceProgress.schema), and location/matched \(LocationMatched.schema)"
    ),
    (
      "{location/matched: location/raw_too}",
      "8:30: error: nodes.second.wire.location/matched: one of \"location/raw_too\" and "
        + "\"location/raw\" is a prefix of the other"
    ),
    (
      "{match/trace: route/calculate}",
      "8:25: error: nodes.second.wire.match/trace: route/calculate is another call, not compatible with "
        + "match/trace"
    ),
    (
      "{location/raw: gps/fix}",
      "8:26: error: nodes.second.wire.location/raw: reads \"gps/fix\", and no node publishes it: add a "
        + "node that does, or write external: [gps/fix]"
    ),
    (
      "{location/raw: [a]}",
      "8:26: error: nodes.second.wire.location/raw: expected text, found a list"
    ),
  ])
  func `what cannot be wired is reported by its place, BUS-1`(wire: String, wanted: String) throws {
    let (_, problems) = try check(Self.text(wire))
    #expect(problems.contains("s.yaml:" + wanted), "\(problems)")
  }

  @Test func `two of one name, and the name of a topic that the node has, are reported, BUS-1`()
    throws
  {
    let (_, same) = try check(Self.text("{location/matched: a/b, match/trace: a/b}"))
    #expect(
      same.contains(
        "s.yaml:8:30: error: nodes.second.wire.location/matched: match/trace and location/matched "
          + "cannot both be \"a/b\""), "\(same)")
    let (_, own) = try check(Self.text("{location/raw: location/matched}"))
    #expect(
      own.contains(
        "s.yaml:8:26: error: nodes.second.wire.location/raw: the node also uses \"location/matched\" "
          + "itself; wire that, too"), "\(own)")
  }

  @Test func `what comes from outside is read under its own name, BUS-1`() throws {
    let wire =
      "{location/raw: gps/fix, location/matched: second/matched, match/trace: second/trace}"
    let (stack, problems) = try check(Self.text(wire, rest: "external: [gps/fix]"))
    #expect(problems.isEmpty, "\(problems)")
    #expect(stack.manifests["second"]?.inputs == ["gps/fix"])
    #expect(stack.manifests["second"]?.parameters == stack.declared["second"]?.parameters)
  }
}
