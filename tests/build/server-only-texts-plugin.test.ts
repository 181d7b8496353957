import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { loadCatalogue } from "~/i18n/i18n"
import { serverOnlyTexts, without } from "../../scripts/build/server-only-texts-plugin.mjs"

// UK English has the differences from English alone.
const codes = locales.map(({ code }) => code).filter((code) => code !== "en-gb")
const whole: string[] = serverOnlyTexts.filter(({ length }) => length === 1).flat()

test.each(codes)("%s keeps every text but those of the server's screens", async (code) => {
  const file = readFileSync(`app/i18n/translations/${code}.ts`, "utf8")
  const kept = serverOnlyTexts.reduce(without, file).split("\n")
  const namesAt = (indent: string) =>
    kept.flatMap((line) => (new RegExp(`^${indent}"?([\\w-]+)"?: \\{$`).exec(line) ?? []).slice(1))
  const sections = Object.keys(await loadCatalogue(code))
  expect(namesAt(" {2}")).toEqual(sections.filter((name) => !whole.includes(name)))
  expect(namesAt(" {4}")).toContain("mail")
  for (const [top, name] of serverOnlyTexts) {
    if (top === "signIn") expect(namesAt(" {4}").filter((it) => it === name)).toEqual([])
  }
})

test("a section that no language file has is an error", () => {
  const file = "export const enEn = {\n  title: {\n  },\n}\n"
  expect(() => without(file, ["signIn", "code"])).toThrow("No section signIn")
})

test("no component of the browser shows a text of the server's screens", () => {
  const named = new RegExp(`["\`](${serverOnlyTexts.map((names) => names.join("\\.")).join("|")})\\.`)
  const components = readdirSync("app/ui", { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|^interstitials\//.test(path))
    .map((path) => join("app/ui", path))
  expect(components.length).toBeGreaterThan(50)
  expect(components.filter((path) => named.test(readFileSync(path, "utf8")))).toEqual([])
  expect(named.test(readFileSync("app/ui/interstitials/forget-screen.tsx", "utf8"))).toBe(true)
})
