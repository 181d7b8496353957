import type { Page } from "playwright/test"

/**
 * Disables script in a page, so that it is parsed, styled and used as without JavaScript, and lends script to a check: axe runs
 * in the page. Playwright's own `javaScriptEnabled: false` has no such way back.
 */
export async function disableScript(page: Page) {
  const session = await page.context().newCDPSession(page)
  const disable = (value: boolean) => session.send("Emulation.setScriptExecutionDisabled", { value })
  await disable(true)
  return {
    /** Runs a check of the current page by script. The page neither reloads meanwhile nor looks as if script ran. */
    async lend(check: () => Promise<void>): Promise<void> {
      const address = new URL(page.url()).pathname
      const isPage = (url: URL) => url.pathname === address
      await page.route(isPage, (route) => route.fulfill({ status: 204 }))
      await disable(false)
      await page.evaluate(seenWithoutScript)
      await check()
      await disable(true)
      await page.unroute(isPage)
    },
  }
}

/**
 * Runs in the page. Its reload stays out of the check: without script the page has no other way to learn of a payment, so this is
 * the one exception from WCAG 2.2.1. Its style sheets' rules for pages without script stay in force.
 */
function seenWithoutScript(): void {
  document.querySelector('meta[http-equiv="refresh"]')?.remove()
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  for (const rule of rules)
    if (rule instanceof CSSMediaRule)
      rule.media.mediaText = rule.media.mediaText
        .replaceAll("(scripting: enabled)", "(max-width: 0px)")
        .replaceAll("(scripting: none)", "(min-width: 0px)")
}
