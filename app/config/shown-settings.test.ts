import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { EnvironmentSchema } from "./environment.server"
import { formerVariables } from "./former-variables"
import { readSettingFiles, shownSettings } from "./shown-settings.server"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "boxoffice-settings-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = (text: string) => new Map([[".env", text]])
const shown = (environment: Record<string, string>, atStart = "", present = atStart) =>
  shownSettings(environment, { atStart: files(atStart), present: files(present) })
const named = (name: string, ...given: Parameters<typeof shown>) =>
  shown(...given).find((it) => it.name === name)

test("every setting is shown once, with what holds without it", () => {
  expect(shown({}).map(({ name }) => name)).toEqual(Object.keys(EnvironmentSchema.shape))
  expect(named("PORT", {})).toMatchObject({ isSet: false, value: null, usual: "3000", source: "default" })
  expect(named("SHOP_FILE", {})?.usual).toBe("the demo's")
})

test("every setting says in a sentence what it sets, without the marks of the document", () => {
  expect(named("SHOP_FILE", {})?.about).toBe("JSON file with brand, help links and player apps")
  for (const { about } of shown({})) expect(about).toMatch(/^[^`[\]]+$/)
})

test("a setting says whether the environment, the file .env or a former name has set it", () => {
  expect(named("PORT", { PORT: "4000" })).toMatchObject({ value: "4000", source: "environment" })
  expect(named("PORT", { PORT: "4000" }, "PORT=4000")?.source).toBe("settings-file")
  expect(named("PORT", { PORT: "4000" }, "PORT=5000")?.source).toBe("environment")
  expect(named("GATEWAYS", { GATEWAYS: "" })?.source).toBe("default")
  for (const [former, name] of Object.entries(formerVariables))
    expect(named(name, { [former]: "900" })).toMatchObject({ value: "900", source: "former-name" })
})

/** Values that nobody may read. */
const HIDDEN = "do-not-show-me"

test.each(Object.keys(EnvironmentSchema.shape).filter((name) => /SECRET|_KEY(?!_FILE)/.test(name)))(
  "the secret %s is shown as set, without its value or length",
  (name) => {
    const setting = named(name, { [name]: HIDDEN })
    expect(setting).toMatchObject({ isSet: true, isSecret: true, value: null })
    expect(JSON.stringify(shown({ [name]: HIDDEN }))).not.toContain(HIDDEN)
  },
)

test.each([
  [
    "DATABASE_URL",
    "postgres://shop:do-not-show-me@db:5432/shop?sslmode=require",
    "postgres://…@db:5432/shop?…",
  ],
  ["SMTP_URL", "smtp://do-not-show-me@mail.test:587", "smtp://…@mail.test:587"],
  ["COUNTRY_URL", "https://geo.test/{ip}?key=do-not-show-me", "https://geo.test/%7Bip%7D?…"],
  ["PUBLIC_URL", "https://shop.test", "https://shop.test"],
])("%s is shown without user, password and query", (name, value, expected) => {
  expect(named(name, { [name]: value })?.value).toBe(expected)
})

test("what .env says otherwise than at the start is what a restart would change, unless the environment overrules it", () => {
  const stale = (...given: Parameters<typeof shown>) =>
    shown(...given)
      .filter(({ isStale }) => isStale)
      .map(({ name }) => name)
  expect(stale({ PORT: "4000" }, "PORT=4000", "PORT=4000")).toEqual([])
  expect(stale({ PORT: "4000" }, "PORT=4000", "PORT=5000")).toEqual(["PORT"])
  expect(stale({ PORT: "4000" }, "PORT=4000", "")).toEqual(["PORT"])
  expect(stale({}, "", "SHOP_NAME=Another")).toEqual(["SHOP_NAME"])
  expect(stale({ PORT: "4000" }, "PORT=3000", "PORT=5000")).toEqual([])
})

test("a file that a setting names and that has changed, or is gone, would change at a restart", () => {
  const SHOP_FILE = join(folder, "shop.json")
  writeFileSync(SHOP_FILE, "{}")
  const atStart = readSettingFiles({ SHOP_FILE })
  const stale = () =>
    shownSettings({ SHOP_FILE }, { atStart, present: readSettingFiles({ SHOP_FILE }) })
      .filter(({ isStale }) => isStale)
      .map(({ name }) => name)
  expect(stale()).toEqual([])
  writeFileSync(SHOP_FILE, '{"brand":{}}')
  expect(stale()).toEqual(["SHOP_FILE"])
  rmSync(SHOP_FILE)
  expect(stale()).toEqual(["SHOP_FILE"])
})
