import { BillingError } from "~/billing/billing"
import type { Instant } from "~/domain/calendar"
import type { Service } from "~/domain/service"
import { atOnce, type Books } from "../books.server"
import type { ServiceRow } from "../schema/order-rows"
import { carryOut } from "./order-moves.server"
import { tell, tellUnless } from "./timeline.server"

/** A service by its id; null when there is none. */
export async function service({ db }: Books, id: string): Promise<Service | null> {
  const row = await db.selectFrom("services").selectAll().where("id", "=", id).executeTakeFirst()
  return row ? serviceOf(row) : null
}

/** The service of a paid order works now: it and its order become active. The second time nothing happens. */
export async function activateService(
  books: Books,
  id: string,
  works: { host: string; at: Instant },
): Promise<void> {
  await atOnce(books, async (inside) => {
    const { orderId } = await known(inside, id)
    if (!(await carryOut(inside, orderId, "provisioned"))) return
    await inside.db
      .updateTable("services")
      .set({ status: "Active", host: works.host })
      .where("id", "=", id)
      .execute()
    await tell(inside, orderId, [{ kind: "provisioned", at: works.at }])
  })
}

/** Setting up a service takes longer than the buyer expects: told once, and never after it works. */
export async function tellDelay(books: Books, serviceId: string, at: Instant): Promise<void> {
  await atOnce(books, async (inside) => {
    const { orderId } = await known(inside, serviceId)
    const telling = { kind: "provisioning-delayed", at } as const
    await tellUnless(inside, orderId, { telling, unless: ["provisioning-delayed", "provisioned"] })
  })
}

async function known(books: Books, id: string): Promise<Service> {
  const found = await service(books, id)
  if (!found) throw new BillingError("refused", `No service ${id}`)
  return found
}

function serviceOf(row: ServiceRow): Service {
  return {
    id: row.id,
    orderId: row.order_id,
    customerId: row.client_id,
    productId: row.product_id,
    name: row.name,
    status: row.status,
    username: row.username,
    password: row.password,
    host: row.host,
    connections: row.connections,
    proxyProtection: row.proxy_protection === 1,
  }
}
