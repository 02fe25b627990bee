// Traffic incidents on the map by kind, and the card of the one that was chosen.

import { escaped } from "./format.js";
import { BUTTONS } from "./icons.js";
import { incidentFacts, incidentName, incidentSign, knownKind, nextIncident } from "./incidents-model.js";

const byID = (id) => document.getElementById(id);
const LAYER = "nav-incidents";

export class Incidents {
  /** `vehicle()` gives {place} or null, `clock()` the stack's {ns, offsetS}, null where not known; `onOpen()` is called before the card is shown. */
  constructor(map, images, { vehicle, clock, onOpen }) {
    Object.assign(this, { map, images, vehicle, clock, onOpen });
    this.incidents = [];
    this.chosen = null;
    this.card = byID("incident");
    byID("incident-close").innerHTML = BUTTONS.stop;
    byID("incident-close").onclick = () => this.close();
    map.on("click", LAYER, ({ features }) => {
      const incident = this.incidents.find(({ name }) => name === features[0]?.properties.name);
      if (incident) this.choose(incident);
    });
    map.on("mouseenter", LAYER, () => { map.getCanvas().style.cursor = "pointer"; });
    map.on("mouseleave", LAYER, () => { map.getCanvas().style.cursor = ""; });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      if (event.key === "i" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches("input, textarea")) this.next();
    });
  }

  get isOpen() { return !this.card.hidden; }

  /** Draws `view.incidents`. */
  async draw(incidents) {
    if (incidents === this.incidents) return;
    this.incidents = incidents;
    const chosen = incidents.find(({ name }) => name === this.chosen?.name);
    if (this.isOpen && !chosen) this.close();
    else if (this.isOpen) this.fill(chosen);
    const features = incidents.map(({ name, kind, lat_deg: lat, lon_deg: lon }) => ({
      type: "Feature", properties: { name, kind, icon: `sign-${knownKind(kind)}` }, geometry: { type: "Point", coordinates: [lon, lat] },
    }));
    const key = JSON.stringify(features);
    if (key === this.shown) return;
    this.shown = key;
    await Promise.all([...new Set(features.map(({ properties: { icon } }) => icon))]
      .map((icon) => this.images.add(icon, incidentSign(icon.slice(5)))));
    // Another list may have come meanwhile.
    if (key === this.shown) this.map.getSource(LAYER).setData({ type: "FeatureCollection", features });
  }

  /** Opens the nearest incident, then the one after it. */
  next() {
    if (this.map.getLayoutProperty(LAYER, "visibility") === "none") return;
    const at = this.vehicle()?.place ?? this.map.getCenter().toArray();
    const incident = nextIncident(this.incidents, at, this.isOpen ? this.chosen?.name : undefined);
    if (incident) this.choose(incident);
  }

  choose(incident) {
    this.onOpen();
    this.chosen = incident;
    this.card.hidden = false;
    this.fill(incident);
    byID("incident-close").focus({ preventScroll: true });
  }

  fill(incident) {
    const { ns, offsetS } = this.clock();
    const facts = incidentFacts(incident, ns, offsetS)
      .map(([name, text]) => `<div>${name && `<dt>${escaped(name)}</dt>`}<dd>${escaped(text)}</dd></div>`).join("");
    const html = `${incident.text ? `<p>${escaped(incident.text)}</p>` : ""}${facts ? `<dl>${facts}</dl>` : ""}`;
    const head = incidentSign(incident.kind);
    if (this.filled === head + html) return;
    this.filled = head + html;
    this.card.dataset.kind = knownKind(incident.kind);
    byID("incident-sign").innerHTML = head;
    byID("incident-name").textContent = incidentName(incident.kind);
    byID("incident-body").innerHTML = html;
  }

  close() {
    if (this.card.contains(document.activeElement)) this.map.getCanvas().focus({ preventScroll: true });
    this.card.hidden = true;
    this.filled = null;
  }
}
