import { describe, expect, test } from "vitest"
import {
  type Gateway,
  type PaymentRequest,
  type RawCallback,
  UntrustedCallbackError,
} from "~/gateways/gateway"

export type GatewayCase = {
  gateway: Gateway
  payment: PaymentRequest
  /** Reports `payment` as fully paid, signed by the provider. */
  paid: RawCallback
  /** Callbacks contain no amounts; they only name the payment to poll. */
  onlyHints?: boolean
  /** The same content with an invalid signature. */
  forged: RawCallback
  /** Tries to pay at the payment URL, where a fake provider accepts payments. */
  pay?: (url: string) => Promise<unknown>
  /** The provider has no API to poll, so no test that depends on polling runs. */
  cannotBePolled?: true
}

/** Tests that every gateway module passes. `name` tells providers of one module apart. */
export function gatewayContract(name: string, known: GatewayCase) {
  const { gateway, payment, paid, onlyHints = false, forged } = known
  describe(`gateway ${name} fulfils the gateway contract`, () => {
    test("a payment URL has one of the gateway's origins", async () => {
      const { url, paymentId } = await gateway.startPayment(payment)
      expect(gateway.origins).toContain(new URL(url).origin)
      expect(paymentId).not.toBe("")
    })

    test("opening an attempt again returns the same payment and URL", async () => {
      const first = await gateway.startPayment(payment)
      expect(await gateway.startPayment(payment)).toEqual(first)
    })

    if (known.cannotBePolled) unasked(known)
    else pollContract(known)

    test("closing a payment reports whether it is closed, and the same when repeated", async () => {
      const { paymentId } = await gateway.startPayment({ ...payment, attemptId: `${payment.attemptId}-c` })
      const outcome = await gateway.closePayment({ paymentId })
      expect(["closed", "stays-open"]).toContain(outcome)
      expect(await gateway.closePayment({ paymentId })).toBe(outcome)
    })

    const means = onlyHints ? "as a payment of ours to ask about" : "as money received for our attempt"
    test(`a callback of the provider is read ${means}`, () => {
      const update = {
        eventKey: expect.stringMatching(/./),
        attemptId: payment.attemptId,
        status: "paid",
        received: payment.amount,
        transactionId: expect.toBeOneOf([expect.any(String), null]),
      }
      const hint = { paymentId: expect.stringMatching(/./), attemptId: payment.attemptId }
      // Addresses and transactions of coins are the business of the providers that name them.
      expect({ ...gateway.parseCallback(paid), coinReferences: [] }).toEqual({
        ...(onlyHints ? hint : update),
        coinReferences: [],
      })
    })

    test("the same callback sent again gives the same event id", () => {
      expect(gateway.parseCallback(paid)).toEqual(gateway.parseCallback(paid))
    })

    test("its own test callback is signed, and is about no payment", () => {
      const signed = gateway.testCallback?.(paid.at)
      if (!signed) throw new Error("no test callback")
      const headers = new Headers(signed.headers)
      const test = { ...paid, headers, body: Buffer.from(signed.body) }
      expect(gateway.parseCallback(test)).toBeNull()
      const changed = { ...test, body: Buffer.from(signed.body.replace("e", "f")) }
      expect(() => gateway.parseCallback(changed)).toThrow(UntrustedCallbackError)
    })

    test("a callback with an invalid signature is rejected", () => {
      expect(() => gateway.parseCallback(forged)).toThrow(UntrustedCallbackError)
    })
  })
}

/** Tests for gateways that can be polled. */
function pollContract({ gateway, payment, pay }: GatewayCase) {
  test("polling a payment returns our attempt in its currency", async () => {
    const { paymentId } = await gateway.startPayment(payment)
    const update = await gateway.fetchPayment({ paymentId })
    expect(update?.attemptId).toBe(payment.attemptId)
    expect(update?.received.currency).toBe(payment.amount.currency)
  })

  test("polling twice without a change gives the same event id", async () => {
    const { paymentId } = await gateway.startPayment(payment)
    const first = await gateway.fetchPayment({ paymentId })
    expect(await gateway.fetchPayment({ paymentId })).toEqual(first)
  })

  test("a closed payment takes no money and has ended", async () => {
    const opened = await gateway.startPayment({ ...payment, attemptId: `${payment.attemptId}-d` })
    const outcome = await gateway.closePayment(opened)
    await pay?.(opened.url)
    const update = await gateway.fetchPayment(opened)
    const isFinal = update?.status === "expired" && update.received.minor === 0
    expect({ outcome, isFinal }).toEqual({ outcome, isFinal: outcome === "closed" || isFinal })
  })
}

function unasked({ gateway, payment, pay }: GatewayCase) {
  test("polling is reported as unsupported, before and after the payment is created", async () => {
    const opened = await gateway.startPayment(payment)
    expect(await gateway.fetchPayment(opened)).toBeNull()
    await pay?.(opened.url)
    expect(await gateway.fetchPayment(opened)).toBeNull()
  })

  test("a payment whose closing cannot be verified is not reported as closed", async () => {
    const opened = await gateway.startPayment({ ...payment, attemptId: `${payment.attemptId}-d` })
    expect(await gateway.closePayment(opened)).toBe("stays-open")
  })
}
