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

/** What becomes of services that are there already. */
export function servicesContract(backend: () => BillingUnderTest): void {
  describe("a service", () => {
    test("keeps its device and the customer's notes", async () => {
      const { serviceId } = await active(backend())
      await backend().billing.setDeviceAddress(serviceId, "00:1A:79:AB:CD:EF")
      await backend().billing.setNotes(serviceId, "Living room\n'; DROP TABLE services; --")
      expect(await backend().billing.service(serviceId)).toMatchObject({
        ...{ deviceAddress: "00:1A:79:AB:CD:EF", notes: "Living room\n'; DROP TABLE services; --" },
      })
    })

    test("that was restarted says so in the timeline of the order that made it", async () => {
      const order = await active(backend())
      await backend().billing.recordRestart(order.serviceId, NOON)
      expect((await timelineKinds(backend(), order)).at(-1)).toBe("restarted")
    })

    test("made anew has other credentials, is to be set up again, and works again", async () => {
      const order = await active(backend())
      await finishJobs(backend())
      expect(await backend().billing.recreateService(order.serviceId, fresh, NOON)).toBe(true)
      expect(await backend().billing.service(order.serviceId)).toMatchObject({
        ...{ ...fresh, status: "Pending", host: null },
      })
      const [job] = await backend().outbox.claim(NOON, HOUR, 9)
      expect(job).toMatchObject({ topic: "provision", subject: order.serviceId, tries: 0 })
      await backend().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      expect(await backend().billing.service(order.serviceId)).toMatchObject({
        ...{ status: "Active", host: "https://new.test" },
      })
      expect((await orderNow(backend(), order)).status).toBe("active")
      const messages = ["placed", "paid", "provisioned", "recreated", "provisioned"]
      expect(await timelineKinds(backend(), order)).toEqual(messages)
    })

    test("made anew works again once, however often it is said", async () => {
      const order = await active(backend())
      await backend().billing.recreateService(order.serviceId, fresh, NOON)
      const works = () =>
        backend().billing.activateService(order.serviceId, { host: "https://new.test" }, NOON)
      await together(5, works)
      expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["recreated", "provisioned"])
    })

    test("that takes long to be made anew tells so once more", async () => {
      const order = await active(backend())
      await backend().billing.recreateService(order.serviceId, fresh, NOON)
      await together(5, () => backend().billing.recordProvisioningDelay(order.id, NOON))
      expect((await timelineKinds(backend(), order)).slice(-2)).toEqual(["recreated", "provisioning-delayed"])
    })

    test("nobody has is not restarted and not made anew", async () => {
      await expect(backend().billing.recordRestart("none", NOON)).rejects.toMatchObject({ kind: "refused" })
      expect(await backend().billing.recreateService("none", fresh, NOON)).toBe(false)
    })

    test("is made anew once, when that is asked for ten times at once", async () => {
      const { serviceId } = await active(backend())
      const answers = await together(10, () => backend().billing.recreateService(serviceId, fresh, NOON))
      expect(answers.filter(Boolean)).toHaveLength(1)
    })

    test("that is not set up yet is not made anew", async () => {
      const { serviceId } = await placed(backend())
      expect(await backend().billing.recreateService(serviceId, fresh, NOON)).toBe(false)
    })

    test("promised again while its job is carried out is still to be set up afterwards", async () => {
      const { serviceId } = await active(backend())
      const [job] = await backend().outbox.claim(NOON, HOUR, 9)
      if (!job) throw new Error("no job")
      await backend().billing.recreateService(serviceId, fresh, NOON + SECOND)
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
