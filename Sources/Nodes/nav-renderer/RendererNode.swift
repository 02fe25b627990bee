import Harness
import RendererStage
import RoadFile
import Stage

/// `nav-renderer`: what the stack says in, a picture of it out, on a topic and on a page.
@main enum RendererNode {
  static func main() {
    NodeMain.run(RendererStage.self) { (_, parameters) throws(StageFailure) in
      guard let map = parameters.string("map") else {
        throw StageFailure("map: the page needs a .navmap file to cut its tiles from")
      }
      let folders = try PageFolders(parameters)
      do {
        let graph = try RoadFile.open(path: map)
        return [try PageServer(graph: graph, folders: folders, parameters: parameters)]
      } catch let failure as StageFailure {
        throw failure
      } catch {
        throw StageFailure("map: \(error)")
      }
    }
  }
}
