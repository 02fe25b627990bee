// The order in which messages of voice/announcement are spoken. Uses no DOM and no speech engine.

/** A text that has waited longer than this is not true any more. */
const STALE_MS = 8000;
/** An engine that does not report the end is not waited for longer than the estimate and this. */
const LATE_MS = 6000;
/** Keys of announcements that are remembered, so that none is spoken twice. */
const KEPT = 200;

export class SpeechModel {
  /** `speak(announcement)` and `cancel()` are those of the engine, which reports each end to `ended`. `now()` gives milliseconds. */
  constructor({ speak, cancel, now = () => performance.now() }) {
    Object.assign(this, { speak, cancel, now });
    this.isOn = false;
    this.current = null;
    this.waiting = [];
    this.keys = new Set();
  }

  /** Turns the voice on or off; what was announced meanwhile is not spoken later. */
  turn(isOn) {
    this.isOn = isOn;
    if (isOn) return;
    this.waiting = [];
    if (this.current) this.cancel();
    this.current = null;
  }

  /** Takes an announcement: each key is spoken once, the higher priority first. */
  announce(announcement) {
    if (!announcement?.text || this.keys.has(announcement.key)) return;
    this.keys.add(announcement.key);
    if (this.keys.size > KEPT) this.keys.delete(this.keys.values().next().value);
    if (!this.isOn) return;
    const priority = announcement.priority ?? 50;
    const { current } = this;
    const isFirst = current && (announcement.interrupts || priority > (current.announcement.priority ?? 50));
    if (current && (isFirst || this.now() > current.endsMs)) {
      this.cancel();
      this.current = null;
      // The stack repeats a less urgent text if it still matters.
      this.waiting = this.waiting.filter((other) => (other.announcement.priority ?? 50) >= priority);
    }
    const place = isFirst ? 0 : this.waiting.findIndex((other) => (other.announcement.priority ?? 50) < priority);
    this.waiting.splice(place < 0 ? this.waiting.length : place, 0, { announcement, sinceMs: this.now() });
    this.next();
  }

  /** The engine has spoken an announcement, or given it up. */
  ended(announcement) {
    if (this.current?.announcement !== announcement) return;
    this.current = null;
    this.next();
  }

  next() {
    if (this.current) return;
    this.waiting = this.waiting.filter(({ sinceMs }) => this.now() - sinceMs <= STALE_MS);
    const entry = this.waiting.shift();
    if (!entry) return;
    const { announcement } = entry;
    this.current = { announcement, endsMs: this.now() + 1000 * (announcement.expected_duration_s ?? 4) + LATE_MS };
    this.speak(announcement);
  }
}
