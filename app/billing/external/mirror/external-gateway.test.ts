import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import type { MirrorContext } from "./context.server"
import { externalGateway } from "./external-gateway.server"

test("a payment of external billing that cannot be read says when billing wants to be asked again", async () => {
  const busy = async () => Promise.reject(new BillingError("unavailable", "busy", { retryAfterSeconds: 120 }))
  const mirror = { store: { attempt: busy } } as unknown as MirrorContext
  const payments = { link: busy, origins: () => [] }
  const gateway = externalGateway(mirror, payments, "offshore")
  await expect(gateway.fetchPayment({ paymentId: "p", attemptId: "a" } as never)).rejects.toMatchObject({
    name: "GatewayError",
    kind: "unavailable",
    retryAfterSeconds: 120,
  })
})
