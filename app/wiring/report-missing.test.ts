import { expect, test, vi } from "vitest"
import type { Mailer } from "~/mail/mailer"
import { reportMissing } from "./report-missing.server"

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 OK" }) }

test.each([
  ["no mail server and no contact", { mailer: null, support: null }, ["SMTP_URL", "SHOP_FILE"]],
  ["no contact", { mailer, support: null }, ["SHOP_FILE"]],
  ["nothing that is missing", { mailer, support: "mailto:help@tv.example" }, []],
])("the start warns of %s", (_, contacts, variables) => {
  const warn = vi.fn()
  reportMissing(contacts, { warn })
  expect(warn.mock.calls.map(([{ variable }]) => variable)).toEqual(variables)
})
