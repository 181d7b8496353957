import type { MiddlewareFunction } from "react-router"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { emptySession } from "~/context/session.server"
import { locales, localPath } from "~/domain/locales"
import { buyPlan } from "../../tests/fixtures/purchase"
import { branchOf, respond, routes, type Visit } from "../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const modules = import.meta.glob<Record<string, MiddlewareFunction<Response>>>(
  ["../middleware/**/*.server.ts", "!**/*.test.ts"],
  { eager: true },
)
const names = new Map(
  Object.values(modules).flatMap((module) =>
    Object.entries(module).map(([name, value]) => [value, name] as const),
  ),
)

/** Middleware of a route and its parents, in order; guards with a parameter are not named. */
const middlewareOf = (id: string) =>
  branchOf(id)
    .flatMap(({ middleware = [] }) => middleware)
    .map((it) => names.get(it))
    .filter((name) => name !== undefined)

const ofPages = [
  "matchedRoute",
  "privateNoCache",
  "analyticsIsolation",
  "bot",
  "session",
  "buyerPrices",
  "pathLocale",
  "locale",
  "knownPrefix",
  "rejection",
  "signOut",
  "forgetDevice",
  "endedSession",
  "otherCheckout",
  "affiliateClick",
  "emailLogin",
  "resume",
  "promoLinkRateLimit",
  "autoRedirect",
  "otherLink",
  "entryChoices",
  "signIn",
]

const ofConsole = ["matchedRoute", "noStore", "consoleExists", "rejection"]
const ofOperators = [...ofConsole, "operatorSignedIn", "formSentBefore"]

const table: Record<string, readonly string[]> = {
  root: ["matchedRoute"],
  "routes/api/health": ["matchedRoute", "rejection"],
  "routes/api/live": ["matchedRoute", "rejection"],
  "routes/api/openapi": ["matchedRoute", "billingApiExists", "rejection"],
  "routes/api/new-click": ["matchedRoute", "rejection"],
  "routes/api/mail-events": ["matchedRoute", "mailEventsExist", "rejection"],
  "routes/api/payment-callback": ["matchedRoute", "rejection"],
  "routes/api/billing-api": ["matchedRoute"],
  "routes/api/order-status": ["matchedRoute", "noStore", "session", "rejection", "endedSession"],
  "routes/api/purchase-step": ["matchedRoute", "noStore", "rejection"],
  "routes/files/manifest": ["matchedRoute", "pathLocale", "knownPrefix", "rejection"],
  "routes/files/playlist": [
    "matchedRoute",
    "noStore",
    "session",
    "pathLocale",
    "knownPrefix",
    "rejection",
    "endedSession",
  ],
  "routes/files/proforma": [
    "matchedRoute",
    "noStore",
    "session",
    "pathLocale",
    "knownPrefix",
    "rejection",
    "endedSession",
  ],
  "routes/files/tax-document": [
    "matchedRoute",
    "noStore",
    "session",
    "pathLocale",
    "knownPrefix",
    "rejection",
    "endedSession",
  ],
  "routes/files/reseller-statement": [
    "matchedRoute",
    "noStore",
    "session",
    "pathLocale",
    "knownPrefix",
    "rejection",
    "endedSession",
  ],
  "routes/files/reseller-lines": [
    "matchedRoute",
    "noStore",
    "session",
    "pathLocale",
    "knownPrefix",
    "rejection",
    "endedSession",
  ],
  "routes/admin/console": ofConsole,
  "routes/admin/sign-in": ofConsole,
  "routes/admin/set-up": ofConsole,
  "routes/admin/not-found": ofOperators,
  "routes/admin/signed-in": ofOperators,
  "routes/admin/overview": ofOperators,
  "routes/admin/first-day": ofOperators,
  "routes/admin/account": ofOperators,
  "routes/admin/audit": ofOperators,
  "routes/admin/orders": ofOperators,
  "routes/admin/orders-export": ofOperators,
  "routes/admin/services-export": ofOperators,
  "routes/admin/order": ofOperators,
  "routes/admin/order-timeline": ofOperators,
  "routes/admin/customers": ofOperators,
  "routes/admin/customers-export": ofOperators,
  "routes/admin/customer": ofOperators,
  "routes/admin/customer-export": ofOperators,
  "routes/admin/customer-view": ofOperators,
  "routes/admin/services": ofOperators,
  "routes/admin/service": ofOperators,
  "routes/admin/jobs": ofOperators,
  "routes/admin/mails": ofOperators,
  "routes/admin/mail": ofOperators,
  "routes/admin/suppressed-addresses": ofOperators,
  "routes/admin/blocks": ofOperators,
  "routes/admin/backups": ofOperators,
  "routes/admin/settings": ofOperators,
  "routes/admin/gateways": ofOperators,
  "routes/admin/gateway": ofOperators,
  "routes/admin/catalogue": ofOperators,
  "routes/admin/catalogue-product": ofOperators,
  "routes/admin/catalogue-new-product": ofOperators,
  "routes/admin/catalogue-new-option": ofOperators,
  "routes/admin/catalogue-option": ofOperators,
  "routes/admin/catalogue-renewals": ofOperators,
  "routes/admin/catalogue-prices": ofOperators,
  "routes/admin/catalogue-version": ofOperators,
  "routes/admin/catalogue-preview": ofOperators,
  "routes/admin/accounting": ofOperators,
  "routes/admin/one-stop-shop": ofOperators,
  "routes/admin/brand": ofOperators,
  "routes/admin/brand-part": ofOperators,
  "routes/admin/brand-version": ofOperators,
  "routes/admin/brand-preview": ofOperators,
  "routes/admin/brand-logo": ofOperators,
  "routes/admin/order-document": ofOperators,
  "routes/admin/tax": ofOperators,
  "routes/admin/tax-rules": ofOperators,
  "routes/admin/tax-version": ofOperators,
  "routes/admin/promotions": ofOperators,
  "routes/admin/promotion": ofOperators,
  "routes/admin/promotion-codes": ofOperators,
  "routes/admin/resellers": ofOperators,
  "routes/admin/reseller": ofOperators,
  "routes/admin/affiliates": ofOperators,
  "routes/admin/affiliate": ofOperators,
  "routes/admin/rejected-callbacks": ofOperators,
  "routes/admin/rejected-callback": ofOperators,
  "routes/admin/rejected-callback-body": ofOperators,
  "routes/admin/unmatched-payments": ofOperators,
  "routes/admin/unmatched-payment": ofOperators,
  "routes/admin/webhooks": ofOperators,
  "routes/admin/webhook": ofOperators,
  "routes/admin/operator": ofOperators,
  "routes/admin/operators": ofOperators,
  "routes/admin/bulk": ofOperators,
  "routes/admin/bulk-run": ofOperators,
  "routes/admin/bulk-result": ofOperators,
  "routes/admin/sign-out": ofOperators,
  "routes/page": ofPages,
  "routes/checkout": [...ofPages, "pricing"],
  "routes/creating-order": [...ofPages, "noStore", "otherReview", "pricing"],
  "routes/resellers": [...ofPages, "pricing"],
  "routes/waiting": [...ofPages, "noStore", "orderLink"],
  "routes/success": [...ofPages, "noStore", "emailChangeLink", "signInLink", "orderLink"],
  "routes/upsell": [...ofPages, "noStore", "resellerUpsell"],
  "routes/renew": [...ofPages, "noStore"],
  "routes/reseller-waiting": [...ofPages, "noStore", "orderLink"],
  "routes/reseller-success": [...ofPages, "noStore", "resellerSuccess"],
  "routes/withdrawal": [...ofPages, "noStore"],
  "routes/trial": [...ofPages, "noStore", "pricing"],
  "routes/scriptless/business": [...ofPages, "noStore", "pricing"],
  "routes/scriptless/country": [...ofPages, "noStore", "pricing"],
  "routes/offline": ofPages,
  "routes/unsubscribe": ofPages,
  "routes/not-found": ofPages,
}

test("every route has exactly the middleware of its row", () => {
  expect(Object.fromEntries([...routes.keys()].map((id) => [id, middlewareOf(id)]))).toEqual(table)
})

test("every page has a loader, so that client navigation asks the server before its guards are passed", () => {
  const pages = [...routes.values()].filter(({ parentId }) => parentId === "routes/page")
  expect(pages).toHaveLength(16)
  for (const { id, module } of [...pages, ...[...routes.values()].filter(({ id }) => id === "routes/page")])
    expect([id, typeof module.loader]).toEqual([id, "function"])
})

/** Responds to a visitor with a session and with German as the browser's language. */
async function requested(path: string, init: Pick<Visit, "form"> = {}) {
  let opened = 0
  let lookedUp = 0
  const { sessionSeal, sessions } = shop.services
  const services = {
    ...shop.services,
    sessionSeal: {
      ...sessionSeal,
      open(value: string) {
        opened++
        return sessionSeal.open(value)
      },
    },
    sessions: {
      ...sessions,
      isEnded(session: Parameters<typeof sessions.isEnded>[0]) {
        lookedUp++
        return sessions.isEnded(session)
      },
    },
  }
  const order = await buyPlan(shop, { key: path })
  const session = {
    ...emptySession,
    id: "s1",
    sealedAt: shop.services.now(),
    orderId: order.id,
    choices: choice,
  }
  const response = await respond(services, {
    ...init,
    path,
    headers: { "accept-language": "de" },
    session: { ...session, serviceIds: [order.serviceId] },
  })
  const cookies = response.headers.getSetCookie().map((it) => it.split("=")[0])
  const location = response.headers.get("location")
  return { status: response.status, opened, lookedUp, cookies, vary: response.headers.get("vary"), location }
}

const untouched = { opened: 0, lookedUp: 0, cookies: [], vary: null, location: null }

describe("URLs without a screen", () => {
  test.each<[string, Pick<Visit, "form">, number]>([
    ["/api/health", {}, 200],
    ["/api/live", {}, 200],
    ["/api/openapi.json", {}, 404],
    ["/api/getProducts?email=ana%40example.test", {}, 404],
    ["/api/payments/offshore/callback", { form: { a: "b" } }, 204],
    ["/api/payments/offshore/callback", {}, 405],
    ["/aff/new_click", { form: { aff_id: "7" } }, 204],
    ["/manifest.webmanifest", {}, 200],
  ])("%s opens no session and negotiates no language (%o)", async (path, init, status) => {
    expect(await requested(path, init)).toEqual({ ...untouched, status })
  })

  test.each([["/api/order-status"], ["/success/playlist.m3u8"]])(
    "%s opens the session and looks up whether it has been ended, without a language redirect",
    async (path) => {
      expect(await requested(path)).toEqual({ ...untouched, status: 200, opened: 1, lookedUp: 1 })
    },
  )

  test.each([
    "/api/health",
    "/api/payments/offshore/callback",
    "/aff/new_click",
    "/api/order-status",
    "/api/purchase-step",
  ])("%s answers a rejected request with the rejection's status", async (path) => {
    const { services } = shop
    expect((await respond(services, { path, rejection: "too-large" })).status).toBe(413)
    expect((await respond(services, { path, rejection: "forbidden-origin" })).status).toBe(403)
  })

  test("a file below an unknown locale is 404", async () => {
    for (const path of ["/fr-fr/manifest.webmanifest", "/fr-fr/success/playlist.m3u8"])
      expect((await respond(shop.services, { path })).status).toBe(404)
  })
})

describe("pages", () => {
  test("opens the session and selects the language", async () => {
    expect(await requested("/success")).toMatchObject({
      status: 302,
      opened: 1,
      vary: "accept-language, cookie",
      location: "/checkout/de-de/success",
    })
    expect(await requested("/de-de/success")).toMatchObject({ status: 200, opened: 1, lookedUp: 1 })
  })

  test("the checkout varies by the session: who goes back to it after an order asks for it again", async () => {
    const headers = { cookie: "browserLang=en-en" }
    const response = await respond(shop.services, { path: "/", headers })
    expect(response.headers.get("cache-control")).toBe("private, no-cache")
    expect(response.headers.get("vary")).toBe("cookie")
  })

  test.each(locales.map((locale) => [locale.code, localPath(locale, "/no/such/page")]))(
    "an unknown path in %s is 404",
    async (_, path) => {
      for (const method of ["GET", "POST", "HEAD"]) {
        const response = await respond(shop.services, { path, method, headers: { "accept-language": "en" } })
        expect([method, response.status]).toEqual([method, 404])
      }
      expect((await respond(shop.services, { path: `${path}.data` })).status).toBe(404)
    },
  )

  test.each([
    ["/de-de/success", "sign-in"],
    ["/de-de/upsell", "/de-de/resellers"],
    ["/de-de/resellers/success", "/de-de/resellers?existing=yes"],
    ["/de-de/waiting", "/de-de?elsewhere"],
    ["/de-de/creatingOrder", "/de-de"],
  ])("client navigation into %s is guarded: %s", async (path, to) => {
    const response = await respond(shop.services, { path: `${path}.data` })
    const text = await response.text()
    expect(text).toContain(to)
    expect([response.status, text.includes("credentials")]).toEqual([to === "sign-in" ? 401 : 202, false])
  })
})
