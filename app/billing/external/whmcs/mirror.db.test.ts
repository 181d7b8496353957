import { catalogueFixture, NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { externalBillingContract } from "../../../../tests/contracts/billing/external-billing-contract"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { totalOf } from "../../../../tests/fakes/whmcs-simulator/invoice-operations"
import { startWhmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import type { Invoice, Order } from "../../../../tests/fakes/whmcs-simulator/state"
import { callsTo, client } from "../../../../tests/fakes/whmcs-simulator/test-client"
import { credentials, settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openWhmcs } from "./whmcs.server"

type Process = Parameters<typeof openMirrorUnderTest>[1] & { timeoutMs?: number }

externalBillingContract("WHMCS", async ({ taxed }) => {
  const whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, fieldNames: [] })
  if (taxed) whmcs.quirks.tax = { rates: [20, 0], type: "Inclusive" }
  const startProcess = ({ timeoutMs = 30_000, ...surroundings }: Process = {}) =>
    openMirrorUnderTest(() => openWhmcs({ ...settingsFor(whmcs), timeoutMs }), surroundings)
  const backend = await startProcess()
  const { call } = callsTo(whmcs)
  const newest = () => {
    const order = whmcs.orders.at(-1)
    if (!order) throw new Error("WHMCS order not found")
    return order
  }
  const invoiceOf = (id: number) => whmcs.invoices.find((it) => it.id === id)
  return {
    mirror: backend,
    orders: async () => whmcs.orders.map((order) => seen(order, invoiceOf(order.invoiceId))),
    loseNextSignUp: () => whmcs.quirks.dropResponse("AddClient"),
    loseNextOrder: () => whmcs.quirks.dropResponse("AddOrder"),
    holdNextOrder: (how) => whmcs.quirks.holdNext("AddOrder", how),
    startProcess,
    away: (isAway) => {
      whmcs.quirks.down = isAway
    },
    staff: {
      markPaid: async () => whmcs.staff.markPaid(newest().invoiceId),
      cancel: async () => whmcs.staff.cancel(newest().id),
    },
    async sellExternally(email) {
      const clientid = await client(call, { email })
      const request = { clientid, paymentmethod: "offshore", pid: ["7"], billingcycle: ["monthly"] }
      const { invoiceid, serviceids } = await call("AddOrder", request)
      whmcs.staff.markPaid(invoiceid)
      const service = whmcs.services.find(({ id }) => String(id) === String(serviceids))
      if (!service) throw new Error("Service not found")
      service.username = credentials.username
      service.password = credentials.password
      return { id: String(serviceids), username: service.username, password: service.password }
    },
    async close() {
      await backend.close()
      await whmcs.close()
    },
  }
})

function seen({ status }: Order, invoice: Invoice | undefined) {
  const total = invoice ? totalOf(invoice) : 0
  if (status === "Cancelled") return { status: "cancelled" as const, total }
  return { status: invoice?.status === "Paid" ? ("paid" as const) : ("open" as const), total }
}
