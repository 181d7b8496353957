import type { ExternalBilling } from "~/billing/external/external-billing"
import type { Instant } from "~/domain/calendar"
import { phpSerialize } from "~/http/php-serialize"
import type { ResponseHeaders } from "~/http/upstream-client.server"
import { createApiClient, type LineSettings, type RemoteCall } from "./api-client.server"
import { type CatalogueSettings, priceList, remoteCatalogue } from "./catalogue.server"
import { type CustomerAuthSettings, remoteCustomerAuth } from "./customer-auth.server"
import { remoteCustomers } from "./customers.server"
import { remoteDiagnostics } from "./diagnostics.server"
import type { MapText } from "./order-request"
import { remoteOrderStatus } from "./orders.server"
import { type RemotePaymentsSettings, remotePayments } from "./payment-links.server"
import { remoteOrderPlacement } from "./place-order.server"
import { remoteProvisioning } from "./provision.server"
import { calls } from "./remote-calls"
import { type ServiceLookupSettings, serviceLookup } from "./service-lookup.server"
import { remoteServices } from "./services.server"
import { tokenCache } from "./token-cache.server"

export type RemoteSettings = LineSettings &
  CustomerAuthSettings &
  CatalogueSettings &
  ServiceLookupSettings &
  RemotePaymentsSettings & {
    /** Encoding of maps in an order: JSON, or PHP serialization in base64. */
    readonly maps: "json" | "php"
  }

/** Adapter for a billing server with the billing API (specification, Billing API), which also takes the payments. */
export function openRemote(settings: RemoteSettings): ExternalBilling {
  let remoteTime: Instant | null = null
  const customerAuth = remoteCustomerAuth(() => remoteCall, settings)
  const tokens = tokenCache((customerId) => customerAuth.token(customerId))
  const remoteCall: RemoteCall = createApiClient(settings, tokens, (headers) => {
    remoteTime = timeIn(headers)
  })
  const catalogue = remoteCatalogue(remoteCall)
  const lines = serviceLookup(remoteCall, catalogue, settings)
  const orders = remoteOrderStatus(remoteCall, lines)
  const payments = remotePayments(remoteCall, settings)
  const mapText = settings.maps === "php" ? phpMap : jsonMap
  return {
    ...priceList(remoteCall, catalogue, settings),
    ...remoteCustomers(remoteCall, customerAuth, tokens),
    ...remoteOrderPlacement({ remoteCall, catalogue, lines, mapText }),
    ...orders,
    ...remoteServices(remoteCall, lines),
    ...remoteProvisioning(remoteCall, lines, orders.orderStatus),
    payments,
    // The billing API has no call that lists invoices.
    invoices: null,
    // The billing API has no call that changes the plan of a service.
    upgrades: null,

    async gateways() {
      const { paymentmethods } = await remoteCall(calls.getGateway, {})
      for (const { module, origin } of paymentmethods) payments.learn(module, origin)
      return paymentmethods.map(({ module }) => module)
    },

    diagnose: (now) =>
      remoteDiagnostics({ ...settings, remoteCall, catalogue, remoteTime: () => remoteTime }, now),
  }
}

const jsonMap: MapText = (map) => JSON.stringify(Object.fromEntries(map))

const phpMap: MapText = (map) => Buffer.from(phpSerialize(map)).toString("base64")

function timeIn(headers: ResponseHeaders): Instant | null {
  const at = Date.parse(headers.get("date") ?? "")
  return Number.isNaN(at) ? null : at
}
