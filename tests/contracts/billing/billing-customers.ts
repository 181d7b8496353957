import { describe, expect, test, vi } from "vitest"
import { HOUR, SECOND } from "~/domain/calendar"
import type { Customer } from "~/domain/customers/customer"
import * as passwordThreads from "~/security/password-threads.server"
import { type BillingUnderTest, NOON, placed, promotions, unique } from "./billing-fixtures"

const PASSWORD = 'correct & "horse" <battery>'

/** Tests customers, their authentication and their services. */
export function customersContract(backend: () => BillingUnderTest): void {
  const visitor = { locale: "pt-pt", currency: "GBP", country: "PT", address: null, at: NOON } as const
  const known = async (email: string): Promise<Customer> => {
    const { customerId } = await backend().billing.identify({ ...visitor, email })
    return { id: customerId, email, locale: "pt-pt", currency: "GBP", reach: "account" }
  }
  const withPassword = async (email: string): Promise<Customer> => {
    const customer = await known(email)
    await backend().billing.setPassword(customer, PASSWORD, () => NOON)
    return customer
  }
  const signIn = (email: string, password: string) => backend().billing.signIn({ email, password })

  describe("a customer", () => {
    test("finds a customer by email address regardless of its spelling", async () => {
      const ana = await known("Ana@example.test")
      expect(await backend().billing.customerOf(" ana@EXAMPLE.test ")).toEqual(ana)
    })

    test("returns no customer for an unknown email address", async () => {
      expect(await backend().billing.customerOf("nobody@example.test")).toBeNull()
    })

    test("is found by the id, and nobody by an unknown one", async () => {
      const ana = await known("Ana@example.test")
      expect(await backend().billing.customerById(ana.id)).toEqual(ana)
      expect(await backend().billing.customerById("nobody")).toBeNull()
    })

    test("has the country that the account was opened in", async () => {
      const ana = await known("Ana@example.test")
      expect(await backend().billing.countryOf(ana.id)).toBe("PT")
      expect(await backend().billing.countryOf("nobody")).toBe("XX")
    })
  })

  describe("signing in", () => {
    test("accepts the customer's password regardless of the spelling of the email address", async () => {
      const ana = await withPassword("o'ana@example.test")
      expect(await signIn(" O'ANA@example.test", PASSWORD)).toEqual(ana)
    })

    test("rejects any other password", async () => {
      await withPassword("o'ana@example.test")
      const others = [PASSWORD.toUpperCase(), `${PASSWORD} `, ""]
      const proven = await Promise.all(others.map((typed) => signIn("o'ana@example.test", typed)))
      expect(proven).toEqual([null, null, null])
    })

    test("rejects another customer's password", async () => {
      await withPassword("o'ana@example.test")
      await backend().billing.setPassword(await known("bob@example.test"), "another one, as long", () => NOON)
      expect(await signIn("bob@example.test", PASSWORD)).toBeNull()
    })

    test("rejects a customer without a password", async () => {
      await known("o'ana@example.test")
      expect(await signIn("o'ana@example.test", PASSWORD)).toBeNull()
      expect(await signIn("o'ana@example.test", "")).toBeNull()
    })

    test("rejects an unknown email address", async () => {
      expect(await signIn("nobody@example.test", PASSWORD)).toBeNull()
    })

    test("accepts the new password after a change and rejects the old one", async () => {
      const ana = await withPassword("o'ana@example.test")
      await backend().billing.setPassword(ana, "Ünïcode is welcome 🔑", () => NOON)
      expect(await signIn("o'ana@example.test", "Ünïcode is welcome 🔑")).toEqual(ana)
      expect(await signIn("o'ana@example.test", PASSWORD)).toBeNull()
    })

    test("hashes as often for an unknown email address as for a known one", async () => {
      await withPassword("o'ana@example.test")
      await known("bob@example.test")
      const deriveKey = vi.spyOn(passwordThreads, "deriveKey")
      const hashedFor = async (email: string) => {
        deriveKey.mockClear()
        expect(await signIn(email, "not the password")).toBeNull()
        return deriveKey.mock.calls.map(([{ N, r, p, length }]) => ({ N, r, p, length }))
      }
      const dummyParameters = await hashedFor("nobody@example.test")
      expect(await hashedFor("o'ana@example.test")).toEqual(dummyParameters)
      expect(await hashedFor("bob@example.test")).toEqual(dummyParameters)
    })
  })

  test("sets no password for an unknown customer", async () => {
    await expect(
      backend().billing.setPassword({ id: "nobody", reach: "account" }, PASSWORD, () => NOON),
    ).rejects.toMatchObject({ kind: "refused" })
  })

  describe("the services of a customer", () => {
    test("lists the paid services of a customer, newest first", async () => {
      const inEuro = { ...visitor, currency: "EUR", email: "o'ana@example.test" } as const
      const { customerId } = await backend().billing.identify(inEuro)
      const ana = { id: customerId, reach: "account" } as const
      const old = await placed(backend(), { customerId, at: NOON - HOUR }, promotions.free)
      const latest = await placed(backend(), { customerId, at: NOON }, promotions.free)
      await placed(backend(), { customerId, at: NOON + SECOND })
      await placed(backend(), {}, promotions.free)
      await backend().billing.activateService(old.serviceId, { host: "https://tv.test" }, NOON)
      const services = await backend().billing.servicesOf(ana)
      expect(services.map(({ id, status }) => [id, status])).toEqual([
        [latest.serviceId, "Pending"],
        [old.serviceId, "Active"],
      ])
      expect(services[0]).toEqual(await backend().billing.service(latest.serviceId))
    })

    test("lists no services for a customer without purchases", async () => {
      expect(await backend().billing.servicesOf(await known("o'ana@example.test"))).toEqual([])
      expect(await backend().billing.servicesOf({ id: unique(), reach: "account" })).toEqual([])
    })
  })
}
