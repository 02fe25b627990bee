import CCairo
public import Shields

extension ShieldPicture {
  /// The image as a PNG file of its size in pixels, with a transparent background.
  ///
  /// Drawn by Cairo with the fonts of the machine; a few hundred microseconds. Linear in the pixels.
  ///
  /// - Throws: `ShieldImageFault` if Cairo cannot draw or write it.
  public func png() throws(ShieldImageFault) -> [UInt8] {
    guard
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, Int32(widthPx), Int32(heightPx)),
      let context = cairo_create(surface)
    else { throw ShieldImageFault(sentence: "Cairo has no memory for \(widthPx) x \(heightPx) px") }
    defer {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
    }
    cairo_scale(
      context, Double(widthPx) / drawing.width, Double(heightPx) / drawing.height)
    for element in drawing.elements { Self.draw(element, on: context) }
    var bytes: [UInt8] = []
    let status = withUnsafeMutablePointer(to: &bytes) { file in
      cairo_surface_write_to_png_stream(
        surface,
        { file, data, count in
          guard let data else { return CAIRO_STATUS_WRITE_ERROR }
          file?.assumingMemoryBound(to: [UInt8].self).pointee
            .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
          return CAIRO_STATUS_SUCCESS
        }, file)
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      let words = cairo_status_to_string(status).map { String(cString: $0) } ?? "no reason"
      throw ShieldImageFault(sentence: "Cairo cannot draw the shield: \(words)")
    }
    return bytes
  }

  /// Draws the picture into a rectangle of a Cairo context, in its units; linear in the elements.
  public func draw(
    on context: OpaquePointer, x: Double, y: Double, width: Double, height: Double
  ) {
    cairo_save(context)
    defer { cairo_restore(context) }
    cairo_translate(context, x, y)
    cairo_scale(context, width / drawing.width, height / drawing.height)
    for element in drawing.elements { Self.draw(element, on: context) }
  }

  private static func draw(_ element: ShieldDrawing.Element, on context: OpaquePointer) {
    switch element {
    case .fill(let path, let colour):
      trace(path, on: context)
      paint(colour, on: context)
      cairo_fill(context)
    case .stroke(let path, let colour, let width):
      trace(path, on: context)
      paint(colour, on: context)
      cairo_set_line_width(context, width)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      cairo_stroke(context)
    case .text(let item):
      draw(item, on: context)
    }
  }

  private static func trace(_ path: ShieldPath, on context: OpaquePointer) {
    cairo_new_path(context)
    for step in path.steps {
      switch step {
      case .move(let x, let y): cairo_move_to(context, x, y)
      case .line(let x, let y): cairo_line_to(context, x, y)
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        cairo_curve_to(context, x1, y1, x2, y2, x, y)
      case .close: cairo_close_path(context)
      }
    }
  }

  /// Draws a text, condensed or widened to the width that the drawing gives it.
  private static func draw(_ item: ShieldText, on context: OpaquePointer) {
    cairo_save(context)
    defer { cairo_restore(context) }
    paint(item.colour, on: context)
    cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD)
    cairo_set_font_size(context, item.size)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, item.text, &extents)
    guard extents.x_advance > 0 else { return }
    cairo_translate(context, item.x - item.width / 2, item.baselineY)
    cairo_scale(context, item.width / extents.x_advance, 1)
    cairo_move_to(context, 0, 0)
    cairo_show_text(context, item.text)
  }

  /// Sets a colour `#rrggbb`; black if it is invalid.
  private static func paint(_ colour: String, on context: OpaquePointer) {
    let value = UInt32(colour.dropFirst(), radix: 16) ?? 0
    func part(_ shift: UInt32) -> Double { Double((value >> shift) & 0xFF) / 255 }
    cairo_set_source_rgb(context, part(16), part(8), part(0))
  }
}

/// The reason why a shield could not be rendered.
public struct ShieldImageFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var sentence: String
  public var description: String { sentence }
}
