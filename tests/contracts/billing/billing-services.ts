import { describe, expect, test } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import {
  active,
  type BillingUnderTest,
  NOON,
  orderNow,
  placed,
  timelineKinds,
  together,
} from "./billing-fixtures"

const fresh = { username: "TVZZZZZZZZ", password: "9999999999" }

/** Tests operations on existing services. */
export function servicesContract(backend: () => BillingUnderTest): void {
  async function recreate(serviceId: string, at = NOON): Promise<boolean> {
    const former = (await backend().billing.service(serviceId)) ?? { id: serviceId, username: "" }
    return backend().billing.recreateService(former, fresh, at)
  }

  describe("a service", () => {
    test("a service stores its device and the customer's notes", async () => {
      const { serviceId } = await active(backend())
      await backend().billing.setDeviceAddress(serviceId, "00:1A:79:AB:CD:EF")
      await backend().billing.setNotes(serviceId, "Living room\n'; DROP TABLE services; --")
      expect(await backend().billing.service(serviceId)).toMatchObject({
        deviceAddress: "00:1A:79:AB:CD:EF",
        notes: "Living room\n'; DROP TABLE services; --",
      })
    })

    test("a device that was asked for is known until it is registered or forgotten, and only the last one", async () => {
      const { serviceId } = await active(backend())
      const { billing } = backend()
      const times = { at: NOON, due: NOON + HOUR }
      await billing.requestDevice(serviceId, "00:1A:79:00:00:01", times)
      await billing.requestDevice(serviceId, "00:1A:79:00:00:02", times)
      await billing.dropDeviceRequest(serviceId, "00:1A:79:00:00:01")
      const asked = { deviceAddress: null, deviceRequested: "00:1A:79:00:00:02" }
      expect(await billing.service(serviceId)).toMatchObject(asked)
      await billing.setDeviceAddress(serviceId, "00:1A:79:00:00:02")
      const registered = { deviceAddress: "00:1A:79:00:00:02", deviceRequested: null }
      expect(await billing.service(serviceId)).toMatchObject(registered)
      await billing.requestDevice(serviceId, "00:1A:79:00:00:03", times)
      await billing.dropDeviceRequest(serviceId, "00:1A:79:00:00:03")
      expect(await billing.service(serviceId)).toMatchObject(registered)
    })

    test("a restart is recorded in the timeline of the order that created the service", async () => {
      const order = await active(backend())
      await backend().billing.recordRestart(order.serviceId, NOON)
      expect((await timelineKinds(backend(), order)).at(-1)).toBe("restarted")
    })

    test("a withdrawal is recorded once", async () => {
      const order = await active(backend())
      const { billing } = backend()
      await Promise.all([1, 2].map(() => billing.recordWithdrawal(order.id, NOON)))
      await billing.recordWithdrawal(order.id, NOON + 1)
      const events = (await billing.timeline(order.id)).filter(({ kind }) => kind === "withdrawn")
      expect(events).toMatchObject([{ at: NOON }])
    })

    test("a recreated service gets new credentials, is provisioned again and becomes active", async () => {
      const order = await active(backend())
      await finishJobs(backend())
      expect(await recreate(order.serviceId)).toBe(true)
      expect(await backend().billing.service(order.serviceId)).toMatchObject({
        ...fresh,
        status: "Pending",
        host: null,
      })
      const [job] = await backend().outbox.claim(NOON, HOUR, 9)
      expect(job).toMatchObject({ topic: "provision", subject: order.serviceId, tries: 0 })
      await backend().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      expect(await backend().billing.service(order.serviceId)).toMatchObject({
        status: "Active",
        host: "https://new.test",
      })
      expect((await orderNow(backend(), order)).status).toBe("active")
      const messages = ["placed", "paid", "provisioned", "recreated", "provisioned"]
      expect(await timelineKinds(backend(), order)).toEqual(messages)
    })

    test("a recreated service becomes active once, however often it is reported", async () => {
      const order = await active(backend())
      await recreate(order.serviceId)
      const works = () =>
        backend().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      await together(5, works)
      expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["recreated", "provisioned"])
    })

    test("a delayed recreation is recorded once more", async () => {
      const order = await active(backend())
      await recreate(order.serviceId)
      await together(5, () => backend().billing.recordProvisioningDelay(order.id, NOON))
      expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["recreated", "provisioning-delayed"])
    })

    test("an unknown service is neither restarted nor recreated", async () => {
      await expect(backend().billing.recordRestart("none", NOON)).rejects.toMatchObject({ kind: "refused" })
      expect(await recreate("none")).toBe(false)
    })

    test("ten concurrent requests recreate a service once", async () => {
      const { serviceId } = await active(backend())
      const results = await together(10, () => recreate(serviceId))
      expect(results.filter(Boolean)).toHaveLength(1)
    })

    test("a service that works again with other credentials is not recreated for its former line", async () => {
      const { serviceId } = await active(backend())
      const { billing } = backend()
      const former = await billing.service(serviceId)
      await recreate(serviceId)
      await billing.activateService(serviceId, { host: "https://new.test" }, NOON)
      if (!former) throw new Error("no service")
      const other = { username: "TVYYYYYYYY", password: "8888888888" }
      expect(await billing.recreateService(former, other, NOON)).toBe(false)
      expect(await billing.service(serviceId)).toMatchObject({ ...fresh, status: "Active" })
    })

    test("a service that is not provisioned is not recreated", async () => {
      const { serviceId } = await placed(backend())
      expect(await recreate(serviceId)).toBe(false)
    })

    test("a service enqueued again while its job runs is still due for provisioning afterwards", async () => {
      const { serviceId } = await active(backend())
      const [job] = await backend().outbox.claim(NOON, HOUR, 9)
      if (!job) throw new Error("no job")
      await recreate(serviceId, NOON + SECOND)
      await backend().outbox.complete(job)
      expect(await backend().outbox.claim(NOON + SECOND, HOUR, 9)).toMatchObject([{ subject: serviceId }])
      await backend().outbox.reschedule(job, { at: NOON, due: null, reason: "the first try failed" })
      expect(await backend().outbox.claim(NOON + 2 * HOUR, HOUR, 9)).toHaveLength(1)
    })
  })
}

async function finishJobs({ outbox }: BillingUnderTest): Promise<void> {
  for (const job of await outbox.claim(NOON, HOUR, 9)) await outbox.complete(job)
}
