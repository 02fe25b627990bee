import EventTime
import Guidance
import Messages
import Route
import RouteWire

/// The proposals that wait for an answer, as they travel: made once each, as the state is saved much more often.
struct KeptProposals: Hashable, Sendable {
  struct Kept: Hashable, Sendable {
    var id: String
    var expires: Instant?
    var gainS: Double?
    var bytes: [UInt8]
  }

  private(set) var better: Kept?
  private(set) var reroute: Kept?

  /// Follows what the navigator has open; encodes only what is new.
  mutating func keep(_ memory: Navigator.Memory) {
    if better?.id != memory.better?.id || better?.expires != memory.betterExpires
      || better?.gainS != memory.better?.gainS
    {
      better = memory.better.map {
        Kept(
          id: $0.id, expires: memory.betterExpires, gainS: $0.gainS,
          bytes: RouteBetter($0, .proposed, expires: memory.betterExpires).encoded())
      }
    }
    if reroute?.id != memory.proposal?.route.id {
      reroute = memory.proposal.map { Kept(id: $0.route.id, bytes: $0.route.wire.encoded()) }
    }
  }
}
