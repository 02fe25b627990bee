import CCairo
import CPango

/// How a text is laid out.
struct TextStyle: Hashable {
  /// Height of the font (em), in units of the canvas.
  var size: Double
  var isBold = false
  var isMedium = false
  /// Maximum width of a line; nil for one line of any width.
  var widthLimit: Double?
  /// Maximum number of lines, after which the text is cut short.
  var lineLimit = 1
  var isCentered = false
}

/// A text that is laid out by Pango: shaped, in the direction of its script, with fonts that have
/// its characters.
final class CanvasText {
  /// In units of the canvas.
  let width: Double
  let height: Double
  private unowned let canvas: Canvas
  private let layout: OpaquePointer?

  /// The font of the set-up, and any other sans serif where it is missing.
  private static let family = "DejaVu Sans, Noto Sans, sans-serif"

  init(_ text: String, _ style: TextStyle, on canvas: Canvas) {
    self.canvas = canvas
    layout = pango_cairo_create_layout(canvas.context)
    let options = cairo_font_options_create()
    // The same letters at any place, whatever the settings of the machine are.
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    pango_cairo_context_set_font_options(pango_layout_get_context(layout), options)
    cairo_font_options_destroy(options)
    let font = pango_font_description_from_string(Self.family)
    pango_font_description_set_weight(
      font,
      style.isBold ? PANGO_WEIGHT_BOLD : style.isMedium ? PANGO_WEIGHT_MEDIUM : PANGO_WEIGHT_NORMAL)
    pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
    pango_layout_set_font_description(layout, font)
    pango_font_description_free(font)
    pango_layout_set_text(layout, text, -1)
    if let limit = style.widthLimit {
      pango_layout_set_width(layout, Int32(limit * Double(PANGO_SCALE)))
      pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
      pango_layout_set_height(layout, -Int32(style.lineLimit))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    }
    if style.isCentered { pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER) }
    var area = PangoRectangle()
    pango_layout_get_extents(layout, nil, &area)
    width = Double(area.width) / Double(PANGO_SCALE)
    height = Double(area.height) / Double(PANGO_SCALE)
    left = Double(area.x) / Double(PANGO_SCALE)
  }

  /// Where the text begins in the area that it may fill.
  private let left: Double

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// Draws the text with its top left corner at a point.
  func draw(x: Double, y: Double, _ paint: Paint) {
    canvas.use(paint)
    cairo_move_to(canvas.context, x - left, y)
    pango_cairo_show_layout(canvas.context, layout)
  }

  /// Draws the text with a halo around its letters.
  func draw(x: Double, y: Double, _ paint: Paint, halo: Paint, haloWidth: Double) {
    cairo_new_path(canvas.context)
    cairo_move_to(canvas.context, x - left, y)
    pango_cairo_layout_path(canvas.context, layout)
    canvas.strokePath(halo, width: 2 * haloWidth)
    draw(x: x, y: y, paint)
  }
}
