import Harness
import RendererStage
import RoadFile
import RoadGraph
import Stage

/// `nav-renderer`: draws the stack's messages as a scene, on a topic and on a page.
@main enum RendererNode {
  static func main() {
    NodeMain.run(RendererStage.self) { (_, parameters) throws(StageFailure) in
      let folders = try PageFolders(parameters)
      let graph = try map(parameters.string("map") ?? "")
      return [try PageServer(graph: graph, folders: folders, parameters: parameters)]
    }
  }

  private static func map(_ path: String) throws(StageFailure) -> RoadGraph {
    do {
      return try RoadFile.open(path: path)
    } catch {
      throw StageFailure("map: \(error)")
    }
  }
}
