/// An element of an XML document with its whole content.
///
/// Names are local: prefixes and namespaces are left out.
public struct XMLNode: Hashable, Sendable {
  public var name: String
  /// By local names; declarations of namespaces are left out.
  public var attributes: [String: String]
  public var children: [XMLNode]
  /// The text directly inside, without blanks at its ends.
  public var text: String

  public init(
    _ name: String, _ attributes: [String: String] = [:], _ children: [XMLNode] = [],
    text: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The first child with a name.
  public subscript(_ name: String) -> XMLNode? { children.first { $0.name == name } }

  /// The node at the end of a path of names, the first child of each.
  public func node(_ path: String...) -> XMLNode? {
    var node: XMLNode? = self
    for name in path { node = node?[name] }
    return node
  }

  public func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

  /// The first node with a name at any depth below this one, in document order.
  public func first(_ name: String) -> XMLNode? {
    for child in children {
      if child.name == name { return child }
      if let found = child.first(name) { return found }
    }
    return nil
  }

  /// The local part of `xsi:type`: `Accident` of `sit:Accident`.
  public var type: String? {
    attributes["type"].map { word in word.split(separator: ":").last.map(String.init) ?? word }
  }
}

extension XMLNode {
  /// Reads a document and passes each element of the given name to `visit` when it ends, with its ancestors, the root first.
  ///
  /// Only one such element is in memory at a time. Ancestors contain the children that ended earlier. Returns the root without
  /// the visited elements.
  ///
  /// - Throws: `DocumentFault` at the first byte that is not XML; earlier elements have been visited by then.
  public static func forEach(
    _ wanted: String, in bytes: [UInt8], _ visit: (_ node: XMLNode, _ around: [XMLNode]) -> Void
  ) throws(DocumentFault) -> XMLNode {
    var reader = XMLReader(bytes)
    var open: [XMLNode] = []
    while let event = try reader.next() {
      switch event {
      case .start(let name, let attributes):
        open.append(XMLNode(name, attributes))
      case .text(let text):
        if let last = open.indices.last { open[last].text += text }
      case .end:
        guard var node = open.popLast() else {
          throw reader.fault("an end tag without a start tag")
        }
        node.text = trimmed(node.text)
        guard let parent = open.indices.last else { return try root(node, &reader) }
        if node.name == wanted {
          visit(node, open)
        } else {
          open[parent].children.append(node)
        }
      }
    }
    throw reader.fault("the document has no element")
  }

  private static func root(
    _ node: XMLNode, _ reader: inout XMLReader
  ) throws(DocumentFault) -> XMLNode {
    // What follows the root must still be XML.
    while try reader.next() != nil {}
    return node
  }

  private static func trimmed(_ text: String) -> String {
    guard text.utf8.first.map(isBlank) == true || text.utf8.last.map(isBlank) == true else {
      return text
    }
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}
