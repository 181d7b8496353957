import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { DAY, MINUTE } from "~/domain/calendar"
import { mmdbOf } from "../../tests/fixtures/mmdb"
import { diagnoseCountries, openCountries } from "./countries.server"

const folder = mkdtempSync(join(tmpdir(), "countries-"))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, "countries.mmdb")
writeFileSync(file, mmdbOf({ "193.0.0.0/21": "FR" }))

const publicShop = {
  DATA_DIR: folder,
  PUBLIC_URL: "https://shop.example",
  SESSION_SECRETS: "x".repeat(32),
  OFFSHORE_URL: "https://pay.example",
  OFFSHORE_CALLBACK_SECRET: "whsec_b25l",
}
const visit = { address: "193.0.6.139", headers: new Headers({ "cf-ipcountry": "PT" }) }

test.each([
  ["a shop on loopback uses the included table", { DATA_DIR: folder }, "NL", []],
  ["a shop uses the operator's file", { ...publicShop, COUNTRY_TABLE: file }, "FR", []],
  ["a shop behind a CDN uses its header", { ...publicShop, COUNTRY_SOURCE: "header" }, "PT", []],
  [
    "a public shop without a table or a header starts with unknown countries and says so",
    publicShop,
    "XX",
    [{ msg: "country unknown: visitors pay in CURRENCY", currency: "EUR" }],
  ],
])("%s", async (_, environment, country, logged) => {
  const lines: { msg: string }[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  // Time passes with every call: a look-up that took too long while the table was read is repeated.
  let at = Date.now()
  const now = () => (at += 2 * MINUTE)
  const { countryOf, close } = await openCountries(readConfig(environment), { now, log })
  onTestFinished(close)
  await expect.poll(() => countryOf(visit), { timeout: 20_000 }).toBe(country)
  expect(lines.filter(({ msg }) => msg.startsWith("country unknown"))).toMatchObject(logged)
})

/** When the file of the fixture was built. */
const BUILT = 1_790_000_000_000

test.each([
  [
    "the included table",
    { DATA_DIR: folder },
    null,
    /^from the included table, \d+ days old: its publisher declares its data wrong and has ended its updates\. A public shop needs another one in COUNTRY_TABLE$/,
  ],
  ["no table on a public shop", publicShop, false, /^unknown: every visitor pays in EUR\. Name a table/],
  [
    "a fresh file",
    { ...publicShop, COUNTRY_TABLE: file },
    true,
    /countries\.mmdb \(Test-Country\), 10 days old/,
  ],
  ["a header", { ...publicShop, COUNTRY_SOURCE: "header" }, null, /^from the header cf-ipcountry$/],
  ["a file that is gone", { ...publicShop, COUNTRY_TABLE: "/nowhere" }, false, /cannot be read: ENOENT/],
])("doctor reports %s", async (_, environment, ok, message) => {
  const finding = await diagnoseCountries(readConfig(environment), BUILT + 10 * DAY)
  expect(finding).toMatchObject({ ok, check: "countries", message: expect.stringMatching(message) })
})

test("doctor marks a file of more than ninety days", async () => {
  const config = readConfig({ ...publicShop, COUNTRY_TABLE: file })
  expect(await diagnoseCountries(config, BUILT + 91 * DAY)).toMatchObject({ ok: false })
})
