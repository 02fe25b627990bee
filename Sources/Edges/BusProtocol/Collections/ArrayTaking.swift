/// Empties an array and returns its former content.
@inlinable package func take<Element>(_ array: inout [Element]) -> [Element] {
  var taken: [Element] = []
  swap(&taken, &array)
  return taken
}
