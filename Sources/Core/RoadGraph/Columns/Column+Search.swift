extension Column where Element: Comparable {
  /// The index of a record of a column in ascending order; nil if it is not in the column.
  ///
  /// Logarithmic in the records.
  public func index(of element: Element) -> Int? {
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low] == element ? low : nil
  }
}
