import { randomUUID } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { seedIfEmpty } from "~/billing/embedded/catalogue/catalogue.server"
import { inTransaction } from "~/billing/embedded/db/transaction.server"
import { requeueJob } from "~/billing/embedded/jobs/outbox.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { extendTerm } from "~/billing/embedded/services/service-terms.server"
import { HOUR, MINUTE } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { catalogue, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { openMigratedMemoryDatabase } from "../../../tests/support/db/migrated-sqlite"
import { runJobs } from "./run-jobs.server"

const operator = { owner: "operator", reason: "asked for it" } as const

test.each([
  ["suspended", ["suspend"]],
  ["resumed", ["suspend", "resume"]],
  ["terminated", ["suspend", "terminate"]],
  ["extended", ["extend"]],
  ["extended and suspended", ["extend", "suspend"]],
] as const)("the panel learns that a service was %s", async (_, changes) => {
  const { shop, change, tellAll } = await openWithService()
  for (const name of changes) {
    await change(name)
    await tellAll()
  }
  expect(shop.panel.received.slice(2).map(({ what }) => what)).toEqual(changes)
})

test("a suspension that ends while the panel is being told of it ends at the panel too", async () => {
  const { shop, change, panelState } = await openWithService()
  await change("suspend")
  const { provisioner } = shop.services
  const suspend: typeof provisioner.suspend = async (line) => {
    await change("resume")
    await runJobs(shop.services, "terms")
    await provisioner.suspend(line)
  }
  await runJobs({ ...shop.services, provisioner: { ...provisioner, suspend } }, "terms")
  expect(panelState()).toMatchObject({ isSuspended: false })
})

test("a panel that was told of a suspension and did not answer hears of the resumption", async () => {
  const { shop, change, tellAll } = await openWithService()
  await change("suspend")
  shop.panel.broken = true
  await runJobs(shop.services, "terms")
  await change("resume")
  shop.panel.broken = false
  await tellAll()
  expect(shop.panel.received.slice(2).map(({ what }) => what)).toEqual(["resume", "resume"])
})

test("a job that keeps failing is parked for the operator with its order", async () => {
  const { shop, order, change } = await openWithService()
  await change("extend")
  shop.panel.broken = true
  for (let attempts = 0; attempts < 40; attempts++) {
    await runJobs(shop.services, "terms")
    shop.wait(2 * HOUR)
  }
  expect(await shop.billing.operator.jobs()).toMatchObject([
    { topic: "extend", orderId: order.id, state: "parked", reason: "the panel is unavailable" },
  ])
})

test("a step left at the panel does not set up a service again that has ended", async () => {
  const { shop } = await openWithService()
  const { services } = shop
  const create: typeof services.provisioner.create = async (line) => {
    const made = await services.provisioner.create(line)
    return { host: made.host, unfinished: "order not accepted" }
  }
  await buyPlan(
    { ...shop, services: { ...services, provisioner: { ...services.provisioner, create } } },
    { key: "draft-2" },
  )
  const other = await services.billing.orderByIdempotencyKey("draft-2")
  const at = services.now()
  await shop.billing.operator.terminateService(other?.serviceId ?? "", { ...operator, at })
  shop.wait(HOUR)
  await runJobs(services)
  expect(shop.panel.received.map(({ what }) => what)).toEqual(["create", "extend", "create"])
  expect(await shop.billing.operator.jobs()).toEqual([])
})

test("extensions of many services do not delay a service that was just paid", async () => {
  const { shop, change } = await openWithService()
  await change("extend")
  await buyPlan(shop, { key: "draft-2" })
  expect(shop.panel.received.map(({ what }) => what)).toEqual(["create", "extend", "create"])
})

type OpenedService = Awaited<ReturnType<typeof openWithService>>

const steps = {
  suspend: ({ change }) => change("suspend"),
  resume: ({ change }) => change("resume"),
  extend: ({ change }) => change("extend"),
  terminate: ({ change }) => change("terminate"),
  "run jobs": ({ shop }) => runJobs(shop.services, "terms"),
  "panel breaks": async ({ shop }) => {
    shop.panel.broken = true
  },
  "panel works": async ({ shop }) => {
    shop.panel.broken = false
  },
} satisfies Record<string, (it: OpenedService) => Promise<unknown>>

test("whatever happens in whatever order, the panel ends with the service as it is", async () => {
  const runs = fc.array(fc.constantFrom(...Object.values(steps)), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(runs, async (run) => {
      const it = await openWithService()
      for (const step of run) {
        await step(it)
        it.shop.wait(MINUTE)
      }
      it.shop.panel.broken = false
      await it.tellAll()
      expect(it.panelState()).toEqual(expectedAtPanel(await it.service()))
    }),
    { numRuns: 60 },
  )
})

function expectedAtPanel({ status, paidUntil }: Service) {
  return status === "Terminated" ? null : { isSuspended: status === "Suspended", paidUntil }
}

async function openWithService() {
  const db = await openMigratedMemoryDatabase()
  const ctx = { db, newId: () => randomUUID(), terms: termPolicy }
  await seedIfEmpty(ctx, catalogue)
  const shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
  const order = await buyPlan(shop)
  const { services, billing } = shop
  const id = order.serviceId
  const event = { kind: "renewed" } as const
  await inTransaction(ctx, async (tx) => {
    await extendTerm(tx, id, { cycles: 1, at: services.now(), event })
    await requeueJob(tx, { topic: "extend", subject: id, at: services.now() })
  })
  await runJobs(services, "terms")
  async function service(): Promise<Service> {
    const found = await services.billing.service(id)
    if (!found) throw new Error("no service")
    return found
  }
  const changes = {
    suspend: (at: number) => billing.operator.suspendService(id, { ...operator, at }),
    resume: (at: number) => billing.operator.resumeService(id, { owners: ["operator"], reason: null, at }),
    terminate: (at: number) => billing.operator.terminateService(id, { ...operator, at }),
    extend: (at: number) => billing.operator.extendService(id, { days: 1, reason: "an outage", at }),
  }
  return {
    shop,
    order,
    service,
    change: (name: keyof typeof changes) => changes[name](services.now()),
    /** Runs the jobs of the panel until none is left. */
    async tellAll() {
      for (let round = 0; round < 40; round++) {
        shop.wait(HOUR)
        await runJobs(services, "terms")
      }
    },
    panelState: () => panelStateOf(shop),
  }
}

/** The service as the panel has it after all calls; null once it is terminated. */
function panelStateOf({ panel }: TestShop) {
  return panel.received.reduce<{ isSuspended: boolean; paidUntil: number | null } | null>(
    (state, { what, line: { paidUntil } }) => {
      if (what === "terminate") return null
      const isSuspended = what === "suspend" || (what !== "resume" && (state?.isSuspended ?? false))
      return { isSuspended, paidUntil: what === "suspend" ? (state?.paidUntil ?? null) : paidUntil }
    },
    null,
  )
}
