// Measures what the main thread spends on each animation frame: the page's own work and the map's.
// Loaded before everything else, because it counts by standing around requestAnimationFrame.
(() => {
  const keep = 240;
  const spent = [];
  const request = window.requestAnimationFrame.bind(window);
  let frame = { stamp: -1, ms: 0 };

  function close(stamp) {
    if (frame.stamp >= 0) {
      spent.push(frame.ms);
      if (spent.length > keep) spent.shift();
      meter.frames += 1;
    }
    frame = { stamp, ms: 0 };
  }

  const meter = {
    /** Frames in which anything ran since the page was opened. */
    frames: 0,
    /** Mean and 95th percentile of the last frames, in milliseconds of the main thread. */
    figures() {
      const sorted = [...spent].sort((a, b) => a - b);
      const sum = sorted.reduce((a, b) => a + b, 0);
      return {
        frames: meter.frames,
        meanMs: sorted.length ? sum / sorted.length : 0,
        p95Ms: sorted.length ? sorted[Math.floor((sorted.length - 1) * 0.95)] : 0,
      };
    },
    reset() { spent.length = 0; },
  };

  window.requestAnimationFrame = (callback) => request((stamp) => {
    if (stamp !== frame.stamp) close(stamp);
    const began = performance.now();
    try {
      callback(stamp);
    } finally {
      frame.ms += performance.now() - began;
    }
  });
  window.navstackFrameMeter = meter;
})();
