import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { ExternalService } from "~/billing/external/external-services"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { quoteUpsell } from "~/domain/services/upsell"
import {
  active,
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../../../tests/contracts/billing/embedded-billing"
import { writeMigratedDatabase } from "../../../../tests/support/db/migrated-sqlite"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"
import { openMirrorEngine } from "./mirror-engine.server"

test("connections that external billing has counted already are not added again when they are paid", async () => {
  const { backend, base, store, payments } = await mirrored()
  const service = await backend.billing.service(base.serviceId)
  if (!service) throw new Error("Service not found")
  const upsell = await backend.billing.addInvoice(upsellOf(base, 4))
  const connections = async () => (await backend.billing.service(service.id))?.connections

  await store.updateService(service, external(service, 5))
  expect(await connections()).toBe(1)
  const attempt = await opened(backend, upsell, 1_000)
  await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 1_000), NOON)
  expect(await connections()).toBe(5)
  await store.updateService(service, external(service, 5))
  expect(await connections()).toBe(5)
})

test("a service takes more connections from external billing, and never fewer", async () => {
  const { backend, base, store } = await mirrored()
  const service = await backend.billing.service(base.serviceId)
  if (!service) throw new Error("Service not found")
  await store.updateService(service, external(service, 3))
  expect((await backend.billing.service(service.id))?.connections).toBe(3)
  await store.updateService(service, external(service, 2))
  expect((await backend.billing.service(service.id))?.connections).toBe(3)
})

test("a service has the due date of external billing, and no term of the shop's own", async () => {
  const { backend, base, store } = await mirrored()
  const service = await backend.billing.service(base.serviceId)
  if (!service) throw new Error("Service not found")
  const paidUntil = NOON + 40 * DAY
  await store.updateService(service, { ...external(service, 1), paidUntil })
  expect(await backend.billing.service(service.id)).toMatchObject({ paidUntil })
  const imported = { ...external(service, 1), serviceId: "77", paidUntil: null }
  await store.importService(imported, { currency: "EUR", at: NOON })
  expect(await backend.billing.service("77")).toMatchObject({ paidUntil: null, term: null })
  await store.updateService({ ...service, id: "77" }, { ...imported, paidUntil })
  expect(await backend.billing.service("77")).toMatchObject({ paidUntil, term: null })
})

test("what the external list said before a service was ended here does not bring it back", async () => {
  const { backend, base, store } = await mirrored()
  const service = await backend.billing.service(base.serviceId)
  if (!service) throw new Error("Service not found")
  await backend.billing.markTerminated(service.id, NOON)
  await store.updateService(service, external(service, 3))
  expect(await backend.billing.service(service.id)).toMatchObject({ status: "Cancelled", connections: 1 })
})

/** An active service in a database that a mirror uses. */
async function mirrored() {
  const folder = temporaryFolder()
  const databaseUrl = join(folder, "boxoffice.db")
  await writeMigratedDatabase(databaseUrl)
  const backend = await createEmbeddedBilling(databaseUrl, catalogueFixture)
  const { local, store } = await openMirrorEngine({ databaseUrl, timeoutMs: 5_000, newId: unique })
  onTestFinished(async () => {
    await local.close()
    await backend.close()
    rmSync(folder, { recursive: true })
  })
  return { backend, base: await active(backend), store, payments: backend.payments }
}

type Base = Awaited<ReturnType<typeof active>>

function upsellOf({ customerId, serviceId }: Base, quantity: number) {
  const extra = { optionId: "2", choiceId: "5", name: "Extra connection", price: money(250, "EUR") }
  return {
    key: unique(),
    customerId,
    serviceId,
    quantity,
    quote: quoteUpsell(extra, quantity),
    gateway: "offshore" as const,
    locale: "de-de" as const,
    address: "192.0.2.7",
    number: unique,
    at: NOON,
    deadline: NOON + DAY,
    accessScope: null,
    accountCreditScope: "none" as const,
    holdReason: null,
    browser: null,
  }
}

type Local = NonNullable<
  Awaited<ReturnType<Awaited<ReturnType<typeof mirrored>>["backend"]["billing"]["service"]>>
>

/** The service as external billing lists it. */
function external(service: Local, connections: number): ExternalService {
  return { ...service, serviceId: service.id, connections, currency: "EUR", createdAt: NOON }
}
