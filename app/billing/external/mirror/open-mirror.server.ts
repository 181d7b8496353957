import type { Logger } from "pino"
import type { Catalogue } from "~/billing/cached-catalogue.server"
import {
  type DatabaseSettings,
  type EmbeddedBooks,
  embeddedBooks,
  openBooks,
} from "~/billing/embedded/open-embedded-billing.server"
import type { Backoffice } from "~/billing/external/external-billing"
import type { Instant } from "~/domain/calendar"
import type { GatewayId } from "~/domain/gateway-id"
import type { Gateway } from "~/gateways/gateway"
import type { Provisioner } from "~/provisioning/provisioner"
import { billingBeside } from "./billing.server"
import { lastPriceList } from "./catalogue.server"
import { type Beside, laterWork } from "./context.server"
import { emailOf } from "./customers.server"
import { theirGateway } from "./external-gateway.server"
import { panelBeside } from "./provisioner.server"

export type BesideSettings = DatabaseSettings &
  Pick<Beside, "hosts"> & {
    /** Opens their side; what it may have to look up in our books is handed to it. */
    readonly openBackoffice: (ours: Lookups) => Backoffice
    readonly now: () => Instant
    readonly log: Logger
  }

export type Lookups = {
  /** The e-mail of a customer as he has typed it; null: we do not know him. */
  emailOf(customerId: string): Promise<string | null>
}

export type BooksBeside = EmbeddedBooks & {
  readonly backoffice: Backoffice
  /** Their price list as it was read last, for showing while they do not answer. */
  readonly lastPriceList: Pick<Catalogue, "plans" | "resellerPlans">
  /** Who makes lines: their panel. Channel lists come from `lists`. */
  panel(lists: Pick<Provisioner, "playlist" | "playlistAddress">): Provisioner
  /** A way to pay them; null where the shop's own gateways take the money. */
  gateway(id: GatewayId): Gateway | null
}

/** Opens our small books beside somebody else's billing system. Throws a `BillingError` when ours cannot be opened. */
export async function openBooksBeside(settings: BesideSettings): Promise<BooksBeside> {
  const { openBackoffice, hosts, now, log } = settings
  const books = await openBooks(settings)
  const backoffice = openBackoffice({ emailOf: (id) => emailOf(books, id) })
  const ours = embeddedBooks(books)
  const { later, allDone } = laterWork(log)
  const beside = { ...{ backoffice, books, ours, hosts }, now, log, later }
  const { till } = backoffice
  return {
    ...{ ...ours, backoffice },
    billing: billingBeside(beside),
    lastPriceList: lastPriceList(beside),
    panel: (lists) => panelBeside(beside, lists),
    gateway: (id) => till && theirGateway(beside, till, id),
    async close() {
      await allDone()
      await ours.close()
    },
  }
}
