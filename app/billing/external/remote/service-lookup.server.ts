import type { TheirService } from "~/billing/external/external-services"
import type { ProductKind } from "~/domain/catalogue"
import { type Ask, ifTheyHave, unlessRefused } from "./api-client.server"
import type { Shelf } from "./catalogue.server"
import { calls } from "./endpoints"
import { serviceOf, type Told } from "./service-schema"

type Named = { readonly customerId: string; readonly serviceId: string }

/** A customer's services as they tell of them. */
export type Lines = {
  readonly all: (customerId: string) => Promise<readonly TheirService[]>
  readonly read: (named: Named) => Promise<TheirService | null>
  /** In their own words, with what a service does not keep. */
  readonly told: (named: Named) => Promise<Told | null>
  readonly ofOrder: (customerId: string, orderId: string) => Promise<TheirService | null>
  /** The one that is not ended and has that user name. */
  readonly named: (customerId: string, username: string) => Promise<Found | null>
}

type Found = Pick<TheirService, "serviceId" | "orderId"> & { readonly invoiceId: string | null }

/** How services are looked up, whichever of the calls a server answers. */
export function linesThere(ask: Ask, shelf: Shelf): Lines {
  async function told({ customerId: clientid, serviceId: serviceid }: Named): Promise<Told | null> {
    const asked = ask(calls.getClientProducts, { clientid, serviceid }, { customerId: clientid })
    const list = (await unlessRefused(asked)) ?? []
    const [only] = list.filter(({ id }) => id === null || id === serviceid)
    return only && isOf(clientid, only) ? only : null
  }

  /** A server that wants to know which service tells of those that work by another call, and of no others. */
  async function list(customerId: string): Promise<readonly Told[]> {
    const [said, who] = [{ clientid: customerId }, { customerId }]
    const all = (await ifTheyHave(ask(calls.getClientProducts, said, who))) ?? []
    const told = all.length > 0 ? all : await ask(calls.getActiveProducts, said, who)
    return told.filter((one) => one.id !== null && isOf(customerId, one))
  }

  async function service(one: Told, named: Named): Promise<TheirService> {
    const goods = (await shelf.kindOf(one)) ?? {
      productId: one.pid ?? "",
      kind: await kindAskedFor(ask, named),
    }
    return serviceOf(one, { ...goods, ...(one.kind && { kind: one.kind }), ...named })
  }

  const all = async (customerId: string) => {
    const services = (await list(customerId)).map((one) =>
      service(one, { customerId, serviceId: one.id ?? "" }),
    )
    return Promise.all(services)
  }

  return {
    told,
    all,
    async read(named) {
      const one = await told(named)
      return one && service(one, named)
    },
    async ofOrder(customerId, orderId) {
      return (await all(customerId)).find((it) => it.orderId === orderId) ?? null
    },
    async named(customerId, username) {
      const open = (await list(customerId)).filter(({ status }) => !ENDED.test(status))
      const one = open.find((it) => it.username === username)
      return one?.id ? { serviceId: one.id, orderId: one.orderid, invoiceId: one.invoiceid } : null
    },
  }
}

/** A service of something that is on sale no longer is a reseller's when they say so. */
async function kindAskedFor(ask: Ask, { customerId, serviceId }: Named): Promise<ProductKind> {
  const said = { clientid: customerId, serviceid: serviceId }
  const told = await unlessRefused(ask(calls.getResellerProducts, said, { customerId }))
  return told && !told.error && told.status ? "reseller" : "plan"
}

const ENDED = /^(cancell?ed|terminated|fraud)$/i

/** They may answer for anybody's service: what is another's is none. */
function isOf(customerId: string, { clientid }: Told): boolean {
  return clientid === null || clientid === customerId
}
