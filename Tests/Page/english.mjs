// The English words of the page, for tests that compare texts.

import { readFileSync } from "node:fs";

const folder = new URL("../../Sources/Nodes/nav-renderer/page/", import.meta.url);
export const { setWords } = await import(new URL("js/words.js", folder));

/** The table of a language. */
export function table(tag) { return JSON.parse(readFileSync(new URL(`words/${tag}.json`, folder), "utf8")); }

/** Uses the table of a language from now on. */
export function use(tag) { setWords(tag, table(tag)); }

use("en");
