import Harness
import RendererStage
import Stage

/// `nav-renderer`: draws the stack's messages as a scene, on a topic and on a page.
@main enum RendererNode {
  static func main() {
    NodeMain.run(RendererStage.self) { (_, parameters) throws(StageFailure) in
      let folders = try PageFolders(parameters)
      let map = try PageMap(path: parameters.string("map") ?? "")
      return [try PageServer(map: map, folders: folders, parameters: parameters)]
    }
  }
}
