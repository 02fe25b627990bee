// The sign of a speed limit as drivers see it. Knows no DOM.

/**
 * Form and caption of the sign in a country (ISO 3166-1, undefined if unknown): the ring of the Vienna Convention on Road
 * Signs and Signals (1968, sign C 14), the panel of the MUTCD (sign R2-1) in the United States, that of Canada (RB-1).
 */
export function speedSign(country) {
  switch (country) {
    case "US": return { form: "us", caption: "Speed limit" };
    case "CA": return { form: "canada", caption: "Maximum" };
    default: return { form: "vienna", caption: "" };
  }
}
