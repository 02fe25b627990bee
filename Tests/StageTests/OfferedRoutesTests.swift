import RendererStage
import Stage
import Testing

/// The routes that pages follow by their identity.
@Suite struct OfferedRoutesTests {
  private func route(_ id: String, bytes: Int = 8) -> OfferedRoutes.Offer {
    OfferedRoutes.Offer(id: id, bytes: [UInt8](repeating: UInt8(id.utf8.count), count: bytes))
  }

  private func isKept(_ offers: OfferedRoutes, _ id: String) -> Bool {
    (try? offers.route(id, vehicle: "ego")) != nil
  }

  @Test func `a page follows the very route that it was sent, RN-1, PR-10`() throws {
    var offers = OfferedRoutes()
    // Twenty times as much as a page may send.
    let long = route("r-1", bytes: 20 * 64 * 1024)
    offers.keep([long, route("r-2")], vehicle: "ego")
    #expect(try offers.route("r-1", vehicle: "ego") == long.bytes)
    #expect(isKept(offers, "r-2"))
    // The same identity again stands for the newer content.
    offers.keep([route("r-1", bytes: 3)], vehicle: "ego")
    #expect(try offers.route("r-1", vehicle: "ego").count == 3)
  }

  @Test func `an unknown route is refused by its name, RN-1`() {
    var offers = OfferedRoutes()
    offers.keep([route("r-1")], vehicle: "ego")
    func failure(_ id: String, _ vehicle: String) -> CallError? {
      do throws(CallError) {
        _ = try offers.route(id, vehicle: vehicle)
        return nil
      } catch { return error }
    }
    #expect(failure("r-2", "ego")?.code == "unknown_route")
    #expect(failure("r-2", "ego")?.field == "route_id")
    #expect(failure("r-1", "other") != nil, "routes of another vehicle")
    offers.forget("ego")
    #expect(failure("r-1", "ego") != nil)
  }

  @Test func `only the last routes are kept, the best of a reply the longest, RN-1`() {
    var offers = OfferedRoutes()
    for number in 0..<10 {
      offers.keep([route("best-\(number)"), route("other-\(number)")], vehicle: "ego")
    }
    #expect(isKept(offers, "best-9") && isKept(offers, "other-9"))
    #expect(isKept(offers, "best-4") && isKept(offers, "other-4"))
    #expect(!isKept(offers, "best-3"))
    let big = route("big", bytes: OfferedRoutes.mostBytes)
    offers.keep([big, route("second")], vehicle: "ego")
    #expect(isKept(offers, "big") && !isKept(offers, "second") && !isKept(offers, "best-9"))
  }
}
