"""axe-core in a page under test, from the wheel that Tests/Page/run installs."""

import importlib.util
import pathlib

# Of the standard WCAG 2.2 AA, and what axe recommends beyond it.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

RUN = """axe.run(document, {runOnly: {type: 'tag', values: %s}, resultTypes: ['violations']})
  .then(({violations}) => violations.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.map((n) => `${n.target} ${n.any.concat(n.all, n.none).map((c) => c.message)}`).join(' | ')}`))"""


def script():
    """The text of axe.min.js; None where the wheel is not installed."""
    spec = importlib.util.find_spec("axe_playwright_python")
    return (pathlib.Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8") if spec else None


def violations(browser):
    """What axe finds wrong with the page as it is shown now, a sentence for each rule."""
    if not browser.value("typeof axe === 'object'"):
        # Over the DevTools protocol: the page's own policy admits no script of others.
        browser.value(f"{script()}; 1")
    return browser.value(RUN % TAGS)
