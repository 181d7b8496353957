import { expect, test, vi } from "vitest"
import type { Mailer } from "~/mail/mailer"
import { reportMissing } from "./report-missing.server"

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }
const support = "mailto:help@tv.example"

test.each([
  ["no mail server and no contact", { mailer: null, support: null }, ["SMTP_URL", "SHOP_FILE"]],
  ["no contact", { mailer, support: null }, ["SHOP_FILE"]],
  ["a misspelt field", { mailer, support, unknownFields: ["taxes"] }, ["SHOP_FILE"]],
  ["gateways that are all drained", { mailer, support, isAnyOffered: false }, ["GATEWAYS"]],
  ["nothing that is missing", { mailer, support }, []],
])("the start warns of %s", (_, settings, variables) => {
  const warn = vi.fn()
  reportMissing({ unknownFields: [], isAnyOffered: true, currenciesWithoutRate: [], ...settings }, { warn })
  expect(warn.mock.calls.map(([{ variable }]) => variable)).toEqual(variables)
})

test("the start warns once of currencies that have no exchange rate today", () => {
  const warn = vi.fn()
  const settings = { mailer, support, unknownFields: [], isAnyOffered: true }
  reportMissing({ ...settings, currenciesWithoutRate: ["GBP", "USD"] }, { warn })
  expect(warn.mock.calls).toEqual([[{ currencies: ["GBP", "USD"] }, "no exchange rate for today"]])
})
