// Why a call failed, as a sentence for the driver. Knows no DOM.

import { hasWords, language, words } from "./words.js";

/**
 * The page's own words for the codes that it knows. Others come with a sentence of the stack, which is English: another
 * language shows the code.
 */
export function failureText({ code, message }) {
  const key = `failure.${code}`;
  if (code && hasWords(key)) return words(key);
  return language() === "en" && message ? message : words("failure.other", { code: code ?? "?" });
}
