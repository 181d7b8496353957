import { expect, test } from "vitest"
import { methodWords } from "./payment-methods"

const own = {
  offshore: {
    name: { "en-en": "SEPA transfer", "de-de": "SEPA-Überweisung" },
    note: { "de-de": "In jeder Banking-App." },
    minutes: { from: 1, to: 2 },
  },
}

test.each([
  ["de-de", { name: "SEPA-Überweisung", note: "In jeder Banking-App.", minutes: { from: 1, to: 2 } }],
  ["en-gb", { name: "SEPA transfer", note: null, minutes: { from: 1, to: 2 } }],
  ["es-es", { name: null, note: null, minutes: { from: 1, to: 2 } }],
] as const)("in %s a payment method has the operator's words where there are any", (locale, words) => {
  expect(methodWords(own, "offshore", locale)).toEqual(words)
})

test("a method without the operator's words has the shop's texts and the usual time", () => {
  expect(methodWords(own, "cryptomusgateway", "en-en")).toEqual({
    name: null,
    note: null,
    minutes: { from: 2, to: 30 },
  })
  // What a bank's page takes is the provider's to say.
  expect(methodWords({}, "offshore", "en-en").minutes).toBeNull()
})
