import Foundation

/// Writes one structure as a Swift struct with its MessagePack code.
struct StructWriter {
  let contract: Contract
  let structure: Structure

  /// Access level of the struct and its members.
  private var access: String { structure.operation == nil ? "public" : "package" }

  func text(conformances: [String], constants: [String]) -> String {
    var lines = documentation(structure.about, width: structure.operation == nil ? 96 : 94)
    lines.append(
      "\(access) struct \(structure.swiftName): \(conformances.joined(separator: ", ")) {")
    lines += constants.map { "  \($0)" }
    if !constants.isEmpty { lines.append("") }
    lines += structure.body == nil ? fieldsBody() : wholeBody()
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A message that is another structure under its own name.
  private func wholeBody() -> [String] {
    let name = structure.body.flatMap { contract.structure($0)?.swiftName } ?? ""
    return [
      "  /// All that the message carries.", "  public var body: \(name)", "",
      "  public init(_ body: \(name)) { self.body = body }", "",
      "  public func pack(into packer: inout Packer) { body.pack(into: &packer) }", "",
      "  public init(from reader: inout Unpacker) throws(DecodeError) {",
      "    body = try \(name)(from: &reader)", "  }",
    ]
  }

  private func fieldsBody() -> [String] {
    var lines: [String] = []
    for field in structure.fields {
      if case .words(let set) = field.type.innermost, set.name.isEmpty {
        var named = set
        named.about = field.about
        lines += enumeration(named, indent: "  ").components(separatedBy: "\n")
      }
    }
    for field in structure.fields {
      let width = structure.operation == nil ? 94 : 92
      lines += documentation(describe(field), width: width).map { "  \($0)" }
      lines.append("  \(access) var \(property(field)): \(swiftType(field))")
    }
    if !structure.fields.isEmpty { lines.append("") }
    return lines + initializer() + [""] + packing() + [""] + reading() + empty()
  }

  private func property(_ field: Field) -> String { escaped(lowerCamel(field.name)) }

  /// The field's sentence with its unit and range.
  private func describe(_ field: Field) -> String {
    var notes: [String] = []
    if let unit = field.unit, unit != "1" { notes.append("unit \(unit)") }
    switch (field.minimum, field.maximum) {
    case (let low?, let high?): notes.append("\(plain(low)) to \(plain(high))")
    case (let low?, nil): notes.append("at least \(plain(low))")
    case (nil, let high?): notes.append("at most \(plain(high))")
    default: break
    }
    if case .stamp = field.type { notes.append("nanoseconds since 1970") }
    guard !notes.isEmpty else { return field.about }
    let sentence = field.about.hasSuffix(".") ? String(field.about.dropLast()) : field.about
    return "\(sentence) (\(notes.joined(separator: ", ")))."
  }

  // MARK: Swift types

  private func swiftType(_ field: Field) -> String {
    baseType(field.type) + (field.isOptional ? "?" : "")
  }

  private func baseType(_ type: FieldType) -> String {
    switch type {
    case .bool: "Bool"
    case .i64, .stamp: "Int64"
    case .u64: "UInt64"
    case .f64: "Double"
    case .str: "String"
    case .bytes: "[UInt8]"
    case .packed: "[Int64]"
    case .words(let set): set.swiftName
    case .structure(let name): contract.structure(name)?.swiftName ?? name
    case .list(let item, let hasGaps): "[\(baseType(item))\(hasGaps ? "?" : "")]"
    case .map(let item): "[String: \(baseType(item))]"
    }
  }

  /// The default of an optional parameter; nil if the parameter is required.
  private func defaultText(_ field: Field) -> String? {
    if field.isOptional { return "nil" }
    if let value = field.defaultValue {
      switch value {
      case .string(let word):
        if case .words = field.type { return ".\(lowerCamel(word))" }
        return Value.quoted(word)
      default: return value.json(nil)
      }
    }
    switch field.type {
    case .list, .packed: return "[]"
    case .map: return "[:]"
    default: return nil
    }
  }

  /// The initial value of a required field, until it is read.
  private func placeholder(_ field: Field) -> String {
    switch field.type {
    case .bool: "false"
    case .i64, .u64, .f64, .stamp: "0"
    case .str: "\"\""
    case .bytes, .packed, .list: "[]"
    case .map: "[:]"
    case .words(let set): ".\(lowerCamel(set.values[0]))"
    case .structure: ".init(empty: ())"
    }
  }

  private func initializer() -> [String] {
    guard !structure.fields.isEmpty else { return ["  \(access) init() {}"] }
    let parameters = structure.fields.map { field in
      "    \(lowerCamel(field.name)): \(swiftType(field))"
        + (defaultText(field).map { " = \($0)" } ?? "")
    }
    let assignments = structure.fields.map {
      "    self.\(lowerCamel($0.name)) = \(escaped(lowerCamel($0.name)))"
    }
    return ["  \(access) init("] + [parameters.joined(separator: ",\n")] + ["  ) {"] + assignments
      + ["  }"]
  }

  // MARK: MessagePack

  private func packing() -> [String] {
    if let operation = structure.operation { return packing(operation) }
    let lines = structure.fields.map { field -> String in
      let label: String
      switch field.type {
      case .bytes: label = "bytes: "
      case .packed: label = "packed: "
      default: label = ""
      }
      return "    packer.field(&map, \"\(field.name)\", \(label)self.\(lowerCamel(field.name)))"
    }
    return ["  public func pack(into packer: inout Packer) {"]
      + ["    \(lines.isEmpty ? "let" : "var") map = packer.beginMap()"] + lines
      + ["    packer.endMap(map)", "  }"]
  }

  /// An operation of the control socket: its word comes first, and empty lists are left out.
  private func packing(_ operation: String) -> [String] {
    let lines = structure.fields.map { field -> String in
      let name = lowerCamel(field.name)
      let isPlain = if case .bytes = field.type { false } else { true }
      let call = "packer.field(&map, \"\(field.name)\", \(isPlain ? "" : "bytes: ")self.\(name))"
      switch field.type {
      case .list where field.isOptional:
        return "    if let list = self.\(name) { packer.field(&map, \"\(field.name)\", list) }"
      case .list, .map: return "    if !self.\(name).isEmpty { \(call) }"
      default: return "    \(call)"
      }
    }
    return [
      "  package func encoded() -> [UInt8] {", "    var packer = Packer()",
      "    var map = packer.beginMap()", "    packer.field(&map, \"op\", \"\(operation)\")",
    ] + lines + ["    packer.endMap(map)", "    return packer.bytes", "  }"]
  }

  private func reading() -> [String] {
    let head = keys() + ["", "  \(access) init(from reader: inout Unpacker) throws(DecodeError) {"]
    let isOperation = structure.operation != nil
    guard !structure.fields.isEmpty else {
      let reading =
        isOperation
        ? [
          "    try reader.fields(Self.keys, required: 1) { _, reader throws(DecodeError) in",
          "      try reader.skip()", "    }",
        ] : ["    try reader.fields(Self.keys, required: 0) { _, _ throws(DecodeError) in }"]
      return head + ["    self.init()"] + reading + ["  }"]
    }
    let first = isOperation ? 1 : 0
    var required: UInt64 = isOperation ? 1 : 0
    for (index, field) in structure.fields.enumerated() where field.isRequired {
      required |= 1 << UInt64(first + index)
    }
    var lines = head + ["    self.init(empty: ())"]
    if structure.isColumns { lines.append("    let start = reader.offset") }
    lines += [
      "    try reader.fields(Self.keys, required: 0x\(String(required, radix: 16))) {",
      "      index, reader throws(DecodeError) in", "      switch index {",
    ]
    // The word was read before, to choose this struct.
    if isOperation { lines.append("      case 0: try reader.skip()") }
    for (index, field) in structure.fields.enumerated() {
      let label = index == structure.fields.count - 1 ? "default" : "case \(first + index)"
      lines.append("      \(label): self.\(lowerCamel(field.name)) = \(read(field))")
    }
    lines += ["      }", "    }"]
    if structure.isColumns {
      let counts = structure.fields.map { "        \(property($0)).count," }
      lines += ["    try reader.equal(", "      ["] + counts + ["      ], at: start, Self.keys)"]
    }
    return lines + ["  }"]
  }

  /// The encoded names, in the order of the fields.
  private func keys() -> [String] {
    let own = structure.operation == nil ? [] : ["\"op\""]
    let names = own + structure.fields.map { "\"\($0.name)\"" }
    guard names.count > 1 else {
      return ["  static let keys: [StaticString] = [\(names.joined())]"]
    }
    return ["  static let keys: [StaticString] = ["] + names.map { "    \($0)," } + ["  ]"]
  }

  private func read(_ field: Field) -> String {
    switch field.type {
    case .f64, .i64, .u64:
      let name =
        switch field.type {
        case .f64: "double"
        case .i64: "int"
        default: "uint"
        }
      if let low = field.minimum, let high = field.maximum {
        return "try reader.\(name)(\(plain(low)), \(plain(high)))"
      }
      if let low = field.minimum, name != "uint" {
        return "try reader.\(name)(atLeast: \(plain(low)))"
      }
      return "try reader.\(name)()"
    case .stamp: return "try reader.int()"
    case .bool: return "try reader.bool()"
    case .str: return "try reader.string()"
    case .bytes: return "try reader.blob()"
    case .packed: return "try reader.packed()"
    case .list(_, let hasGaps): return hasGaps ? "try reader.gappedList()" : "try reader.list()"
    case .map: return "try reader.map()"
    case .words, .structure: return "try \(baseType(field.type))(from: &reader)"
    }
  }

  /// The initial value for decoding.
  private func empty() -> [String] {
    guard !structure.fields.isEmpty else { return [] }
    let needed = structure.fields.filter { defaultText($0) == nil }
    let arguments = needed.map { "\(lowerCamel($0.name)): \(placeholder($0))" }
    let call =
      needed.isEmpty
      ? ["    self.init()"]
      : ["    self.init("] + [arguments.map { "      \($0)" }.joined(separator: ",\n")] + ["    )"]
    return ["", "  init(empty: Void) {"] + call + ["  }"]
  }
}

/// A bound without a needless `.0`.
func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
}
