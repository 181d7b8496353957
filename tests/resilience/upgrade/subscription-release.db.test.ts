import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import type { Money } from "~/domain/money/money"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { renewFromBalance, renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { emailLogin } from "~/middleware/entry-links/email-login.server"
import { resume } from "~/middleware/orders/resume-order.server"
import { inProject } from "../../../scripts/setup/project-root.mjs"
import { documentPolicy } from "../../fixtures/document-policy"
import { loadedDump, loadedStatements, openFormerShop, restoredBackup } from "../../fixtures/former-release"
import { meet } from "../../fixtures/middleware-harness"
import { reopened } from "../../fixtures/session-harness"
import { respond } from "../../fixtures/shop-router"
import { engines } from "../../fixtures/temporary-database"
import type { TestShop } from "../../fixtures/test-shop"
import { accountingInZlotys, taxOf } from "../year/buyers-of-purchases"

const folder = inProject("tests", "fixtures", "release-a59fd0b5")
const backup = join(folder, "backup.jsonl")
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"))
const customers: readonly FormerCustomer[] = Object.values(expected.customers)
const policies = {
  tax: { rules: taxOf({ prices: "inclusive" }), timeZone: "UTC", file: accountingInZlotys },
  documents: documentPolicy,
}

type FormerCustomer = {
  readonly email: string
  readonly customerId: string
  readonly services: readonly { readonly id: string }[]
  readonly credit: Money
  readonly cookie: string
  /** The link of a sign-in, of a renewal, and of a playlist. */
  readonly signIn: string
  readonly renewal: string
  readonly playlist: string
}

const sources = [
  { title: "the SQLite file", open: () => loadedStatements(join(folder, "sqlite.sql")) },
  { title: "the PostgreSQL dump", open: () => loadedDump(join(folder, "postgresql.sql")) },
  ...engines.map((engine) => ({
    title: `the backup, restored on ${engine}`,
    open: () => restoredBackup(engine, backup),
  })),
]

describe.each(sources)("upgrade from $title of release a59fd0b5", ({ open }) => {
  let shop: Awaited<ReturnType<typeof openFormerShop>>
  beforeEach(async () => {
    shop = await openFormerShop({ facts: expected, open, policies })
  })
  afterEach(() => shop.close())

  test("every order, its payments, its history and its documents are what they were", async () => {
    const { billing } = shop.services
    for (const { id, timeline, documents, ...order } of expected.orders) {
      expect(await billing.order(id)).toMatchObject({ id, ...order })
      expect((await billing.timeline(id)).map(({ kind }) => kind)).toEqual(timeline)
      expect(await shop.billing.documents?.taxDocumentsOf(id)).toMatchObject(documents)
    }
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("every customer has the services, days and account credit that they had", async () => {
    const { billing, payments } = shop.services
    for (const { customerId, services, credit } of customers) {
      const customer = { id: customerId, reach: "account" } as const
      const now = new Map((await billing.servicesOf(customer)).map((it) => [it.id, it]))
      expect(now.size).toBe(services.length)
      for (const service of services) expect(now.get(service.id)).toMatchObject(service)
      expect(await payments.accountCredit(customerId, credit.currency)).toEqual(credit)
    }
  })

  test("a session cookie and the links of messages lead where they led", async () => {
    for (const { cookie, email, customerId, signIn, renewal, playlist, services } of customers) {
      const session = reopened(shop, cookie)
      expect(session.customer).toMatchObject({ id: customerId, email, reach: "account" })
      expect(await accessibleServices(shop.services, session)).toHaveLength(services.length)

      const { pathname, search } = new URL(signIn)
      const entered = await meet(emailLogin, { services: shop.services, path: `${pathname}${search}` })
      expect(entered.session.customer).toMatchObject({ id: customerId, reach: "account" })

      expect((await respond(shop.services, { path: renewal })).status).toBe(200)
      const list = await respond(shop.services, { path: playlist.replace(/^.*\/checkout/, "") })
      expect(list.status).toBe(200)
    }
    const { token, orderId } = expected.resume
    const back = { services: shop.services, path: `/checkout/de-de/waiting?resume=${token}`, form: {} }
    expect((await meet(resume, back)).session.orderId).toBe(orderId)
  })

  test("the shop goes on for forty days without an error, and its accounts still balance", async () => {
    const { services, billing } = shop
    await liveOn(shop, 40)
    expect(await billing.operator.findImbalances()).toEqual([])
    // The brake takes the half days between the passes for an outage.
    const errors = shop.log.filter(({ level, msg }) => Number(level) >= 50 && msg !== "dunning stopped")
    expect(errors).toEqual([])
    const orders: readonly { id: string }[] = expected.orders
    const statuses = await Promise.all(
      orders.map(async ({ id }) => (await services.billing.order(id))?.status),
    )
    // Nothing waits for a payment any more.
    expect(statuses).not.toContain("placed")
    expect(statuses).not.toContain("awaiting-payment")
  })
})

/** The work of a shop on `days` days, twice a day. */
async function liveOn(shop: Awaited<ReturnType<typeof openFormerShop>>, days: number): Promise<void> {
  const { services, billing } = shop
  let steady = 0
  const pass = dunningPass(services, {
    holder: "pass",
    steadyNow: () => steady,
    renewFromBalance: (id) => renewFromBalance(services, id),
  })
  for (let half = 0; half < 2 * days; half++) {
    shop.wait(DAY / 2)
    steady += DAY / 2
    await workOff(shop)
    await sweep(services, "sweep")
    await renewFromBalances(services, "renewals")
    await pass()
    await billing.dunning?.release("The operator has looked.", services.now())
  }
}

async function workOff({ services }: Pick<TestShop, "services">): Promise<void> {
  for (const queue of ["services", "terms"] as const) while ((await runJobs(services, queue)) > 0);
}
