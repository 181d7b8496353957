import type { NewOrder } from "~/billing/orders/new-order"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import type { DbContext } from "../db/transaction.server"
import type { RenewalPriceColumns } from "./renewal-terms.server"
import { noTerm } from "./service-terms.server"

type Making = {
  readonly id: string
  readonly orderId: string
  /** Kind of the service, which can differ from the order's: a reseller's `line` order creates a viewer's service. */
  readonly kind: ProductKind
  readonly product: { readonly productId: string; readonly name: string }
  readonly request: Pick<
    NewOrder,
    "customerId" | "cycle" | "quote" | "credentials" | "holdReason" | "at" | "trial"
  >
  readonly connections: number
  readonly notes: string
  /** Missing for a line, which is extended by a credit. */
  readonly renewal?: RenewalPriceColumns
}

/** Inserts the service of an order: pending until it is paid and provisioned, cancelled if the order is on hold. */
export async function writeService({ db }: DbContext, making: Making): Promise<void> {
  const { id, orderId, kind, product, request, connections, notes } = making
  const proxied = request.quote.lines.some((line) => line.kind === "proxyProtection")
  await db
    .insertInto("services")
    .values({
      id,
      order_id: orderId,
      client_id: request.customerId,
      product_id: product.productId,
      kind,
      name: product.name,
      cycle: request.cycle,
      currency: request.quote.total.currency,
      status: request.holdReason === null ? "Pending" : "Cancelled",
      username: request.credentials.username,
      password: request.credentials.password,
      host: null,
      connections,
      proxy_protection: proxied ? 1 : 0,
      device_address: null,
      device_requested: null,
      notes,
      local_id: null,
      ...noTerm,
      ...making.renewal,
      trial_hours: request.trial?.hours ?? null,
      created_at: request.at,
    })
    .execute()
}
