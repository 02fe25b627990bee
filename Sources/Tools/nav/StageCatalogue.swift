import DynamicRoutingStage
import Harness
import LocationStage
import MatcherStage
import NavigatorStage
import RendererStage
import RouterStage
import Stage
import TrafficStage
import VoiceStage

/// The stages that can run inside this process, by the program that runs them on the bus.
struct StageCatalogue {
  struct Entry {
    var manifest: Manifest
    var add: (MemoryHarness, _ name: String, [String: ParameterValue]) throws -> Void
  }

  static let entries: [String: Entry] = [
    "nav-location-provider": entry(LocationStage.self),
    "nav-map-matcher": entry(MatcherStage.self),
    "nav-router": entry(RouterStage.self),
    "nav-navigator": entry(NavigatorStage.self),
    "nav-dynamic-routing": entry(DynamicRoutingStage.self),
    "nav-traffic": entry(TrafficStage.self),
    "nav-voice-guidance": entry(VoiceStage.self),
    "nav-renderer": entry(RendererStage.self),
  ]

  private static func entry<S: Stage>(_ stage: S.Type) -> Entry {
    Entry(manifest: S.manifest) { harness, name, parameters in
      try harness.add(stage, name: name, parameters: parameters)
    }
  }
}
