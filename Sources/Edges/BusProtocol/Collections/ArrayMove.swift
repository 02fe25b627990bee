/// Empties an array and returns its former content.
@inlinable package func moveOut<Element>(_ array: inout [Element]) -> [Element] {
  var taken: [Element] = []
  swap(&taken, &array)
  return taken
}
