// The settings that the drawer offers: what each shows, and what a choice does. Knows no DOM.

import { COLOUR_SETS, RETURN_CHOICES_S } from "./device-settings.js";
import { UNIT_NAMES } from "./format.js";
import { LANGUAGES, unitText, numberText, words } from "./words.js";

/** Layers of the scene in the order in which they are listed, as in the contract. */
export const LAYERS = [
  "route", "eat_up", "traffic", "flow", "incidents", "alternatives", "maneuver_arrows", "offroad", "shields", "labels", "indicator", "panel",
  "warnings",
];
const THEMES = ["auto", "day", "night"];
const CAMERAS = ["dynamic", "speed_based", "fixed"];

const choice = (value, text) => ({ value: String(value), text });
const automatic = () => choice("auto", words("settings.automatic"));

/**
 * The groups of the drawer: {title, rows}, each row {id, text, kind, value} with the choices of a "choice", the limits of a
 * "range", or `isOn` of a "switch". `device` are the values of DeviceSettings, `scene` is scene/settings; `isVoiceOn` is null
 * where the browser has no voice.
 */
export function settingGroups({ device, scene, isVoiceOn }) {
  const hidden = new Set((scene.layers ?? []).filter(({ visible }) => !visible).map(({ name }) => name));
  const screen = [
    row("language", words("settings.language"), device.language, [
      automatic(), ...Object.entries(LANGUAGES).map(([tag, name]) => ({ ...choice(tag, name), language: tag }))]),
    row("units", words("settings.units"), device.units, [automatic(), ...UNIT_NAMES.map((name) => choice(name, words(`units.${name}`)))]),
    row("colours", words("settings.colours"), device.colours, [automatic(), ...COLOUR_SETS.map((name) => choice(name, words(`colours.${name}`)))]),
    row("returnS", words("settings.return"), device.returnS, returnChoices(device.returnS)),
  ];
  if (isVoiceOn !== null) {
    screen.push(
      { id: "voice", text: words("tools.sound"), kind: "switch", isOn: isVoiceOn },
      {
        id: "volume", text: words("settings.volume"), kind: "range", value: device.volume, least: 0, most: 1, step: 0.1,
        shown: numberText(device.volume, { style: "percent" }),
      });
  }
  const vehicle = [
    row("theme", words("settings.theme"), scene.theme, THEMES.map((name) => choice(name, words(`theme.${name}`)))),
    row("camera", words("settings.camera"), scene.camera, CAMERAS.map((name) => choice(name, words(`camera.${name}`)))),
    {
      id: "tilt", text: words("settings.tilt"), kind: "range", value: scene.tilt_deg, least: 0, most: 70, step: 5,
      shown: numberText(scene.tilt_deg ?? 0, { style: "unit", unit: "degree", unitDisplay: "narrow" }),
    },
    { id: "north", text: words("tools.north"), kind: "switch", isOn: scene.north_up === true },
  ];
  const layers = LAYERS.map((name) => ({ id: `layer-${name}`, text: words(`layer.${name}`), kind: "switch", isOn: !hidden.has(name) }));
  return [
    { title: words("settings.screen"), rows: screen }, { title: words("settings.vehicle"), rows: vehicle },
    { title: words("settings.layers"), rows: layers },
  ];
}

function row(id, text, value, choices) { return { id, text, kind: "choice", value: String(value), choices }; }

/** A time that was set elsewhere is a choice, too. */
function returnChoices(current) {
  const seconds = [...new Set([...RETURN_CHOICES_S, current])].sort((a, b) => a - b);
  return seconds.map((value) => choice(value, value === 0 ? words("settings.never") : `${numberText(value)} ${unitText(value, "second")}`));
}

/** The call of scene/control that a change of a row makes; null for a row of this screen. */
export function controlRequest(id, value) {
  switch (id) {
    case "theme": return { theme: value };
    case "camera": return { camera: value };
    case "tilt": return { tilt_deg: Number(value) };
    case "north": return { north_up: value === true };
    default: return id.startsWith("layer-") ? { layers: [{ name: id.slice("layer-".length), visible: value === true }] } : null;
  }
}

/** The value of a device setting from that of a row. */
export function deviceValue(id, value) { return id === "returnS" || id === "volume" ? Number(value) : value; }
