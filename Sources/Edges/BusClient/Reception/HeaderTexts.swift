import BusProtocol

/// The texts of a source's last header, which the next header usually shares.
struct HeaderTexts {
  private var sourceBytes: [UInt8] = []
  private var source = ""
  private var schemaBytes: [UInt8] = []
  private var schema = ""

  mutating func header(_ scan: HeaderScan) -> Header {
    if !isSame(scan.source, sourceBytes) {
      sourceBytes = Array(scan.source)
      source = String(decoding: sourceBytes, as: UTF8.self)
    }
    if !isSame(scan.schema, schemaBytes) {
      schemaBytes = Array(scan.schema)
      schema = String(decoding: schemaBytes, as: UTF8.self)
    }
    return Header(scan, source: source, schema: schema)
  }
}
