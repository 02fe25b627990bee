import CCairo
import Cartography

/// A picture that is being drawn, in units of CSS pixels; Cairo draws it.
final class Canvas {
  let width: Double
  let height: Double
  /// Pixels of the picture for each unit.
  let scale: Double
  let widthPx: Int
  let heightPx: Int
  let context: OpaquePointer
  private let surface: OpaquePointer

  /// - Throws: `PictureFault` if there is no memory for it.
  init(width: Double, height: Double, scale: Double) throws(PictureFault) {
    self.width = width
    self.height = height
    self.scale = scale
    widthPx = Int((width * scale).rounded())
    heightPx = Int((height * scale).rounded())
    guard
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(widthPx), Int32(heightPx)),
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface)
    else { throw PictureFault("there is no memory for a picture of \(widthPx) x \(heightPx) px") }
    self.surface = surface
    self.context = context
    cairo_scale(context, scale, scale)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// The pixels as red, green and blue bytes, row by row from the top.
  ///
  /// - Throws: `PictureFault` if Cairo failed while it drew.
  func pixels() throws(PictureFault) -> [UInt8] {
    cairo_surface_flush(surface)
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS, let start = cairo_image_surface_get_data(surface) else {
      let words = cairo_status_to_string(status).map { String(cString: $0) } ?? "no reason"
      throw PictureFault("Cairo cannot draw the picture: \(words)")
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let (columns, rows) = (widthPx, heightPx)
    return [UInt8](unsafeUninitializedCapacity: columns * rows * 3) { bytes, count in
      var place = 0
      for row in 0..<rows {
        let line = UnsafeRawPointer(start + row * stride)
        for column in 0..<columns {
          let pixel = line.loadUnaligned(fromByteOffset: column * 4, as: UInt32.self)
          bytes[place] = UInt8(truncatingIfNeeded: pixel >> 16)
          bytes[place + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
          bytes[place + 2] = UInt8(truncatingIfNeeded: pixel)
          place += 3
        }
      }
      count = place
    }
  }

  // MARK: Paths

  func fillAll(_ paint: Paint) {
    use(paint)
    cairo_paint(context)
  }

  func trace(_ path: VectorPath) {
    cairo_new_path(context)
    for step in path.steps {
      switch step {
      case .move(let to): cairo_move_to(context, to.x, to.y)
      case .line(let to): cairo_line_to(context, to.x, to.y)
      case .curve(let a, let b, let to):
        cairo_curve_to(context, a.x, a.y, b.x, b.y, to.x, to.y)
      case .close: cairo_close_path(context)
      }
    }
  }

  func fill(_ path: VectorPath, _ paint: Paint, isEvenOdd: Bool = false) {
    trace(path)
    use(paint)
    cairo_set_fill_rule(context, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
    cairo_fill(context)
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
  }

  func stroke(_ path: VectorPath, _ paint: Paint, width: Double) {
    trace(path)
    strokePath(paint, width: width)
  }

  func strokePath(_ paint: Paint, width: Double) {
    use(paint)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_stroke(context)
  }

  func use(_ paint: Paint) {
    cairo_set_source_rgba(context, paint.red, paint.green, paint.blue, paint.alpha)
  }

  // MARK: Polygons of the map

  func beginPath() { cairo_new_path(context) }

  func addPolygon(_ points: some Collection<ScreenPoint>) {
    var isFirst = true
    for point in points {
      if isFirst {
        cairo_move_to(context, point.x, point.y)
        isFirst = false
      } else {
        cairo_line_to(context, point.x, point.y)
      }
    }
    if !isFirst { cairo_close_path(context) }
  }

  func fillPath(_ paint: Paint) {
    use(paint)
    cairo_fill(context)
  }

  func fillPath(_ paint: Paint, edge: Paint) {
    use(paint)
    cairo_fill_preserve(context)
    use(edge)
    cairo_set_line_width(context, 0.7)
    cairo_stroke(context)
  }

  // MARK: Groups

  /// Draws with a moved, turned (degrees, clockwise) and enlarged coordinate system.
  func place(
    at point: ScreenPoint, turnedDeg: Double = 0, scaledX: Double = 1, scaledY: Double = 1,
    _ draw: () -> Void
  ) {
    cairo_save(context)
    cairo_translate(context, point.x, point.y)
    if turnedDeg != 0 { cairo_rotate(context, turnedDeg * .pi / 180) }
    if scaledX != 1 || scaledY != 1 { cairo_scale(context, scaledX, scaledY) }
    draw()
    cairo_restore(context)
  }

  /// Draws into a layer of its own, which is then laid over the picture.
  func group(opacity: Double, _ draw: () -> Void) {
    guard opacity < 1 else { return draw() }
    cairo_push_group(context)
    draw()
    cairo_pop_group_to_source(context)
    cairo_paint_with_alpha(context, opacity)
  }

  func clip(_ path: VectorPath, _ draw: () -> Void) {
    cairo_save(context)
    trace(path)
    cairo_clip(context)
    draw()
    cairo_restore(context)
  }

  /// Fills a rectangle with a course of colours from its top to its bottom.
  func shade(
    x: Double, y: Double, width: Double, height: Double, from top: Paint, to bottom: Paint
  ) {
    let pattern = cairo_pattern_create_linear(0, y, 0, y + height)
    cairo_pattern_add_color_stop_rgba(pattern, 0, top.red, top.green, top.blue, top.alpha)
    cairo_pattern_add_color_stop_rgba(
      pattern, 1, bottom.red, bottom.green, bottom.blue, bottom.alpha)
    cairo_set_source(context, pattern)
    cairo_rectangle(context, x, y, width, height)
    cairo_fill(context)
    cairo_pattern_destroy(pattern)
  }

  /// A soft shadow below a shape with round corners.
  func shadow(
    x: Double, y: Double, width: Double, height: Double, radius: Double, opacity: Double
  ) {
    let steps = 8
    for step in 0..<steps {
      let grow = 9 * (1 - Double(step) / Double(steps))
      fill(
        .rectangle(
          x: x - grow, y: y - grow + 4, width: width + 2 * grow, height: height + 2 * grow,
          radius: radius + grow), Paint("#101820").faded(opacity / Double(steps)))
    }
  }

  /// Draws an icon into a rectangle.
  func draw(
    _ icon: Icon, x: Double, y: Double, width: Double, height: Double, _ paint: Paint
  ) {
    cairo_save(context)
    cairo_translate(context, x, y)
    cairo_scale(context, width / icon.width, height / icon.height)
    cairo_save(context)
    if icon.isMirrored {
      cairo_translate(context, icon.width, 0)
      cairo_scale(context, -1, 1)
    }
    for shape in icon.shapes {
      let colour = (shape.colour.map { Paint($0) } ?? paint).faded(shape.opacity)
      switch shape.paint {
      case .fill: fill(shape.path, colour, isEvenOdd: true)
      case .stroke(let width): stroke(shape.path, colour, width: width)
      }
    }
    cairo_restore(context)
    if let caption = icon.caption {
      let text = text(caption.text, TextStyle(size: caption.size, isBold: true))
      text.draw(
        x: caption.center.x - text.width / 2, y: caption.center.y - text.height / 2, paint)
    }
    cairo_restore(context)
  }

  private var texts: [TextKey: CanvasText] = [:]

  private struct TextKey: Hashable {
    var text: String
    var style: TextStyle
  }

  /// A text that is laid out; the same one is laid out once.
  func text(_ text: String, _ style: TextStyle) -> CanvasText {
    let key = TextKey(text: text, style: style)
    if let known = texts[key] { return known }
    if texts.count > 4000 { texts = [:] }
    let made = CanvasText(text, style, on: self)
    texts[key] = made
    return made
  }
}
