// Whether what the page shows is still true: the link, the renderer behind it, the bus, and the vehicle's location.

/** Milliseconds without a word of the renderer, which speaks each second. */
const SILENT_MS = 3500;
/** Milliseconds for which the bus may be away before that is told: a restart takes less. */
const BUS_MS = 2000;
/** A location that is lost for less than this is no news. */
const LOST_MS = 600;

export class Liveness {
  /** `onChange({link, isLocationLost})`: link is open, lost, silent or busless. `now()` gives milliseconds. */
  constructor(onChange, now = () => performance.now()) {
    this.onChange = onChange;
    this.now = now;
    this.isOpen = false;
    this.heardAt = now();
    this.busLostAt = null;
    this.lostAt = null;
    this.shown = null;
  }

  opened(isOpen) {
    this.isOpen = isOpen;
    this.heardAt = this.now();
    this.busLostAt = null;
    this.check();
  }

  /** A message has come; `bus` is what a heartbeat says of the bus, undefined for other messages. */
  heard(bus) {
    this.heardAt = this.now();
    if (bus === true) this.busLostAt = null;
    if (bus === false) this.busLostAt ??= this.now();
    this.check();
  }

  /** A frame of the scene has a lost location, or one that is known. */
  located(isLost) {
    if (!isLost) this.lostAt = null;
    else this.lostAt ??= this.now();
    this.check();
  }

  /** The page was hidden for a while, and its clock with it. */
  resumed() { this.heardAt = this.now(); }

  get link() {
    if (!this.isOpen) return "lost";
    if (this.now() - this.heardAt > SILENT_MS) return "silent";
    return this.busLostAt !== null && this.now() - this.busLostAt > BUS_MS ? "busless" : "open";
  }

  get isLocationLost() { return this.lostAt !== null && this.now() - this.lostAt > LOST_MS; }

  /** Reports what has changed; to be called a few times each second. */
  check() {
    const { link, isLocationLost } = this;
    if (this.shown?.link === link && this.shown.isLocationLost === isLocationLost) return;
    this.shown = { link, isLocationLost };
    this.onChange(this.shown);
  }
}
