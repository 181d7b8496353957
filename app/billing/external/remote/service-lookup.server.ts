import type { ExternalService } from "~/billing/external/external-services"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import {
  nullIfAnswered,
  nullIfUnsupported,
  nullOnRejection,
  type RemoteCall,
  unlessUnknown,
} from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import { calls } from "./remote-calls"
import { type RemoteService, serviceOf, statusOf } from "./service-schema"

type Named = { readonly customerId: string; readonly serviceId: string }

export type ServiceLookupSettings = {
  /** The shop's time zone, in which an older server's days are. */
  readonly timeZone: string
}

/** Lookups of a customer's services. */
export type ServiceLookup = {
  readonly all: (customerId: string) => Promise<readonly ExternalService[]>
  readonly read: (named: Named) => Promise<ExternalService | null>
  /** The parsed response, with fields that `ExternalService` does not have. */
  readonly find: (named: Named) => Promise<RemoteService | null>
  readonly ofOrder: (customerId: string, orderId: string) => Promise<ExternalService | null>
  /** The service with this username that is neither cancelled nor terminated nor fraud. */
  readonly named: (customerId: string, username: string) => Promise<Found | null>
}

type Found = Pick<ExternalService, "serviceId" | "orderId"> & { readonly invoiceId: string | null }

/** Looks services up with the calls that the server supports. */
export function serviceLookup(
  remoteCall: RemoteCall,
  catalogue: RemoteCatalogue,
  { timeZone }: ServiceLookupSettings,
): ServiceLookup {
  async function find({ customerId: clientid, serviceId: serviceid }: Named): Promise<RemoteService | null> {
    const call = remoteCall(calls.getClientProducts, { clientid, serviceid }, { customerId: clientid })
    const list = (await nullOnRejection(call)) ?? []
    const [only] = list.filter(({ id }) => id === null || id === serviceid)
    return only && isOf(clientid, only) ? only : null
  }

  /**
   * A server that requires a service id lists only active services, by getActiveProducts. What it answers without one has no ids, and
   * is no list. `isSearch`: what is missing counts as absent, so that an answer that is not JSON, as of a failing server, is thrown.
   */
  async function list(customerId: string, isSearch = false): Promise<readonly RemoteService[]> {
    const [request, who] = [{ clientid: customerId }, { customerId }]
    const isListed = (one: RemoteService) => one.id !== null && isOf(customerId, one)
    const call = remoteCall(calls.getClientProducts, request, who)
    const all = (await (isSearch ? nullIfAnswered(call) : nullIfUnsupported(call))) ?? []
    const listed = all.filter(isListed)
    if (listed.length > 0) return listed
    const active = await unlessUnknown(remoteCall(calls.getActiveProducts, request, who))
    return active === "unknown" ? [] : active.filter(isListed)
  }

  /** `unlistedKind`: the kind of a service whose product is in no list. */
  async function service(
    one: RemoteService,
    named: Named,
    unlistedKind: () => Promise<ProductKind>,
  ): Promise<ExternalService> {
    const product = productNamed(one) ??
      (await catalogue.kindOf(one)) ?? {
        productId: one.pid ?? "",
        kind: one.kind ?? (await unlistedKind()),
      }
    return serviceOf(one, { ...product, ...(one.kind && { kind: one.kind }), ...named, timeZone })
  }

  const all = async (customerId: string) => {
    const results = await list(customerId)
    const requested = new Map<string, Promise<ProductKind>>()

    /** Services of one product are of one kind: the server is asked about one of them, an active one if there is one. */
    function kindOfProduct(one: RemoteService): Promise<ProductKind> {
      const same = results.filter((it) => isSameProduct(it, one))
      const serviceId = (same.find((it) => statusOf(it) === "Active") ?? same[0] ?? one).id ?? ""
      const kind = requested.get(serviceId) ?? requestedKind(remoteCall, { customerId, serviceId })
      requested.set(serviceId, kind)
      return kind
    }

    return Promise.all(
      results.map((one) => service(one, { customerId, serviceId: one.id ?? "" }, () => kindOfProduct(one))),
    )
  }

  return {
    find,
    all,
    async read(named) {
      const one = await find(named)
      return one && service(one, named, () => requestedKind(remoteCall, named))
    },
    async ofOrder(customerId, orderId) {
      return (await all(customerId)).find((it) => it.orderId === orderId) ?? null
    },
    async named(customerId, username) {
      const open = (await list(customerId, true)).filter(({ status }) => !TERMINATED_STATUSES.test(status))
      const one = open.find((it) => it.username === username)
      return one?.id ? { serviceId: one.id, orderId: one.orderid, invoiceId: one.invoiceid } : null
    },
  }
}

/** Product and kind, as newer servers name both with the service. */
function productNamed({ pid, kind }: RemoteService): { productId: string; kind: ProductKind } | null {
  return pid !== null && kind !== undefined ? { productId: pid, kind } : null
}

/** Kind of a service whose product is no longer sold: `reseller` if getResellerProducts knows it. */
async function requestedKind(remoteCall: RemoteCall, { customerId, serviceId }: Named): Promise<ProductKind> {
  const request = { clientid: customerId, serviceid: serviceId }
  const result = await nullOnRejection(remoteCall(calls.getResellerProducts, request, { customerId }))
  return result && !result.error && result.status ? "reseller" : "plan"
}

/** Without an id the name tells products apart, and without both only the service itself is known to have the product. */
function isSameProduct(one: RemoteService, other: RemoteService): boolean {
  if (one.pid === null && one.name === "") return one === other
  return one.pid === other.pid && (one.pid !== null || one.name === other.name)
}

const TERMINATED_STATUSES = /^(cancell?ed|terminated|fraud)$/i

/** A server may return services of other customers; these are ignored. */
function isOf(customerId: string, { clientid }: RemoteService): boolean {
  return clientid === null || clientid === customerId
}
