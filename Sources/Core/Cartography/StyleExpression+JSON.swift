import Documents

extension StyleExpression {
  /// Reads an expression in JSON; a text that begins with `@` names a colour of `palette`.
  ///
  /// - Throws: `StyleFault` for an operator or a form that is not known.
  init(_ json: JSONValue, palette: [String: String]) throws(StyleFault) {
    func part(_ value: JSONValue?) throws(StyleFault) -> StyleExpression {
      guard let value else { throw StyleFault("an expression lacks an operand") }
      return try StyleExpression(value, palette: palette)
    }
    func parts(_ values: some Sequence<JSONValue>) throws(StyleFault) -> [StyleExpression] {
      var read: [StyleExpression] = []
      for value in values { read.append(try part(value)) }
      return read
    }
    guard let array = json.array else {
      self = .literal(try Self.literal(json, palette: palette))
      return
    }
    guard let name = array.first?.string else {
      self = .literal(.list(array.compactMap(\.number)))
      return
    }
    let operands = array.dropFirst()
    func operand(_ index: Int) -> JSONValue? {
      array.indices.contains(index) ? array[index] : nil
    }
    switch name {
    case "get", "has":
      guard let key = operand(1)?.string else { throw StyleFault("\(name) names no tag") }
      self = name == "get" ? .get(key) : .has(key)
    case "zoom": self = .zoom
    case "all": self = .all(try parts(operands))
    case "any": self = .any(try parts(operands))
    case "!": self = .not(try part(operand(1)))
    case "==", "!=", "<", "<=", ">", ">=":
      self = .compare(
        Comparison(rawValue: name) ?? .equal, try part(operand(1)), try part(operand(2)))
    case "+", "-", "*", "/":
      self = .arithmetic(Arithmetic(rawValue: name) ?? .add, try parts(operands))
    case "concat": self = .concat(try parts(operands))
    case "coalesce": self = .coalesce(try parts(operands))
    // Every script is shaped, so none is left to be drawn otherwise.
    case "is-supported-script": self = .literal(.bool(true))
    case "slice":
      self = .slice(
        try part(operand(1)), from: Int(operand(2)?.number ?? 0),
        to: operand(3)?.number.map { Int($0) })
    case "match": self = try Self.match(Array(operands), palette)
    case "case": self = try Self.branch(Array(operands), palette)
    case "interpolate":
      let base = operand(1)?.array.flatMap { $0.count > 1 ? $0[1].number : nil } ?? 1
      self = .interpolate(
        base: base, try part(operand(2)), try Self.stops(array.dropFirst(3), palette))
    case "step":
      self = .step(
        try part(operand(1)), first: try part(operand(2)),
        try Self.stops(array.dropFirst(3), palette))
    default: throw StyleFault("the operator \"\(name)\" is not known")
    }
  }

  private static func literal(
    _ json: JSONValue, palette: [String: String]
  ) throws(StyleFault) -> StyleValue {
    switch json {
    case .null: return .none
    case .bool(let flag): return .bool(flag)
    case .string(let text):
      guard text.hasPrefix("@") else { return .text(text) }
      guard let colour = palette[String(text.dropFirst())] else {
        throw StyleFault("the palette has no colour \(text.dropFirst())")
      }
      return .text(colour)
    default:
      guard let number = json.number else { throw StyleFault("an object is no expression") }
      return .number(number)
    }
  }

  private static func match(
    _ operands: [JSONValue], _ palette: [String: String]
  ) throws(StyleFault) -> StyleExpression {
    guard operands.count >= 4, operands.count.isMultiple(of: 2), let last = operands.last else {
      throw StyleFault("match lacks an output or a default")
    }
    var outputs: [StyleValue: StyleExpression] = [:]
    for index in stride(from: 1, to: operands.count - 1, by: 2) {
      let output = try StyleExpression(operands[index + 1], palette: palette)
      for label in operands[index].array ?? [operands[index]] {
        let key = try literal(label, palette: palette)
        if outputs[key] == nil { outputs[key] = output }
      }
    }
    return .match(
      try StyleExpression(operands[0], palette: palette), outputs,
      otherwise: try StyleExpression(last, palette: palette))
  }

  private static func branch(
    _ operands: [JSONValue], _ palette: [String: String]
  ) throws(StyleFault) -> StyleExpression {
    guard !operands.count.isMultiple(of: 2), let last = operands.last else {
      throw StyleFault("case lacks an output or a default")
    }
    var branches: [Branch] = []
    for index in stride(from: 0, to: operands.count - 1, by: 2) {
      branches.append(
        Branch(
          condition: try StyleExpression(operands[index], palette: palette),
          output: try StyleExpression(operands[index + 1], palette: palette)))
    }
    return .branch(branches, otherwise: try StyleExpression(last, palette: palette))
  }

  private static func stops(
    _ values: ArraySlice<JSONValue>, _ palette: [String: String]
  ) throws(StyleFault) -> [Stop] {
    var stops: [Stop] = []
    for index in stride(from: values.startIndex, to: values.endIndex - 1, by: 2) {
      guard let input = values[index].number, input > stops.last?.input ?? -.infinity else {
        throw StyleFault("the inputs of stops must be rising numbers")
      }
      stops.append(
        Stop(input: input, output: try StyleExpression(values[index + 1], palette: palette)))
    }
    guard !stops.isEmpty, values.count.isMultiple(of: 2) else {
      throw StyleFault("stops are pairs of input and output")
    }
    return stops
  }
}
