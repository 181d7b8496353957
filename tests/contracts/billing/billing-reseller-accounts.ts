import { describe, expect, test } from "vitest"
import type { ResellerAccount } from "~/billing/resellers"
import { scopeIn } from "./billing-access-scope"
import { type BillingUnderTest, NOON, placed, promotions, together, unique } from "./billing-fixtures"
import { ordered } from "./reseller-fixtures"

const PASSWORD = "correct horse battery"

/** The accounts resellers buy under, and how much of them is whose. */
export function resellerAccountsContract(backend: () => BillingUnderTest): void {
  const account = (changes: Partial<ResellerAccount> = {}): ResellerAccount => ({
    ...{ email: "ana@example.test", password: PASSWORD, existing: false },
    ...{ locale: "en-en", currency: "EUR", country: "ES", address: null, at: NOON },
    ...changes,
  })
  const auth = (changes: Partial<ResellerAccount> = {}) => backend().billing.resellerAuth(account(changes))

  describe("a reseller's account", () => {
    test("is made for who is new, and proven by its password from then on", async () => {
      const made = await auth()
      expect(made).toMatchObject({ email: "ana@example.test", reach: "sign-up" })
      expect(await auth({ existing: true, email: " ANA@example.test" })).toEqual(made)
      expect(await backend().billing.signIn({ email: "ana@example.test", password: PASSWORD })).toEqual(made)
    })

    test("is proven too when who has one says he is new", async () => {
      const made = await auth()
      expect(await auth()).toEqual(made)
    })

    test("is refused alike for a wrong password, an unknown e-mail, and an e-mail that has one", async () => {
      await auth()
      const { customerId } = await backend().billing.identify(account({ email: "ben@example.test" }))
      const refused = [
        { existing: true, password: "another password" },
        { existing: true, email: "nobody@example.test" },
        { password: "another password" },
        { email: "ben@example.test" },
        { email: "ben@example.test", existing: true },
      ]
      expect(await Promise.all(refused.map(auth))).toEqual([null, null, null, null, null])
      expect(await backend().billing.signIn({ email: "ben@example.test", password: PASSWORD })).toBeNull()
      expect((await backend().billing.customerOf("ben@example.test"))?.id).toBe(customerId)
      expect(await backend().billing.customerOf("nobody@example.test")).toBeNull()
    })

    test("is one, and everybody's who signs up with the same words at once", async () => {
      const made = await together(4, () => auth())
      expect(new Set(made.map((it) => it?.id)).size).toBe(1)
      expect(made[0]).not.toBeNull()
    })

    test("has a password of its own, known by an id that no other sign-up has", async () => {
      const [ana, ben] = [await auth(), await auth({ email: "ben@example.test" })]
      expect(ana?.passwordId).toEqual(expect.any(String))
      expect(ben?.passwordId).toEqual(expect.any(String))
      expect(ana?.passwordId).not.toBe(ben?.passwordId)
    })

    test("keeps what was ordered under its password when whoever knows it chooses another", async () => {
      const squatter = await auth()
      const own = scopeIn(squatter)
      const id = squatter?.id ?? ""
      const order = await placed(backend(), { customerId: id, accessScope: own }, promotions.free)
      await backend().billing.setPassword({ id, ...own }, "another password", () => NOON)
      const again = await backend().billing.signIn({
        email: "ana@example.test",
        password: "another password",
      })
      expect(again).toEqual(squatter)
      expect((await backend().billing.servicesOf({ id, ...scopeIn(again) })).map((it) => it.id)).toEqual([
        order.serviceId,
      ])
    })

    test("lets nobody in with it once its owner has followed a link, and says whether it did", async () => {
      const squatter = await auth()
      const id = squatter?.id ?? ""
      expect(await backend().billing.endSignUpPassword(id, NOON)).toBe(true)
      expect(await backend().billing.signIn({ email: "ana@example.test", password: PASSWORD })).toBeNull()
      expect(await auth()).toBeNull()
      expect(await backend().billing.endSignUpPassword(id, NOON)).toBe(false)
    })

    test("cannot be taken back by whoever signed up, once its owner has proven it", async () => {
      const squatter = await auth()
      const own = scopeIn(squatter)
      const id = squatter?.id ?? ""
      await backend().billing.endSignUpPassword(id, NOON)
      await expect(backend().billing.setPassword({ id, ...own }, PASSWORD, () => NOON)).rejects.toMatchObject(
        {
          kind: "refused",
        },
      )
      await backend().billing.setPassword({ id, reach: "account" }, "the owner's password", () => NOON)
      await expect(backend().billing.setPassword({ id, ...own }, PASSWORD, () => NOON)).rejects.toMatchObject(
        {
          kind: "refused",
        },
      )
      const owner = { email: "ana@example.test", password: "the owner's password" }
      expect(await backend().billing.signIn(owner)).toMatchObject({ id, reach: "account" })
      expect(await backend().billing.endSignUpPassword(id, NOON)).toBe(false)
      expect(await backend().billing.signIn(owner)).toMatchObject({ id, reach: "account" })
    })

    test("reaches all of the account once its owner has chosen a password himself", async () => {
      const { id = "" } = (await auth()) ?? {}
      await backend().billing.setPassword({ id, reach: "account" }, "another password", () => NOON)
      const owner = { email: "ana@example.test", password: "another password" }
      expect(await backend().billing.signIn(owner)).toMatchObject({ id, reach: "account" })
      expect(await auth()).toBeNull()
    })

    test("is a reseller's once a reseller plan is paid", async () => {
      const { customerId, order } = await ordered(backend())
      expect(await backend().billing.isReseller(customerId)).toBe(false)
      await backend().billing.applyOrderEvent(order.id, "paid", NOON)
      expect(await backend().billing.isReseller(customerId)).toBe(true)
      expect(await backend().billing.isReseller(unique())).toBe(false)
    })
  })
}
