import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { localeContext } from "~/context/locale.server"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { HOUR, SECOND } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import { pageReloads } from "./page-reloads.server"

const SINCE = 1_000_000

/** The reloads of a page, by how long it has waited. */
function reloadsOf(path: string, waited: number) {
  const context = new RouterContextProvider()
  context.set(localeContext, defaultLocale)
  context.set(servicesContext, { now: () => SINCE + waited } as LoggedServices)
  return pageReloads(context, new URL(path, "https://shop.test/checkout/"), SINCE)
}

test("a page that waits for the shop reloads, and a link that keeps its query stops that", () => {
  expect(reloadsOf("success?service=s1", 3 * SECOND)).toEqual({
    refreshSeconds: 5,
    reloads: { text: "Stop reloading this page", path: "?service=s1&still=" },
  })
})

test("a page that was asked to stay does not reload, and a link starts that again", () => {
  expect(reloadsOf("success?service=s1&still=", 3 * SECOND)).toEqual({
    refreshSeconds: null,
    reloads: { text: "Let this page reload by itself", path: "?service=s1" },
  })
})

test("after an hour without news a page reloads by its link alone", () => {
  expect(reloadsOf("success", HOUR - 1).refreshSeconds).toBe(15)
  expect(reloadsOf("success", HOUR)).toEqual({
    refreshSeconds: null,
    reloads: { text: "Check now", path: "?" },
  })
})
