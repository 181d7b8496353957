import { expect, test } from "vitest"
import { guaranteeIn, titleIn } from "./brand"

const guarantee = { "en-en": "30 days, money back.", "de-de": "30 Tage Geld zurück." }

test("the operator's guarantee is in the visitor's language, with English as fallback for British visitors", () => {
  expect(guaranteeIn({ guarantee }, "de-de")).toEqual({ kind: "custom", text: "30 Tage Geld zurück." })
  expect(guaranteeIn({ guarantee }, "en-gb")).toEqual({ kind: "custom", text: "30 days, money back." })
})

test("a language without a guarantee text uses the default, and a disabled guarantee is empty everywhere", () => {
  expect(guaranteeIn({ guarantee }, "es-es")).toEqual({ kind: "default" })
  expect(guaranteeIn({ guarantee: {} }, "en-en")).toEqual({ kind: "default" })
  expect(guaranteeIn({ guarantee: null }, "en-en")).toEqual({ kind: "none" })
})

test("page titles end with the checkout's title, or with the shop's name by default", () => {
  const title = { "de-de": "Kasse bei Nordlicht" }
  expect(titleIn({ name: "Nordlicht", title }, "de-de")).toBe("Kasse bei Nordlicht")
  expect(titleIn({ name: "Nordlicht", title }, "nl-nl")).toBe("Nordlicht")
})
