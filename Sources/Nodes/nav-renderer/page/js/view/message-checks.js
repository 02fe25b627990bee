// What the page needs of a message: a message without it is refused as a whole.

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const isText = (value) => typeof value === "string";
const isTruth = (value) => typeof value === "boolean";
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isList = (value) => Array.isArray(value);

const route = { id: isText, shape: isText };
const position = { lat_deg: isNumber, lon_deg: isNumber };

/**
 * By topic, what must be there (`needs`) and what may be missing (`may`), with the kind of each; `[fields]` is a list of
 * objects with these fields. `isState` marks topics whose payload is null when there is nothing.
 */
const CHECKS = {
  "scene/frame": {
    needs: {
      camera_lat_deg: isNumber, camera_lon_deg: isNumber, camera_zoom: isNumber, camera_tilt_deg: isNumber,
      camera_bearing_deg: isNumber, camera_mode: isText,
    },
    may: {
      indicator_lat_deg: isNumber, indicator_lon_deg: isNumber, indicator_bearing_deg: isNumber, indicator_style: isText,
      anchor_x: isNumber, anchor_y: isNumber, night: isTruth, route_id: isText, eat_up_shape_index: isNumber,
      eat_up_shape_fraction: isNumber,
      panel: {
        maneuver_index: isNumber, maneuver_remaining_m: isNumber, speed_mps: isNumber, speed_limit_mps: isNumber,
        remaining_m: isNumber, remaining_s: isNumber, eta_ns: isNumber, lanes: isList, signpost: isObject,
      },
    },
    isStamped: true, isSent: true,
  },
  "scene/settings": { isState: true, may: { layers: isList, colours: isList, routes: isList } },
  "route/active": { isState: true, may: { paused: isTruth, route: { needs: route, may: { maneuvers: isList, waypoints: isList, spans: isObject } } } },
  "route/alternatives": { isState: true, may: { routes: [{ shape: isText }] } },
  "route/better": { needs: { id: isText, state: isText }, may: { route_id: isText, gain_s: isNumber, longer_m: isNumber, route: { needs: route } } },
  "route/error": { needs: { text: isText } },
  "guidance/progress": {
    needs: { route_id: isText, travelled_m: isNumber }, may: { next_waypoint: isNumber, sections: isList, eta_utc_offset_s: isNumber },
  },
  "guidance/road": { isState: true, may: { road: isObject } },
  "guidance/speed": { isState: true, may: { exceeded: isTruth } },
  "guidance/reroute": { needs: { state: isText }, may: { reason: isText, route_id: isText, error_text: isText } },
  "guidance/warning": {
    needs: { id: isText, kind: isText, event: isText },
    may: { distance_m: isNumber, lat_deg: isNumber, lon_deg: isNumber, text: isText, limit_mps: isNumber }, isStamped: true,
  },
  "guidance/arrival": { needs: { route_id: isText, event: isText, ...position }, may: { name: isText, side: isText, off_road: isTruth } },
  "guidance/deviation": { needs: { route_id: isText, location: isObject }, may: { first: isTruth, distance_m: isNumber } },
  "guidance/offroad": { needs: { route_id: isText, remaining_m: isNumber, bearing_deg: isNumber } },
  "voice/announcement": { needs: { key: isText, text: isText }, may: { expected_duration_s: isNumber } },
  "guidance/traffic": { isState: true, may: { route_id: isText, incidents: [{ start_m: isNumber, length_m: isNumber }] } },
  "traffic/incidents": { isState: true, may: { incidents: isList } },
  _alive: { may: { bus: isTruth } },
  _map: {},
  _flow: { may: { version: isText, segments: isNumber, jam: isNumber, closed: isNumber } },
  // Messages of the page itself.
  _link: { needs: { isOpen: isTruth } },
  _refused: { needs: { text: isText } },
  _resumed: {},
  _answered: { needs: { kind: isText } },
  _failed: { needs: { text: isText } },
  _caption: { needs: { text: isText } },
  _vehicles: { needs: { total: isNumber }, may: { known: isTruth } },
};

/** The topics that the page knows. */
export const TOPICS = Object.keys(CHECKS);

/** The fields of the payload of a topic without which its messages are refused. */
export const neededFields = (topic) => Object.keys(CHECKS[topic].needs ?? {});

const isAbsent = (value) => value === undefined || value === null;

/** The first fault of a value by its check, as `path: what`; "" for none. */
function fault(value, check, path) {
  if (typeof check === "function") return check(value) ? "" : `${path}: ${JSON.stringify(value)?.slice(0, 40)}`;
  if (isList(check)) {
    if (!isList(value)) return `${path}: not a list`;
    return value.map((entry, index) => fault(entry, { needs: check[0] }, `${path}[${index}]`)).find(Boolean) ?? "";
  }
  if (!isObject(value)) return `${path}: not an object`;
  // Plain fields are all optional.
  const { needs = {}, may = {} } = Object.hasOwn(check, "needs") || Object.hasOwn(check, "may") ? check : { may: check };
  for (const [name, part] of Object.entries(needs)) {
    if (isAbsent(value[name])) return `${path}.${name}: missing`;
    const found = fault(value[name], part, `${path}.${name}`);
    if (found) return found;
  }
  for (const [name, part] of Object.entries(may)) {
    const found = isAbsent(value[name]) ? "" : fault(value[name], part, `${path}.${name}`);
    if (found) return found;
  }
  return "";
}

/** Why a message is refused, as one sentence that names the field; "" for a message that can be shown. */
export function refusal(message) {
  if (!isObject(message) || !isText(message.topic)) return "a message without a topic";
  const { topic, payload } = message;
  const check = Object.hasOwn(CHECKS, topic) ? CHECKS[topic] : null;
  if (!check) return `${topic}: an unknown topic`;
  if (check.isStamped && !isNumber(message.stamp)) return `${topic}: stamp: missing`;
  if (check.isSent && !isNumber(message.sent)) return `${topic}: sent: missing`;
  if (check.isState && isAbsent(payload)) return "";
  const found = fault(payload ?? {}, { needs: check.needs ?? {}, may: check.may ?? {} }, "payload");
  return found && `${topic}: ${found}`;
}
