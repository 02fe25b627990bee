// What the dashboard shows, computed from the reports of a stack: no browser is needed here.

/** A rate in messages per second. */
export function rateText(hz) {
  if (!(hz > 0)) return "0";
  if (hz < 0.095) return hz.toFixed(3);
  if (hz < 9.995) return hz.toFixed(2);
  if (hz < 99.95) return hz.toFixed(1);
  if (hz < 9_999.5) return `${Math.round(hz)}`;
  return `${(hz / 1000).toFixed(1)}k`;
}

const BYTES = ["B", "kB", "MB", "GB"];

/** Bytes with three digits at most. */
export function bytesText(bytes) {
  let value = bytes ?? 0;
  let unit = 0;
  while (value >= 999.5 && unit < BYTES.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${BYTES[unit]}`;
}

/** Milliseconds as people read them: 0.42 ms, 12 ms, 3.2 s, 4 min. */
export function msText(ms) {
  if (ms === undefined || ms === null) return "–";
  if (ms < 9.95) return `${ms.toFixed(ms < 0.995 ? 2 : 1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 99_950) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 5_940_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

/** The time of day of an instant in nanoseconds, in UTC or where the browser is. */
export function clockText(nanoseconds, { utc = false, millis = false } = {}) {
  if (nanoseconds === undefined || nanoseconds === null) return "–";
  const date = new Date(nanoseconds / 1e6);
  if (Number.isNaN(date.getTime())) return "–";
  const two = (value) => String(value).padStart(2, "0");
  const parts = utc
    ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()] : [date.getHours(), date.getMinutes(), date.getSeconds()];
  const text = parts.map(two).join(":");
  return millis ? `${text}.${String(date.getUTCMilliseconds()).padStart(3, "0")}` : text;
}

/** How good a state of a node, or the health of an input, is: good, warn, bad or idle. */
export function tone(word) {
  if (["ready", "ok", "good"].includes(word)) return "good";
  if (["starting", "degraded", "pending", "slow", "never", "stopping", "leaving", "warning"].includes(word)) return "warn";
  if (["stopped", "exited", "mute", "info", undefined, null, ""].includes(word)) return "idle";
  return "bad";
}

/** The leaf of a topic: location/matched for ego/location/matched and for * /location/matched. */
export function leafOf(topic) {
  if (topic.startsWith("_")) return topic;
  const slash = topic.indexOf("/");
  return slash < 0 ? topic : topic.slice(slash + 1);
}

/** The subscribers of a topic, with or without its vehicle, with what each has received, lost and refused; sorted by name. */
export function subscribers(nodes, topic) {
  const names = [topic, leafOf(topic)];
  return nodes.flatMap((node) => node.inputs.filter((input) => names.includes(input.topic)).map((input) => ({ ...input, node: node.name })))
    .sort((a, b) => (a.node < b.node ? -1 : 1));
}

/** Rates, losses and health by leaf: what a row of the graph and of the table shows. */
export function byLeaf(report) {
  const leaves = new Map();
  const at = (leaf) => {
    if (!leaves.has(leaf)) leaves.set(leaf, { hz: 0, bytes: 0, messages: 0, lost: 0, gaps: 0, health: null, readers: 0 });
    return leaves.get(leaf);
  };
  for (const topic of report.topics) {
    const row = at(leafOf(topic.name));
    row.hz += topic.hz;
    row.bytes += topic.bytes_per_s;
    row.messages += topic.messages;
  }
  for (const node of report.nodes) {
    for (const input of node.inputs) {
      const row = at(input.topic);
      row.lost += input.lost ?? 0;
      row.gaps += input.gaps ?? 0;
      row.readers += 1;
      if (input.health && (row.health === null || severity(input.health) > severity(row.health))) row.health = input.health;
    }
  }
  return leaves;
}

function severity(health) { return ["ok", "never", "slow", "stale", "invalid"].indexOf(health); }

/** The figures of the head of the page. */
export function summary(report) {
  const nodes = report.nodes.map((node) => node.state);
  const troubles = report.nodes.filter((node) => tone(node.state) !== "good" && node.state !== "exited");
  const lost = [...byLeaf(report).values()].reduce((sum, row) => sum + row.lost, 0);
  const carried = report.topics.filter((topic) => !topic.name.startsWith("_"));
  return {
    nodes: nodes.length, troubles: troubles.map((node) => `${node.name} ${node.state}`),
    worst: troubles.length === 0 ? "good" : troubles.some((node) => tone(node.state) === "bad") ? "bad" : "warn",
    hz: carried.reduce((sum, topic) => sum + topic.hz, 0), bytes: carried.reduce((sum, topic) => sum + topic.bytes_per_s, 0),
    vehicles: Math.max(0, ...report.topics.map((topic) => topic.vehicles ?? 0)), lost,
    cpu: report.nodes.reduce((sum, node) => sum + (node.cpu ?? 0), 0),
    memory: report.nodes.reduce((sum, node) => sum + (node.memory ?? 0), 0),
  };
}

/** The last values of each name, for small curves. */
export class History {
  constructor(length = 60) {
    this.length = length;
    this.values = new Map();
  }

  add(name, value) {
    const list = this.values.get(name) ?? [];
    list.push(value);
    if (list.length > this.length) list.shift();
    this.values.set(name, list);
    return list;
  }
}

/** The points of a curve through `values` in a box; the highest value, at least `least`, touches its top. */
export function curve(values, width, height, length, least = 0) {
  if (values.length < 2) return "";
  const top = Math.max(least, ...values) || 1;
  const step = width / (length - 1);
  const start = width - step * (values.length - 1);
  return values.map((value, index) => `${(start + index * step).toFixed(1)},${(height - 1 - (height - 2) * value / top).toFixed(1)}`).join(" ");
}

/** Sizes of the drawing in pixels; stack.css has the same. */
export const CARD = { width: 196, head: 46, row: 21, foot: 7, gapY: 20, minGapX: 48 };
/**
 * Cards of nodes with their topics, in columns along the flow, and the lines from each topic to its readers.
 * Topics on which nothing has been published so far are only counted.
 * `width` is the room; the drawing is as wide or wider.
 */
export function layout(report, width) {
  const leaves = byLeaf(report);
  const topics = report.graph.filter((line) => !line.call);
  const known = new Map(report.nodes.map((node) => [node.name, node]));
  // A writer that is no node of the bus: a tool, or a program of another project.
  for (const line of topics) {
    for (const writer of line.from) if (!known.has(writer) && line.to.length) known.set(writer, { name: writer, state: "mute", isForeign: true, inputs: [], outputs: [] });
  }
  const names = [...known.keys()];
  const edges = new Map(names.map((name) => [name, new Map()]));
  for (const line of topics) {
    // Locations are what flows: everything else may lead back.
    const weight = line.name === "location/raw" ? 1000 : line.name.startsWith("location/") ? 10 : 1;
    for (const from of line.from) for (const to of line.to) {
      if (from !== to && edges.has(from) && edges.has(to)) edges.get(from).set(to, (edges.get(from).get(to) ?? 0) + weight);
    }
  }
  const columns = columnsOf(names, edges);
  const cards = new Map();
  for (const [x, column] of columns.entries()) {
    for (const name of column) {
      const own = topics.filter((line) => line.from.includes(name));
      const shown = own.filter((line) => (leaves.get(line.name)?.messages ?? 0) > 0);
      const quiet = own.length - shown.length;
      const rows = shown.map((line) => ({ topic: line.name, ...leaves.get(line.name), readers: line.to.filter((to) => to !== name) }));
      cards.set(name, {
        name, node: known.get(name), column: x, rows, quiet,
        height: CARD.head + rows.length * CARD.row + (quiet ? CARD.row : 0) + (rows.length || quiet ? CARD.foot : 0),
      });
    }
  }
  order(columns, edges);
  const count = Math.max(1, columns.length);
  const gapX = count > 1 ? Math.max(CARD.minGapX, (width - count * CARD.width - 4) / (count - 1)) : 0;
  const heights = columns.map((column) => column.reduce((sum, name) => sum + cards.get(name).height + CARD.gapY, -CARD.gapY));
  const height = Math.max(0, ...heights);
  columns.forEach((column, x) => {
    // What is left of the height stands between the cards of a column, but not without end.
    const air = Math.min(60, (height - heights[x]) / (column.length + 1));
    let y = column.length > 1 ? Math.max(0, (height - heights[x] - air * (column.length - 1)) / 2) : (height - heights[x]) / 2;
    for (const name of column) {
      const card = cards.get(name);
      card.x = 2 + x * (CARD.width + gapX);
      card.y = y;
      y += card.height + CARD.gapY + air;
    }
  });
  const links = [];
  const ports = new Map();
  for (const card of cards.values()) {
    card.rows.forEach((row, index) => {
      for (const reader of row.readers) {
        const to = cards.get(reader);
        if (!to) continue;
        const link = { topic: row.topic, from: card.name, to: reader, hz: row.hz ?? 0, y1: card.y + CARD.head + (index + 0.5) * CARD.row };
        links.push(link);
        if (!ports.has(reader)) ports.set(reader, []);
        ports.get(reader).push(link);
      }
    });
  }
  for (const [reader, list] of ports) {
    const to = cards.get(reader);
    list.sort((a, b) => a.y1 - b.y1 || a.topic.localeCompare(b.topic));
    const room = Math.min(to.height - 16, list.length * 9);
    list.forEach((link, index) => {
      link.y2 = to.y + 12 + (list.length > 1 ? index * room / (list.length - 1 || 1) : CARD.head / 2 - 12);
      const from = cards.get(link.from);
      link.path = path(from.x + CARD.width, link.y1, to.x, link.y2, height);
    });
  }
  const calls = report.graph.filter((line) => line.call && line.from.length && line.to.length);
  const pairs = new Map();
  for (const line of calls) {
    for (const from of line.from) for (const to of line.to) {
      if (from === to || !cards.has(from) || !cards.has(to)) continue;
      const key = `${from} ${to}`;
      if (!pairs.has(key)) pairs.set(key, { from, to, calls: [] });
      pairs.get(key).calls.push(line.name);
    }
  }
  return {
    cards: [...cards.values()], links, calls: [...pairs.values()].map((pair) => ({ ...pair, path: callPath(cards.get(pair.from), cards.get(pair.to)) })),
    width: Math.max(width, count * CARD.width + (count - 1) * gapX + 4), height: height + 4,
  };
}

/** The columns of the nodes: each stands to the right of what it reads, loops left aside. `edges` have weights. */
export function columnsOf(names, edges) {
  const sequence = flowOrder(names, edges);
  const place = new Map(sequence.map((name, index) => [name, index]));
  const column = new Map(names.map((name) => [name, 0]));
  for (const name of sequence) {
    for (const to of edges.get(name).keys()) {
      if (place.get(to) > place.get(name)) column.set(to, Math.max(column.get(to), column.get(name) + 1));
    }
  }
  // A source stands next to its first reader.
  for (const name of [...sequence].reverse()) {
    const reads = names.some((other) => edges.get(other).has(name));
    const later = [...edges.get(name).keys()].filter((to) => place.get(to) > place.get(name)).map((to) => column.get(to));
    if (!reads && later.length) column.set(name, Math.max(0, Math.min(...later) - 1));
  }
  const columns = [];
  for (const name of names) (columns[column.get(name)] ??= []).push(name);
  return Array.from(columns, (list) => list ?? []).filter((list) => list.length);
}

/** An order of the nodes in which few lines lead back (Eades, Lin and Smyth 1993). */
function flowOrder(names, edges) {
  const left = new Set([...names].sort());
  const head = [];
  const tail = [];
  const into = (name) => [...left].reduce((sum, other) => sum + (edges.get(other).get(name) ?? 0), 0);
  const out = (name) => [...edges.get(name)].reduce((sum, [other, weight]) => sum + (left.has(other) ? weight : 0), 0);
  while (left.size) {
    const all = [...left];
    const source = all.find((name) => into(name) === 0);
    const sink = all.find((name) => out(name) === 0);
    if (source !== undefined) { head.push(source); left.delete(source); continue; }
    if (sink !== undefined) { tail.unshift(sink); left.delete(sink); continue; }
    const next = all.reduce((best, name) => (out(name) - into(name) > out(best) - into(best) ? name : best));
    head.push(next);
    left.delete(next);
  }
  return [...head, ...tail];
}

/** Orders each column by where its neighbours stand, so that few lines cross. */
function order(columns, edges) {
  const place = new Map();
  const mark = () => columns.forEach((column) => column.forEach((name, index) => place.set(name, (index + 0.5) / column.length)));
  mark();
  for (let round = 0; round < 6; round += 1) {
    for (const column of columns) {
      const weight = new Map(column.map((name) => {
        const near = [...edges.get(name).keys(), ...[...edges.keys()].filter((other) => edges.get(other).has(name))].map((other) => place.get(other));
        // What is connected to nothing stands last.
        return [name, near.length ? near.reduce((sum, value) => sum + value, 0) / near.length : 2];
      }));
      column.sort((a, b) => weight.get(a) - weight.get(b) || (a < b ? -1 : 1));
      mark();
    }
  }
}

function path(x1, y1, x2, y2, height) {
  const n = (value) => Math.round(value * 10) / 10;
  if (x2 > x1) {
    const bend = Math.max(28, Math.min(90, (x2 - x1) * 0.5));
    return `M${n(x1)} ${n(y1)}C${n(x1 + bend)} ${n(y1)} ${n(x2 - bend)} ${n(y2)} ${n(x2)} ${n(y2)}`;
  }
  // Back to an earlier column: round below.
  const low = Math.min(height, Math.max(y1, y2) + 60);
  return `M${n(x1)} ${n(y1)}C${n(x1 + 70)} ${n(y1)} ${n(x1 + 50)} ${n(low)} ${n((x1 + x2) / 2)} ${n(low)}S${n(x2 - 70)} ${n(y2)} ${n(x2)} ${n(y2)}`;
}

function callPath(from, to) {
  const n = (value) => Math.round(value * 10) / 10;
  if (from.column === to.column) {
    const [y1, y2] = [from.y + 14, to.y + 14];
    const x = from.x;
    return `M${n(x)} ${n(y1)}C${n(x - 34)} ${n(y1)} ${n(x - 34)} ${n(y2)} ${n(x)} ${n(y2)}`;
  }
  const isRight = to.column > from.column;
  const x1 = isRight ? from.x + CARD.width : from.x;
  const x2 = isRight ? to.x : to.x + CARD.width;
  const bend = (x2 - x1) * 0.5;
  return `M${n(x1)} ${n(from.y + 14)}C${n(x1 + bend)} ${n(from.y + 14)} ${n(x2 - bend)} ${n(to.y + 14)} ${n(x2)} ${n(to.y + 14)}`;
}

/** Rows in the order of a column; texts forwards, numbers with the greatest first where `isDown`. */
export function sorted(rows, key, isDown) {
  const sign = isDown ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a[key], b[key]];
    const compared = typeof x === "string" || typeof y === "string"
      ? String(x ?? "").localeCompare(String(y ?? ""), "en", { numeric: true }) : (x ?? -1) - (y ?? -1);
    return sign * compared || (a.name < b.name ? -1 : 1);
  });
}

/** The lines of a cause trail: the message first, what led to it below, with the time that each step took. */
export function trailLines(trail) {
  return trail.map((step, index) => {
    if (!step.sequence) return { text: step.topic.startsWith("_svc/") ? `call ${step.topic.slice(5)} by ${step.source}` : step.source ? `${step.topic} of ${step.source}` : step.topic, took: "" };
    const before = trail[index + 1]?.sent_ns;
    const took = step.sent_ns && before ? msText(Math.max(0, (step.sent_ns - before) / 1e6)) : "";
    return { text: `${step.topic} ${step.sequence} of ${step.source}`, took: took && `+${took}` };
  });
}

/** Small fields of a decision as pairs of texts, nested ones with their path. */
export function evidencePairs(value, prefix = "") {
  return Object.entries(value ?? {}).flatMap(([key, entry]) => {
    const name = prefix ? `${prefix}.${key}` : key;
    if (entry !== null && typeof entry === "object" && !Array.isArray(entry)) return evidencePairs(entry, name);
    const text = Array.isArray(entry) ? entry.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(", ")
      : typeof entry === "number" && !Number.isInteger(entry) ? String(Math.round(entry * 1e6) / 1e6) : String(entry);
    return text ? [[name, text]] : [];
  });
}
