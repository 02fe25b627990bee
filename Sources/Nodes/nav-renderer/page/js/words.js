// The words of the page: one table per language in words/, all with the same keys. Knows no DOM.

/** The languages with a table, by BCP 47 tag, in their own words. */
export const LANGUAGES = {
  en: "English", ar: "العربية", cs: "Čeština", de: "Deutsch", es: "Español", fr: "Français", he: "עברית", it: "Italiano",
  ja: "日本語", nl: "Nederlands", pl: "Polski", pt: "Português", sv: "Svenska",
};
const RIGHT_TO_LEFT = new Set(["ar", "he"]);
/** Older tags of a language that some systems still report. */
const RENAMED = { iw: "he" };

let current = { language: "en", table: {} };
let plurals = new Intl.PluralRules("en");
const numberFormats = new Map();

/** The language of the table in use. */
export function language() { return current.language; }

/** "rtl" for languages that are written from right to left, else "ltr". */
export function direction(tag) { return RIGHT_TO_LEFT.has(tag) ? "rtl" : "ltr"; }

/** Uses a table from now on. */
export function setWords(tag, table) {
  current = { language: tag, table };
  plurals = new Intl.PluralRules(tag);
  numberFormats.clear();
}

/** The first of the wanted BCP 47 tags that has a table, English without one. */
export function chosenLanguage(wanted) {
  for (const tag of wanted) {
    const [base] = String(tag ?? "").toLowerCase().split("-");
    const name = RENAMED[base] ?? base;
    if (Object.hasOwn(LANGUAGES, name)) return name;
  }
  return "en";
}

/** A number as the language writes it; `options` as for Intl.NumberFormat. */
export function numberText(value, options = {}) {
  const key = JSON.stringify(options);
  if (!numberFormats.has(key)) {
    numberFormats.set(key, new Intl.NumberFormat(current.language, { useGrouping: false, ...options }));
  }
  return numberFormats.get(key).format(value);
}

/** The name of a unit of Intl.NumberFormat, as it stands beside `value`. */
export function unitText(value, unit) {
  const key = `${unit} ${value === 1}`;
  if (!numberFormats.has(key)) {
    const format = new Intl.NumberFormat(current.language, { style: "unit", unit, unitDisplay: "short" });
    numberFormats.set(key, format.formatToParts(value).filter(({ type }) => type === "unit").map((part) => part.value).join("").trim());
  }
  return numberFormats.get(key);
}

/** Several texts as one list without a conjunction. */
export function listText(texts) {
  return new Intl.ListFormat(current.language, { style: "short", type: "unit" }).format(texts);
}

/** Whether a table has the key. */
export function hasWords(key) { return Object.hasOwn(current.table, key); }

/**
 * The text of a key with its placeholders filled in; `values.count` chooses the plural. Numbers are written as the language
 * does; texts keep their own direction in a line of the other one.
 */
export function words(key, values = {}) {
  const entry = current.table[key];
  if (entry === undefined) return key;
  const text = typeof entry === "string" ? entry : entry[plurals.select(values.count ?? 0)] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (mark, name) => (Object.hasOwn(values, name) ? valueText(values[name]) : mark));
}

function valueText(value) {
  if (typeof value === "number") return numberText(value);
  // First strong isolate and its end, Unicode Standard Annex 9.
  return RIGHT_TO_LEFT.has(current.language) ? `\u2068${value}\u2069` : String(value);
}
