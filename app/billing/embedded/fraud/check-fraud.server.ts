import type { Orderer } from "~/billing/fraud-and-affiliates"
import { assessFraud, type FraudVerdict, ORDER_VELOCITY, type Unpaid } from "~/domain/orders/fraud"
import { paidStatuses } from "~/domain/orders/order-status"
import { ipAddress, ownNetwork } from "~/http/ip-address.server"
import type { DbContext } from "../db/transaction.server"
import { blocksFor } from "./block-list.server"

/** Checks blocks and the number of recent unpaid orders: see `FraudAndAffiliates.checkFraud`. */
export async function checkFraud(ctx: DbContext, visitor: Orderer): Promise<FraudVerdict> {
  const { address, country, customer } = visitor
  const blocks = await blocksFor(ctx, {
    address: ipAddress(address),
    country,
    customerId: customer?.id ?? null,
  })
  if (blocks.length > 0) return assessFraud({ blocks, unpaid: null })
  return assessFraud({
    blocks,
    unpaid: (await isTrusted(ctx, visitor)) ? null : await unpaidOf(ctx, visitor),
  })
}

/** Velocity limits do not apply to customers authenticated for the account who have paid before. */
async function isTrusted({ db }: DbContext, { customer }: Orderer): Promise<boolean> {
  if (!customer?.authenticatedAccount) return false
  const paid = await db
    .selectFrom("invoices")
    .select("id")
    .where("client_id", "=", customer.id)
    .where("status", "=", "paid")
    .where("received", ">", 0)
    .limit(1)
    .executeTakeFirst()
  return paid !== undefined
}

async function unpaidOf(ctx: DbContext, { address, browser, customer, at }: Orderer): Promise<Unpaid> {
  // Private and reserved addresses are not counted: they stand for many buyers or for the shop's own proxy.
  const network = ownNetwork(address)
  const since = at - ORDER_VELOCITY.within
  const unpaid = network === null ? [] : await unpaidSince(ctx, { column: "network", value: network, since })
  const browsers =
    browser === null ? [] : await unpaidSince(ctx, { column: "browser", value: browser, since })
  const isShared = network !== null && !network.includes(":")
  return {
    browser: browsers.length,
    email: unpaid.filter(({ client_id }) => client_id === customer?.id).length,
    network: isShared ? 0 : unpaid.length,
    sharedAddress: isShared ? unpaid.length : 0,
  }
}

type Sought = { readonly column: "network" | "browser"; readonly value: string; readonly since: number }

/** Limit of rows read; above every velocity limit, so counting further changes nothing. */
const MAX_COUNTED = 200

function unpaidSince({ db }: DbContext, { column, value, since }: Sought) {
  return db
    .selectFrom("orders")
    .select("client_id")
    .where(column, "=", value)
    .where("placed_at", ">", since)
    .where("status", "not in", paidStatuses)
    .limit(MAX_COUNTED)
    .execute()
}
