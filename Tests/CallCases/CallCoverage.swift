import Messages

/// A code with which a call ends.
public struct CallCode: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var call: String
  public var code: String

  public init(_ call: String, _ code: String) {
    self.call = call
    self.code = code
  }

  public var description: String { "\(call): \(code)" }

  public static func < (a: CallCode, b: CallCode) -> Bool {
    (a.call, a.code) < (b.call, b.code)
  }
}

/// Compares the error codes that the contract declares with those that tests produce.
///
/// Each test target with a table of failing calls compares its table with the calls of its servers.
public enum CallCoverage {
  /// The test target that produces the errors of a server's calls.
  public static let targets = [
    "dynamic-routing": "StageTests", "location": "StageTests", "matcher": "StageTests",
    "nav-bus": "RecorderTests", "navigator": "StageTests", "navlaunch": "LauncherTests",
    "node": "NodeKitTests", "regions": "StageTests", "renderer": "StageTests",
    "router": "StageTests",
    "voice": "StageTests",
  ]

  /// Codes that any call can end with: Protocols/README.md.
  public static let common: Set<String> = [
    "invalid", "no_such_service", "unavailable", "busy", "timeout", "cancelled",
    "server_restarted", "internal",
  ]

  /// Declared codes that nothing in the code base can produce, and why; the list only shrinks.
  public static let unproducible: [CallCode: String] = [:]

  /// Codes that the tables of a target must contain: those declared, and `invalid` for every call.
  public static func required(of target: String) -> Set<CallCode> {
    var codes: Set<CallCode> = []
    for call in Calls.all where targets[call.server] == target {
      codes.formUnion((call.errors + ["invalid"]).map { CallCode(call.name, $0) })
    }
    return codes.subtracting(unproducible.keys)
  }

  /// What is wrong with the table of a target, a sentence each; empty where it is complete.
  public static func faults(
    of produced: some Sequence<CallCode>, in target: String
  ) -> [String] {
    let produced = Set(produced)
    var faults = required(of: target).subtracting(produced).sorted().map {
      "no test produces \($0)"
    }
    for one in produced.sorted() {
      guard let call = Calls.declaration(of: one.call) else {
        faults.append("\(one): the contract has no such call")
        continue
      }
      if !call.errors.contains(one.code), !common.contains(one.code) {
        faults.append("\(one) is produced, but not declared in Protocols/")
      }
      if unproducible[one] != nil {
        faults.append("\(one) is produced: take it out of the list of what cannot be")
      }
    }
    return faults
  }

  /// What the tables above name although the contract does not, or leave out, a sentence each.
  public static var strays: [String] {
    Set(Calls.all.map(\.server)).filter { targets[$0] == nil }.sorted()
      .map { "\($0) has no test target" }
      + unproducible.keys.sorted().filter {
        Calls.declaration(of: $0.call)?.errors.contains($0.code) != true
      }.map { "\($0) is not declared" }
  }
}
