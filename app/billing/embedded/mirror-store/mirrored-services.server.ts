import type { ExternalService } from "~/billing/external/external-services"
import type { Credentials } from "~/domain/credentials"
import type { Service } from "~/domain/service"
import type { DbContext } from "../db/transaction.server"

export async function currentServiceId({ db }: DbContext, id: string): Promise<string> {
  const row = await db.selectFrom("services").select("id").where("local_id", "=", id).executeTakeFirst()
  return row?.id ?? id
}

export async function updateService(
  { db }: DbContext,
  local: Service,
  remote: ExternalService,
): Promise<void> {
  const { status, username, password } = remote
  await db
    .updateTable("services")
    .set({
      status,
      username,
      password,
      host: remote.host ?? local.host,
      name: remote.name,
      device_address: remote.deviceAddress ?? local.deviceAddress,
      notes: remote.notes ?? local.notes,
      connections: Math.max(remote.connections ?? 0, local.connections),
    })
    .where("id", "=", local.id)
    .where("status", "=", local.status)
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
