import { describe, expect, test } from "vitest"
import type { ResellerSignIn } from "~/billing/resellers"
import { scopeIn } from "./billing-access-scope"
import { type BillingUnderTest, NOON, placed, promotions, together, unique } from "./billing-fixtures"
import { ordered } from "./reseller-fixtures"

const PASSWORD = 'correct & "horse" <battery>'

/** Tests reseller accounts and the scope of their passwords. */
export function resellerAccountsContract(backend: () => BillingUnderTest): void {
  const account = (changes: Partial<ResellerSignIn> = {}): ResellerSignIn => ({
    email: "o'ana@example.test",
    password: PASSWORD,
    existing: false,
    locale: "en-en",
    currency: "EUR",
    country: "ES",
    address: null,
    at: NOON,
    ...changes,
  })
  const auth = (changes: Partial<ResellerSignIn> = {}) => backend().billing.resellerAuth(account(changes))

  describe("a reseller's account", () => {
    test("signing up creates a reseller account that its password authenticates", async () => {
      const made = await auth()
      expect(made).toMatchObject({ email: "o'ana@example.test", reach: "sign-up" })
      expect(await auth({ existing: true, email: " O'ANA@example.test" })).toEqual(made)
      expect(await backend().billing.signIn({ email: "o'ana@example.test", password: PASSWORD })).toEqual(
        made,
      )
    })

    test("signing up with the email and password of an account authenticates it", async () => {
      const made = await auth()
      expect(await auth()).toEqual(made)
    })

    test("rejects a wrong password, an unknown email address and a taken email address with the same error", async () => {
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

    test("concurrent sign-ups with the same email and password share one account", async () => {
      const made = await together(4, () => auth())
      expect(new Set(made.map((it) => it?.id)).size).toBe(1)
      expect(made[0]).not.toBeNull()
    })

    test("each sign-up has its own password and a unique id", async () => {
      const [ana, ben] = [await auth(), await auth({ email: "ben@example.test" })]
      expect(ana?.passwordId).toEqual(expect.any(String))
      expect(ben?.passwordId).toEqual(expect.any(String))
      expect(ana?.passwordId).not.toBe(ben?.passwordId)
    })

    test("orders under a sign-up password stay under it when that password is changed with it", async () => {
      const squatter = await auth()
      const own = scopeIn(squatter)
      const id = squatter?.id ?? ""
      const order = await placed(backend(), { customerId: id, accessScope: own }, promotions.free)
      await backend().billing.setPassword({ id, ...own }, "another password", () => NOON)
      const again = await backend().billing.signIn({
        email: "o'ana@example.test",
        password: "another password",
      })
      expect(again).toEqual(squatter)
      expect((await backend().billing.servicesOf({ id, ...scopeIn(again) })).map((it) => it.id)).toEqual([
        order.serviceId,
      ])
    })

    test("a sign-up password is invalid after its owner has followed a sign-in link, which reports the change", async () => {
      const squatter = await auth()
      const id = squatter?.id ?? ""
      expect(await backend().billing.endSignUpPassword(id, NOON)).toBe(true)
      expect(await backend().billing.signIn({ email: "o'ana@example.test", password: PASSWORD })).toBeNull()
      expect(await auth()).toBeNull()
      expect(await backend().billing.endSignUpPassword(id, NOON)).toBe(false)
    })

    test("a sign-up cannot take back an account that its owner has authenticated", async () => {
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
      const owner = { email: "o'ana@example.test", password: "the owner's password" }
      expect(await backend().billing.signIn(owner)).toMatchObject({ id, reach: "account" })
      expect(await backend().billing.endSignUpPassword(id, NOON)).toBe(false)
      expect(await backend().billing.signIn(owner)).toMatchObject({ id, reach: "account" })
    })

    test("a password set by the authenticated owner opens the whole account", async () => {
      const { id = "" } = (await auth()) ?? {}
      await backend().billing.setPassword({ id, reach: "account" }, "another password", () => NOON)
      const owner = { email: "o'ana@example.test", password: "another password" }
      expect(await backend().billing.signIn(owner)).toMatchObject({ id, reach: "account" })
      expect(await auth()).toBeNull()
    })

    test("an account is a reseller's once a reseller plan is paid", async () => {
      const { customerId, order } = await ordered(backend())
      expect(await backend().billing.isReseller(customerId)).toBe(false)
      await backend().billing.applyOrderEvent(order.id, "paid", NOON)
      expect(await backend().billing.isReseller(customerId)).toBe(true)
      expect(await backend().billing.isReseller(unique())).toBe(false)
    })
  })
}
