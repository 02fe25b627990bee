// The indicator between two fixes: carried on along the route, or straight ahead, and steered
// towards where it should be, so that no small error makes it jump.

import { distanceM, moved, turnDeg } from "./geometry.js";

/** Seconds in which an error of place is steered away. */
const SETTLE_S = 0.7;
/** A greater error is a jump (a restart, a seek), and is shown as one. */
const JUMP_M = 150;
/** The indicator is carried on for at most this many intervals between fixes. */
const CARRY_INTERVALS = 1.6;
/** Seconds in which the rate of event time is learnt. */
const RATE_SETTLE_S = 2;
/** Metres a second at which it may slide back where it was carried too far. */
const SLIDE_BACK_MPS = 3;

export class Motion {
  constructor() {
    this.line = null;
    this.target = null;
    this.shown = null;
    /** Seconds of the page's clock between fixes, and event seconds in one of them; both smoothed. */
    this.intervalS = 1;
    this.rate = 1;
    this.hasRate = false;
    this.anchor = null;
  }

  /** The route to move along; null for none. The place holds. */
  follow(line) {
    this.line = line;
    this.target = null;
    if (this.shown) this.shown.offsetM = null;
  }

  /**
   * Takes what the stack says now. `place` is [lon, lat]; `offsetM` the metres along the route, or
   * null off it; `speedMps` is null where no speed was measured: then the last two places give one.
   */
  tell({ place, bearing, speedMps, offsetM, stampS, nowS }) {
    const before = this.target;
    if (before && stampS === before.stampS) {
      // The same moment once more: it is not carried on from there anew.
      Object.assign(before, { place, bearing, offsetM, speedMps: speedMps ?? before.speedMps });
      return;
    }
    this.learnRate(stampS, nowS);
    const isMeasured = speedMps !== null;
    const paceMps = isMeasured ? speedMps : Motion.paceMps(before, place, offsetM, stampS);
    let accelerationMps2 = 0;
    if (before && stampS > before.stampS && isMeasured) {
      const change = (paceMps - before.speedMps) / (stampS - before.stampS);
      accelerationMps2 = Math.min(Math.max(change, -5), 3);
    } else if (before && stampS < before.stampS - 5) {
      this.shown = null;
    } else if (before && isMeasured) {
      accelerationMps2 = before.accelerationMps2;
    }
    this.target = { place, bearing, speedMps: paceMps, accelerationMps2, offsetM, stampS, nowS };
    this.shown ??= { place, bearing: bearing ?? 0, offsetM, drift: [0, 0] };
  }

  /** Metres a second from the place before; its speed where that says nothing. */
  static paceMps(before, place, offsetM, stampS) {
    if (!before) return 0;
    const elapsedS = stampS - before.stampS;
    const isAlong = offsetM !== null && before.offsetM !== null;
    const metres = isAlong ? offsetM - before.offsetM : distanceM(before.place, place);
    return elapsedS > 0 && metres >= 0 && metres <= JUMP_M ? metres / elapsedS : before.speedMps;
  }

  /** Learns how often fixes come and how fast event time runs, from two that are not in one burst. */
  learnRate(stampS, nowS) {
    const from = this.anchor;
    if (!from || stampS <= from.stampS || nowS - from.nowS > 20 * this.intervalS) {
      this.anchor = { stampS, nowS, count: 0 };
      return;
    }
    from.count += 1;
    const elapsedS = nowS - from.nowS;
    if (elapsedS < 0.2) return;
    const share = 1 - Math.exp(-elapsedS / RATE_SETTLE_S);
    this.intervalS += (elapsedS / from.count - this.intervalS) * share;
    const rate = Math.min((stampS - from.stampS) / elapsedS, 200);
    this.rate += (rate - this.rate) * (this.hasRate ? share : 1);
    this.hasRate = true;
    this.anchor = { stampS, nowS, count: 0 };
  }

  /** Moves what is shown by `stepS` seconds; true while anything moves. */
  step(nowS, stepS) {
    const { target, shown } = this;
    if (!target || !shown) return false;
    const before = { place: shown.place, bearing: shown.bearing };
    if (target.offsetM !== null && this.line) this.stepAlongLine(nowS, stepS);
    else this.stepFreely(nowS, stepS);
    return distanceM(before.place, shown.place) > 0.01
      || Math.abs(turnDeg(before.bearing, shown.bearing)) > 0.03;
  }

  /** Metres since the last fix, and metres a second, on the page's clock: at four times the rate, four times as many. */
  carried(nowS) {
    const { speedMps, accelerationMps2, nowS: toldS } = this.target;
    const limitS = Math.min(this.intervalS * CARRY_INTERVALS, 5);
    const heldS = Math.min(Math.max(nowS - toldS, 0), limitS) * this.rate;
    const stopS = accelerationMps2 < 0 ? speedMps / -accelerationMps2 : Infinity;
    const t = Math.min(heldS, stopS);
    const isOver = nowS - toldS >= limitS || heldS >= stopS;
    return {
      metres: speedMps * t + accelerationMps2 * t * t / 2,
      pace: isOver ? 0 : (speedMps + accelerationMps2 * t) * this.rate,
    };
  }

  stepAlongLine(nowS, stepS) {
    const { target, shown, line } = this;
    const { metres, pace } = this.carried(nowS);
    const goalM = Math.min(target.offsetM + metres, line.lengthM);
    const jumpM = JUMP_M * Math.max(1, this.rate);
    if (shown.offsetM === null || Math.abs(goalM - shown.offsetM) > jumpM) {
      const base = line.placeAt(goalM);
      const isNear = shown.offsetM === null && distanceM(base, shown.place) < jumpM;
      shown.drift = isNear ? [shown.place[0] - base[0], shown.place[1] - base[1]] : [0, 0];
      shown.offsetM = goalM;
    } else {
      const wanted = pace + (goalM - shown.offsetM) / SETTLE_S;
      shown.offsetM += Math.max(wanted, pace > 0.5 ? 0 : -SLIDE_BACK_MPS) * stepS;
      shown.offsetM = Math.min(Math.max(shown.offsetM, 0), line.lengthM);
    }
    const fade = Math.exp(-stepS / (SETTLE_S / 2));
    shown.drift = [shown.drift[0] * fade, shown.drift[1] * fade];
    const base = line.placeAt(shown.offsetM);
    shown.place = [base[0] + shown.drift[0], base[1] + shown.drift[1]];
    this.turnTo(line.bearingAt(shown.offsetM), stepS, 0.18);
  }

  stepFreely(nowS, stepS) {
    const { target, shown } = this;
    shown.offsetM = null;
    const bearing = target.bearing ?? shown.bearing;
    const goal = moved(target.place, bearing, this.carried(nowS).metres);
    const isJump = distanceM(shown.place, goal) > JUMP_M * Math.max(1, this.rate);
    const share = isJump ? 1 : 1 - Math.exp(-stepS / (SETTLE_S / 3));
    shown.place = [
      shown.place[0] + (goal[0] - shown.place[0]) * share,
      shown.place[1] + (goal[1] - shown.place[1]) * share,
    ];
    this.turnTo(bearing, stepS, 0.3);
  }

  turnTo(bearing, stepS, settleS) {
    const share = 1 - Math.exp(-stepS * Math.max(1, this.rate * 0.7) / settleS);
    const turn = turnDeg(this.shown.bearing, bearing) * share;
    this.shown.bearing = (this.shown.bearing + turn + 360) % 360;
  }
}
