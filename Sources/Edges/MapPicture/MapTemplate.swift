public import Cartography
import Documents
import Foundation

/// The template of map styles: the one of the renderer's page, or another one of that format.
public struct MapTemplate: Sendable {
  private let path: String
  private let json: JSONValue

  /// Reads the template of a file; without one, that of the page, which is installed next to the
  /// program.
  ///
  /// - Throws: `PictureFault` for a file that is missing or no such template.
  public init(path given: String? = nil) throws(PictureFault) {
    path = given ?? Self.ofPage
    guard let data = FileManager.default.contents(atPath: path) else {
      throw PictureFault(
        given == nil
          ? "\(path) is missing: it is installed with nav-renderer; or give another style"
          : "the style \(path) cannot be read")
    }
    do throws(DocumentFault) {
      json = try JSONReader.value(Array(data))
    } catch {
      throw PictureFault("\(path): \(error)")
    }
  }

  private static var ofPage: String {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    return (program?.path ?? ".") + "/navstack_nav-renderer.resources/page/style.json"
  }

  /// The style in the colours of a theme: `day` or `night`; of a set of colours, nil for the
  /// standard.
  ///
  /// - Throws: `PictureFault` that names the layer and the problem.
  public func sheet(_ theme: String, set: String? = nil) throws(PictureFault) -> StyleSheet {
    do throws(StyleFault) {
      return try StyleSheet(template: json, theme: theme, set: set)
    } catch {
      throw PictureFault("\(path): \(error)")
    }
  }
}
