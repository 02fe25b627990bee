import Foundations
import Guidance
import Messages
import Route
import RouteWire

/// The pending proposals in encoded form, each encoded once, since the state is saved much more
/// often.
struct EncodedProposalCache: Hashable, Sendable {
  struct Kept: Hashable, Sendable {
    var id: String
    var expires: Instant?
    var gainS: Double?
    var bytes: [UInt8]
  }

  private(set) var better: Kept?
  private(set) var reroute: Kept?

  /// Updates the proposals from the navigator's state; encodes only new ones.
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
