import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import type { Service } from "~/domain/services/service"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { ProvisioningError } from "~/provisioning/provisioner"
import { browserWith, buyPlan } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { noteOnService, recreateService, restartService, tieToDevice } from "./change-service.server"
import { serviceOfKey, showAccess } from "./show-access.server"

const DEVICE = "00:1A:79:AB:CD:EF"

test("stores a device address after the panel has accepted it", async () => {
  const { shop, service } = await withService()
  expect(await tieToDevice(shop.services, service, DEVICE)).toBe("done")
  expect((await now(shop, service)).deviceAddress).toBe(DEVICE)
  expect(shop.panel.received.at(-1)).toMatchObject({ what: "device", line: { deviceAddress: DEVICE } })
})

test("of two devices at the same moment one is registered, at the panel and here, and the other is told", async () => {
  const { shop, service } = await withService()
  const outcomes = await Promise.all(
    [DEVICE, "00:1A:79:00:00:02" as const].map((address) => tieToDevice(shop.services, service, address)),
  )
  expect(outcomes.toSorted()).toEqual(["changed", "done"])
  const registered = shop.panel.received.filter(({ what }) => what === "device")
  expect(registered.map(({ line }) => line.deviceAddress)).toEqual([(await now(shop, service)).deviceAddress])
})

test("a device is not registered over one that was registered since, but the same one again", async () => {
  const { shop, service } = await withService()
  expect(await tieToDevice(shop.services, service, DEVICE)).toBe("done")
  expect(await tieToDevice(shop.services, service, "00:1A:79:00:00:02")).toBe("changed")
  expect(await tieToDevice(shop.services, service, DEVICE)).toBe("done")
  expect((await now(shop, service)).deviceAddress).toBe(DEVICE)
})

/** The services with a panel that answers a device as a test says. */
function withPanel(shop: TestShop, answer: (line: Service) => Promise<void>) {
  return { ...shop.services, provisioner: { ...shop.services.provisioner, setDeviceAddress: answer } }
}

/** Lets the panel do what it is asked, and its answer be lost. */
async function withLostAnswer(shop: TestShop, service: Service, device: typeof DEVICE) {
  const { setDeviceAddress } = shop.services.provisioner
  const services = withPanel(shop, async (line) => {
    await setDeviceAddress(line)
    throw new ProvisioningError("the panel is unavailable")
  })
  return tieToDevice(services, service, device)
}

test("a device whose answer was lost is asked for again until the panel confirms it, and stored then", async () => {
  const { shop, service } = await withService()
  expect(await withLostAnswer(shop, service, DEVICE)).toBe("unconfirmed")
  expect(await now(shop, service)).toMatchObject({ deviceAddress: null, deviceRequested: DEVICE })
  shop.panel.broken = true
  shop.wait(MINUTE)
  expect(await runJobs(shop.services)).toBe(1)
  expect(await now(shop, service)).toMatchObject({ deviceAddress: null, deviceRequested: DEVICE })
  shop.panel.broken = false
  shop.wait(MINUTE)
  expect(await runJobs(shop.services)).toBe(1)
  expect(await now(shop, service)).toMatchObject({ deviceAddress: DEVICE, deviceRequested: null })
  const asked = shop.panel.received.filter(({ what }) => what === "device")
  expect(asked.map(({ line }) => line.deviceAddress)).toEqual([DEVICE, DEVICE])
  shop.wait(DAY)
  expect(await runJobs(shop.services)).toBe(0)
})

test("a device whose registration has died with its process is asked for again", async () => {
  const { shop, service } = await withService()
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const services = withPanel(shop, () => {
    resolve()
    return new Promise<never>(() => {})
  })
  void tieToDevice(services, service, DEVICE)
  await asked
  shop.wait(MINUTE)
  await runJobs(shop.services)
  expect(await now(shop, service)).toMatchObject({ deviceAddress: DEVICE, deviceRequested: null })
})

test("another device takes the place of one that the panel has not confirmed", async () => {
  const { shop, service } = await withService()
  await withLostAnswer(shop, service, DEVICE)
  expect(await tieToDevice(shop.services, service, "00:1A:79:00:00:02")).toBe("done")
  shop.wait(MINUTE)
  await runJobs(shop.services)
  expect(await now(shop, service)).toMatchObject({
    deviceAddress: "00:1A:79:00:00:02",
    deviceRequested: null,
  })
  expect(shop.panel.received.at(-1)).toMatchObject({ line: { deviceAddress: "00:1A:79:00:00:02" } })
})

test("a device that is asked for waits while the service is suspended, and is forgotten with its end", async () => {
  const { shop, service } = await withService()
  const { operator } = shop.billing
  await withLostAnswer(shop, service, DEVICE)
  const at = () => shop.services.now()
  await operator.suspendService(service.id, { owner: "operator", reason: null, at: at() })
  shop.wait(MINUTE)
  await runJobs(shop.services)
  expect(await now(shop, service)).toMatchObject({ deviceAddress: null, deviceRequested: DEVICE })
  await operator.terminateService(service.id, { owner: "operator", reason: null, at: at() })
  shop.wait(2 * MINUTE)
  await runJobs(shop.services)
  expect(await now(shop, service)).toMatchObject({ deviceAddress: null, deviceRequested: null })
})

test("a device that nobody confirms is given up after a day, and an operator who discards it ends the asking", async () => {
  const { shop, service } = await withService()
  await withLostAnswer(shop, service, DEVICE)
  shop.panel.broken = true
  for (let tries = 0; tries < 40; tries++) {
    shop.wait(HOUR)
    await runJobs(shop.services)
  }
  const [job] = await shop.billing.operator.jobs()
  expect(job).toMatchObject({ topic: "device", state: "parked" })
  expect(await shop.billing.operator.discardJob(job?.id ?? "")).toBe(true)
  expect(await now(shop, service)).toMatchObject({ deviceAddress: null, deviceRequested: null })
})

test("a device that the panel has refused to register keeps nobody from another try", async () => {
  const { shop, service } = await withService()
  const services = withPanel(shop, async () => {
    throw new ProvisioningError("the panel rejected the call", { isRefusal: true })
  })
  expect(await tieToDevice(services, service, DEVICE)).toBe("not-answered")
  expect(await now(shop, service)).toEqual(service)
  shop.wait(MINUTE)
  expect(await runJobs(shop.services)).toBe(0)
  expect(await tieToDevice(shop.services, service, "00:1A:79:00:00:02")).toBe("done")
})

test("a device whose registration has died is registered once its lease has ended", async () => {
  const { shop, service } = await withService()
  const { provisioner } = shop.services
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const setDeviceAddress = () => {
    resolve()
    return new Promise<never>(() => {})
  }
  void tieToDevice({ ...shop.services, provisioner: { ...provisioner, setDeviceAddress } }, service, DEVICE)
  await asked
  expect(await tieToDevice(shop.services, service, DEVICE)).toBe("changed")
  shop.wait(MINUTE)
  expect(await tieToDevice(shop.services, service, DEVICE)).toBe("done")
})

test("a restart adds a timeline event", async () => {
  const { shop, service } = await withService()
  expect(await restartService(shop.services, service)).toBe("done")
  const timeline = await shop.services.billing.timeline(service.orderId)
  expect(timeline.at(-1)?.kind).toBe("restarted")
})

test("recreating a service replaces its credentials and invalidates the old playlist URL", async () => {
  const { shop, service, order } = await withService()
  const before = await showAccess(shop.services, browserWith(order))
  expect(await recreateService(shop.services, service)).toBe("done")
  expect(shop.panel.received.at(-1)).toMatchObject({
    what: "terminate",
    line: { username: service.username },
  })
  expect((await now(shop, service)).status).toBe("Pending")

  await runJobs(shop.services)
  const fresh = await now(shop, service)
  expect(fresh).toMatchObject({ status: "Active", connections: service.connections })
  expect([fresh.username, fresh.password]).not.toEqual([service.username, service.password])
  const address = new URL(before?.playlistAddress ?? "").searchParams
  const [line = "", key = ""] = [address.get("line") ?? "", address.get("key") ?? ""]
  expect(await serviceOfKey(shop.services, { line, key })).toBeNull()
})

test("stores notes unchanged", async () => {
  const { shop, service } = await withService()
  await noteOnService(shop.services, service, "Living room\nand <b>kitchen</b>")
  expect((await now(shop, service)).notes).toBe("Living room\nand <b>kitchen</b>")
})

test("while the panel is unavailable, a restart changes nothing and logs one line", async () => {
  const { shop, service } = await withService()
  shop.panel.broken = true
  expect(await restartService(shop.services, service)).toBe("not-answered")
  expect(await now(shop, service)).toEqual(service)
  expect(shop.log.filter(({ msg }) => msg === "panel update failed")).toHaveLength(1)
})

test("rejects changes of a terminated service without calling the panel", async () => {
  const { shop, service } = await withService()
  const ended = { ...service, status: "Cancelled" } as const
  const before = shop.panel.received.length
  expect(await tieToDevice(shop.services, ended, DEVICE)).toBe("not-active")
  expect(await restartService(shop.services, ended)).toBe("not-active")
  expect(await recreateService(shop.services, ended)).toBe("not-active")
  expect(shop.panel.received).toHaveLength(before)
})

test("completes a recreation after the panel is available again", async () => {
  const { shop, service } = await withService()
  shop.panel.broken = true
  expect(await recreateService(shop.services, service)).toBe("not-answered")
  expect(await now(shop, service)).toEqual(service)

  shop.panel.broken = false
  shop.wait(10 * SECOND)
  while ((await runJobs(shop.services)) > 0);
  const fresh = await now(shop, service)
  expect(fresh.status).toBe("Active")
  expect(fresh.username).not.toBe(service.username)
  expect(shop.panel.received.map(({ what }) => what)).toEqual(["create", "terminate", "create"])
  shop.wait(DAY)
  expect(await runJobs(shop.services)).toBe(0)
})

test("completes a recreation of a service that was suspended meanwhile, once it is resumed", async () => {
  const { shop, service } = await withService()
  const { operator } = shop.billing
  shop.panel.broken = true
  expect(await recreateService(shop.services, service)).toBe("not-answered")
  shop.panel.broken = false
  const suspension = { owner: "operator", reason: null, at: shop.services.now() } as const
  await operator.suspendService(service.id, suspension)
  shop.wait(10 * SECOND)
  while ((await runJobs(shop.services)) > 0);
  expect((await now(shop, service)).status).toBe("Suspended")
  shop.wait(10 * DAY)
  while ((await runJobs(shop.services)) > 0);
  expect(await operator.jobs()).toMatchObject([{ topic: "recreate", state: "waiting" }])

  await operator.resumeService(service.id, { owners: ["operator"], reason: null, at: shop.services.now() })
  shop.wait(MINUTE)
  while ((await runJobs(shop.services)) > 0);
  const fresh = await now(shop, service)
  expect(fresh.status).toBe("Active")
  expect(fresh.username).not.toBe(service.username)
})

test("another instance completes a scheduled recreation", async () => {
  const { shop, service } = await withService()
  await shop.services.billing.scheduleRecreation(
    service.id,
    shop.services.now(),
    shop.services.now() + MINUTE,
  )
  expect(await runJobs(shop.services)).toBe(0)
  shop.wait(MINUTE)
  while ((await runJobs(shop.services)) > 0);
  expect((await now(shop, service)).username).not.toBe(service.username)
})

test("two concurrent requests recreate a service once", async () => {
  const { shop, service } = await withService()
  await Promise.all([recreateService(shop.services, service), recreateService(shop.services, service)])
  const timeline = await shop.services.billing.timeline(service.orderId)
  expect(timeline.filter(({ kind }) => kind === "recreated")).toHaveLength(1)
})

async function withService() {
  const shop = await openTestShop()
  const order = await buyPlan(shop)
  const service = await shop.services.billing.service(order.serviceId)
  if (!service) throw new Error("no service")
  return { shop, service, order }
}

async function now(shop: TestShop, { id }: Service): Promise<Service> {
  const service = await shop.services.billing.service(id)
  if (!service) throw new Error("no service")
  return service
}
