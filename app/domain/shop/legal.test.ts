import { expect, test } from "vitest"
import { noLaw } from "./country-law"
import { footerIn } from "./legal"

const none = { seller: null, terms: null, privacy: null, refunds: null, tax: {}, law: noLaw }

test("the footer promises nothing that is not configured", () => {
  expect(footerIn(none, null, "en-en")).toEqual({ seller: null, links: [] })
})

test("the footer names the seller and links to the operator's pages in the visitor's language", () => {
  const legal = {
    seller: "Northlight Media Ltd, Valletta",
    terms: { "en-en": "https://tv.example/terms", "de-de": "https://tv.example/agb" },
    privacy: "https://tv.example/privacy",
    refunds: null,
    tax: {},
    law: noLaw,
  }
  const german = footerIn(legal, "mailto:help@tv.example", "de-de")
  expect(german).toEqual({
    seller: legal.seller,
    links: [
      { page: "terms", href: "https://tv.example/agb" },
      { page: "privacy", href: "https://tv.example/privacy" },
      { page: "support", href: "mailto:help@tv.example" },
    ],
  })
  const termsIn = (locale: "en-gb" | "es-es") => footerIn(legal, null, locale).links[0]?.href
  expect(termsIn("en-gb")).toBe("https://tv.example/terms")
  expect(termsIn("es-es")).toBe("https://tv.example/terms")
})
