import { expect, test } from "vitest"
import { areReadWithin, hostileTo, regularExpressions } from "./regular-expressions"

/** Longer than all headers together. */
const LONG = 20_000
/** For hundreds of texts at once; what goes through a text again and again takes seconds for each. */
const IN_TIME = 1_000
/** Somebody else may have had the machine. */
const TRIES = 3

/** How long a text can be where it is not read by everybody, or has been measured before. */
const longest: Readonly<Record<string, number>> = {
  // What the operator has set, or has written into WHMCS.
  "app/config/fields.server.ts: /\\/+$/": 2_000,
  "app/gateways/offshore/link.server.ts: /\\/+$/": 2_000,
  "app/provisioning/webhook/xtream-url.ts: /\\/+$/": 2_000,
  "app/billing/external/whmcs/services/service-mapping.ts: /\\/+$/": 2_000,
  // What the books elsewhere say.
  "app/billing/external/remote/api-client.server.ts: /\\S*[^\\sA-Za-z.,'\"!?-]\\S*/g": 1_000,
  // EMAIL_LENGTH.
  "app/domain/email.ts: /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/": 254,
  // Digits of a number, or an amount of 16 characters.
  "app/gateways/btcpay/decimal.ts: /0+$/": 200,
  "app/gateways/cryptomus/decimal.ts: /0+$/": 200,
  "app/billing-api/handlers/same-amount.ts: /0+$/": 16,
}

test("no regular expression of the shop takes long for the longest text it can be given", () => {
  const slow: string[] = []
  let tried = 0
  for (const { where, expression } of regularExpressions()) {
    const texts = hostileTo(expression, longest[where] ?? LONG)
    tried += texts.length
    const inTime = Array.from({ length: TRIES }, () => 0).some(() =>
      areReadWithin(IN_TIME, expression, texts),
    )
    if (!inTime) slow.push(where)
  }
  process.stdout.write(`texts hostile to regular expressions tried: ${tried}, violations: ${slow.length}\n`)
  expect(slow).toEqual([])
  expect(tried).toBeGreaterThan(10_000)
}, 120_000)
