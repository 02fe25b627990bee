import Harness
import RendererStage
import RoadFile
import RoadGraph
import Stage

/// `nav-renderer`: what the stack says in, a picture of it out, on a topic and on a page.
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
