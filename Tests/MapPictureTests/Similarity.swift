import CCairo
import Foundation

/// A picture of red, green and blue bytes.
struct Pixels {
  var width: Int
  var height: Int
  var bytes: [UInt8]

  init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// Reads a PNG file; nil if there is none.
  init?(png path: String) {
    guard let surface = cairo_image_surface_create_from_png(path) else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let data = cairo_image_surface_get_data(surface)
    else { return nil }
    width = Int(cairo_image_surface_get_width(surface))
    height = Int(cairo_image_surface_get_height(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    bytes = []
    for row in 0..<height {
      for column in 0..<width {
        let pixel = data + row * stride + column * 4
        bytes += [pixel[2], pixel[1], pixel[0]]
      }
    }
  }

  /// The structural similarity to a picture of the same size, 1 for an equal one.
  ///
  /// Z. Wang et al., "Image quality assessment: from error visibility to structural similarity",
  /// IEEE Transactions on Image Processing 13 (2004), over squares of 8 pixels, for each channel.
  func similarity(to other: Pixels) -> Double {
    guard width == other.width, height == other.height else { return 0 }
    let (c1, c2) = (6.5025, 58.5225)
    var sum = 0.0
    var count = 0.0
    for top in stride(from: 0, to: height - 7, by: 4) {
      for left in stride(from: 0, to: width - 7, by: 4) {
        for channel in 0..<3 {
          var (a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
          for row in top..<top + 8 {
            for column in left..<left + 8 {
              let place = (row * width + column) * 3 + channel
              let (x, y) = (Double(bytes[place]), Double(other.bytes[place]))
              (a, b, aa, bb, ab) = (a + x, b + y, aa + x * x, bb + y * y, ab + x * y)
            }
          }
          (a, b) = (a / 64, b / 64)
          let (va, vb, cov) = (aa / 64 - a * a, bb / 64 - b * b, ab / 64 - a * b)
          let light = (2 * a * b + c1) / (a * a + b * b + c1)
          sum += light * (2 * cov + c2) / (va + vb + c2)
          count += 1
        }
      }
    }
    return count > 0 ? sum / count : 0
  }
}
