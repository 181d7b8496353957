import { afterEach, describe, expect, test } from "vitest"
import { type Money, money } from "~/domain/money/money"
import type { Gateway } from "~/gateways/gateway"

export type RefundCase = {
  readonly gateway: Gateway
  /** A paid payment of 12.50 EUR. */
  paid(): Promise<{ readonly paymentId: string }>
  /** What the provider has paid back of it in all. */
  refundedOf(paymentId: string): Promise<Money>
  /** The next request for a refund reaches the provider, and its response is lost. */
  loseResponse(): void
  /** The next request for a refund is answered by 503, and the provider does nothing. */
  fail(): void
  reset(): void
}

/** Tests that every gateway with refunds passes. */
export function refundContract(name: string, known: RefundCase) {
  const { gateway, paid, refundedOf } = known
  const { refunds } = gateway
  if (!refunds) throw new Error(`${name} has no refunds`)
  const whole = money(12_50, "EUR")
  const amount = refunds.isWholeOnly ? whole : money(5_00, "EUR")
  const address = refunds.needsAddress ? "TDD97yguPESTpcrJMqU6h2ozZbibv4Vaqm" : null
  const asked = (paymentId: string, key: string) => ({ paymentId, key, amount, address })
  let keys = 0
  const newKey = () => `${name}-refund-${++keys}`

  describe(`gateway ${name} fulfils the refund contract`, () => {
    afterEach(() => known.reset())

    test("a refund is paid once, however often it is asked for", async () => {
      const { paymentId } = await paid()
      const refund = asked(paymentId, newKey())
      const first = await refunds.refund(refund)
      expect(first.state).toBe("done")
      expect(await refunds.refund(refund)).toEqual(first)
      expect(await refundedOf(paymentId)).toEqual(amount)
    })

    test("a refund whose response was lost is found again, and not paid a second time", async () => {
      const { paymentId } = await paid()
      const refund = asked(paymentId, newKey())
      known.loseResponse()
      await expect(refunds.refund(refund)).rejects.toMatchObject({ kind: "unavailable" })
      known.reset()
      expect((await refunds.refund(refund)).state).toBe("done")
      expect(await refundedOf(paymentId)).toEqual(amount)
    })

    test("a refund that failed is paid by a repeat", async () => {
      const { paymentId } = await paid()
      const refund = asked(paymentId, newKey())
      known.fail()
      await expect(refunds.refund(refund)).rejects.toMatchObject({ kind: "unavailable" })
      known.reset()
      expect((await refunds.refund(refund)).state).toBe("done")
      expect(await refundedOf(paymentId)).toEqual(amount)
    })

    test("a refund of an unknown payment is refused", async () => {
      const refund = asked("00000000-0000-4000-8000-000000000000", newKey())
      await expect(refunds.refund(refund)).rejects.toMatchObject({ kind: "refused" })
    })

    test("the page of a claim is at one of the gateway's origins", async () => {
      const { claimUrl } = await refunds.refund(asked((await paid()).paymentId, newKey()))
      if (claimUrl === null) return
      expect(gateway.origins).toContain(new URL(claimUrl).origin)
      expect((await fetch(claimUrl)).status).toBe(200)
    })

    test.runIf(refunds.needsAddress)("a refund without an address is refused", async () => {
      const { paymentId } = await paid()
      const refund = { ...asked(paymentId, newKey()), address: null }
      await expect(refunds.refund(refund)).rejects.toMatchObject({ kind: "refused" })
    })

    test.skipIf(refunds.isWholeOnly)("two refunds of one payment are two", async () => {
      const { paymentId } = await paid()
      for (const key of [newKey(), newKey()]) await refunds.refund(asked(paymentId, key))
      expect(await refundedOf(paymentId)).toEqual(money(10_00, "EUR"))
    })
  })
}
