import type { Page } from "playwright"
import { expect as soon } from "playwright/test"
import type { TestServer } from "../support/server/server-process"

/** A machine that is busy with other things takes its time; nothing here measures it. */
export const expect = soon.configure({ timeout: 30_000 })

/** `address`: where he comes from. */
export type Visitor = { readonly address?: string; readonly script?: boolean }

/** What a scene is played with: a shop, a language, and a camera. */
export type Tour = {
  readonly shop: TestServer
  /** In front of every path; empty for English. */
  readonly prefix: string
  /** A visitor nobody has seen before. */
  visitor(request?: Visitor): Promise<Page>
  take(page: Page, name: string): Promise<void>
  /** What is seen before anybody scrolls. */
  glance(page: Page, name: string): Promise<void>
  /** A fresh e-mail. */
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

/** Presses the one big button of a page. */
export const pressMain = (page: Page) => page.locator("button.main:visible").first().click()

/** Chooses on the page of the gateway what becomes of a payment, and waits until the shop has it. */
export async function payWith(page: Page, outcome: string, { shop }: Tour): Promise<void> {
  await page.locator(`button[value="${outcome}"]`).click()
  await page.waitForURL((url) => url.origin === shop.url)
}
