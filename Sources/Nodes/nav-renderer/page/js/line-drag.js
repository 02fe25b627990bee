// The line of a route that is dragged to another road: a point of the trip is made where it is dropped.

/** The pointer takes the line within this many pixels, and has dragged it after as many others. */
const NEAR_PX = 10;
const DRAGGED_PX = 6;

export class LineDrag {
  /**
   * `lineAt()` returns the line that can be dragged, or null; `layer` is that of the map which shows it; `drop(grabbedM,
   * place)` gets the metres along the line where it was taken, and the [lon, lat] where it was let go.
   */
  constructor(map, layer, lineAt, drop) {
    Object.assign(this, { map, layer, lineAt, drop, marker: null });
    map.on("mousedown", (event) => this.grab(event, "mousemove", "mouseup"));
    map.on("touchstart", (event) => { if (event.points.length === 1) this.grab(event, "touchmove", "touchend"); });
    map.on("mousemove", ({ point }) => {
      if (this.lineAt() === null && !this.hasCursor) return;
      this.hasCursor = this.isOver(point);
      map.getCanvas().style.cursor = this.hasCursor ? "grab" : "";
    });
  }

  isOver({ x, y }) {
    if (this.lineAt() === null) return false;
    const box = [[x - NEAR_PX, y - NEAR_PX], [x + NEAR_PX, y + NEAR_PX]];
    return this.map.queryRenderedFeatures(box, { layers: [this.layer] }).length > 0;
  }

  grab(event, moveName, endName) {
    if (event.originalEvent.button > 0 || !this.isOver(event.point)) return;
    // The map stays where it is.
    event.preventDefault();
    const line = this.lineAt();
    const { x, y } = event.point;
    const grabbed = event.lngLat.toArray();
    const move = ({ point, points, lngLat }) => {
      if (points?.length > 1) {
        end();
        return;
      }
      if (!this.marker && Math.hypot(point.x - x, point.y - y) < DRAGGED_PX) return;
      this.marker ??= this.ghost(lngLat);
      this.marker.setLngLat(lngLat);
    };
    const end = () => {
      this.map.off(moveName, move);
      const place = this.marker?.getLngLat().toArray();
      this.marker?.remove();
      this.marker = null;
      return place;
    };
    const release = ({ type }) => {
      window.removeEventListener(endName, release);
      window.removeEventListener("touchcancel", release);
      const place = end();
      if (place && type === endName) this.drop(line.nearest(grabbed).offsetM, place);
    };
    this.map.on(moveName, move);
    // The pointer may be let go over a card.
    window.addEventListener(endName, release);
    window.addEventListener("touchcancel", release);
  }

  ghost(lngLat) {
    const element = document.createElement("div");
    element.className = "via-dot";
    return new maplibregl.Marker({ element }).setLngLat(lngLat).addTo(this.map);
  }
}
