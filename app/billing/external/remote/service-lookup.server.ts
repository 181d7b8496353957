import type { ExternalService } from "~/billing/external/external-services"
import type { ProductKind } from "~/domain/catalogue"
import { nullIfUnsupported, nullOnRejection, type RemoteCall } from "./api-client.server"
import type { RemoteCatalogue } from "./catalogue.server"
import { calls } from "./endpoints"
import { type RemoteService, serviceOf } from "./service-schema"

type Named = { readonly customerId: string; readonly serviceId: string }

/** A customer's services as they tell of them. */
export type ServiceLookup = {
  readonly all: (customerId: string) => Promise<readonly ExternalService[]>
  readonly read: (named: Named) => Promise<ExternalService | null>
  /** In their own words, with what a service does not keep. */
  readonly find: (named: Named) => Promise<RemoteService | null>
  readonly ofOrder: (customerId: string, orderId: string) => Promise<ExternalService | null>
  /** The one that is not ended and has that user name. */
  readonly named: (customerId: string, username: string) => Promise<Found | null>
}

type Found = Pick<ExternalService, "serviceId" | "orderId"> & { readonly invoiceId: string | null }

/** How services are looked up, whichever of the calls a server answers. */
export function serviceLookup(remoteCall: RemoteCall, catalogue: RemoteCatalogue): ServiceLookup {
  async function find({ customerId: clientid, serviceId: serviceid }: Named): Promise<RemoteService | null> {
    const call = remoteCall(calls.getClientProducts, { clientid, serviceid }, { customerId: clientid })
    const list = (await nullOnRejection(call)) ?? []
    const [only] = list.filter(({ id }) => id === null || id === serviceid)
    return only && isOf(clientid, only) ? only : null
  }

  /** A server that wants to know which service tells of those that work by another call, and of no others. */
  async function list(customerId: string): Promise<readonly RemoteService[]> {
    const [request, who] = [{ clientid: customerId }, { customerId }]
    const all = (await nullIfUnsupported(remoteCall(calls.getClientProducts, request, who))) ?? []
    const result = all.length > 0 ? all : await remoteCall(calls.getActiveProducts, request, who)
    return result.filter((one) => one.id !== null && isOf(customerId, one))
  }

  async function service(one: RemoteService, named: Named): Promise<ExternalService> {
    const product = (await catalogue.kindOf(one)) ?? {
      productId: one.pid ?? "",
      kind: await requestedKind(remoteCall, named),
    }
    return serviceOf(one, { ...product, ...(one.kind && { kind: one.kind }), ...named })
  }

  const all = async (customerId: string) => {
    const services = (await list(customerId)).map((one) =>
      service(one, { customerId, serviceId: one.id ?? "" }),
    )
    return Promise.all(services)
  }

  return {
    find,
    all,
    async read(named) {
      const one = await find(named)
      return one && service(one, named)
    },
    async ofOrder(customerId, orderId) {
      return (await all(customerId)).find((it) => it.orderId === orderId) ?? null
    },
    async named(customerId, username) {
      const open = (await list(customerId)).filter(({ status }) => !TERMINATED_STATUSES.test(status))
      const one = open.find((it) => it.username === username)
      return one?.id ? { serviceId: one.id, orderId: one.orderid, invoiceId: one.invoiceid } : null
    },
  }
}

/** A service of something that is on sale no longer is a reseller's when they say so. */
async function requestedKind(remoteCall: RemoteCall, { customerId, serviceId }: Named): Promise<ProductKind> {
  const request = { clientid: customerId, serviceid: serviceId }
  const result = await nullOnRejection(remoteCall(calls.getResellerProducts, request, { customerId }))
  return result && !result.error && result.status ? "reseller" : "plan"
}

const TERMINATED_STATUSES = /^(cancell?ed|terminated|fraud)$/i

/** They may answer for anybody's service: what is another's is none. */
function isOf(customerId: string, { clientid }: RemoteService): boolean {
  return clientid === null || clientid === customerId
}
