import { type Browser, type BrowserContext, launch, type Page } from "puppeteer-core"
import { findProgram } from "../../../scripts/setup/find-program.mjs"

/** The processor of Lighthouse's mobile profile is so many times slower. */
export const PHONE_SLOWDOWN = 4
export const PHONE = { width: 360, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

/** A page, and who looks at it. `isPublic`: a first visit; otherwise the page of an order. */
export type Visited = { readonly path: string; readonly cookie: string; readonly isPublic: boolean }

export function launchChromium(): Promise<Browser> {
  return launch({
    executablePath: findProgram("chromium") ?? "chromium",
    // Chromium's sandbox does not work as root.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  })
}

/**
 * A browser's page with an empty cache and only the cookies of its order. To a page of an order a buyer comes from the checkout, whose
 * files are in the cache then; its service worker is not asked, since Lighthouse does not see what it requests.
 */
export async function pageBefore(
  context: BrowserContext,
  origin: string,
  { cookie, isPublic }: Visited,
): Promise<Page> {
  const page = await context.newPage()
  if (!isPublic) {
    await page.setBypassServiceWorker(true)
    await page.goto(`${origin}/checkout/`, { waitUntil: "networkidle0" })
  }
  const { hostname } = new URL(origin)
  for (const pair of cookie.split("; ").filter(Boolean)) {
    const [name = "", value = ""] = pair.split(/=(.*)/s)
    await context.setCookie({ name, value, domain: hostname, path: "/checkout" })
  }
  return page
}
