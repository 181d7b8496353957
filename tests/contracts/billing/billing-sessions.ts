import { describe, expect, test } from "vitest"
import type { KnownSession } from "~/billing/customers/session-repository"
import { DAY, SECOND } from "~/domain/calendar"
import type { AccessLevel } from "~/domain/customers/customer"
import { active, type BillingUnderTest, NOON, placed, unique } from "./billing-fixtures"

const BEFORE = NOON - SECOND

/** Tests ending one session and ending all sessions of a customer. */
export function sessionsContract(backend: () => BillingUnderTest): void {
  const isEnded = (session: Partial<KnownSession>) =>
    backend().sessions.isEnded({
      id: unique(),
      asOf: BEFORE,
      customer: null,
      orderId: null,
      serviceIds: [],
      ...session,
    })
  const newPassword = (id: string, reach: AccessLevel = "account") =>
    backend().billing.setPassword({ id, reach }, "a new password", () => NOON)

  describe("a session", () => {
    test("ending a session ends no other session", async () => {
      const id = unique()
      await backend().sessions.end(id, NOON + DAY)
      await backend().sessions.end(id, NOON + DAY)
      expect([await isEnded({ id }), await isEnded({})]).toEqual([true, false])
    })

    test("an ended session is stored until its cookies expire, and no longer", async () => {
      const [id, other] = [unique(), unique()]
      await backend().sessions.end(id, NOON + DAY)
      await backend().sessions.end(other, NOON + DAY + 1)
      expect(await backend().sessions.deleteEndedSessions(NOON + DAY - 1)).toBe(0)
      expect(await isEnded({ id })).toBe(true)
      expect(await backend().sessions.deleteEndedSessions(NOON + DAY)).toBe(1)
      expect([await isEnded({ id }), await isEnded({ id: other })]).toEqual([false, true])
    })

    test("a new password ends the customer's earlier sessions and no later one", async () => {
      const { customerId: id } = await placed(backend())
      const { customerId: other } = await placed(backend())
      await newPassword(id)
      const reach = "account"
      expect(await isEnded({ customer: { id, reach } })).toBe(true)
      expect(await isEnded({ customer: { id, reach }, asOf: NOON })).toBe(false)
      expect(await isEnded({ customer: { id: other, reach } })).toBe(false)
    })

    test("a new password ends sessions that placed an unauthenticated order for the customer", async () => {
      const { id, customerId, serviceId } = await active(backend())
      const [byOrder, byService] = [{ orderId: id }, { serviceIds: [unique(), serviceId] }]
      expect([await isEnded(byOrder), await isEnded(byService)]).toEqual([false, false])
      await newPassword(customerId)
      expect([await isEnded(byOrder), await isEnded(byService)]).toEqual([true, true])
      expect(await isEnded({ ...byOrder, ...byService, asOf: NOON })).toBe(false)
    })

    test("all sessions of a customer end at once, signed in or with an order or service, and no later one", async () => {
      const { id, customerId, serviceId } = await active(backend())
      const { customerId: other } = await placed(backend())
      await backend().sessions.endAllOf({ id: customerId, reach: "account" }, NOON)
      const customer = { id: customerId, reach: "account" } as const
      const holding = [{ customer }, { orderId: id }, { serviceIds: [serviceId] }]
      expect(await Promise.all(holding.map(isEnded))).toEqual([true, true, true])
      expect(await isEnded({ customer, orderId: id, asOf: NOON })).toBe(false)
      expect(await isEnded({ customer: { id: other, reach: "account" } })).toBe(false)
    })

    test("a sign-up ends the sessions of its own scope alone", async () => {
      const { id: orderId, customerId: id } = await placed(backend())
      await backend().sessions.endAllOf({ id, reach: "sign-up", passwordId: "p" }, NOON)
      expect(await isEnded({ customer: { id, reach: "sign-up" } })).toBe(true)
      expect(await isEnded({ customer: { id, reach: "account" } })).toBe(false)
      expect(await isEnded({ orderId })).toBe(false)
    })

    test("a sign-up's password change does not end the authenticated owner's sessions", async () => {
      const { id: orderId, customerId: id } = await placed(backend())
      await newPassword(id, "sign-up")
      expect(await isEnded({ customer: { id, reach: "account" } })).toBe(false)
      expect(await isEnded({ orderId })).toBe(false)
      expect(await isEnded({ customer: { id, reach: "sign-up" } })).toBe(true)
      expect(await isEnded({ customer: { id, reach: "sign-up" }, asOf: NOON })).toBe(false)
      await backend().billing.setPassword({ id, reach: "account" }, "his own password", () => NOON + 1)
      expect(await isEnded({ customer: { id, reach: "sign-up" }, asOf: NOON })).toBe(true)
    })
  })
}
