import type { ExternalService } from "~/billing/external/external-services"
import type { Instant } from "~/domain/calendar"
import { defaultLocale } from "~/domain/locales"
import type { Currency } from "~/domain/money/money"
import { type DbContext, inTransaction } from "../db/transaction.server"
import { noTerm } from "../services/service-terms.server"

/**
 * Imports a service bought directly in the external system, so that its owner can manage it in this shop. Creates a
 * completed local order that owes nothing. Concurrent calls import it once.
 */
export async function importService(
  ctx: DbContext,
  service: ExternalService,
  { currency, at }: { currency: Currency; at: Instant },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const order = await createOrder(tx, service, at)
    if (!order) return
    await insertInvoice(tx, service, { order, currency, at })
    await writeService(tx, service, { order, currency, at })
  })
}

type ImportedOrder = { readonly order: string; readonly currency: Currency; readonly at: number }

async function createOrder(
  { db, newId }: DbContext,
  service: ExternalService,
  at: number,
): Promise<string | null> {
  const { serviceId, customerId: client_id, kind } = service
  const row = await db
    .insertInto("orders")
    .values({
      id: newId(),
      kind,
      service_id: serviceId,
      affiliate_id: null,
      client_id,
      // The external system does not report the access scope of the order.
      proven: 0,
      access_scope: null,
      password_id: null,
      one_time_key: `service ${serviceId}`,
      status: "active",
      promo_key: null,
      gateway: "offshore",
      locale: defaultLocale.code,
      address: null,
      placed_at: at,
      deadline: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  return row?.id ?? null
}

async function insertInvoice(
  { db, newId }: DbContext,
  service: ExternalService,
  { order, currency, at }: ImportedOrder,
) {
  const nothing = { code: null, option_id: null, choice_id: null, quantity: null, amount: 0, currency }
  await db
    .insertInto("order_lines")
    .values({
      order_id: order,
      position: 0,
      kind: "plan",
      product_id: service.productId,
      name: service.name,
      ...nothing,
    })
    .execute()
  await db
    .insertInto("invoices")
    .values({
      id: newId(),
      order_id: order,
      client_id: service.customerId,
      status: "paid",
      currency,
      total: 0,
      received: 0,
      credited: 0,
      created_at: at,
      paid_at: at,
    })
    .execute()
}

async function writeService(
  { db }: DbContext,
  service: ExternalService,
  { order, currency, at }: ImportedOrder,
) {
  const { serviceId: id, customerId, productId, kind, name, status, username, password, host } = service
  await db
    .insertInto("services")
    .values({
      id,
      local_id: null,
      ...noTerm,
      paid_until: service.paidUntil,
      order_id: order,
      client_id: customerId,
      product_id: productId,
      kind,
      name,
      status,
      username,
      password,
      host,
      cycle: service.cycle,
      currency,
      created_at: at,
      connections: service.connections ?? 1,
      proxy_protection: service.proxyProtection ? 1 : 0,
      device_address: service.deviceAddress,
      device_requested: null,
      notes: service.notes ?? "",
    })
    .execute()
}
