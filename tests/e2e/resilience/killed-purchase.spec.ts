import { expect } from "playwright/test"
import { SECOND } from "~/domain/calendar"
import { enEn } from "~/i18n/screen-texts/en-en"
import { buyWithRetries } from "../../fixtures/retrying-buyer"
import { test } from "../shop-test"
import { startOnWhmcs } from "../start-shop"
import { deep } from "../tags"

test.beforeEach(() => test.setTimeout(500 * SECOND))

/** All calls of a purchase that change something in WHMCS, in order. */
const writes = [
  "AddClient",
  "AddOrder",
  "UpdateClientProduct",
  "AddInvoicePayment",
  "AcceptOrder",
  "ModuleCreate",
]

for (const action of writes) {
  for (const outcome of ["arrives", "is lost"]) {
    test(
      `a kill -9 during ${action} that ${outcome} leaves one order, payment and service, and leads the buyer on`,
      deep,
      async () => {
        const { shop, whmcs } = await startOnWhmcs({}, { fieldsOnOrderForm: "all", autosetup: "" })
        // The line is created by a call of its own.
        if (action === "ModuleCreate") whmcs.quirks.acceptanceRefused = "The module is at work"
        const held = whmcs.quirks.holdNext(action)
        const killed = held.started.then(async () => {
          await shop.kill9()
          if (outcome === "arrives") await held.finish()
          whmcs.quirks.acceptanceRefused = null
          await shop.restart()
        })
        await buyWithRetries(shop, { pending: enEn.pending.heading, maxWait: 400 * SECOND })
        await killed

        expect(whmcs.clients).toHaveLength(1)
        expect(whmcs.orders.map(({ status }) => status)).toEqual(["Active"])
        expect(whmcs.invoices.map(({ status }) => status)).toEqual(["Paid"])
        expect(whmcs.transactions).toHaveLength(1)
        expect(whmcs.services.map(({ status }) => status)).toEqual(["Active"])
        await shop.stop()
      },
    )
  }
}
