import { Readable } from "node:stream"
import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { ExternalBilling } from "~/billing/external/external-billing"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import { SECOND } from "~/domain/calendar"
import {
  catalogueFixture,
  NOON,
  placed,
  promotions,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { startWhmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"

const lists = { playlist: async () => Readable.from([]), playlistAddress: () => null }

test.each([
  ["gets the configured host", "https://tv.example.test", "https://tv.example.test"],
  ["is not provisioned without a configured host", null, null],
])("a line without a host in the response %s", async (_, plan, host) => {
  const whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, fieldNames: [] })
  const openExternalBilling = (): ExternalBilling => {
    const office = openWhmcs(settingsFor(whmcs))
    return { ...office, provision: async (paid) => ({ ...(await office.provision(paid)), host: null }) }
  }
  const backend = await openMirrorUnderTest(openExternalBilling, { hosts: { plan, reseller: null } })
  const line = { credentials: { username: `TV${unique().slice(0, 8)}`, password: "0123456789" } }
  const order = await placed(backend, line, promotions.free)
  const service = await backend.billing.service(order.serviceId)
  if (!service) throw new Error("Service not found")
  const made = await backend
    .panel(lists)
    .create(service)
    .catch(() => ({ host: null }))
  expect(made.host).toBe(host)
  await backend.close()
  await whmcs.close()
})

test.each([
  ["as long as billing has asked for", { retryAfterSeconds: 1_200 }, 1_200],
  ["until a call that timed out can be running there no more", { mayStillRun: true }, 120],
  ["no longer than usual after any other failure", {}, 0],
])("a line is not asked for again %s", async (_, failure, seconds) => {
  const whmcs = await startWhmcs({ catalogue: catalogueFixture, now: () => NOON, fieldNames: [] })
  const openExternalBilling = (): ExternalBilling => ({
    ...openWhmcs(settingsFor(whmcs)),
    provision: async () => Promise.reject(new BillingError("unavailable", "no answer", failure)),
  })
  const backend = await openMirrorUnderTest(openExternalBilling, { hosts: { plan: null, reseller: null } })
  const line = { credentials: { username: `TV${unique().slice(0, 8)}`, password: "0123456789" } }
  const order = await placed(backend, line, promotions.free)
  const service = await backend.billing.service(order.serviceId)
  if (!service) throw new Error("Service not found")
  const made = backend.panel(lists).create(service)
  await expect(made).rejects.toMatchObject({ retryAfterMs: seconds * SECOND })
  await backend.close()
  await whmcs.close()
})
