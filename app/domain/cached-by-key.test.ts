import { expect, test } from "vitest"
import { cachedByKey } from "./cached-by-key"

test("a value is created once for each key", () => {
  const created: string[] = []
  const formatter = cachedByKey((iso) => {
    created.push(iso)
    return new Intl.NumberFormat(iso)
  })
  const texts = ["de-DE", "en-GB", "de-DE"].map((iso) => formatter(iso).format(1_234.5))
  expect(texts).toEqual(["1.234,5", "1,234.5", "1.234,5"])
  expect(created).toEqual(["de-DE", "en-GB"])
})
