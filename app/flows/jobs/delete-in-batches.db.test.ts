import { expect, test } from "vitest"
import { operatorAlerts } from "~/flows/mail/alert-operator.server"
import { watchForEvents } from "~/flows/webhooks/publish-events.server"
import { openTestShop } from "../../../tests/fixtures/test-shop"

/** Deletes what is left of `old` in batches of 500. */
function deletionOf(old: number) {
  const left = { count: old }
  const deleteOld = async () => {
    const batch = Math.min(500, left.count)
    left.count -= batch
    return batch
  }
  return { left, deleteOld }
}

test("old events and old messages are all deleted within the hour, however many there are", async () => {
  const { services } = await openTestShop()
  const [events, mails] = [deletionOf(1_200), deletionOf(30_000)]
  const busy = {
    ...services,
    webhooks: { ...services.webhooks, deleteOld: events.deleteOld },
    mails: { ...services.mails, deleteOld: mails.deleteOld },
  }
  await watchForEvents(busy, "an instance")()
  await operatorAlerts(busy, "an instance")()
  expect([events.left.count, mails.left.count]).toEqual([0, 0])
})

test("no turn deletes for ever", async () => {
  const { services } = await openTestShop()
  const { left, deleteOld } = deletionOf(1_000_000)
  await watchForEvents({ ...services, webhooks: { ...services.webhooks, deleteOld } }, "an instance")()
  expect(left.count).toBe(950_000)
})

test("while the clock was just moved ahead no old message and no old event is deleted", async () => {
  const { services } = await openTestShop()
  let calls = 0
  const deleteOld = async () => {
    calls += 1
    return 0
  }
  const { mails, webhooks } = services
  const watching = (isReliable: boolean) => ({
    ...services,
    mails: { ...mails, deleteOld },
    webhooks: { ...webhooks, deleteOld },
    isClockReliable: () => isReliable,
  })
  await operatorAlerts(watching(false), "an instance")()
  await watchForEvents(watching(false), "an instance")()
  expect(calls).toBe(0)
  await operatorAlerts(watching(true), "an instance")()
  await watchForEvents(watching(true), "an instance")()
  expect(calls).toBe(2)
})
