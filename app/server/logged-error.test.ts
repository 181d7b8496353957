import { Writable } from "node:stream"
import pino from "pino"
import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { UpstreamError } from "~/http/upstream-error"
import { ProvisioningError } from "~/provisioning/provisioner"
import { loggedError } from "./logged-error.server"

/** What the log has of an error. */
function written(err: unknown) {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  pino({ serializers: { err: loggedError } }, stream).error({ err }, "failed")
  return JSON.parse(lines.join("")).err
}

test("a failed call that is wrapped twice is named once, with the stacks of all errors", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:4000")
  const upstream = new UpstreamError("unavailable", "GET billing.test/order got no response", {
    cause: refused,
  })
  const billing = new BillingError("unavailable", upstream.message, { cause: upstream })
  const error = new ProvisioningError(`external billing: ${billing.message}`, { cause: billing })
  const logged = written(error)
  expect(logged.message).toBe(
    "external billing: GET billing.test/order got no response: connect ECONNREFUSED 127.0.0.1:4000",
  )
  expect(logged.stack.match(/caused by/g)).toHaveLength(3)
  expect(logged).toMatchObject({ type: "ProvisioningError" })
})

test("causes that say more are kept, also in a circle, and what is no error is written as it is", () => {
  const [outer, inner] = [new Error("order not placed"), new Error("database is locked")]
  outer.cause = inner
  inner.cause = outer
  expect(written(outer).message).toBe("order not placed: database is locked")
  expect(written("gone")).toBe("gone")
})
