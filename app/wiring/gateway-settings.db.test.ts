import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { defaultLocale } from "~/domain/locales"
import { money } from "~/domain/money/money"
import { offshoreSettings, sandboxSettings } from "./gateway-settings.server"
import { wire } from "./services.server"

let DATA_DIR: string
beforeEach(() => {
  DATA_DIR = mkdtempSync(join(tmpdir(), "gateway-settings-"))
})
afterEach(() => rmSync(DATA_DIR, { recursive: true }))
const configWith = (environment: Record<string, string>) => readConfig({ DATA_DIR, ...environment })

const real = {
  OFFSHORE_URL: "https://pay.example",
  OFFSHORE_CALLBACK_SECRET: "whsec_b25l,whsec_dHdv",
  OFFSHORE_MERCHANT: "m_1",
  OFFSHORE_LINK_SECRET: "a-secret",
}

test("in API mode the offshore settings have no link, whatever variables are set", () => {
  expect(offshoreSettings(configWith(real))).toEqual({ callbackSecrets: ["whsec_b25l", "whsec_dHdv"] })
})

test("in link mode the offshore settings have the operator's merchant id and secret", () => {
  expect(offshoreSettings(configWith({ ...real, OFFSHORE_MODE: "link" }))).toEqual({
    callbackSecrets: ["whsec_b25l", "whsec_dHdv"],
    link: { merchant: "m_1", secret: "a-secret" },
  })
})

test("the sandbox verifies the shop's links with a secret that survives a restart", () => {
  const { link } = offshoreSettings(configWith({ OFFSHORE_MODE: "link" }))
  expect(link?.secret).toMatch(/^[\w-]{43}$/)
  expect(sandboxSettings(configWith({ PUBLIC_URL: "http://127.0.0.1:3000" })).offshoreLinks).toEqual({
    ...link,
    callbackUrl: "http://127.0.0.1:3000/checkout/api/payments/offshore/callback",
  })
})

test("a shop in link mode without a gateway redirects to the sandbox with links that it accepts", async () => {
  const { services, close } = await wire(
    configWith({ OFFSHORE_MODE: "link", SANDBOX_PORT: "0", COUNTRY_SOURCE: "off" }),
    pino({ level: "silent" }),
    {},
  )
  const shop = services.shop.publicUrl
  const opened = await services.gateways.get("offshore")?.startPayment({
    attemptId: "attempt-7",
    startedAt: Date.now(),
    orderId: "ORDER7",
    amount: money(1250, "EUR"),
    returnUrl: `${shop}/back`,
    cancelUrl: `${shop}/left`,
    callbackUrl: `${shop}/callback`,
    expiresAt: Date.now() + 60_000,
    locale: defaultLocale,
  })
  const page = await fetch(opened?.url ?? "")
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("€12.50")])
  await close()
})
