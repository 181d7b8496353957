import { rmSync } from "node:fs"
import { join } from "node:path"
import pino from "pino"
import { afterEach, beforeEach, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { terminateAndRecreate } from "~/flows/jobs/recreate-service.server"
import {
  catalogueFixture,
  NOON,
  newOrderInput,
  promotions,
} from "../../../../tests/contracts/billing/billing-fixtures"
import type { MirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"
import { temporaryFolder } from "../../../../tests/support/temporary-folder"

/** New login details at a billing server: its line is ended, and made anew by a job of this shop. */

const noLists = { playlist: async () => Promise.reject(new Error("no list")), playlistAddress: () => null }
const log = pino({ level: "silent" })

let folder: string
let server: Awaited<ReturnType<typeof openStorefront>>
const processes: MirrorUnderTest[] = []

beforeEach(async () => {
  folder = temporaryFolder()
  server = await openStorefront(catalogueFixture)
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((it) => it.close()))
  await server.close()
  rmSync(folder, { recursive: true })
})

/** A process of the shop, which has fetched nothing yet. */
async function openProcess(): Promise<MirrorUnderTest> {
  const opened = await server.openStorefrontBilling({ databaseUrl: join(folder, "boxoffice.db"), log })
  processes.push(opened)
  return opened
}

async function bought({ billing, panel }: MirrorUnderTest) {
  const input = await newOrderInput(billing, {}, promotions.free)
  const { serviceId } = await billing.placeOrder(input)
  const service = await billing.service(serviceId)
  if (!service) throw new Error("Service not found")
  await billing.activateService(service.id, await panel(noLists).create(service), NOON)
  return (await billing.service(serviceId)) ?? service
}

test("a service whose line was ended for new login details gets them, also if that answer was lost and a customer looks meanwhile", async () => {
  const first = await openProcess()
  const service = await bought(first)
  const job = await first.billing.scheduleRecreation(service.id, NOON, NOON + SECOND)
  // Its answer is lost.
  await first.panel(noLists).terminate(service)

  const second = await openProcess()
  const [seen] = await second.billing.servicesOf({ id: service.customerId, reach: "account" })
  expect(seen).toMatchObject({ id: service.id, status: "Active" })

  const surroundings = {
    now: () => NOON + SECOND,
    randomInt: (below: number) => below - 1,
    wakeJobs: () => undefined,
  }
  const provisioner = second.panel(noLists)
  const services = { ...surroundings, billing: second.billing, outbox: second.outbox, provisioner, log }
  expect(await terminateAndRecreate(services, job)).toBe(true)
  const pending = await second.billing.service(service.id)
  expect(pending).toMatchObject({ status: "Pending" })
  expect(pending?.username).not.toBe(service.username)
})

test("a service that staff have ended is ended here", async () => {
  const first = await openProcess()
  const service = await bought(first)
  await first.panel(noLists).terminate(service)
  const [seen] = await (await openProcess()).billing.servicesOf({ id: service.customerId, reach: "account" })
  expect(seen?.status).not.toBe("Active")
})
