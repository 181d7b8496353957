import type { ExternalService } from "~/billing/external/external-services"
import { payableStatuses } from "~/domain/orders/order-status"
import type { Credentials } from "~/domain/services/credentials"
import type { Service } from "~/domain/services/service"
import type { DbContext } from "../db/transaction.server"

export async function currentServiceId({ db }: DbContext, id: string): Promise<string> {
  const row = await db.selectFrom("services").select("id").where("local_id", "=", id).executeTakeFirst()
  return row?.id ?? id
}

/** See `MirroredServices.servicesInRecreation`. */
export async function servicesInRecreation({ db }: DbContext, customerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("services")
    .select("id")
    .where("client_id", "=", customerId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("outbox")
          .select("outbox.id")
          .where("topic", "=", "recreate")
          .whereRef("subject", "=", "services.id")
          .where("state", "in", ["waiting", "parked"]),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Copies a service of external billing. The number of connections of a plan only grows, and not while a bought extra connection is
 * unpaid here: external billing may have counted it already, and its payment here adds it again.
 */
export async function updateService(
  { db }: DbContext,
  local: Service,
  remote: ExternalService,
): Promise<void> {
  const { status, username, password, connections } = remote
  const unpaid = db
    .selectFrom("orders")
    .select("id")
    .where("service_id", "=", local.id)
    .where("kind", "=", "upsell")
    .where("status", "in", [...payableStatuses])
  await db
    .updateTable("services")
    .set((row) => ({
      status,
      username,
      password,
      host: remote.host ?? local.host,
      name: remote.name,
      product_id: remote.productId,
      cycle: remote.cycle ?? local.cycle,
      device_address: remote.deviceAddress ?? local.deviceAddress,
      notes: remote.notes ?? local.notes,
      paid_until: remote.paidUntil,
      connections: row
        .case()
        .when(row("product_id", "!=", remote.productId))
        .then(connections ?? local.connections)
        .when(row.and([row("connections", "<", connections ?? 0), row.not(row.exists(unpaid))]))
        .then(connections ?? 0)
        .else(row.ref("connections"))
        .end(),
    }))
    .where("id", "=", local.id)
    .where("status", "=", local.status)
    .execute()
}

export async function moveService(
  { db }: DbContext,
  { id, customerId }: Service,
  client_id: string,
): Promise<void> {
  await db
    .updateTable("services")
    .set({ client_id })
    .where("id", "=", id)
    .where("client_id", "=", customerId)
    .execute()
}

export async function releaseService({ db }: DbContext, { id, customerId, status }: Service): Promise<void> {
  await db
    .updateTable("services")
    .set({ status: "Cancelled" })
    .where("id", "=", id)
    .where("client_id", "=", customerId)
    .where("status", "=", status)
    .execute()
}

export async function setCredentials(
  { db }: DbContext,
  serviceId: string,
  { username, password }: Credentials,
): Promise<void> {
  await db
    .updateTable("services")
    .set({ username, password })
    .where("id", "=", serviceId)
    .where("status", "=", "Pending")
    .execute()
}
