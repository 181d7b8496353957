import { expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import { startWhmcs } from "../../fakes/whmcs-simulator/start"
import { openStorefront } from "../../fixtures/remote-storefront"
import { settingsFor } from "../../fixtures/whmcs-shop"
import { areSimilar, fastestTimes } from "../../support/attacks/similar-times"
import { type BillingUnderTest, catalogueFixture, NOON } from "./billing-fixtures"
import { createEmbeddedBilling } from "./embedded-billing"
import { openMirrorUnderTest } from "./mirror"

const visitor = { locale: "pt-pt", currency: "GBP", country: "PT", address: null, at: NOON } as const

const billings: [string, () => Promise<Pick<BillingUnderTest, "billing" | "close">>][] = [
  ["the embedded billing", () => createEmbeddedBilling(":memory:", catalogueFixture)],
  [
    "a server with the billing API",
    async () => {
      const { storefront, close } = await openStorefront(catalogueFixture)
      return { billing: storefront.billing, close }
    },
  ],
  [
    "WHMCS",
    async () => {
      const whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON })
      const { billing, close } = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)))
      return { billing, close: () => close().then(() => whmcs.close()) }
    },
  ],
]

test.each(billings)("%s takes as long to reject an unknown email address as a known one", async (_, open) => {
  const { billing, close } = await open()
  const identified = (email: string) => billing.identify({ ...visitor, email })
  const timeToRefuse = async (email: string): Promise<number> => {
    const before = performance.now()
    expect(await billing.signIn({ email, password: "not the password" })).toBeNull()
    return performance.now() - before
  }
  const { customerId } = await identified("ana@example.test")
  await billing.setPassword({ id: customerId, reach: "account" }, "correct horse battery", () => NOON)
  await identified("bob@example.test")
  const emails = ["ana@example.test", "bob@example.test", "nobody@example.test"]
  const times = await fastestTimes(emails.map((email) => () => timeToRefuse(email)))
  expect(areSimilar(times), `milliseconds: ${times}`).toBe(true)
  await close()
})
