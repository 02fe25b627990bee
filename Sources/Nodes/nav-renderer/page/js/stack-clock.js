// The event time of the stack on the page's clock, from the messages that come. Knows no DOM.

/** Seconds in which the rate of event time is learnt, and an error of the clock is corrected without a step. */
const RATE_SETTLE_S = 2;
const ERROR_SETTLE_S = 0.5;
/** Event seconds by which the clock may be wrong before it is set, more at a high rate. */
const JUMP_S = 5;
/** Event seconds for which the clock runs on without a message: the stack may have been paused. */
const RUN_ON_S = 5;
const MOST_RATE = 200;

export class StackClock {
  constructor() {
    /** Event seconds in one second of the page's clock. */
    this.rate = 1;
    this.isRateKnown = false;
    /** Seconds of the page's clock between messages. */
    this.intervalS = 1;
    /** Where the rate is measured from, the moment of the newest message on both clocks, and its event time. */
    this.from = null;
    this.base = null;
    this.newestS = null;
  }

  /** Takes a message of event time `stampS` that was sent at `nowS` on the page's clock. */
  take(stampS, nowS) {
    // The same moment once more, as of a frame with other settings, says nothing about time.
    if (stampS === this.newestS) return;
    this.newestS = stampS;
    this.learnRate(stampS, nowS);
    const { base } = this;
    const errorS = base ? stampS - this.at(nowS) : Infinity;
    const isJump = Math.abs(errorS) > JUMP_S * Math.max(1, this.rate / 2);
    this.base = isJump ? { stampS, nowS, errorS: 0 } : { stampS: stampS - errorS, nowS, errorS };
  }

  /** Event seconds at a moment of the page's clock; null before the first message. */
  at(nowS) {
    const { base, rate } = this;
    if (!base) return null;
    const elapsedS = Math.max(0, nowS - base.nowS);
    const slewedS = base.errorS * (1 - Math.exp(-elapsedS / ERROR_SETTLE_S));
    return base.stampS + Math.min(elapsedS * rate, RUN_ON_S + this.intervalS * rate) + slewedS;
  }

  /** Measures the rate between two messages that are not in one burst. */
  learnRate(stampS, nowS) {
    const { from } = this;
    if (!from || stampS <= from.stampS || nowS - from.nowS > 20 * this.intervalS) {
      this.from = { stampS, nowS, count: 0 };
      return;
    }
    from.count += 1;
    const elapsedS = nowS - from.nowS;
    if (elapsedS < 0.2) return;
    const share = 1 - Math.exp(-elapsedS / RATE_SETTLE_S);
    this.intervalS += (elapsedS / from.count - this.intervalS) * share;
    const rate = Math.min((stampS - from.stampS) / elapsedS, MOST_RATE);
    this.rate += (rate - this.rate) * (this.isRateKnown ? share : 1);
    this.isRateKnown = true;
    this.from = { stampS, nowS, count: 0 };
  }
}
