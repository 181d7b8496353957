import { afterEach, beforeEach, expect, test } from "vitest"
import { CustomerRejectedError } from "~/billing/billing"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import { NOON } from "../../../../tests/contracts/billing/billing-fixtures"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { ana, remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { startWhmcs, type Whmcs } from "../../../../tests/fakes/whmcs-simulator/start"
import { API_KEY, type ServedBilling, serveBillingApi } from "../../../../tests/fixtures/billing-api-server"
import { openTestShop } from "../../../../tests/fixtures/test-shop"
import { settingsFor } from "../../../../tests/fixtures/whmcs-shop"
import { openRemote } from "./remote.server"

let whmcs: Whmcs
let server: ServedBilling
let mirror: Awaited<ReturnType<typeof openMirrorUnderTest>>

/** A shop on WHMCS that serves the billing API. */
beforeEach(async () => {
  whmcs = await startWhmcs({ now: () => NOON })
  mirror = await openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)))
  const { services } = await openTestShop()
  const { billing, payments, outbox } = mirror
  server = await serveBillingApi({ ...services, billing, payments, outbox })
})
afterEach(async () => {
  await server.close()
  await mirror.close()
  await whmcs.close()
})

const storefront = () =>
  openRemote({ ...remoteSettings, keys: [API_KEY], url: server.url, timeoutMs: 20_000 })

test("an email that WHMCS bars is rejected in a storefront of the shop", async () => {
  whmcs.quirks.bannedEmails = /@example\.test$/
  await expect(storefront().identify(ana)).rejects.toBeInstanceOf(CustomerRejectedError)
  expect(whmcs.clients).toEqual([])
})

test("a client whom WHMCS has closed is rejected in a storefront of the shop", async () => {
  await storefront().identify(ana)
  const [client] = whmcs.clients
  if (!client) throw new Error("Client not found")
  client.status = "Closed"
  await expect(storefront().identify(ana)).rejects.toBeInstanceOf(CustomerRejectedError)
})
