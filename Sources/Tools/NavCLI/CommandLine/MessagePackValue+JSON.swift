import Documents
import MessagePack

extension MessagePackValue {
  /// The value of a JSON text.
  ///
  /// - Throws: `Problem` that describes what is wrong with the text.
  init(json text: String) throws {
    do {
      self.init(try JSONReader.value(Array(text.utf8)))
    } catch {
      throw Problem("not JSON: \(text.prefix(200))")
    }
  }
}
