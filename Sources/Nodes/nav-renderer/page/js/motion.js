// The motion of the indicator between two fixes: the same algorithm as IndicatorMotion, MotionFix, MotionCourse and MotionTurn
// in Sources/Core/Scene. Tests/Page/motion-vectors.json proves it on both sides. Knows no DOM.
//
// It is extrapolated from the last fix with its speed and acceleration, along the route or straight ahead, and an error of the
// position is corrected on the way. The result at a moment does not depend on the frames before it. All times are event time.

import { LocalPlane, distanceM, normalizedDeg, signedDeg } from "./geometry.js";

/** Longest extrapolation of a fix, and the oldest moment before it, in seconds. */
const CARRY_LIMIT_S = 5;
const CARRY_BACK_S = 1;
/** Seconds in which a small error is corrected to 1 / e. */
const SETTLE_S = 0.7;
/** A larger error is shown as a jump, in metres. */
const JUMP_M = 150;
/** Speed at which an error is corrected at least, and below which a vehicle counts as stationary. */
const CRAWL_MPS = 3;
const MOVING_MPS = 0.5;
/** A larger error, as after a deviation that was detected late, is corrected in time: metres, and time constant in seconds. */
const GLIDE_M = 25;
const GLIDE_S = 0.5;
/** An indicator that was placed less than this ago is placed again by the next fix, in seconds. */
const FRESH_S = 0.5;
/** A fix that is older than the last by more than this is from another drive, in seconds. */
const BACK_S = 5;
/** Length of line whose direction is shown, in metres. */
const STRETCH_M = 8;
const BRAKING_MPS2 = -5;
const SPEEDING_UP_MPS2 = 3;
/** Rotation: step of integration, largest rate, time constant, and when any rotation is over. */
const TURN_STEP_S = 0.05;
const TURN_LIMIT_DEG_PER_S = 120;
const TURN_SETTLE_S = 0.2;
const TURN_OVER_S = 4;

export class Motion {
  #line = null;
  #fix = null;
  #course = null;
  #movedS = null;
  /** When it was placed without a motion: at the first fix, or by a jump. */
  #placedS = null;

  /** [lon, lat]; null before the first fix. */
  place = null;
  bearing = 0;
  /** Metres along the line; null off the line. */
  offsetM = null;

  /** What is shown: {place, bearing, offsetM}; null before the first fix. */
  get shown() { return this.place && { place: this.place, bearing: this.bearing, offsetM: this.offsetM }; }

  /** The line to move along from now on, null for none; the position stays until the next fix. */
  follow(line) {
    this.#line = line;
    this.#fix = null;
    this.#course = null;
    this.offsetM = null;
  }

  /**
   * Takes a fix of event time `atS`, and moves to `nowS`. `place` is [lon, lat]; `bearing` null if unknown; `speedMps` null where
   * no speed was measured: then the last two places give one; `offsetM` the metres along the line, null off it.
   */
  record({ place, bearing, speedMps, offsetM, atS }, nowS = atS) {
    if (this.#fix && atS - this.#fix.atS < -BACK_S) {
      this.follow(this.#line);
      this.place = null;
      this.#movedS = null;
      this.#placedS = null;
    }
    const now = Math.max(nowS, this.#movedS ?? nowS);
    this.advance(now);
    const fix = fixAfter(this.#fix, { place, bearing, speedMps, offsetM, atS });
    const isFresh = this.#placedS !== null && now - this.#placedS <= FRESH_S;
    const correction = isFresh ? null : this.#courseOf(fix, now);
    this.#course = correction ?? this.#placed(fix, now);
    if (!isFresh && correction === null) this.#placedS = now;
    this.#fix = fix;
    this.#movedS = now;
    this.advance(now);
  }

  /** Moves to a moment of event time; one before the last changes nothing. */
  advance(nowS) {
    const [fix, course, line] = [this.#fix, this.#course, this.#line];
    if (!fix) return;
    const now = Math.max(nowS, this.#movedS ?? nowS);
    this.#movedS = now;
    const carried = carriedM(fix, now);
    const drift = driftOf(course, sharesOf(course, carried, now));
    if (line && fix.offsetM !== null) {
      this.offsetM = offsetAt(fix, course, line, now);
      const base = line.placeAt(this.offsetM);
      if (base) this.place = new LocalPlane(base).place(drift);
    } else {
      this.offsetM = null;
      const step = stepTo(course.directionDeg, carried);
      this.place = new LocalPlane(fix.place).place([step[0] + drift[0], step[1] + drift[1]]);
    }
    this.bearing = turned(course.turn, now - course.sinceS, (elapsedS) => targetDeg(fix, course, line, course.sinceS + elapsedS));
  }

  /** The course of an indicator that is placed at `fix` itself. */
  #placed(fix, now) {
    const course = {
      sinceS: now, carriedM: carriedM(fix, now), alongM: 0, aheadM: 0, drift: [0, 0], scaleM: Math.max(fix.speedMps, CRAWL_MPS) * SETTLE_S,
      isHeldBack: false, isGliding: false, directionDeg: fix.bearing ?? this.bearing, turn: { bearing: this.bearing, steps: 0 },
    };
    course.turn.bearing = targetDeg(fix, course, this.#line, now) ?? this.bearing;
    if (fix.offsetM !== null) course.directionDeg = course.turn.bearing;
    return course;
  }

  /** The correction of the current position towards `fix`, from `now` on; null for a jump. */
  #courseOf(fix, now) {
    if (!this.place) return null;
    const course = this.#placed(fix, now);
    course.turn.bearing = this.bearing;
    let error = [0, 0];
    if (this.#line && fix.offsetM !== null) {
      if (this.offsetM !== null) {
        course.alongM = this.offsetM - (fix.offsetM + course.carriedM);
        error = this.#drift();
      } else {
        const goal = this.#line.placeAt(fix.offsetM + course.carriedM);
        if (goal) error = new LocalPlane(goal).point(this.place);
      }
    } else {
      const here = new LocalPlane(fix.place).point(this.place);
      const goal = stepTo(course.directionDeg, course.carriedM);
      error = [here[0] - goal[0], here[1] - goal[1]];
    }
    const errorM = Math.abs(course.alongM) + lengthOf(error);
    if (errorM > JUMP_M) return null;
    const direction = stepTo(course.directionDeg, 1);
    course.aheadM = error[0] * direction[0] + error[1] * direction[1];
    course.drift = [error[0] - course.aheadM * direction[0], error[1] - course.aheadM * direction[1]];
    course.scaleM = Math.max(errorM, course.scaleM);
    course.isHeldBack = fix.speedMps > MOVING_MPS && course.alongM + course.aheadM > 0;
    course.isGliding = errorM > GLIDE_M;
    return course;
  }

  /** What is left of the error that is not along the line, metres east and north. */
  #drift() {
    if (!this.#fix) return [0, 0];
    return driftOf(this.#course, sharesOf(this.#course, carriedM(this.#fix, this.#movedS), this.#movedS));
  }
}

/** A fix with its acceleration since `before`, and with a speed. */
function fixAfter(before, { place, bearing, speedMps, offsetM, atS }) {
  const fix = { place, bearing: bearing ?? null, speedMps: speedMps ?? 0, accelerationMps2: 0, offsetM: offsetM ?? null, atS };
  if (!before) return fix;
  const elapsedS = atS - before.atS;
  if (speedMps === null || speedMps === undefined) {
    const isAlong = fix.offsetM !== null && before.offsetM !== null;
    const metres = isAlong ? fix.offsetM - before.offsetM : distanceM(before.place, place);
    fix.speedMps = elapsedS > 0 && metres >= 0 && metres <= JUMP_M ? metres / elapsedS : before.speedMps;
  } else if (elapsedS > 0) {
    fix.accelerationMps2 = Math.min(SPEEDING_UP_MPS2, Math.max(BRAKING_MPS2, (speedMps - before.speedMps) / elapsedS));
  } else {
    // The same moment once more.
    fix.accelerationMps2 = before.accelerationMps2;
  }
  return fix;
}

/** Metres from a fix to its extrapolation at `now`; constant after the limit, and after the vehicle has stopped. */
function carriedM({ speedMps, accelerationMps2: a, atS }, now) {
  const elapsedS = now - atS;
  if (elapsedS < 0) return speedMps * Math.max(elapsedS, -CARRY_BACK_S);
  const stopS = a < 0 ? speedMps / -a : Infinity;
  const t = Math.min(elapsedS, CARRY_LIMIT_S, stopS);
  return speedMps * t + a * t * t / 2;
}

/** The shares of the error along and across the direction of travel that are left. */
function sharesOf(course, carried, now) {
  const elapsedS = now - course.sinceS;
  const drivenM = Math.max(0, carried - course.carriedM);
  const spentM = Math.max(drivenM, CRAWL_MPS * elapsedS);
  const across = Math.exp(course.isGliding ? -elapsedS / GLIDE_S : -spentM / course.scaleM);
  return { along: course.isHeldBack ? Math.exp(-drivenM / course.scaleM) : across, across };
}

/** The error that is not along the line, metres east and north. */
function driftOf({ directionDeg, aheadM, drift }, { along, across }) {
  const ahead = stepTo(directionDeg, aheadM * along);
  return [ahead[0] + drift[0] * across, ahead[1] + drift[1] * across];
}

function offsetAt(fix, course, line, now) {
  const carried = carriedM(fix, now);
  const free = fix.offsetM + carried + course.alongM * sharesOf(course, carried, now).along;
  return Math.min(line.lengthM, Math.max(0, free));
}

/** The direction to rotate to: of a stretch of line around the position, or of the fix; null if there is none. */
function targetDeg(fix, course, line, now) {
  if (!line || fix.offsetM === null) return fix.bearing;
  const offset = offsetAt(fix, course, line, now);
  const from = line.placeAt(Math.max(0, offset - STRETCH_M / 2));
  const to = line.placeAt(Math.min(line.lengthM, offset + STRETCH_M / 2));
  if (!from || !to) return null;
  const stretch = new LocalPlane(from).point(to);
  // The ends of a stretch around a U-turn are the same place.
  return lengthOf(stretch) > 0.1 ? normalizedDeg(Math.atan2(stretch[0], stretch[1]) * 180 / Math.PI) : null;
}

/** Integrates the rotation up to `elapsedS` seconds after the fix in steps of a fixed length, and gives the direction then. */
function turned(turn, elapsedS, target) {
  if (elapsedS > CARRY_LIMIT_S + BACK_S + TURN_OVER_S) return target(elapsedS) ?? turn.bearing;
  const next = () => rotated(turn.bearing, target((turn.steps + 1) * TURN_STEP_S), TURN_STEP_S);
  while ((turn.steps + 1) * TURN_STEP_S <= elapsedS) {
    turn.bearing = next();
    turn.steps += 1;
  }
  const share = (elapsedS - turn.steps * TURN_STEP_S) / TURN_STEP_S;
  return normalizedDeg(turn.bearing + signedDeg(next() - turn.bearing) * share);
}

/** The direction after `seconds` of rotation: at the limit, then exponential. */
function rotated(bearing, target, seconds) {
  if (target === null) return bearing;
  const turn = signedDeg(target - bearing);
  const knee = TURN_LIMIT_DEG_PER_S * TURN_SETTLE_S;
  const limitedS = Math.max(0, (Math.abs(turn) - knee) / TURN_LIMIT_DEG_PER_S);
  const left = seconds <= limitedS ? Math.abs(turn) - TURN_LIMIT_DEG_PER_S * seconds
    : Math.min(Math.abs(turn), knee) * Math.exp(-(seconds - limitedS) / TURN_SETTLE_S);
  return normalizedDeg(turn < 0 ? target + left : target - left);
}

/** Metres east and north of a step in a direction. */
const stepTo = (bearing, metres) => [metres * Math.sin(bearing * Math.PI / 180), metres * Math.cos(bearing * Math.PI / 180)];
const lengthOf = ([east, north]) => Math.sqrt(east * east + north * north);
