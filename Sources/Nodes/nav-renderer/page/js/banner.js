// The banner and the caption: rerouting, proposals to accept or reject, arrival, and spoken texts.

import { duration, distance, escaped } from "./format.js";
import { offset } from "./offroad.js";

const byID = (id) => document.getElementById(id);
const CAPTION_MS = 6000;

export class Banner {
  /** `call(name, payload)` makes a call of the stack and resolves with its reply. */
  constructor(call) {
    this.call = call;
    this.current = null;
    /** The route that a shown proposal is for; null for no proposal. */
    this.proposedFor = null;
  }

  /** Shows a banner; `buttons` are [label, class, action]; `forMs` takes it away again. */
  show({ kind, title, text = "", look = "", buttons = [], forMs = 0, proposedFor = null }) {
    clearTimeout(this.timer);
    this.proposedFor = proposedFor;
    this.current = kind;
    const box = byID("banner");
    box.className = `card ${look}`;
    byID("banner-text").innerHTML = `<b>${escaped(title)}</b><span>${escaped(text)}</span>`;
    byID("banner-buttons").replaceChildren(...buttons.map(([label, style, action]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = style;
      button.textContent = label;
      button.onclick = action;
      return button;
    }));
    box.hidden = false;
    if (forMs > 0) this.timer = setTimeout(() => this.hide(kind), forMs);
  }

  /** A route is followed from now on, or null for none: proposals for another one can no longer be answered. */
  followed(routeID) {
    if (this.proposedFor !== null && this.proposedFor !== routeID) this.hide();
  }

  /** Takes the banner away, where it is still of that kind. */
  hide(kind) {
    if (kind && this.current !== kind) return;
    this.proposedFor = null;
    clearTimeout(this.timer);
    this.current = null;
    byID("banner").hidden = true;
  }

  async answer(kind, name, payload) {
    try {
      await this.call(name, payload);
      this.hide(kind);
    } catch (failure) {
      this.fail(failure.message);
    }
  }

  fail(text) {
    this.show({ kind: "failure", title: "That did not work", text, look: "alert", forMs: 6000 });
  }

  reroute(event) {
    const proposal = [
      ["New route", "yes", () => this.answer("reroute", "navigate/accept_reroute", {})],
      ["No", "", () => this.answer("reroute", "navigate/reject_reroute", {})],
    ];
    const why = {
      deviation: "You have left the route.",
      missed_stop: "You have passed a stop.",
      route_outdated: "The map has changed, and the route with it.",
    };
    switch (event.state) {
      case "proposed":
        this.show({
          kind: "reroute", title: "Another way?", text: why[event.reason] ?? why.deviation, look: "alert", buttons: proposal,
          proposedFor: event.route_id ?? null,
        });
        break;
      case "started":
        this.show({ kind: "reroute", title: "Rerouting…", text: why[event.reason] ?? why.deviation, look: "alert" });
        break;
      case "failed":
        this.show({ kind: "reroute", title: "No new route yet", text: event.error_text ?? "", look: "alert", forMs: 8000 });
        break;
      case "completed":
        this.show({ kind: "reroute", title: "New route", look: "good", forMs: 3500 });
        break;
      default:
        this.hide("reroute");
    }
  }

  better(event) {
    const longerM = event.longer_m ?? 0;
    const longer = distance(Math.abs(longerM));
    const gain = duration(event.gain_s ?? 0);
    const way = longer.number === "0" ? "as long" : `${longer.number} ${longer.unit} ${longerM > 0 ? "longer" : "shorter"}`;
    switch (event.state) {
      case "proposed":
        this.show({
          kind: "better", look: "good", title: `${gain.number} ${gain.unit} faster`, text: way,
          proposedFor: event.route_id ?? null,
          buttons: [
            ["Take it", "yes", () => this.answer("better", "navigate/accept_better", { id: event.id })],
            ["Keep mine", "", () => this.answer("better", "navigate/reject_better", { id: event.id })],
          ],
        });
        break;
      case "accepted":
        this.show({ kind: "better", look: "good", title: `Faster route, ${gain.number} ${gain.unit} less`, text: way, forMs: 5000 });
        break;
      case "found":
        break;
      default:
        this.hide("better");
    }
  }

  /** Shows an arrival; `offRoad` has the destination's name, and what is left where the road has ended before it. */
  arrival(event, { name, left }) {
    if (event.off_road && event.event === "destination_reached") {
      const where = left ? `lies ${offset(left)}` : "is off the road";
      this.show({
        kind: "arrival", title: "The road ends here", forMs: 20000,
        text: `${name || "Your destination"} ${where}. The direct line may cross what nobody can cross.`,
      });
      return;
    }
    const side = { left: "It is on the left.", right: "It is on the right." }[event.side] ?? "";
    this.show({ kind: "arrival", look: "good", title: name ? `Arrived: ${name}` : "You have arrived", text: side, forMs: 20000 });
  }

  /** Shows what is spoken as a caption, as long as it takes to read. */
  announce(event) {
    const caption = byID("caption");
    caption.textContent = event.text ?? "";
    caption.hidden = !event.text;
    clearTimeout(this.captionTimer);
    const forMs = Math.max(CAPTION_MS / 2, Math.min(CAPTION_MS, (event.expected_duration_s ?? 4) * 1000 + 1200));
    this.captionTimer = setTimeout(() => { caption.hidden = true; }, forMs);
  }
}
