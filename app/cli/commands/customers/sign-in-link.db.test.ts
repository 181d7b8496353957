import { afterEach, beforeEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { signWith } from "~/security/hmac.server"
import { verifyLink } from "~/security/signed-link.server"
import { secretsOf } from "~/wiring/generated-secrets.server"
import { NOON, placed, promotions } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine, SECRET } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

const signer = signWith([SECRET], "links")

function linkIn(output: string) {
  const link = new URL(output)
  const { email = "", expires = "", signature = "", serviceid } = Object.fromEntries(link.searchParams)
  return { link, parameters: { email, expires, signature, serviceId: serviceid ?? null } }
}

test("sign-in-link creates a link that is valid for a week, or for --expires-in", async () => {
  const { exitCode, output } = await line.command("customers sign-in-link ANA+tv@example.test")
  const { link, parameters } = linkIn(output)
  expect(exitCode).toBe(0)
  expect(`${link.origin}${link.pathname}`).toBe("http://127.0.0.1:3000/checkout/")
  expect(parameters).toMatchObject({ email: "ana+tv@example.test", serviceId: null })
  expect(verifyLink(signer, parameters, NOON + 7 * DAY - 1)).toBe("valid")
  expect(verifyLink(signer, parameters, NOON + 7 * DAY)).toBe("expired")

  const short = linkIn(
    (await line.command("customers sign-in-link ana+tv@example.test --expires-in 30m")).output,
  )
  expect(Number(short.parameters.expires) * SECOND).toBe(NOON + 30 * MINUTE)
})

test("sign-in-link --service-id creates a link to one service of the customer", async () => {
  const { serviceId } = await placed(line.backend, { customerId: line.customerId }, promotions.free)
  const { parameters } = linkIn(
    (await line.command(`customers sign-in-link ana+tv@example.test --service-id ${serviceId}`)).output,
  )
  expect(parameters.serviceId).toBe(serviceId)
  expect(verifyLink(signer, parameters, NOON)).toBe("valid")
})

test("sign-in-link rejects another customer's service", async () => {
  const { serviceId } = await placed(line.backend, {}, promotions.free)
  expect(await line.command(`customers sign-in-link ana+tv@example.test --service-id ${serviceId}`)).toEqual({
    exitCode: 1,
    output: `Service "${serviceId}" of this customer not found.`,
  })
  expect((await line.command("customers sign-in-link ana+tv@example.test --service-id none")).exitCode).toBe(
    1,
  )
})

test.each(["0m", "91d", "7", "7w", "-1d", "d", "1.5h"])(
  "sign-in-link rejects the duration %s and explains the format",
  async (time) => {
    const { exitCode, output } = await line.command(
      `customers sign-in-link ana+tv@example.test --expires-in=${time}`,
    )
    expect([exitCode, output]).toEqual([2, expect.stringContaining("30m, 12h or 7d")])
  },
)

test("sign-in-link rejects an unknown email", async () => {
  expect(await line.command("customers sign-in-link nobody@example.test")).toEqual({
    exitCode: 1,
    output: "Customer not found.",
  })
})

test("sign-in-link signs with the generated secret if SESSION_SECRETS is not set", async () => {
  const { output } = await line.command("customers sign-in-link ana+tv@example.test", "", {
    SESSION_SECRETS: "",
  })
  const own = secretsOf(readConfig({ DATA_DIR: line.folder }))
  expect(verifyLink(signWith(own, "links"), linkIn(output).parameters, NOON)).toBe("valid")
  expect(verifyLink(signer, linkIn(output).parameters, NOON)).toBe("invalid")
})
