import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Page } from "playwright"
import { expect as soon } from "playwright/test"
import type { TestServer } from "../support/server/server-process"

/** Generous for a busy machine; nothing is measured. */
export const expect = soon.configure({ timeout: 30_000 })

/** `address`: the client address. */
export type Visitor = { readonly address?: string; readonly script?: boolean }

/** Context of a scene: shop, language and camera. */
export type Tour = {
  readonly shop: TestServer
  /** Locale prefix of every path; empty for English. */
  readonly prefix: string
  /** Opens a page in a new browser context. */
  visitor(request?: Visitor): Promise<Page>
  take(page: Page, name: string): Promise<void>
  /** Takes the viewport without scrolling. */
  glance(page: Page, name: string): Promise<void>
  /** Takes the page while its animations run. */
  takeMoving(page: Page, name: string): Promise<void>
  /** Returns an unused email address. */
  email(): string
}

export const PASSWORD = "correct horse battery staple"

export const at = ({ shop, prefix }: Tour, path: string) =>
  `${shop.url}/checkout${prefix}${path === "/" && prefix ? "" : path}`

export async function open(tour: Tour, path: string): Promise<Page> {
  const page = await tour.visitor()
  await page.goto(at(tour, path))
  return page
}

/** Clicks the page's primary button. */
export const pressMain = (page: Page) => page.locator("button.main:visible").first().click()

/** Chooses the outcome on the gateway's page and waits until the shop has received it. */
export async function payWith(page: Page, outcome: string, { shop }: Tour): Promise<void> {
  await page.locator(`button[value="${outcome}"]`).click()
  await page.waitForURL((url) => url.origin === shop.url)
}

/** Changes the shop's database beside the running shop. */
export function inDatabase({ shop }: Tour, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(shop.dataDir, "boxoffice.db"))
  database.exec("PRAGMA busy_timeout = 5000")
  change(database)
  database.close()
}
